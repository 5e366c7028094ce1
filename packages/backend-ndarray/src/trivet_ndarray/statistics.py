"""Order statistics by partition, which is quicker than sorting, and NumPy's counts."""

import numpy as np

from trivet.contract import Axes
from trivet.contract.statistics import QuantileMethod
from trivet.shapes import reduced
from trivet_ndarray.data import Array, Data

__all__ = ["Statistics"]


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
            at, _ = self.quantile_position(q, n)
            ends = (np.floor(at), np.floor(at) + 1, n - 1)
            places = np.unique(np.concatenate([np.ravel(end) for end in ends]))
            rows = np.partition(rows, places[places < n].astype(np.intp))
        value = self.part_way(rows, q, method)
        return self.cast(value.reshape((*q.shape, *shape)), dtype)

    def bincount(
        self, x: Array, weights: Array | None = None, /, *, length: int
    ) -> Array:
        places = x.astype(np.intp, copy=False)
        if weights is None:
            return np.bincount(places, None, length)
        if weights.dtype.kind != "f":  # NumPy adds in float64 alone
            return super().bincount(x, weights, length=length)
        return np.bincount(places, weights, length).astype(weights.dtype, copy=False)

    def cumulative_max(self, x: Array, /, *, axis: int) -> Array:
        return np.maximum.accumulate(x, axis)

    def cumulative_min(self, x: Array, /, *, axis: int) -> Array:
        return np.minimum.accumulate(x, axis)

    def logcumsumexp(self, x: Array, /, *, axis: int) -> Array:
        x, dtype = self.widened(x)
        return self.cast(np.logaddexp.accumulate(x, axis), dtype)
