"""What NumPy and SciPy say to reductions, statistics, sorting and sets."""

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
    along,
    arrays,
    axis_of,
    one,
    reduced,
    shapes,
)

TAME = {"low": -8.0, "high": 8.0, "special": False}
NANS = {"low": -8.0, "high": 8.0}
FLOATING = (*FLOATS, *COMPLEX)
CORRECTION = {"correction": st.sampled_from([0, 1, 0.5])}
DTYPES = {"dtype": st.sampled_from([None, "complex128"])}
METHODS = ("linear", "lower", "higher", "midpoint", "nearest")
QUANTILES = st.sampled_from([0.0, 0.25, 0.3, 0.5, 1.0])


def sums(reference, calls, ulps=64, scale=512.0):
    """To the rounding of a sum in another order."""
    return Case(reference, calls, ulps=ulps, scale=scale)


def spread(function):
    return lambda x, *, correction=0.0, **kw: function(x, ddof=correction, **kw)


def started(accumulate, start):
    """With `include_initial`, which NumPy's own functions do not all have."""

    def reference(x, axis=None, include_initial=False):
        axis = 0 if axis is None else axis
        wide = np.add.reduce(x[:0]).dtype if x.ndim == 1 else np.add.reduce(x).dtype
        result = accumulate(x, axis=axis, dtype=wide)
        if not include_initial:
            return result
        first = np.full_like(np.take(result, [], axis=axis), start)
        shape = tuple(1 if a == axis % x.ndim else n for a, n in enumerate(first.shape))
        return np.concatenate([np.full(shape, start, wide), result], axis=axis)

    return reference


@st.composite
def accumulated(draw, dtypes, *, initial=True, **limits):
    (x,), kw = draw(along(dtypes, default=False, **limits))
    return (x,), kw | ({"include_initial": draw(st.booleans())} if initial else {})


def of_axis(ufunc):
    return lambda x, axis: ufunc.accumulate(x, axis=axis)


def logcumsumexp(x, axis):
    return np.logaddexp.accumulate(x, axis=axis)


def sorted_(x, axis=-1, descending=False):
    """NaN last, or first where descending."""
    result = np.sort(x, axis=axis)
    return np.flip(result, axis=axis) if descending else result


def argsorted(x, axis=-1, descending=False):
    """Stable both ways: equal elements keep their order."""
    if not descending:
        return np.argsort(x, axis=axis, kind="stable")
    order = np.argsort(np.flip(x, axis=axis), axis=axis, kind="stable")
    return np.flip(x.shape[axis] - 1 - order, axis=axis)


def sorted_with_indices(x, axis=-1, descending=False):
    order = argsorted(x, axis, descending)
    return np.take_along_axis(x, order, axis), order


@st.composite
def sortable(draw, **limits):
    (x,), kw = draw(along(REAL, **limits))
    return (x,), kw | {"descending": draw(st.booleans())}


@st.composite
def top(draw):
    """An array without ties, a number of elements and an axis."""
    x = draw(arrays(REAL, shapes(1, empty=False)))
    axis = axis_of(draw, x)
    values = np.argsort(np.argsort(x, axis=None), axis=None).reshape(x.shape)
    k = draw(st.integers(1, x.shape[axis]))
    return (values.astype(x.dtype), k), {"axis": axis, "largest": draw(st.booleans())}


def argtopk(x, k, axis, largest):
    return np.take(argsorted(x, axis, descending=largest), np.arange(k), axis=axis)


def topk(x, k, axis, largest):
    order = argtopk(x, k, axis, largest)
    return np.take_along_axis(x, order, axis), order


@st.composite
def ranked(draw):
    (x, k), kw = draw(top())
    return (x, k), {"axis": kw["axis"], "keepdims": draw(st.booleans())}


def kthvalue(x, k, axis, keepdims):
    order = np.take(argsorted(x, axis), [k - 1], axis=axis)
    found = np.take_along_axis(x, order, axis), order
    return found if keepdims else [np.squeeze(each, axis) for each in found]


@st.composite
def sought(draw):
    dtype = (draw(st.sampled_from(REAL)),)
    x = np.sort(draw(arrays(dtype, shapes(1, 1), low=0, high=9, special=False)))
    values = draw(arrays(dtype, low=0, high=9, special=False))
    return (x, values), {"side": draw(st.sampled_from(["left", "right"]))}


@st.composite
def counted(draw):
    x = draw(arrays(INTS, shapes(1, 1), low=0, high=6))
    kw = {"minlength": draw(st.integers(0, 9))}
    if draw(st.booleans()):
        kw["weights"] = draw(arrays(("float64",), x.shape, **TAME))
    return (x,), kw


def bincount(x, minlength, weights=None):
    found = np.bincount(x.astype(np.int64), minlength=minlength, weights=weights)
    return found if weights is None else found.astype(np.float64)  # of nothing too


@st.composite
def binned(draw):
    x = draw(arrays(("float64",), shapes(1, 2, empty=False), **TAME))
    kw = {"range": (-4.0, 4.0), "density": False}
    if draw(st.booleans()):
        kw["weights"] = draw(arrays(("float64",), x.shape, **TAME))
    return (x, draw(st.integers(1, 5))), kw


@st.composite
def observed(draw, **more):
    """Two to three variables with four observations."""
    size = draw(st.sampled_from([(2, 4), (3, 4)]))
    x = draw(arrays(FLOATS, size, **TAME))
    ramp = np.outer(np.arange(1, size[0] + 1), [1, 3, 4, 9]).astype(x.dtype)
    return (x + ramp * 8,), draw(st.fixed_dictionaries(more))


@st.composite
def cut(draw):
    (x,), kw = draw(reduced(FLOATS, empty=False, **TAME))
    method = draw(st.sampled_from(METHODS))
    return (x, draw(QUANTILES)), kw | {"method": method}


@st.composite
def cut_in_hundreds(draw, *calls):
    (x, q), kw = draw(*calls)
    return (x, draw(st.sampled_from([100 * q, (100 * q, 25)]))), kw


@st.composite
def cut_with_nan(draw):
    (x,), kw = draw(partly_nan())
    method = draw(st.sampled_from(METHODS))
    return (x, draw(QUANTILES)), kw | {"method": method}


@st.composite
def weighted(draw):
    """An array, an axis and positive weights for all of it or for the axis."""
    (x,), kw = draw(reduced(FLOATING, many=False, empty=False, **TAME))
    axis = kw["axis"]
    shape = x.shape if axis is None or draw(st.booleans()) else (x.shape[axis],)
    if draw(st.integers(0, 5)):
        kw["weights"] = draw(arrays(FLOATS, shape, low=0.5, high=8, special=False))
    return (x,), kw


@st.composite
def binned_by(draw):
    dtype = (draw(st.sampled_from(REAL)),)
    edges = np.sort(draw(arrays(dtype, shapes(1, 1), low=0, high=9, special=False)))
    edges = edges if draw(st.booleans()) else np.flip(edges)
    values = draw(arrays(dtype, low=0, high=9))
    return (values, edges), {"right": draw(st.booleans())}


@st.composite
def sampled(draw, *, places=False):
    """Samples of two or more, and their distance, or their places, which rise."""
    x = draw(arrays((*FLOATS, "int64"), shapes(1, side=5, empty=False), **TAME))
    axis = axis_of(draw, x)
    order = draw(st.sampled_from([1, 2]))
    if x.shape[axis] <= order:
        x = np.concatenate([x] * 3, axis=axis)
    if not places:
        step = draw(st.sampled_from([0.5, 2.0, -1.0]))
    else:  # in the dtype of the samples, where NumPy keeps it
        gaps = draw(
            st.lists(st.sampled_from([0.5, 1.0, 2.0]), min_size=15, max_size=15)
        )
        dtype = x.dtype if x.dtype.kind == "f" else np.float64
        step = np.cumsum(gaps)[: x.shape[axis]].astype(dtype)
    return (x, step), {"axis": axis, "edge_order": order}


@st.composite
def integrated(draw):
    (x, step), kw = draw(st.one_of(sampled(), sampled(places=True)))
    if type(step) is float:
        return (x,), {"axis": kw["axis"], "dx": step}
    return (x, step), {"axis": kw["axis"]}


def trapezoid(y, x=None, dx=1.0, axis=-1):
    return np.trapezoid(y, x, dx, axis)


@st.composite
def lines(draw):
    """Values, and samples at places that rise; perhaps with ends, or repeated."""
    places = np.cumsum(
        draw(arrays(FLOATS, shapes(1, 1, empty=False), low=0.5, high=2, special=False))
    )
    values = draw(arrays((*FLOATS, "complex128"), places.shape, **TAME))
    at = draw(st.one_of(arrays(FLOATS, low=-2, high=9), st.just(1.5)))
    ends = {"left": st.just(-7.0), "right": st.just(8.0)}
    period = {"period": st.sampled_from([3.0, 20.0])}
    kw = st.one_of(
        st.fixed_dictionaries({}, optional=ends), st.fixed_dictionaries(period)
    )
    return (at, places, values), draw(kw)


def interp(x, xp, fp, **kw):
    """NumPy takes NaN for the place of a sample that is alone."""
    found = np.interp(x, xp, fp, **kw)
    return np.where(np.isnan(x), np.nan, found) if xp.size == 1 else found


@st.composite
def memberships(draw):
    dtype = (draw(st.sampled_from(REAL)),)
    pair = [draw(arrays(dtype, low=0, high=4)) for _ in range(2)]
    return tuple(pair), {"invert": draw(st.booleans())}


@st.composite
def differences(draw):
    x = draw(arrays(REAL, shapes(1), **TAME))
    kw = {"n": draw(st.integers(0, 2)), "axis": axis_of(draw, x)}
    if draw(st.booleans()):
        sides = draw(st.sampled_from([["prepend"], ["append"], ["prepend", "append"]]))
        kw |= {side: draw(arrays((x.dtype.name,), x.shape, **TAME)) for side in sides}
    return (x,), kw


def few(dtypes=REAL):
    """Small whole numbers, so that there are equal ones."""
    return one(dtypes, low=0, high=3)


def unique(**flags):
    return lambda x: np.unique(x, equal_nan=False, **flags)


def unique_inverse(x):
    values, inverse = unique(return_inverse=True)(x)
    return values, inverse.reshape(x.shape)


def unique_all(x):
    values, first, inverse, counts = unique(
        return_index=True, return_inverse=True, return_counts=True
    )(x)
    return values, first, inverse.reshape(x.shape), counts


@st.composite
def partly_nan(draw, **kw):
    """Floats, some of them NaN, but not all along any axis: one line is whole."""
    (x,), keywords = draw(reduced(FLOATS, empty=False, **NANS, **kw))
    x = np.array(x)
    x[np.isinf(x)] = 1
    if x.ndim:
        lines = np.indices(x.shape).sum(axis=0) % 2 == 0
        x[lines & np.isnan(x)] = 2
        for axis in range(x.ndim):
            x = np.where(np.isnan(x).all(axis=axis, keepdims=True), 3, x).astype(
                x.dtype
            )
    return (x if x.ndim else np.asarray(np.nan_to_num(x)),), keywords


def mean_and(function):
    def reference(x, correction=0.0, **kw):
        return function(x, ddof=correction, **kw), np.mean(x, **kw)

    return reference


TABLE = {
    "all": Case(np.all, reduced(ALL, low=-1, high=1)),
    "any": Case(np.any, reduced(ALL, low=-1, high=1)),
    "argmax": Case(np.argmax, reduced(REAL, many=False, empty=False)),
    "argmin": Case(np.argmin, reduced(REAL, many=False, empty=False)),
    "argsort": Case(argsorted, sortable(low=0, high=4)),
    "argtopk": Case(argtopk, top()),
    "average": sums(np.average, weighted()),
    "bincount": sums(bincount, counted()),
    "corrcoef": sums(lambda x: np.corrcoef(x, dtype=x.dtype), observed(), scale=1),
    "count_nonzero": Case(
        lambda x, **kw: np.asarray(np.count_nonzero(x, **kw), dtype=np.int64),
        reduced(ALL, low=-1, high=1),
    ),
    "cov": sums(
        lambda x, correction: np.cov(x, ddof=correction, dtype=x.dtype),
        observed(correction=st.sampled_from([0, 1])),
    ),
    "cumulative_max": Case(
        of_axis(np.maximum), accumulated(REAL, initial=False, low=0, high=9)
    ),
    "cumulative_min": Case(
        of_axis(np.minimum), accumulated(REAL, initial=False, low=0, high=9)
    ),
    "cumulative_prod": sums(
        started(np.cumprod, 1), accumulated(NUMERIC, low=-4, high=4)
    ),
    "cumulative_sum": sums(started(np.cumsum, 0), accumulated(NUMERIC, low=-8, high=8)),
    "diff": Case(np.diff, differences()),
    "digitize": Case(np.digitize, binned_by()),
    "gradient": sums(np.gradient, st.one_of(sampled(), sampled(places=True))),
    "histogram": sums(np.histogram, binned()),
    "interp": Case(interp, lines(), ulps=64, scale=64, dtype=False),
    "isin": Case(np.isin, memberships()),
    "kthvalue": Case(kthvalue, ranked()),
    "logcumsumexp": sums(
        logcumsumexp, accumulated(FLOATS, initial=False, low=-8, high=8), scale=8
    ),
    "max": Case(np.max, reduced(REAL, empty=False), ulps=0),
    "mean": sums(np.mean, reduced((*INTS, *FLOATING), low=-8, high=8)),
    "median": sums(np.median, reduced(FLOATS, empty=False, **NANS), scale=8),
    "min": Case(np.min, reduced(REAL, empty=False), ulps=0),
    "nanargmax": Case(np.nanargmax, partly_nan(many=False)),
    "nanargmin": Case(np.nanargmin, partly_nan(many=False)),
    "nanmax": Case(np.nanmax, partly_nan()),
    "nanmean": sums(np.nanmean, reduced(FLOATS, empty=False, **NANS)),
    "nanmedian": sums(np.nanmedian, partly_nan(), scale=8),
    "nanmin": Case(np.nanmin, partly_nan()),
    "nanpercentile": Case(
        np.nanpercentile,
        cut_in_hundreds(cut_with_nan()),
        ulps=64,
        scale=8,
        dtype=False,
    ),
    "nanprod": sums(np.nanprod, reduced(FLOATS, low=-2, high=2)),
    "nanquantile": sums(np.nanquantile, cut_with_nan(), scale=8),
    "nanstd": sums(spread(np.nanstd), partly_nan(more={"correction": st.just(0)})),
    "nansum": sums(np.nansum, reduced(FLOATS, **NANS)),
    "nanvar": sums(spread(np.nanvar), partly_nan(more={"correction": st.just(0)})),
    "percentile": Case(
        np.percentile, cut_in_hundreds(cut()), ulps=64, scale=8, dtype=False
    ),
    "prod": sums(np.prod, reduced(NUMERIC, more=DTYPES, low=-2, high=2)),
    "ptp": Case(np.ptp, reduced(REAL, empty=False), ulps=0),
    "quantile": sums(np.quantile, cut(), scale=8),
    "searchsorted": Case(np.searchsorted, sought()),
    "sort": Case(sorted_, sortable()),
    "sort_with_indices": Case(sorted_with_indices, sortable(low=0, high=4)),
    "std": sums(spread(np.std), reduced(FLOATS, empty=False, more=CORRECTION, **NANS)),
    "std_mean": sums(
        mean_and(np.std), reduced(FLOATS, empty=False, more=CORRECTION, **TAME)
    ),
    "sum": sums(np.sum, reduced((*BOOL, *NUMERIC), more=DTYPES, low=-8, high=8)),
    "topk": Case(topk, top()),
    "trapezoid": sums(trapezoid, integrated()),
    "unique_all": Case(unique_all, few()),
    "unique_counts": Case(unique(return_counts=True), few()),
    "unique_inverse": Case(unique_inverse, few()),
    "unique_values": Case(unique(), few()),
    "var": sums(spread(np.var), reduced(FLOATS, empty=False, more=CORRECTION, **NANS)),
    "var_mean": sums(
        mean_and(np.var), reduced(FLOATS, empty=False, more=CORRECTION, **TAME)
    ),
}
