"""Reductions without NaN, where NumPy has a quicker way than the derived body."""

from typing import Any

import numpy as np

from trivet.contract import Axes
from trivet_ndarray.data import Array, Data

__all__ = ["NanReduction"]

SUM: Any = np.add.reduce
FMAX: Any = np.fmax.reduce
FMIN: Any = np.fmin.reduce


class NanReduction(Data):
    """`fmax` and `fmin` leave NaN out themselves."""

    def nanmean(self, x: Array, /, *, axis: Axes, keepdims: bool) -> Array:
        if not self.is_floating(x):
            return self.mean(x, axis=axis, keepdims=keepdims)
        x, dtype = self.widened(x)
        _, total, count = _filled_and_summed(x, np.isnan(x), axis, keepdims=keepdims)
        return self.cast(self._over_count(total, count), dtype)

    def nanvar(
        self, x: Array, /, *, axis: Axes, correction: float, keepdims: bool
    ) -> Array:
        if not self.is_floating(x):
            return self.var(x, axis=axis, correction=correction, keepdims=keepdims)
        x, dtype = self.widened(x)
        missing = np.isnan(x)
        away, total, count = _filled_and_summed(x, missing, axis, keepdims=True)
        np.subtract(away, self._over_count(total, count), away)
        np.copyto(away, 0, where=missing)
        np.multiply(away, away, away)
        total = np.asarray(SUM(away, axis, None, None, keepdims))
        free = count.reshape(total.shape) - correction
        return self.cast(self._over_count(total, free), dtype)

    def _over_count(self, total: Array, count: Array) -> Array:
        """The quotient in the dtype of `total`; NaN where the count is not positive."""
        counts = np.where(count > 0, count, np.nan).astype(total.real.dtype)
        return total / counts

    def nanmax(self, x: Array, /, *, axis: Axes, keepdims: bool) -> Array:
        return FMAX(x, axis, None, None, keepdims)

    def nanmin(self, x: Array, /, *, axis: Axes, keepdims: bool) -> Array:
        return FMIN(x, axis, None, None, keepdims)

    def nanmedian(self, x: Array, /, *, axis: Axes, keepdims: bool) -> Array:
        if not self.is_floating(x):
            return self.median(x, axis=axis, keepdims=keepdims)
        if axis is not None or np.isnan(x).all():
            return super().nanmedian(x, axis=axis, keepdims=keepdims)
        found = self.median(x[~np.isnan(x)], axis=None, keepdims=False)
        return found.reshape((1,) * x.ndim if keepdims else ())


def _filled_and_summed(
    x: Array, missing: Array, axis: Axes, *, keepdims: bool
) -> tuple[Array, Array, Array]:
    """A copy with 0 for what is missing, its sum, and how much is there."""
    filled = np.array(x)
    np.copyto(filled, 0, where=missing)
    total = np.asarray(SUM(filled, axis, None, None, keepdims))
    gaps = np.count_nonzero(missing, axis=axis, keepdims=keepdims)
    return filled, total, x.size // max(total.size, 1) - np.asarray(gaps)
