"""Neural-network functions in as few passes over memory as NumPy allows."""

import numpy as np

from trivet.contract import Axes
from trivet_ndarray.data import Array, Data
from trivet_ndarray.reduction import MAX

__all__ = ["Nn"]


class Nn(Data):
    """The results are those of the contract's bodies; the temporaries are reused."""

    def relu(self, x: Array, /) -> Array:
        return np.maximum(x, self.scalar(x, 0))

    def sigmoid(self, x: Array, /) -> Array:
        e = np.exp(-np.abs(x))
        return np.where(x < 0, e, self.scalar(x, 1)) / (e + self.scalar(x, 1))

    def _away(self, x: Array, axis: Axes) -> tuple[Array, Array]:
        """`x` less its finite maximum along `axis`, in new memory, and that maximum."""
        # -inf stands for the maximum of nothing
        top = MAX(x, axis, None, None, True, -np.inf)
        if not np.isfinite(top).all():
            top = np.where(np.isfinite(top), top, self.scalar(x, 0))
        return np.asarray(x - top), top

    def _summed(self, e: Array, axis: Axes) -> Array:
        """The sum along `axis`; 1 where it is 0, so that a row of -inf gives zeros."""
        total = np.asarray(self.sum(e, axis=axis, dtype=None, keepdims=True))
        total[total == 0] = 1
        return total

    def softmax(self, x: Array, /, *, axis: int) -> Array:
        x, dtype = self.widened(x)
        e, _ = self._away(x, (axis,))
        np.exp(e, e)
        return self.cast(np.divide(e, self._summed(e, (axis,)), e), dtype)

    def log_softmax(self, x: Array, /, *, axis: int) -> Array:
        x, dtype = self.widened(x)
        away, _ = self._away(x, (axis,))
        total = self._summed(np.exp(away), (axis,))
        return self.cast(np.subtract(away, np.log(total), away), dtype)

    def logsumexp(self, x: Array, /, *, axis: Axes, keepdims: bool) -> Array:
        x, dtype = self.widened(x)
        e, top = self._away(x, axis)
        # an infinite element leaves the others as they are, and -inf alone gives log 0
        with np.errstate(divide="ignore", over="ignore"):
            total = self.sum(np.exp(e, e), axis=axis, dtype=None, keepdims=True)
            total = self.cast(np.log(total) + top, dtype)
        return total if keepdims else np.squeeze(total, axis)
