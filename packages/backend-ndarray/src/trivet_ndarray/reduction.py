"""Reductions by the ufuncs' own `reduce`, which skips NumPy's Python wrappers."""

from typing import Any

import numpy as np

from trivet.contract import Axes
from trivet.dtypes import DType
from trivet_ndarray.data import Array, Data
from trivet_ndarray.running import accumulated

__all__ = ["Reduction"]

# positional arguments save a fifth of the time; NumPy's stubs know only keywords
SUM: Any = np.add.reduce
PROD: Any = np.multiply.reduce
MAX: Any = np.maximum.reduce
MIN: Any = np.minimum.reduce
ALL: Any = np.logical_and.reduce  # an array's own method goes through Python


class Reduction(Data):
    """16-bit floats, bfloat16 being "E", go through the adapter and sum in float32."""

    def sum(
        self, x: Array, /, *, axis: Axes, dtype: DType | None, keepdims: bool
    ) -> Array:
        if dtype is None and x.dtype.char not in "?bhiBHIeE":
            return SUM(x, axis, None, None, keepdims)
        if dtype is None and x.dtype.char == "?":
            return self.count_nonzero(x, axis=axis, keepdims=keepdims)
        return super().sum(x, axis=axis, dtype=dtype, keepdims=keepdims)

    def prod(
        self, x: Array, /, *, axis: Axes, dtype: DType | None, keepdims: bool
    ) -> Array:
        if dtype is None and x.dtype.char not in "?bhiBHIeE":
            return PROD(x, axis, None, None, keepdims)
        return super().prod(x, axis=axis, dtype=dtype, keepdims=keepdims)

    def max(self, x: Array, /, *, axis: Axes, keepdims: bool) -> Array:
        return MAX(x, axis, None, None, keepdims)

    def min(self, x: Array, /, *, axis: Axes, keepdims: bool) -> Array:
        return MIN(x, axis, None, None, keepdims)

    def extremes(self, x: Array, /) -> tuple[int, int]:
        return int(MIN(x, None)), int(MAX(x, None))

    def mean(self, x: Array, /, *, axis: Axes, keepdims: bool) -> Array:
        if x.dtype.kind in "biu":
            total = SUM(x, axis, np.float64, None, keepdims)  # cast part by part
        elif x.dtype.itemsize > 2:
            total = SUM(x, axis, None, None, keepdims)
        else:
            return super().mean(x, axis=axis, keepdims=keepdims)
        return self._over(total, x.size if axis is None else self._count(x, axis))

    def var(
        self, x: Array, /, *, axis: Axes, correction: float, keepdims: bool
    ) -> Array:
        x, dtype = self._for_statistics(x)
        away = np.asarray(x - self.mean(x, axis=axis, keepdims=True))
        total = SUM(np.square(away, away), axis, None, None, keepdims)
        return self.cast(self._over(total, self._count(x, axis) - correction), dtype)

    def count_nonzero(self, x: Array, /, *, axis: Axes, keepdims: bool) -> Array:
        if axis is None or len(axis) == x.ndim:
            count = np.asarray(np.count_nonzero(x))
            return count.reshape((1,) * x.ndim) if keepdims else count
        if x.dtype.char == "?":
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
