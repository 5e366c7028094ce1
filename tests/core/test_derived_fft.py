"""The derived Fourier ops, on a backend without complex dtypes."""

import pytest

from trivet.contract import Device
from trivet.dtypes import float32, float64
from trivet.errors import UnsupportedOpError

FIRST = Device("example", 0)
ONE = {"n": 4, "axis": 0, "norm": "backward"}
MANY = {"s": (4,), "axes": (0,), "norm": "backward"}
LINE = [1.0, 2.0, 3.0, 4.0]
CASES = [
    *(
        (op, (LINE,), ONE, UnsupportedOpError)
        for op in ("fft", "ifft", "rfft", "irfft", "hfft", "ihfft")
    ),
    *(
        (op, (LINE,), MANY, UnsupportedOpError)
        for op in ("fftn", "ifftn", "rfftn", "irfftn")
    ),
    ("fftshift", ([0, 1, 2, 3, 4],), {"axes": (0,)}, [3, 4, 0, 1, 2]),
    ("fftshift", ([[0, 1], [2, 3]],), {"axes": (0, 1)}, [[3, 2], [1, 0]]),
    ("fftshift", ([],), {"axes": (0,)}, []),
    ("ifftshift", ([3, 4, 0, 1, 2],), {"axes": (0,)}, [0, 1, 2, 3, 4]),
    ("ifftshift", ((7, "int8"),), {"axes": ()}, (7, "int8")),
]
SPACED = [
    ("fftfreq", 5, 0.5, [0.0, 0.4, 0.8, -0.8, -0.4]),
    ("fftfreq", 4, 1.0, [0.0, 0.25, -0.5, -0.25]),
    ("fftfreq", 1, 1.0, [0.0]),
    ("rfftfreq", 5, 0.5, [0.0, 0.4, 0.8]),
    ("rfftfreq", 4, 1.0, [0.0, 0.25, 0.5]),
]


@pytest.mark.parametrize("op, operands, statics, expected", CASES)
def test_derived_op_has_the_value_of_its_definition(
    check, op, operands, statics, expected
):
    check(op, operands, statics, expected)


@pytest.mark.parametrize("dtype", [float32, float64])
@pytest.mark.parametrize("op, n, d, expected", SPACED)
def test_frequencies_are_multiples_of_one_over_the_length(
    check, op, n, d, expected, dtype
):
    statics = {"n": n, "d": d, "dtype": dtype, "device": FIRST}

    check(op, (), statics, (expected, dtype.name))


def test_transform_says_which_dtype_it_needs(backend, grid):
    with pytest.raises(UnsupportedOpError) as caught:
        backend.fft(grid([1.0], "float32"), n=1, axis=0, norm="backward")

    assert str(caught.value) == (
        "the backend example has no dtype complex64, which fft needs."
    )


def test_every_derived_op_of_the_family_has_a_case(derived_ops):
    assert derived_ops("fft") == {case[0] for case in [*CASES, *SPACED]}
