"""Strategies for the arguments of tensor functions, as NumPy arrays and settings.

Arrays are small, of all ranks and layouts, empty ones among them, and floats hold NaN,
infinities and signed zeros unless a strategy says `special=False`. A call is a pair of
positional arguments and keywords.
"""

import numpy as np
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

BOOL = ("bool",)
SIGNED = ("int8", "int16", "int32", "int64")
UNSIGNED = ("uint8", "uint16", "uint32", "uint64")
INTS = (*SIGNED, *UNSIGNED)
FLOATS = ("float32", "float64")
COMPLEX = ("complex64", "complex128")
REAL = (*INTS, *FLOATS)
NUMERIC = (*REAL, *COMPLEX)
ALL = (*BOOL, *NUMERIC)
SPECIAL = (np.nan, np.inf, -np.inf, 0.0, -0.0)


def elements(dtype, low, high, *, special):
    """The values of an array: of the whole range for integers without bounds."""
    dtype = np.dtype(dtype)
    if dtype.kind == "b":
        return st.booleans()
    if dtype.kind in "iu":
        limits = np.iinfo(dtype)
        lower = limits.min if low is None else max(int(np.ceil(low)), limits.min)
        upper = limits.max if high is None else min(int(np.floor(high)), limits.max)
        return st.integers(lower, upper)
    floats = st.floats(
        -1024.0 if low is None else low,
        1024.0 if high is None else high,
        width=32,
        allow_subnormal=False,
    )
    return st.one_of(floats, st.sampled_from(SPECIAL)) if special else floats


def shapes(least=0, most=3, *, side=4, empty=True):
    """Shapes of `least` to `most` axes."""
    return hnp.array_shapes(
        min_dims=least, max_dims=most, min_side=0 if empty else 1, max_side=side
    )


@st.composite
def arrays(draw, dtypes, shape=None, *, low=None, high=None, special=True):
    """An array in one of several layouts."""
    dtype = np.dtype(draw(st.sampled_from(dtypes)))
    size = draw(shapes() if shape is None else as_strategy(shape))
    if dtype.kind == "c":
        part = np.dtype("f4" if dtype.itemsize == 8 else "f8")
        items = elements(part, low, high, special=False)
        x = draw(hnp.arrays(part, size, elements=items)).astype(dtype)
        x = x + dtype.type(1j) * draw(hnp.arrays(part, size, elements=items))
    else:
        items = elements(dtype, low, high, special=special)
        x = draw(hnp.arrays(dtype, size, elements=items))
    return laid_out(np.asarray(x), draw(st.sampled_from(("C", "F", "back", "gaps"))))


def as_strategy(value):
    return value if isinstance(value, st.SearchStrategy) else st.just(value)


def laid_out(x, layout):
    """The same values with other strides."""
    if layout == "C" or not x.ndim:
        return x
    if layout == "F":
        return np.asfortranarray(x)
    if layout == "back":
        return np.flip(np.flip(x).copy())
    return np.repeat(x, 2, axis=-1)[..., ::2]


def call(*arguments, **keywords):
    """A call with arguments that are drawn one by one."""
    return st.tuples(
        st.tuples(*map(as_strategy, arguments)),
        st.fixed_dictionaries({k: as_strategy(v) for k, v in keywords.items()}),
    )


def one(dtypes, **limits):
    """A call with one array of any shape."""
    return call(arrays(dtypes, **limits))


@st.composite
def several(draw, count, *dtypes, **limits):
    """A call with arrays that broadcast; `dtypes` is for all or one for each."""
    kinds = dtypes * count if len(dtypes) == 1 else dtypes
    found = draw(
        hnp.mutually_broadcastable_shapes(
            num_shapes=count, max_dims=3, min_side=0, max_side=4
        )
    )
    sizes = found.input_shapes
    return (
        tuple(draw(arrays(d, s, **limits)) for d, s in zip(kinds, sizes, strict=True)),
        {},
    )


def two(*dtypes, **limits):
    """A call with two arrays that broadcast."""
    return several(2, *dtypes, **limits)


@st.composite
def alike(draw, count, dtypes, shape=None, **limits):
    """A call with arrays of one shape and dtype."""
    dtype = (draw(st.sampled_from(dtypes)),)
    size = draw(shapes() if shape is None else as_strategy(shape))
    return tuple(draw(arrays(dtype, size, **limits)) for _ in range(count)), {}


@st.composite
def along(draw, dtypes, *, least=1, name="axis", default=True, empty=True, **limits):
    """A call with one array and one of its axes; `default` leaves it out at times."""
    x = draw(arrays(dtypes, shapes(least, empty=empty), **limits))
    axis = axis_of(draw, x)
    keywords = {} if default and draw(st.booleans()) else {name: axis}
    return (x,), keywords


def axis_of(draw, x):
    return draw(st.integers(-x.ndim, x.ndim - 1))


@st.composite
def reduced(draw, dtypes, *, many=True, least=0, empty=True, more=None, **limits):
    """A call with an array, the axes to reduce, and whether to keep them."""
    x = draw(arrays(dtypes, shapes(least, empty=empty), **limits))
    choices = [st.none()]
    if x.ndim:
        choices.append(st.integers(-x.ndim, x.ndim - 1))
    if x.ndim and many:
        axes = st.lists(
            st.integers(0, x.ndim - 1), unique=True, min_size=1, max_size=x.ndim
        )
        choices.append(axes.map(tuple))
    keywords = {"axis": draw(st.one_of(choices)), "keepdims": draw(st.booleans())}
    return (x,), keywords | draw(st.fixed_dictionaries(more or {}))
