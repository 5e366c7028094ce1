"""Ops that combine elements along axes, and their running forms.

`axis` is a tuple of non-negative axes, or `None` for all of them.
"""

import math
from collections.abc import Callable
from typing import TypeVar

from trivet.contract.indexing import Indexing
from trivet.contract.table import derived, required
from trivet.dtypes import (
    ANY,
    BOOLEAN,
    DTYPES,
    FLOATING,
    INTEGRAL,
    REAL,
    DType,
    float32,
    float64,
)
from trivet.shapes import Axes

__all__ = ["Reduction"]

H = TypeVar("H")


class Reduction(Indexing[H], family="reduction"):
    """Reductions over nothing give the neutral element, or NaN where there is none."""

    @required(ANY)
    def sum(self, x: H, /, *, axis: Axes, dtype: DType | None, keepdims: bool) -> H:
        """The sum in `dtype`.

        With `dtype=None`, floats keep theirs, and integers and booleans get
        `sum_dtype`. 16-bit floats accumulate in float32.
        """
        raise NotImplementedError

    @required(ANY)
    def prod(self, x: H, /, *, axis: Axes, dtype: DType | None, keepdims: bool) -> H:
        """The product; dtypes as for `sum`."""
        raise NotImplementedError

    @required(REAL)
    def max(self, x: H, /, *, axis: Axes, keepdims: bool) -> H:
        """The largest element; NaN if there is one. Never over nothing."""
        raise NotImplementedError

    @derived(INTEGRAL, constant="numbers on the host")
    def extremes(self, x: H, /) -> tuple[int, int]:
        """The least and the largest integer, on the host. Never of nothing."""
        ends = (end(x, axis=None, keepdims=False) for end in (self.min, self.max))
        least, most = map(self.read_int, ends)
        return least, most

    @required(REAL, constant="integer result")
    def argmax(self, x: H, /, *, axis: int | None, keepdims: bool) -> H:
        """The position of the first largest element, or of the first NaN.

        In the index dtype; with `axis=None` it counts in C order.
        """
        raise NotImplementedError

    def sum_dtype(self, dtype: DType) -> DType:
        """The dtype that sums of `dtype` have when none is asked for.

        Small integers widen to the default integer of the same signedness.
        """
        if dtype.kind not in INTEGRAL and dtype.kind != "bool":
            return dtype
        default = self.default_dtypes(self.default_device).integral
        if dtype.kind == "unsigned integer":
            return DTYPES[f"uint{max(default.bits, dtype.bits)}"]
        return default if default.bits >= dtype.bits else dtype

    @derived(REAL)
    def min(self, x: H, /, *, axis: Axes, keepdims: bool) -> H:
        """The smallest element; NaN if there is one. Never over nothing."""
        turned = self._turned(x)
        return self._turned(self.max(turned, axis=axis, keepdims=keepdims))

    @derived(REAL, constant="integer result")
    def argmin(self, x: H, /, *, axis: int | None, keepdims: bool) -> H:
        """The position of the first smallest element, or of the first NaN."""
        return self.argmax(self._turned(x), axis=axis, keepdims=keepdims)

    def _turned(self, x: H) -> H:
        """The elements in reversed order of size, without overflow."""
        return self.negative(x) if self.is_floating(x) else self.bitwise_invert(x)

    @derived(ANY)
    def mean(self, x: H, /, *, axis: Axes, keepdims: bool) -> H:
        """The arithmetic mean; of integers and booleans in float64; NaN of nothing."""
        x, dtype = self._for_statistics(x)
        total = self.sum(x, axis=axis, dtype=None, keepdims=keepdims)
        return self.cast(self._over(total, self._count(x, axis)), dtype)

    @derived(REAL | BOOLEAN)
    def var(self, x: H, /, *, axis: Axes, correction: float, keepdims: bool) -> H:
        """The variance: squared distances from the mean over count - correction.

        NaN where count - correction is not positive.
        """
        x, dtype = self._for_statistics(x)
        away = self.subtract(x, self.mean(x, axis=axis, keepdims=True))
        total = self.sum(self.square(away), axis=axis, dtype=None, keepdims=keepdims)
        return self.cast(self._over(total, self._count(x, axis) - correction), dtype)

    @derived(REAL | BOOLEAN)
    def std(self, x: H, /, *, axis: Axes, correction: float, keepdims: bool) -> H:
        """The square root of the variance, rounded once."""
        # in the wide dtype: a float16 variance overflows long before its root
        x, dtype = self._for_statistics(x)
        var = self.var(x, axis=axis, correction=correction, keepdims=keepdims)
        return self.cast(self.sqrt(var), dtype)

    def _over(self, total: H, count: float) -> H:
        return (
            self.divide(total, count) if count > 0 else self.multiply(total, math.nan)
        )

    def _count(self, x: H, axis: Axes) -> int:
        shape = self.shape(x)
        return math.prod(shape if axis is None else [shape[i] for i in axis])

    def cast(self, x: H, dtype: DType) -> H:
        """The handle itself if it has the dtype, otherwise `astype`."""
        return x if self.dtype(x) == dtype else self.astype(x, dtype=dtype)

    def widened(self, x: H) -> tuple[H, DType]:
        """Floats fit for sums, 16-bit ones as float32, and the dtype they had."""
        dtype = self.dtype(x)
        wide = float32 if dtype.kind in FLOATING and dtype.bits == 16 else dtype
        return self.cast(x, wide), dtype

    def _for_statistics(self, x: H) -> tuple[H, DType]:
        """The array in a dtype fit for sums, and the dtype of the result."""
        if self.is_floating(x):
            return self.widened(x)
        device = self.device(x)
        has_float64 = float64 in self.dtypes(device)
        wide = float64 if has_float64 else self.default_dtypes(device).real_floating
        return self.astype(x, dtype=wide), wide

    @derived(ANY, constant="integer result")
    def count_nonzero(self, x: H, /, *, axis: Axes, keepdims: bool) -> H:
        """How many elements are not zero, in the index dtype."""
        dtype = self.default_dtypes(self.device(x)).indexing
        ones = self.astype(self.truth(x), dtype=dtype)
        return self.sum(ones, axis=axis, dtype=dtype, keepdims=keepdims)

    @derived(ANY, constant="boolean result")
    def any(self, x: H, /, *, axis: Axes, keepdims: bool) -> H:
        """Whether an element is true; false over nothing."""
        return self.less(0, self.count_nonzero(x, axis=axis, keepdims=keepdims))

    @derived(ANY, constant="boolean result")
    def all(self, x: H, /, *, axis: Axes, keepdims: bool) -> H:
        """Whether every element is true; true over nothing."""
        false = self.logical_not(x)
        return self.logical_not(self.any(false, axis=axis, keepdims=keepdims))

    @derived(ANY)
    def cumulative_sum(
        self, x: H, /, *, axis: int, dtype: DType | None, include_initial: bool
    ) -> H:
        """The sum of each element and all before it; dtypes as for `sum`."""
        dtype = dtype or self.sum_dtype(self.dtype(x))
        x = self._running(self.add, self.cast(x, dtype), axis)
        return self._with_initial(x, 0, axis) if include_initial else x

    @derived(ANY)
    def cumulative_prod(
        self, x: H, /, *, axis: int, dtype: DType | None, include_initial: bool
    ) -> H:
        """The product of each element and all before it; dtypes as for `sum`."""
        dtype = dtype or self.sum_dtype(self.dtype(x))
        x = self._running(self.multiply, self.cast(x, dtype), axis)
        return self._with_initial(x, 1, axis) if include_initial else x

    def _running(self, op: Callable[[H, H], H], x: H, axis: int) -> H:
        """A scan in log2(n) steps of doubling distance (Hillis and Steele, 1986)."""
        n, distance = self.shape(x)[axis], 1
        x, dtype = self.widened(x)
        while distance < n:
            earlier = self.part(x, axis, 0, n - distance)
            later = self.part(x, axis, distance, n)
            head = self.part(x, axis, 0, distance)
            x = self.concat((head, op(earlier, later)), axis=axis)
            distance *= 2
        return self.cast(x, dtype)

    def _with_initial(self, x: H, value: int, axis: int) -> H:
        shape = self.shape(x)
        first = (*shape[:axis], 1, *shape[axis + 1 :])
        return self.concat((self.filled_like(x, value, first), x), axis=axis)

    @derived(ANY)
    def diff(self, x: H, /, *, axis: int, n: int) -> H:
        """The `n`-th difference of neighbours along `axis`."""
        for _ in range(n):
            size = self.shape(x)[axis]
            later = self.part(x, axis, min(1, size), size)
            earlier = self.part(x, axis, 0, max(size - 1, 0))
            boolean = self.dtype(x).kind == "bool"
            x = (self.not_equal if boolean else self.subtract)(later, earlier)
        return x
