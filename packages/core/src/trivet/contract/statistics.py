"""Order statistics, covariance, counts of values, and running extremes."""

import math
from typing import Literal, TypeVar

from trivet.contract.closeness import Closeness
from trivet.contract.table import derived
from trivet.dtypes import (
    ANY,
    BOOLEAN,
    COMPLEX,
    INTEGRAL,
    REAL,
    REAL_FLOATING,
    finfo,
)
from trivet.errors import TensorIndexError
from trivet.shapes import Axes, reduced

__all__ = ["QuantileMethod", "Statistics"]

H = TypeVar("H")
QuantileMethod = Literal["linear", "lower", "higher", "midpoint", "nearest"]


class Statistics(Closeness[H], family="statistics"):
    """Integers and booleans are taken as the widest floats, as in `mean`."""

    @derived(REAL | BOOLEAN)
    def median(self, x: H, /, *, axis: Axes, keepdims: bool) -> H:
        """The middle in order, or the mean of the two; NaN if there is one, or nothing.

        A backend may order no more than `middle` needs.
        """
        shape = reduced(self.shape(x), axis, keepdims=keepdims)
        x, dtype = self._for_statistics(x)
        rows = self.merged_last(x, axis)
        last = len(self.shape(rows)) - 1
        rows = self.sort(rows, axis=last, descending=False, stable=False)
        return self.cast(self.reshape(self.middle(rows), shape=shape), dtype)

    def middle(self, rows: H) -> H:
        """The medians of rows in which the middle and the last are in their places."""
        *kept, n = self.shape(rows)
        axis = len(kept)
        if not n:
            return self.filled_like(rows, math.nan, (*kept, 1))
        high = self.part(rows, axis, n // 2, n // 2 + 1)
        if n % 2:
            value = high
        else:
            value = self.halfway(self.part(rows, axis, n // 2 - 1, n // 2), high)
        greatest = self.part(rows, axis, n - 1, n)  # NaN if there is one
        return self.where(self.isnan(greatest), math.nan, value)

    @derived(REAL | BOOLEAN)
    def quantile(
        self,
        x: H,
        q: H,
        /,
        *,
        axis: Axes,
        keepdims: bool,
        method: QuantileMethod,
    ) -> H:
        """What a part `q` of the elements is not above, in the shape of `q` in front.

        `q` is floating; outside 0 to 1 the result is NaN, as where there is NaN or
        nothing. The position is q * (n - 1), in order; `method` says what is taken
        between two elements. A backend may order no more than `part_way` needs.
        """
        shape = reduced(self.shape(x), axis, keepdims=keepdims)
        x, dtype = self._for_statistics(x)
        rows = self.merged_last(x, axis)
        last = len(self.shape(rows)) - 1
        rows = self.sort(rows, axis=last, descending=False, stable=False)
        value = self.part_way(rows, q, method)
        return self.cast(self.reshape(value, shape=(*self.shape(q), *shape)), dtype)

    def part_way(self, rows: H, q: H, method: QuantileMethod) -> H:
        """The quantiles of rows that are in order, in a first axis for the flat `q`."""
        *kept, n = self.shape(rows)
        axis, count = len(kept), self.size(q)
        if not n:
            return self.filled_like(rows, math.nan, (count, *kept))
        q = self.reshape(q, shape=(count,))
        at, inside = self.quantile_position(q, n - 1)
        low, high, weight = self._between(at, n - 1, method)
        value = self._weighted(
            self.take(rows, low, axis=axis),
            self.take(rows, high, axis=axis),
            self.astype(weight, dtype=self.dtype(rows)),
        )
        greatest = self.part(rows, axis, n - 1, n)  # NaN if there is one
        bad = self.logical_or(self.isnan(greatest), self.logical_not(inside))
        value = self.where(bad, math.nan, value)
        return self.permute_dims(value, axes=(axis, *range(axis)))

    def quantile_position(self, q: H, last: H | int) -> tuple[H, H]:
        """q * last, or 0 where `q` is not from 0 to 1, and where it is.

        `last` is the greatest position, a number or a handle of the widest float.
        """
        wide = self._widest_float(self.dtype(q), self.device(q))
        inside = self.logical_and(self.less_equal(0, q), self.less_equal(q, 1))
        safe = self.where(inside, self.cast(q, wide), 0)
        return self.multiply(safe, last), inside

    @derived(REAL | BOOLEAN)
    def nanquantile(
        self,
        x: H,
        q: H,
        /,
        *,
        axis: Axes,
        keepdims: bool,
        method: QuantileMethod,
    ) -> H:
        """The quantiles of what is not NaN, as in `quantile`; NaN if nothing is."""
        shape, count = reduced(self.shape(x), axis, keepdims=keepdims), self.size(q)
        x, dtype = self._for_statistics(x)
        rows = self.merged_last(x, axis)
        *kept, n = self.shape(rows)
        if not n:
            return self.filled_like(
                self.cast(x, dtype), math.nan, (*self.shape(q), *shape)
            )
        along = len(kept)
        rows = self.sort(rows, axis=along, descending=False, stable=False)
        there = self.logical_not(self.isnan(rows))
        known = self.count_nonzero(there, axis=(along,), keepdims=True)
        wide = self._widest_float(self.dtype(q), self.device(q))
        last = self.astype(self.maximum(self.subtract(known, 1), 0), dtype=wide)
        at, inside = self.quantile_position(self.reshape(q, shape=(count,)), last)
        low, high, weight = self._between(at, last, method)
        value = self._weighted(
            self.take_along_axis(rows, low, axis=along),
            self.take_along_axis(rows, high, axis=along),
            self.astype(weight, dtype=self.dtype(rows)),
        )
        good = self.logical_and(inside, self.less(0, known))
        value = self.where(good, value, math.nan)
        value = self.permute_dims(value, axes=(along, *range(along)))
        return self.cast(self.reshape(value, shape=(*self.shape(q), *shape)), dtype)

    def _between(self, at: H, last: H | int, method: str) -> tuple[H, H, H]:
        """The two positions around `at`, and how far it is from the first."""
        low, high = self.floor(at), self.ceil(at)
        if method == "linear":
            weight = self.subtract(at, low)
            high = self.minimum(self.add(low, 1), last)
        elif method == "midpoint":
            weight = self.filled_like(at, 0.5, self.shape(at))
        else:
            near = {"lower": low, "higher": high, "nearest": self.round(at)}[method]
            low, high = near, near
            weight = self.filled_like(at, 0, self.shape(at))
        dtype = self.default_dtypes(self.device(at)).indexing
        return self.astype(low, dtype=dtype), self.astype(high, dtype=dtype), weight

    def _weighted(self, low: H, high: H, weight: H) -> H:
        """low + weight * (high - low), also where the gap is infinite.

        Exact for equal ends, which the sum of two products is not.
        """
        known = self.logical_and(self.isfinite(low), self.isfinite(high))
        gap = self.subtract(self.where(known, high, 0), self.where(known, low, 0))
        finite = self.logical_and(known, self.isfinite(gap))
        near = self.add(low, self.multiply(weight, self.where(finite, gap, 0)))
        # what has no weight must not be infinite
        left = self.where(self.equal(weight, 1), 0, low)
        reached = self.where(self.equal(weight, 0), 0, high)
        far = self.add(
            self.multiply(left, self.subtract(1, weight)),
            self.multiply(reached, weight),
        )
        return self.where(finite, near, far)

    @derived(REAL_FLOATING)
    def interp(self, x: H, xp: H, fp: H, /) -> H:
        """The line through samples `fp` at rising 1-D places `xp`, at `x`; NaN at NaN.

        Outside, the first and the last sample. All have one dtype, and there is at
        least one sample. A sample infinitely far away leaves the line level.
        """
        (x, dtype), (xp, _), (fp, _) = map(self.widened, (x, xp, fp))
        n, limits = self.size(xp), finfo(self.dtype(xp))
        xp = self.clip(xp, limits.min, limits.max)  # infinities have no difference
        first, last = self.part(xp, 0, 0, 1), self.part(xp, 0, n - 1, n)
        at = self.clip(x, self.reshape(first, shape=()), self.reshape(last, shape=()))
        if n == 1:
            lone = self.add(self.multiply(at, 0), self.reshape(fp, shape=()))
            return self.cast(lone, dtype)
        passed = self.searchsorted(xp, at, side="right")
        low = self.clip(self.subtract(passed, 1), 0, n - 2)
        high = self.add(low, 1)
        before = self._read(xp, low)
        gap = self.subtract(self._read(xp, high), before)
        safe = self.where(self.equal(gap, 0), 1, gap)
        weight = self.divide(self.subtract(at, before), safe)
        end = self._read(fp, high)
        found = self._weighted(self._read(fp, low), end, weight)
        return self.cast(self.where(self.equal(weight, 1), end, found), dtype)

    def _read(self, x: H, places: H) -> H:
        """The elements of a 1-D array at places of any shape."""
        flat = self.reshape(places, shape=(self.size(places),))
        return self.reshape(self.take(x, flat, axis=0), shape=self.shape(places))

    @derived(ANY)
    def cov(self, x: H, /, *, correction: float) -> H:
        """The covariances of the rows of a 2-D array, over columns - correction.

        Of a 1-D array, its variance. NaN where columns - correction is not positive.
        """
        shape = self.shape(x)
        rows = self.reshape(x, shape=(math.prod(shape[:-1]), shape[-1]))
        rows, dtype = self._for_statistics(rows)
        away = self.subtract(rows, self.mean(rows, axis=(1,), keepdims=True))
        other = self.conj(away) if self.dtype(away).kind in COMPLEX else away
        product = self.matmul(away, self.matrix_transpose(other))
        found = self.cast(self._over(product, shape[-1] - correction), dtype)
        return self.reshape(found, shape=shape[:-1] * 2)

    @derived(ANY)
    def corrcoef(self, x: H, /) -> H:
        """The correlations of the rows: covariances over the standard deviations.

        NaN where a deviation is 0. Real ones are kept within -1 and 1.
        """
        rows, dtype = self._for_statistics(x)
        found = self.cov(rows, correction=0)
        if not self.shape(found):
            return self.cast(self.divide(found, found), dtype)
        place = self.counting(found, self.shape(found)[0])
        variances = self.getitem_arrays(found, (place, place))
        complex_ = self.dtype(found).kind in COMPLEX
        by = self.sqrt(self.real(variances) if complex_ else variances)
        column = self.expand_dims(by, axis=(1,))
        found = self.divide(self.divide(found, column), by)
        return self.cast(found if complex_ else self.clip(found, -1, 1), dtype)

    @derived(INTEGRAL)
    def bincount(self, x: H, weights: H | None = None, /, *, minlength: int) -> H:
        """How often each of 0, 1, ... up to the largest is in the 1-D `x`.

        At least `minlength` of them. In the index dtype; with weights, their sums, in
        the dtype that `sum` gives. The extremes of `x` are read back to the host.
        Raises `TensorIndexError` if one is negative.
        """
        length = max(minlength, self._largest_count(x) + 1)
        dtype = self.default_dtypes(self.device(x)).indexing
        return self._counted(self.astype(x, dtype=dtype), weights, length)

    def _counted(self, places: H, weights: H | None, length: int) -> H:
        """How often each place is there, or the sum of the weights there."""
        if weights is None:
            ones = self.filled_like(places, 1, self.shape(places))
            return self._collected(places, ones, length)
        weights = self.cast(weights, self.sum_dtype(self.dtype(weights)))
        weights, own = self.widened(weights)
        return self.cast(self._collected(places, weights, length), own)

    def _largest_count(self, x: H) -> int:
        if not self.size(x):
            return -1
        least, most = self.extremes(x)
        if least < 0:
            raise TensorIndexError(
                f"bincount: x holds {least}, and only integers from 0 on can be "
                "counted."
            )
        return most

    def _collected(self, places: H, values: H, length: int) -> H:
        empty = self.filled_like(values, 0, (length,))
        return self.index_update(empty, places, values, mode="add")

    @derived(REAL)
    def histogram(self, x: H, edges: H, weights: H | None = None, /) -> H:
        """How many of the 1-D `x` are in each bin between neighbouring 1-D `edges`.

        A bin holds its left edge, the last one both. What is outside, and NaN, is not
        counted. With weights, their sums, as in `bincount`.
        """
        bins = self.size(edges) - 1
        right = self.searchsorted(edges, x, side="right")
        place = self.subtract(right, 1)
        last = self.equal(x, self.part(edges, 0, bins, bins + 1))
        place = self.where(last, bins - 1, place)
        outside = self.logical_or(self.less(place, 0), self.less(bins, place))
        place = self.where(outside, bins, place)
        found = self._counted(place, weights, bins + 1)
        return self.part(found, 0, 0, bins)

    @derived(REAL)
    def cumulative_max(self, x: H, /, *, axis: int) -> H:
        """The largest of each element and all before it; NaN from the first on."""
        return self._running(self.maximum, x, axis)

    @derived(REAL)
    def cumulative_min(self, x: H, /, *, axis: int) -> H:
        """The smallest of each element and all before it; NaN from the first on."""
        return self._running(self.minimum, x, axis)

    @derived(REAL_FLOATING)
    def logcumsumexp(self, x: H, /, *, axis: int) -> H:
        """log of the running sums of exp(x), without overflow."""
        return self._running(self.logaddexp, x, axis)
