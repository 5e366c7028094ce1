"""Order statistics by partition, which is quicker than sorting, and NumPy's counts."""

from typing import Any

import numpy as np

from trivet.contract import Axes
from trivet.contract.statistics import QuantileMethod
from trivet.shapes import reduced
from trivet_ndarray.data import Array, Data
from trivet_ndarray.running import accumulated

__all__ = ["Statistics"]

_MOST_BINS = 10_000  # that float32 tells apart, with room
_BLOCK = 65_536  # elements that stay in the cache from one pass to the next


class Statistics(Data):
    """Only the places that are read are put in order."""

    def median(self, x: Array, /, *, axis: Axes, keepdims: bool) -> Array:
        shape = reduced(x.shape, axis, keepdims=keepdims)
        x, dtype = self._for_statistics(x)
        rows = self.merged_last(x, axis)
        n = rows.shape[-1]
        if n:
            rows = np.partition(rows, sorted({(n - 1) // 2, n // 2, n - 1}))
        return self.cast(self.middle(rows).reshape(shape), dtype)

    def quantile(
        self,
        x: Array,
        q: Array,
        /,
        *,
        axis: Axes,
        keepdims: bool,
        method: QuantileMethod,
    ) -> Array:
        shape = reduced(x.shape, axis, keepdims=keepdims)
        x, dtype = self._for_statistics(x)
        rows = self.merged_last(x, axis)
        n = rows.shape[-1]
        if n:
            at, _ = self.quantile_position(q, n - 1)
            ends = (np.floor(at), np.floor(at) + 1, n - 1)
            places = np.unique(np.concatenate([np.ravel(end) for end in ends]))
            rows = np.partition(rows, places[places < n].astype(np.intp))
        value = self.part_way(rows, q, method)
        return self.cast(value.reshape((*q.shape, *shape)), dtype)

    def interp(self, x: Array, xp: Array, fp: Array, /) -> Array:
        """NumPy's computes in 64 bits, and takes NaN for the place of a lone sample."""
        if xp.size == 1:
            return super().interp(x, xp, fp)
        wide = [part.astype(np.float64, copy=False) for part in (x, xp, fp)]
        return np.asarray(np.interp(*wide)).astype(fp.dtype, copy=False)

    def bincount(
        self, x: Array, weights: Array | None = None, /, *, minlength: int
    ) -> Array:
        places = x.astype(np.intp, copy=False)
        try:
            if weights is None:
                return np.bincount(places, None, minlength)
            if weights.dtype.kind == "f":  # NumPy adds in float64 alone
                sums = np.bincount(places, weights, minlength)
                return sums.astype(weights.dtype, copy=False)
        except ValueError:  # a negative element, which the body names
            pass
        return super().bincount(x, weights, minlength=minlength)

    def histogram(
        self, x: Array, edges: Array, weights: Array | None = None, /
    ) -> Array:
        real = weights is None or weights.dtype.kind == "f"
        if weights is None and x.dtype.kind != "V" and not _equally_spaced(edges):
            return _between(x, edges)
        if not (real and _equally_spaced(edges)):
            return super().histogram(x, edges, *([] if weights is None else [weights]))
        total: Any = 0
        for start in range(0, max(x.size, 1), _BLOCK):
            part = slice(start, start + _BLOCK)
            total = total + _counted(
                x[part], edges, None if weights is None else weights[part]
            )
        return total if weights is None else total.astype(weights.dtype, copy=False)

    def cumulative_max(self, x: Array, /, *, axis: int) -> Array:
        x, dtype = self.widened(x)
        return self.cast(accumulated(np.maximum, x, axis), dtype)

    def cumulative_min(self, x: Array, /, *, axis: int) -> Array:
        x, dtype = self.widened(x)
        return self.cast(accumulated(np.minimum, x, axis), dtype)

    def logcumsumexp(self, x: Array, /, *, axis: int) -> Array:
        x, dtype = self.widened(x)
        with np.errstate(invalid="ignore"):  # NumPy warns of NaN among the operands
            return self.cast(accumulated(np.logaddexp, x, axis), dtype)


def _between(x: Array, edges: Array) -> Array:
    """How many elements are between the edges, from parts put in order."""
    total: Any = 0
    for start in range(0, max(x.size, 1), _BLOCK):
        part = np.sort(x[start : start + _BLOCK])
        below: Any = np.searchsorted(part, edges, "left")
        below[-1] = np.searchsorted(part, edges[-1], "right")
        total = total + np.diff(below)
    return total


def _equally_spaced(edges: Array) -> bool:
    """Whether an element's bin follows from its distance to the first edge.

    That is so to the next bin, which `_counted` then looks at.
    """
    if not np.isfinite(edges).all() or not edges[0] < edges[-1]:
        return False
    even = np.linspace(edges[0], edges[-1], edges.size)
    return bool(np.abs(edges - even).max() <= 0.1 * (even[1] - even[0]))


def _counted(x: Array, edges: Array, weights: Array | None) -> Array:
    bins, low, high = edges.size - 1, edges[0], edges[-1]
    inside = (x >= low) & (x <= high)
    if not inside.all():
        x = x[inside]
        weights = None if weights is None else weights[inside]
    # a narrow float would be off by more than one bin
    wide = x if x.itemsize >= 4 and bins <= _MOST_BINS else x.astype(np.float64)
    place = ((wide - low) * (bins / (high - low))).astype(np.intp)
    np.minimum(place, bins - 1, out=place)
    place -= x < edges[place]
    place += (x >= edges[place + 1]) & (place != bins - 1)
    return np.bincount(place, weights, bins)
