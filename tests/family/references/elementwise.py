"""What NumPy says to functions that go element by element."""

import numpy as np
from hypothesis import strategies as st
from references.case import Case
from references.values import (
    ALL,
    BOOL,
    COMPLEX,
    FLOATS,
    INTS,
    NUMERIC,
    REAL,
    SIGNED,
    UNSIGNED,
    arrays,
    call,
    one,
    several,
    shapes,
    two,
)

FLOATING = (*FLOATS, *COMPLEX)
SMALL = {"low": -8.0, "high": 8.0}
WITHIN = {"low": -1.0, "high": 1.0}
POSITIVE = {"low": 0.0, "high": 1024.0}


@st.composite
def beside(draw, dtypes, **limits):
    """An array and a Python number that its kind can hold, in either order."""
    x = draw(arrays(dtypes, **limits))
    kinds = {"i": st.integers(0, 9), "u": st.integers(0, 9)}
    number = draw(kinds.get(x.dtype.kind, st.integers(-36, 36).map(lambda n: n / 4)))
    return draw(st.permutations([x, number]).map(tuple)), {}


def binary(dtypes, **limits):
    """Two arrays that broadcast, or one and a Python number."""
    return st.one_of(two(dtypes, **limits), beside(dtypes, **limits))


def close(reference, calls):
    """To a few units: a transcendental function of another library."""
    return Case(reference, calls, ulps=8, scale=1e-30)


def clipped(x, lower, upper):
    found = x if lower is None else np.maximum(x, lower)
    found = found if upper is None else np.minimum(upper, found)
    return found.astype(x.dtype)


@st.composite
def whole(draw):
    """Two arrays of integers or floats, the second without the integer 0."""
    (x, y), _ = draw(two(REAL))
    dividing = np.where(y == 0, np.ones_like(y), y) if y.dtype.kind in "iu" else y
    # The lowest integer has no negative.
    if np.promote_types(x.dtype, y.dtype).kind == "i":
        dividing = np.where(dividing == -1, np.ones_like(dividing), dividing)
    return (x, dividing.astype(y.dtype)), {}


@st.composite
def powers(draw):
    """Floats to any power, integers to a small one that is not negative."""
    if draw(st.booleans()):
        return draw(two(FLOATS, **SMALL))
    return draw(two(INTS, low=0, high=5))


@st.composite
def bounds(draw):
    """An array and bounds of its dtype: arrays, numbers, or none."""
    dtype = (draw(st.sampled_from(REAL)),)
    x = draw(arrays(dtype))
    bound = st.one_of(
        st.none(), st.integers(0, 100), arrays(dtype, ()), arrays(dtype, x.shape)
    )
    return (x, draw(bound), draw(bound)), {}


@st.composite
def integers(draw):
    """Two arrays of booleans, or of integers of one sign."""
    return draw(two(draw(st.sampled_from([BOOL, SIGNED, UNSIGNED]))))


@st.composite
def shifts(draw):
    """Integers and how far to shift them."""
    dtype = (draw(st.sampled_from(INTS)),)
    (x,), _ = draw(several(1, dtype))
    return (x, draw(arrays(dtype, x.shape, low=0, high=7))), {}


def replaced(x, nan=0.0, posinf=None, neginf=None):
    return np.nan_to_num(x, nan=nan, posinf=posinf, neginf=neginf)


def lerp(x1, x2, weight):
    dtype = np.result_type(x1, x2, weight)
    x1, x2, weight = (x.astype(dtype) for x in (x1, x2, weight))
    return x1 + weight * (x2 - x1)


TABLE = {
    "abs": Case(np.abs, one(NUMERIC), ulps=4),
    "acos": close(np.arccos, one(FLOATS, **WITHIN)),
    "acosh": close(np.arccosh, one(FLOATS, low=1.0, high=1024.0)),
    "add": Case(np.add, binary(NUMERIC)),
    "allclose": Case(
        np.allclose,
        call(
            arrays(FLOATS, (2,), low=0, high=1),
            arrays(FLOATS, (2,), low=0, high=1),
            rtol=st.sampled_from([0.0, 0.5]),
            atol=st.sampled_from([0.0, 0.25]),
            equal_nan=st.booleans(),
        ),
    ),
    "array_equal": Case(
        np.array_equal,
        st.one_of(
            call(
                arrays(FLOATS, shapes(0, 1, side=2), low=0, high=1),
                arrays(FLOATS, shapes(0, 1, side=2), low=0, high=1),
                equal_nan=st.booleans(),
            ),
            arrays(NUMERIC).map(lambda x: ((x, x.copy()), {"equal_nan": True})),
        ),
    ),
    "asin": close(np.arcsin, one(FLOATS, **WITHIN)),
    "asinh": close(np.arcsinh, one(FLOATS)),
    "atan": close(np.arctan, one(FLOATS)),
    "atan2": close(np.arctan2, binary(FLOATS)),
    "atanh": close(np.arctanh, one(FLOATS, **WITHIN)),
    "bitwise_and": Case(np.bitwise_and, integers()),
    "bitwise_invert": Case(np.invert, one((*BOOL, *INTS))),
    "bitwise_left_shift": Case(np.left_shift, shifts()),
    "bitwise_or": Case(np.bitwise_or, integers()),
    "bitwise_right_shift": Case(np.right_shift, shifts()),
    "bitwise_xor": Case(np.bitwise_xor, integers()),
    "ceil": Case(np.ceil, one(REAL)),
    "clip": Case(clipped, bounds(), ulps=0),
    "conj": Case(np.conj, one(NUMERIC)),
    "copysign": Case(np.copysign, binary(FLOATS)),
    "cos": close(np.cos, one(FLOATING, **SMALL)),
    "cosh": close(np.cosh, one(FLOATING, **SMALL)),
    "deg2rad": Case(np.deg2rad, one((*FLOATS, "int64")), ulps=2),
    "divide": Case(np.divide, st.one_of(binary(FLOATS), two(INTS))),
    "divmod": Case(np.divmod, whole()),
    "equal": Case(np.equal, binary(NUMERIC, low=0, high=2)),
    "exp": close(np.exp, one(FLOATING, **SMALL)),
    "exp2": close(np.exp2, one(FLOATS, **SMALL)),
    "expm1": close(np.expm1, one(FLOATING, **SMALL)),
    "floor": Case(np.floor, one(REAL)),
    "floor_divide": Case(np.floor_divide, whole()),
    "fmod": Case(np.fmod, st.one_of(whole(), binary(FLOATS))),
    "greater": Case(np.greater, binary(REAL, low=0, high=2)),
    "greater_equal": Case(np.greater_equal, binary(REAL, low=0, high=2)),
    "hypot": close(np.hypot, binary(FLOATS)),
    "imag": Case(np.imag, one(COMPLEX)),
    "isclose": Case(
        np.isclose,
        call(
            arrays(FLOATS, (4,), low=0, high=1),
            arrays(FLOATS, (3, 4), low=0, high=1),
            rtol=st.sampled_from([0.0, 0.5]),
            atol=st.sampled_from([0.0, 0.25]),
            equal_nan=st.booleans(),
        ),
    ),
    "isfinite": Case(np.isfinite, one(NUMERIC)),
    "isinf": Case(np.isinf, one(NUMERIC)),
    "isnan": Case(np.isnan, one(NUMERIC)),
    "lerp": Case(
        lerp,
        several(3, FLOATS, **SMALL, special=False),
        ulps=8,
        scale=16,
    ),
    "less": Case(np.less, binary(REAL, low=0, high=2)),
    "less_equal": Case(np.less_equal, binary(REAL, low=0, high=2)),
    "log": close(np.log, one(FLOATS, **POSITIVE)),
    "log10": close(np.log10, one(FLOATS, **POSITIVE)),
    "log1p": close(np.log1p, one(FLOATS, low=-1.0, high=1024.0)),
    "log2": close(np.log2, one(FLOATS, **POSITIVE)),
    "logaddexp": Case(np.logaddexp, binary(FLOATS), ulps=8, scale=1),
    "logical_and": Case(np.logical_and, two(BOOL)),
    "logical_not": Case(np.logical_not, one(BOOL)),
    "logical_or": Case(np.logical_or, two(BOOL)),
    "logical_xor": Case(np.logical_xor, two(BOOL)),
    "maximum": Case(np.maximum, binary(REAL), ulps=0),
    "minimum": Case(np.minimum, binary(REAL), ulps=0),
    "multiply": Case(np.multiply, st.one_of(binary(REAL), two(COMPLEX)), ulps=4),
    "nan_to_num": Case(
        replaced,
        call(
            arrays(FLOATS),
            nan=st.sampled_from([0.0, 2.5]),
            posinf=st.sampled_from([None, 7.0]),
            neginf=st.sampled_from([None, -7.0]),
        ),
    ),
    "negative": Case(np.negative, one(NUMERIC)),
    "nextafter": Case(np.nextafter, st.one_of(two(("float32",)), two(("float64",)))),
    "not_equal": Case(np.not_equal, binary(NUMERIC, low=0, high=2)),
    "positive": Case(np.positive, one(NUMERIC)),
    "pow": Case(np.power, powers(), ulps=8, scale=1e-30),
    "rad2deg": Case(np.rad2deg, one((*FLOATS, "int64")), ulps=2),
    "real": Case(np.real, one(COMPLEX)),
    "reciprocal": Case(np.reciprocal, one(FLOATS)),
    "remainder": Case(np.remainder, whole()),
    "round": Case(np.round, one((*REAL, *COMPLEX), low=-8, high=8)),
    "rsqrt": Case(lambda x: 1 / np.sqrt(x), one(FLOATS), ulps=2),
    "sign": Case(np.sign, one(NUMERIC), ulps=4),
    "signbit": Case(np.signbit, one(FLOATS)),
    "sin": close(np.sin, one(FLOATING, **SMALL)),
    "sinh": close(np.sinh, one(FLOATING, **SMALL)),
    "sqrt": Case(np.sqrt, one(FLOATS)),
    "square": Case(np.square, one(NUMERIC), ulps=4),
    "subtract": Case(np.subtract, binary(NUMERIC)),
    "tan": close(np.tan, one(FLOATS, **SMALL)),
    "tanh": close(np.tanh, one(FLOATING, **SMALL)),
    "trunc": Case(np.trunc, one(REAL)),
    "where": Case(np.where, several(3, BOOL, ALL, ALL)),
}
