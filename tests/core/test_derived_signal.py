"""The derived windows and overlapping sums, against their definitions."""

import math

import pytest

from trivet.contract import Device
from trivet.dtypes import float32, float64
from trivet.errors import UnsupportedOpError

FIRST = Device("example", 0)
WHERE = {"dtype": float64, "device": FIRST}
HANN, BLACKMAN = (0.5, 0.5), (0.42, 0.5, 0.08)
EVEN = {"symmetric": True, **WHERE}
OPEN = {"symmetric": False, **WHERE}
I0_OF_2 = math.fsum(1 / math.factorial(k) ** 2 for k in range(20))  # its series
STFT = {"hop_length": 1, "onesided": True, "norm": "backward"}


def cosine(n, steps, coefficients):
    """The definition, term by term."""
    return [
        math.fsum(
            (-1) ** k * c * math.cos(2 * math.pi * k * i / steps)
            for k, c in enumerate(coefficients)
        )
        for i in range(n)
    ]


CASES = [
    ("general_cosine", (), {"n": 5, "coefficients": HANN, **EVEN}, cosine(5, 4, HANN)),
    ("general_cosine", (), {"n": 5, "coefficients": HANN, **OPEN}, cosine(5, 5, HANN)),
    (
        "general_cosine",
        (),
        {"n": 6, "coefficients": BLACKMAN, **EVEN},
        cosine(6, 5, BLACKMAN),
    ),
    ("general_cosine", (), {"n": 1, "coefficients": BLACKMAN, **EVEN}, [1.0]),
    ("general_cosine", (), {"n": 1, "coefficients": HANN, **OPEN}, [1.0]),
    ("general_cosine", (), {"n": 0, "coefficients": HANN, **EVEN}, []),
    ("bartlett", (), {"n": 5, **EVEN}, [0.0, 0.5, 1.0, 0.5, 0.0]),
    ("bartlett", (), {"n": 4, **OPEN}, [0.0, 0.5, 1.0, 0.5]),
    ("bartlett", (), {"n": 1, **EVEN}, [1.0]),
    (
        "bartlett",
        (),
        {"n": 3, **EVEN, "dtype": float32},
        ([0.0, 1.0, 0.0], "float32"),
    ),
    ("kaiser", (), {"n": 3, "beta": 0.0, **EVEN}, [1.0, 1.0, 1.0]),
    ("kaiser", (), {"n": 3, "beta": 2.0, **EVEN}, [1 / I0_OF_2, 1.0, 1 / I0_OF_2]),
    ("kaiser", (), {"n": 3, "beta": 2000.0, **EVEN}, [0.0, 1.0, 0.0]),
    ("stft", ([1.0, 2.0, 3.0], [1.0, 1.0]), STFT, UnsupportedOpError),
    ("overlap_add", ([[1.0, 2.0], [3.0, 4.0]],), {"hop_length": 1}, [1.0, 5.0, 4.0]),
    (
        "overlap_add",
        ([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]],),
        {"hop_length": 2},
        [1.0, 2.0, 7.0, 5.0, 6.0],
    ),
    (
        "overlap_add",
        ([[1.0, 2.0], [3.0, 4.0]],),
        {"hop_length": 3},
        [1.0, 2.0, 0.0, 3.0, 4.0],
    ),
    ("overlap_add", ([[[1.0], [2.0]]],), {"hop_length": 1}, [[1.0, 2.0]]),
]


@pytest.mark.parametrize("op, operands, statics, expected", CASES)
def test_derived_op_has_the_value_of_its_definition(
    backend, check, op, operands, statics, expected
):
    if op == "general_cosine":  # the ends cancel to nearly 0
        found = getattr(backend, op)(**statics)
        assert found.dtype == float64
        assert found.data == pytest.approx(expected, rel=1e-14, abs=1e-16)
        return
    check(op, operands, statics, expected)


def test_every_derived_op_of_the_family_has_a_case(derived_ops):
    assert derived_ops("signal") == {case[0] for case in CASES}
