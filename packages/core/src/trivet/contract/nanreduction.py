"""Reductions that leave NaN out, as elements that are missing.

Dtypes without NaN are reduced as they are.
"""

import math
from typing import TypeVar

from trivet.contract.nn import Nn
from trivet.contract.table import derived
from trivet.dtypes import (
    ANY,
    BOOLEAN,
    REAL,
    DType,
    Scalar,
    complex64,
    complex128,
    float32,
    float64,
)
from trivet.shapes import Axes, reduced

__all__ = ["NanReduction"]

H = TypeVar("H")


class NanReduction(Nn[H], family="nanreduction"):
    """Where all elements are missing the result is that of nothing: 0, 1 or NaN."""

    def without_nan(self, x: H, value: Scalar) -> H:
        """The array with `value` for NaN; itself where its dtype has none."""
        if not self.is_floating(x):
            return x
        return self.where(self.isnan(x), value, x)

    @derived(ANY)
    def nansum(self, x: H, /, *, axis: Axes, dtype: DType | None, keepdims: bool) -> H:
        """The sum of what is not NaN; dtypes as for `sum`."""
        filled = self.without_nan(x, 0)
        return self.sum(filled, axis=axis, dtype=dtype, keepdims=keepdims)

    @derived(ANY)
    def nanprod(self, x: H, /, *, axis: Axes, dtype: DType | None, keepdims: bool) -> H:
        """The product of what is not NaN; dtypes as for `sum`."""
        filled = self.without_nan(x, 1)
        return self.prod(filled, axis=axis, dtype=dtype, keepdims=keepdims)

    @derived(ANY)
    def nanmean(self, x: H, /, *, axis: Axes, keepdims: bool) -> H:
        """The mean of what is not NaN; NaN if nothing is."""
        if not self.is_floating(x):
            return self.mean(x, axis=axis, keepdims=keepdims)
        x, dtype = self.widened(x)
        total = self.nansum(x, axis=axis, dtype=None, keepdims=keepdims)
        count = self.count_present(x, axis=axis, keepdims=keepdims)
        return self.cast(self.over_some(total, count), dtype)

    @derived(REAL | BOOLEAN)
    def nanvar(self, x: H, /, *, axis: Axes, correction: float, keepdims: bool) -> H:
        """The variance of what is not NaN, over its count - correction.

        NaN where that is not positive.
        """
        if not self.is_floating(x):
            return self.var(x, axis=axis, correction=correction, keepdims=keepdims)
        x, dtype = self.widened(x)
        mean = self.nanmean(x, axis=axis, keepdims=True)
        away = self.where(self.isnan(x), 0, self.subtract(x, mean))
        total = self.sum(self.square(away), axis=axis, dtype=None, keepdims=keepdims)
        count = self.count_present(x, axis=axis, keepdims=keepdims)
        free = self.subtract(count, correction)
        return self.cast(self.over_some(total, free), dtype)

    @derived(REAL | BOOLEAN)
    def nanstd(self, x: H, /, *, axis: Axes, correction: float, keepdims: bool) -> H:
        """The square root of the variance of what is not NaN, rounded once."""
        if not self.is_floating(x):
            return self.std(x, axis=axis, correction=correction, keepdims=keepdims)
        x, dtype = self.widened(x)
        var = self.nanvar(x, axis=axis, correction=correction, keepdims=keepdims)
        still = self.equal(var, 0)  # where the slope of the root is infinite
        root = self.sqrt(self.where(still, 1, var))
        return self.cast(self.where(still, 0, root), dtype)

    def count_present(self, x: H, /, *, axis: Axes, keepdims: bool) -> H:
        """How many elements are not NaN, as floats that `x` can be divided by."""
        there = self.logical_not(self.isnan(x))
        count = self.count_nonzero(there, axis=axis, keepdims=keepdims)
        dtype = self.dtype(x)
        parts = {complex64: float32, complex128: float64}
        return self.astype(count, dtype=parts.get(dtype, dtype))

    def over_some(self, total: H, count: H) -> H:
        """total / count, or NaN where the count is not positive."""
        some = self.less(0, count)
        ratio = self.divide(total, self.where(some, count, 1))
        return self.where(some, ratio, math.nan)

    @derived(REAL)
    def nanmax(self, x: H, /, *, axis: Axes, keepdims: bool) -> H:
        """The largest of what is not NaN; NaN if nothing is. Never over nothing."""
        if not self.is_floating(x):
            return self.max(x, axis=axis, keepdims=keepdims)
        filled = self.without_nan(x, -math.inf)
        top = self.max(filled, axis=axis, keepdims=keepdims)
        none = self.all(self.isnan(x), axis=axis, keepdims=keepdims)
        return self.where(none, math.nan, top)

    @derived(REAL)
    def nanmin(self, x: H, /, *, axis: Axes, keepdims: bool) -> H:
        """The smallest of what is not NaN; NaN if nothing is. Never over nothing."""
        if not self.is_floating(x):
            return self.min(x, axis=axis, keepdims=keepdims)
        turned = self.nanmax(self.negative(x), axis=axis, keepdims=keepdims)
        return self.negative(turned)

    @derived(REAL, constant="integer result")
    def nanargmax(self, x: H, /, *, axis: int | None, keepdims: bool) -> H:
        """The position of the first that is largest and not NaN; -1 if nothing is."""
        if not self.is_floating(x):
            return self.argmax(x, axis=axis, keepdims=keepdims)
        axes = None if axis is None else (axis,)
        best = self.equal(x, self.nanmax(x, axis=axes, keepdims=True))
        place = self.argmax(
            self.astype(best, dtype=self.default_dtypes(self.device(x)).indexing),
            axis=axis,
            keepdims=keepdims,
        )
        some = self.any(best, axis=axes, keepdims=keepdims)
        return self.where(some, place, -1)

    @derived(REAL, constant="integer result")
    def nanargmin(self, x: H, /, *, axis: int | None, keepdims: bool) -> H:
        """The position of the first that is smallest and not NaN; -1 if nothing is."""
        if not self.is_floating(x):
            return self.argmin(x, axis=axis, keepdims=keepdims)
        return self.nanargmax(self.negative(x), axis=axis, keepdims=keepdims)

    @derived(REAL | BOOLEAN)
    def nanmedian(self, x: H, /, *, axis: Axes, keepdims: bool) -> H:
        """The median of what is not NaN; NaN if nothing is."""
        shape = reduced(self.shape(x), axis, keepdims=keepdims)
        x, dtype = self._for_statistics(x)
        rows = self.merged_last(x, axis)
        last = len(self.shape(rows)) - 1
        if not self.shape(rows)[last]:
            return self.filled_like(self.cast(x, dtype), math.nan, shape)
        rows = self.sort(rows, axis=last, descending=False, stable=False)
        there = self.logical_not(self.isnan(rows))
        count = self.count_nonzero(there, axis=(last,), keepdims=True)
        low = self.floor_divide(self.maximum(self.subtract(count, 1), 0), 2)
        high = self.floor_divide(count, 2)
        ends = [self.take_along_axis(rows, at, axis=last) for at in (low, high)]
        value = self.where(self.less(0, count), self.halfway(*ends), math.nan)
        return self.cast(self.reshape(value, shape=shape), dtype)

    def merged_last(self, x: H, axis: Axes) -> H:
        """The axes that a reduction is over, as one, behind the others."""
        shape = self.shape(x)
        gone = tuple(range(len(shape))) if axis is None else axis
        kept = tuple(i for i in range(len(shape)) if i not in gone)
        turned = self.permute_dims(x, axes=(*kept, *gone))
        size = math.prod(shape[i] for i in gone)
        return self.reshape(turned, shape=(*(shape[i] for i in kept), size))

    def halfway(self, low: H, high: H) -> H:
        """The mean of two, without overflow."""
        return self.add(self.multiply(low, 0.5), self.multiply(high, 0.5))
