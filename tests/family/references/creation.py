"""What NumPy says to functions that make arrays and tell dtypes."""

import numpy as np
from hypothesis import strategies as st
from references.case import Case
from references.values import (
    ALL,
    FLOATS,
    NUMERIC,
    arrays,
    call,
    one,
    shapes,
)

DTYPE = st.sampled_from(ALL)
NUMBER = st.sampled_from(NUMERIC)
SIDE = st.integers(0, 4)
OFFSET = st.integers(-4, 4)
ENDS = st.sampled_from([1, 3.7, 81, 0.02, 5e8])
QUARTERS = st.integers(-20, 20).map(lambda n: n / 4)


@st.composite
def ranges(draw):
    """Starts, stops and steps that are exact in float32."""
    step = draw(QUARTERS.filter(bool))
    return (draw(QUARTERS), draw(QUARTERS), step), {
        "dtype": draw(st.sampled_from(FLOATS))
    }


@st.composite
def whole_ranges(draw):
    """Integers, of the default dtype or another."""
    bounds = [draw(st.integers(-20, 20)) for _ in range(draw(st.integers(1, 2)))]
    return tuple(bounds), {"dtype": draw(st.sampled_from([None, "int8", "float64"]))}


@st.composite
def geometric(draw):
    """Ends of one sign, far apart and near, that are no powers."""
    sign, (start, stop) = draw(st.sampled_from([1, -1])), draw(st.tuples(ENDS, ENDS))
    keywords = {"endpoint": draw(st.booleans()), "dtype": draw(st.sampled_from(FLOATS))}
    return (sign * start, sign * stop, draw(SIDE)), keywords


@st.composite
def casts(draw):
    """An array, and a dtype that has all its values."""
    x = draw(arrays(ALL, low=0, high=100, special=False))
    wanted = (
        draw(NUMBER)
        if x.dtype.kind != "c"
        else draw(st.sampled_from(["complex64", "complex128"]))
    )
    return (x, wanted), {}


@st.composite
def kinds(draw):
    return tuple(
        draw(arrays((draw(NUMBER),), ())) for _ in range(draw(st.integers(1, 3)))
    ), {}


def result_type(*arrays):
    return np.result_type(*(x.dtype for x in arrays))


TABLE = {
    "arange": Case(np.arange, st.one_of(ranges(), whole_ranges()), ulps=4, scale=5),
    "asarray": Case(np.asarray, one(ALL)),
    "astype": Case(np.astype, casts()),
    "can_cast": Case(np.can_cast, call(NUMBER, NUMBER)),
    "eye": Case(np.eye, call(SIDE, SIDE, k=OFFSET, dtype=DTYPE)),
    "from_dlpack": Case(np.asarray, one(ALL)),
    "full": Case(np.full, call(shapes(), st.integers(0, 1), dtype=DTYPE)),
    "full_like": Case(np.full_like, call(arrays(ALL), st.integers(0, 1))),
    "geomspace": Case(np.geomspace, geometric(), ulps=32),
    "linspace": Case(
        np.linspace,
        call(
            QUARTERS,
            QUARTERS,
            SIDE,
            dtype=st.sampled_from(FLOATS),
            endpoint=st.booleans(),
        ),
        ulps=4,
        scale=5,
    ),
    "logspace": Case(
        np.logspace,
        call(
            st.integers(-12, 12).map(lambda n: n / 4),
            st.integers(-12, 12).map(lambda n: n / 4),
            SIDE,
            base=st.sampled_from([2.0, 2.5, 10.0]),
            dtype=st.sampled_from(FLOATS),
            endpoint=st.booleans(),
        ),
        ulps=32,
    ),
    "ones": Case(np.ones, call(shapes(), dtype=DTYPE)),
    "ones_like": Case(np.ones_like, one(ALL)),
    "result_type": Case(result_type, kinds()),
    "tensor": Case(np.array, one(ALL)),
    "tril_indices": Case(np.tril_indices, call(SIDE, OFFSET, SIDE)),
    "triu_indices": Case(np.triu_indices, call(SIDE, OFFSET, SIDE)),
    "zeros": Case(np.zeros, call(shapes(), dtype=DTYPE)),
    "zeros_like": Case(np.zeros_like, one(ALL)),
}
