"""Reductions by the ufuncs' own `reduce`, which skips NumPy's Python wrappers."""

from typing import Any

import numpy as np

from trivet.contract import Axes
from trivet.dtypes import DType
from trivet_ndarray.columns import (
    LANES,
    LIMITS,
    are_slim,
    over_columns,
    totals,
)
from trivet_ndarray.data import Array, Data
from trivet_ndarray.running import accumulated

__all__ = ["Reduction"]

# positional arguments save a fifth of the time; NumPy's stubs know only keywords
SUM: Any = np.add.reduce
PROD: Any = np.multiply.reduce
MAX: Any = np.maximum.reduce
MIN: Any = np.minimum.reduce
# their stubs know no axis that may be None
ARGMAX: Any = np.argmax
ARGMIN: Any = np.argmin
ALL: Any = np.logical_and.reduce  # an array's own method goes through Python
ANY: Any = np.logical_or.reduce

# most arrays are told by these two: to run more Python than that shows in the time
_LEAST = 1024  # elements
_WIDEST = 48  # elements of a row
# for `are_slim`: columns take two thirds of the time or less, at the edge four fifths
_SUMS = (56, 512), (40, 2048)  # with fewer than 8 elements, and from there on
_EXTREMES = 192, 256
_VARIANCES = 80, 1024
_PLACES = 64, 4096
_TRUTHS = 64, 1024
_COUNTS = 96, 512
_INDEX = np.dtype(np.intp)


class Reduction(Data):
    """16-bit floats, bfloat16 being "E", go through the adapter and sum in float32."""

    def sum(
        self, x: Array, /, *, axis: Axes, dtype: DType | None, keepdims: bool
    ) -> Array:
        if dtype is None and x.dtype.char not in "?bhiBHIeE":
            if axis is not None and x.size >= _LEAST and x.shape[-1] <= _WIDEST:
                return _sum(x, axis, keepdims=keepdims)
            return SUM(x, axis, None, None, keepdims)
        if dtype is None and x.dtype.char == "?":
            return self.count_nonzero(x, axis=axis, keepdims=keepdims)
        return super().sum(x, axis=axis, dtype=dtype, keepdims=keepdims)

    def prod(
        self, x: Array, /, *, axis: Axes, dtype: DType | None, keepdims: bool
    ) -> Array:
        if dtype is None and x.dtype.char not in "?bhiBHIeE":
            if axis is not None and x.size >= _LEAST and x.shape[-1] <= _WIDEST:
                return _reduced(PROD, x, axis, LIMITS, keepdims=keepdims)
            return PROD(x, axis, None, None, keepdims)
        return super().prod(x, axis=axis, dtype=dtype, keepdims=keepdims)

    def max(self, x: Array, /, *, axis: Axes, keepdims: bool) -> Array:
        if axis is not None and x.size >= _LEAST and x.shape[-1] <= _WIDEST:
            limits = _EXTREMES if x.dtype.kind == "f" else LIMITS
            return _reduced(MAX, x, axis, limits, keepdims=keepdims)
        return MAX(x, axis, None, None, keepdims)

    def min(self, x: Array, /, *, axis: Axes, keepdims: bool) -> Array:
        if axis is not None and x.size >= _LEAST and x.shape[-1] <= _WIDEST:
            limits = _EXTREMES if x.dtype.kind == "f" else LIMITS
            return _reduced(MIN, x, axis, limits, keepdims=keepdims)
        return MIN(x, axis, None, None, keepdims)

    def argmax(self, x: Array, /, *, axis: int | None, keepdims: bool) -> Array:
        if axis is not None and x.size >= _LEAST and x.shape[-1] <= _WIDEST:
            return _places(MAX, ARGMAX, x, axis, keepdims=keepdims)
        return ARGMAX(x, axis, keepdims=keepdims)

    def argmin(self, x: Array, /, *, axis: int | None, keepdims: bool) -> Array:
        if axis is not None and x.size >= _LEAST and x.shape[-1] <= _WIDEST:
            return _places(MIN, ARGMIN, x, axis, keepdims=keepdims)
        return ARGMIN(x, axis, keepdims=keepdims)

    def any(self, x: Array, /, *, axis: Axes, keepdims: bool) -> Array:
        if axis is not None and x.size >= _LEAST and are_slim(x, axis, _TRUTHS):
            return over_columns(ANY, self.truth(x), keepdims=keepdims)
        return ANY(x, axis, None, None, keepdims)

    def all(self, x: Array, /, *, axis: Axes, keepdims: bool) -> Array:
        if axis is not None and x.size >= _LEAST and are_slim(x, axis, _TRUTHS):
            return over_columns(ALL, self.truth(x), keepdims=keepdims)
        return ALL(x, axis, None, None, keepdims)

    def extremes(self, x: Array, /) -> tuple[int, int]:
        return int(MIN(x, None)), int(MAX(x, None))

    def mean(self, x: Array, /, *, axis: Axes, keepdims: bool) -> Array:
        if x.dtype.kind in "biu":
            total = SUM(x, axis, np.float64, None, keepdims)  # cast part by part
        elif x.dtype.itemsize > 2:
            if axis is not None and x.size >= _LEAST and x.shape[-1] <= _WIDEST:
                total = _sum(x, axis, keepdims=keepdims)
            else:
                total = SUM(x, axis, None, None, keepdims)
        else:
            return super().mean(x, axis=axis, keepdims=keepdims)
        return self._over(total, x.size if axis is None else self._count(x, axis))

    def var(
        self, x: Array, /, *, axis: Axes, correction: float, keepdims: bool
    ) -> Array:
        x, dtype = self._for_statistics(x)
        if are_slim(x, axis, _VARIANCES):
            total = over_columns(_squares, x, keepdims=keepdims)
            return self.cast(self._over(total, x.shape[-1] - correction), dtype)
        away = np.asarray(x - self.mean(x, axis=axis, keepdims=True))
        total = SUM(np.square(away, away), axis, None, None, keepdims)
        return self.cast(self._over(total, self._count(x, axis) - correction), dtype)

    def count_nonzero(self, x: Array, /, *, axis: Axes, keepdims: bool) -> Array:
        if axis is None or len(axis) == x.ndim:
            count = np.asarray(np.count_nonzero(x))
            return count.reshape((1,) * x.ndim) if keepdims else count
        if x.dtype.char == "?":
            if are_slim(x, axis, _COUNTS):
                return over_columns(_count, x, keepdims=keepdims, dtype=_INDEX)
            return SUM(x, axis, np.intp, None, keepdims)
        return np.count_nonzero(x, axis, keepdims=keepdims)

    def cumulative_sum(
        self, x: Array, /, *, axis: int, dtype: DType | None, include_initial: bool
    ) -> Array:
        return self._scan(np.add, x, axis, dtype, 0, initial=include_initial)

    def cumulative_prod(
        self, x: Array, /, *, axis: int, dtype: DType | None, include_initial: bool
    ) -> Array:
        return self._scan(np.multiply, x, axis, dtype, 1, initial=include_initial)

    def _scan(
        self,
        ufunc: np.ufunc,
        x: Array,
        axis: int,
        dtype: DType | None,
        neutral: int,
        *,
        initial: bool,
    ) -> Array:
        x, result = self.widened(self.cast(x, dtype or self.sum_dtype(self.dtype(x))))
        running = self.cast(accumulated(ufunc, x, axis), result)
        return self._with_initial(running, neutral, axis) if initial else running


def _sum(x: Array, axis: Axes, *, keepdims: bool) -> Array:
    if not are_slim(x, axis, _SUMS[x.shape[-1] >= LANES]):
        return SUM(x, axis, None, None, keepdims)
    return over_columns(totals, x, keepdims=keepdims)


def _reduced(
    reduce: Any, x: Array, axis: Axes, limits: tuple[int, int], *, keepdims: bool
) -> Array:
    if not are_slim(x, axis, limits):
        return reduce(x, axis, None, None, keepdims)
    return over_columns(reduce, x, keepdims=keepdims)


def _count(columns: Array) -> Array:
    return SUM(columns.view(np.uint8), 0, np.uint8)


def _squares(columns: Array) -> Array:
    """The sums of squared distances from the means."""
    np.subtract(columns, totals(columns) / len(columns), columns)
    return totals(np.square(columns, columns))


def _places(
    reduce: Any, otherwise: Any, x: Array, axis: int, *, keepdims: bool
) -> Array:
    """Where each row has its first extreme; a row with NaN is equal to nothing."""
    if not are_slim(x, (axis,), _PLACES):
        return otherwise(x, axis, keepdims=keepdims)
    width = x.shape[-1]
    weights = np.arange(width, 0, -1, dtype=np.uint8)[:, None]

    def kernel(columns: Array) -> Array:
        best = (columns == reduce(columns, 0)).view(np.uint8)
        found = MAX(np.multiply(best, weights, best), 0)
        if not ALL(found):
            return otherwise(columns, 0)
        return np.subtract(width, found, dtype=np.intp)

    return over_columns(kernel, x, keepdims=keepdims, dtype=_INDEX)
