"""Neural-network functions in as few passes over memory as NumPy allows."""

import numpy as np

from trivet.contract import Axes
from trivet_ndarray.data import Array, Data

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
        top = np.maximum.reduce(x, axis, None, None, True)  # noqa: FBT003
        if not np.isfinite(top).all():
            top = np.where(np.isfinite(top), top, self.scalar(x, 0))
        return np.asarray(x - top), top

    def softmax(self, x: Array, /, *, axis: int) -> Array:
        e, _ = self._away(x, (axis,))
        np.exp(e, e)
        total = np.add.reduce(e, axis, None, None, True)  # noqa: FBT003
        total[total == 0] = 1  # a row of -inf gives zeros
        return np.divide(e, total, e)

    def log_softmax(self, x: Array, /, *, axis: int) -> Array:
        away, _ = self._away(x, (axis,))
        total = np.add.reduce(np.exp(away), axis, None, None, True)  # noqa: FBT003
        total[total == 0] = 1
        return np.subtract(away, np.log(total), away)

    def logsumexp(self, x: Array, /, *, axis: Axes, keepdims: bool) -> Array:
        e, top = self._away(x, axis)
        total = np.add.reduce(np.exp(e, e), axis, None, None, True)  # noqa: FBT003
        with np.errstate(divide="ignore"):  # log 0 is what a row of -inf asks for
            total = np.log(total) + top
        return total if keepdims else np.squeeze(total, axis)
