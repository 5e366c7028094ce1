"""The derived ways to make arrays."""

import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trivet.contract import Device
from trivet.dtypes import DTYPES, float32, float64

F64 = {"dtype": float64, "device": Device("example", 0)}
I8 = {"dtype": DTYPES["int8"], "device": Device("example", 0)}
BOOL = {"dtype": DTYPES["bool"], "device": Device("example", 0)}
TABLE = [[1.0, 2.0, 3.0], [4.0, 5.0, math.nan], [7.0, math.inf, 9.0]]


def eye(n_rows, n_cols, k, where):
    return {"n_rows": n_rows, "n_cols": n_cols, "k": k, **where}


def line(start, stop, num, where, *, endpoint=True):
    return {"start": start, "stop": stop, "num": num, "endpoint": endpoint, **where}


CASES = [
    ("zeros", (), {"shape": (2, 2), **F64}, [[0.0, 0.0], [0.0, 0.0]]),
    ("zeros", (), {"shape": (1,), **BOOL}, [False]),
    ("ones", (), {"shape": (), **I8}, (1, "int8")),
    ("ones", (), {"shape": (0,), **F64}, []),
    ("ones", (), {"shape": (1,), **BOOL}, [True]),
    ("eye", (), eye(2, 3, 0, F64), [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]),
    ("eye", (), eye(2, 2, -1, I8), ([[0, 0], [1, 0]], "int8")),
    ("eye", (), eye(2, 2, 1, BOOL), [[False, True], [False, False]]),
    ("eye", (), eye(2, 2, 5, F64), [[0.0, 0.0], [0.0, 0.0]]),
    ("tril", (TABLE,), {"k": 0}, [[1.0, 0.0, 0.0], [4.0, 5.0, 0.0], TABLE[2]]),
    ("tril", ([[1, 2], [3, 4]],), {"k": -1}, [[0, 0], [3, 0]]),
    ("tril", ([[[1, 2], [3, 4]]],), {"k": 0}, [[[1, 0], [3, 4]]]),
    ("triu", (TABLE,), {"k": 1}, [[0.0, 2.0, 3.0], [0.0, 0.0, math.nan], [0.0] * 3]),
    ("triu", ([[True, True], [True, True]],), {"k": 0}, [[True, True], [False, True]]),
    ("linspace", (), line(0.0, 1.0, 5, F64), [0.0, 0.25, 0.5, 0.75, 1.0]),
    ("linspace", (), line(0.0, 1.0, 4, F64, endpoint=False), [0.0, 0.25, 0.5, 0.75]),
    ("linspace", (), line(3.0, 7.0, 1, F64), [3.0]),
    ("linspace", (), line(3.0, 7.0, 0, F64), []),
    ("linspace", (), line(0, -5, 3, I8), ([0, -3, -5], "int8")),
]


@pytest.mark.parametrize("op, operands, statics, expected", CASES)
def test_op_gives_the_right_values(check, op, operands, statics, expected):
    check(op, operands, statics, expected)


def test_empty_has_the_shape_and_dtype_asked_for(backend, device):
    made = backend.empty(shape=(2, 3), dtype=float32, device=device)

    assert made.shape == (2, 3)
    assert len(made.data) == 6
    assert made.dtype == float32


def test_new_arrays_are_on_the_device_asked_for(backend):
    second = Device("example", 1)

    assert backend.ones(shape=(1,), dtype=float64, device=second).device == second
    assert backend.eye(**eye(2, 2, 0, {**F64, "device": second})).device == second


# 0.1 steps: the last point must be the stop itself, not what the steps add up to
@given(start=st.floats(-1e6, 1e6), stop=st.floats(-1e6, 1e6), num=st.integers(2, 50))
def test_linspace_begins_and_ends_exactly_and_is_even(backend, start, stop, num):
    points = backend.linspace(**line(start, stop, num, F64)).data

    assert points[0] == start
    assert points[-1] == stop
    step = (Fraction(stop) - Fraction(start)) / (num - 1)
    for i, point in enumerate(points):
        tolerance = 4e-16 * max(abs(start), abs(stop), 1e-300)
        assert abs(Fraction(point) - Fraction(start) - i * step) <= 4 * tolerance


def test_linspace_of_float32_is_the_rounded_float64_line(backend, device):
    points = backend.linspace(**line(0.0, 0.1, 3, {**F64, "dtype": float32})).data

    assert points == [0.0, 0.05000000074505806, 0.10000000149011612]


def test_every_derived_op_of_the_family_has_a_case(derived_ops):
    assert derived_ops("creation") == {case[0] for case in CASES} | {"empty"}
