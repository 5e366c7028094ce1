"""`%` by the standard's table of special cases and by Python's own numbers.

The standard's suite skips its test of `remainder`.
"""

import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

import trivet as tv

INF, NAN = math.inf, math.nan
BACKENDS = ["ndarray", "autodiff(ndarray)", "example"]
SIGNED = {"int8": 8, "int16": 16, "int32": 32, "int64": 64}
UNSIGNED = {"uint8": 8, "uint16": 16, "uint32": 32, "uint64": 64}

# data-apis.org/array-api/2025.12, remainder: x1, x2, result
SPECIAL = [
    (NAN, 2.0, NAN),
    (2.0, NAN, NAN),
    (INF, INF, NAN),
    (INF, -INF, NAN),
    (-INF, INF, NAN),
    (-INF, -INF, NAN),
    (0.0, 0.0, NAN),
    (-0.0, -0.0, NAN),
    (0.0, 3.0, 0.0),
    (-0.0, 3.0, 0.0),
    (0.0, -3.0, -0.0),
    (-0.0, -3.0, -0.0),
    (3.0, 0.0, NAN),
    (3.0, -0.0, NAN),
    (-3.0, 0.0, NAN),
    (-3.0, -0.0, NAN),
    (INF, 3.0, NAN),
    (INF, -3.0, NAN),
    (-INF, 3.0, NAN),
    (-INF, -3.0, NAN),
    # of a finite number and an infinity, Python's answer: the sign of the divisor
    (3.0, INF, 3.0),
    (3.0, -INF, -INF),
    (-3.0, INF, INF),
    (-3.0, -INF, -3.0),
    # a result of zero has the sign of the divisor
    (6.0, 3.0, 0.0),
    (-6.0, 3.0, 0.0),
    (6.0, -3.0, -0.0),
    (-6.0, -3.0, -0.0),
]


def remainder(x1, x2, dtype, backend):
    left = tv.asarray([x1], dtype=dtype, backend=backend)
    right = tv.asarray([x2], dtype=dtype, backend=backend)
    result = left % right
    assert result.dtype == left.dtype
    assert tv.remainder(left, right).dtype == left.dtype
    return result[0].item()


def same(found, expected):
    if math.isnan(expected):
        return math.isnan(found)
    return found == expected and math.copysign(1, found) == math.copysign(1, expected)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("x1, x2, expected", SPECIAL)
@pytest.mark.filterwarnings("ignore:invalid value:RuntimeWarning")
def test_remainder_of_special_numbers(x1, x2, expected, dtype, backend):
    assert same(remainder(x1, x2, dtype, backend), expected)


@pytest.mark.parametrize("backend", BACKENDS)
@given(data=st.data())
def test_remainder_of_integers_is_pythons(backend, data):
    name, bits = data.draw(st.sampled_from(sorted({**SIGNED, **UNSIGNED}.items())))
    low = 0 if name in UNSIGNED else -(2 ** (bits - 1))
    high = low + 2**bits - 1
    x1 = data.draw(st.integers(low, high))
    x2 = data.draw(st.integers(low, high).filter(bool))

    assert remainder(x1, x2, name, backend) == x1 % x2


FINITE = st.floats(allow_nan=False, allow_infinity=False)


@pytest.mark.parametrize("backend", BACKENDS)
@given(x1=FINITE, x2=FINITE.filter(lambda x: x != 0))
def test_remainder_of_floats_is_pythons(backend, x1, x2):
    assert same(remainder(x1, x2, "float64", backend), x1 % x2)


@pytest.mark.parametrize("backend", BACKENDS)
@given(x1=st.integers(-(10**6), 10**6), x2=st.integers(1, 10**3))
def test_remainder_lies_between_zero_and_the_divisor(backend, x1, x2):
    r = remainder(float(x1), float(x2), "float64", backend)

    assert 0 <= r < x2
    assert ((Fraction(x1) - Fraction(r)) / x2).denominator == 1


@pytest.mark.parametrize("backend", BACKENDS)
def test_remainder_takes_numbers_on_both_sides_and_in_place(backend):
    x = tv.asarray([7.0, -7.0], backend=backend)

    assert (x % 3).tolist() == [1.0, 2.0]
    assert (10 % x).tolist() == [3.0, -4.0]
    x %= 4
    assert x.tolist() == [3.0, 1.0]
