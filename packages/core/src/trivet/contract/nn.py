"""Functions of neural networks, each with its gradient in mind."""

from typing import TypeVar

from trivet.contract.random import Random
from trivet.contract.table import derived
from trivet.dtypes import INTEGRAL, REAL_FLOATING, DType
from trivet.shapes import Axes

__all__ = ["Nn"]

H = TypeVar("H")


class Nn(Random[H], family="nn"):
    """Bodies are stable for large, infinite and masked (-inf) inputs."""

    @derived(REAL_FLOATING)
    def relu(self, x: H, /) -> H:
        """The larger of each element and 0."""
        return self.maximum(x, 0)

    @derived(REAL_FLOATING)
    def sigmoid(self, x: H, /) -> H:
        """1 / (1 + exp(-x)), without overflow on either side."""
        e = self.exp(self.negative(self.abs(x)))
        upper = self.divide(1, self.add(e, 1))
        return self.where(self.less(x, 0), self.multiply(e, upper), upper)

    @derived(REAL_FLOATING)
    def softplus(self, x: H, /) -> H:
        """log(1 + exp(x)), without overflow."""
        return self.logaddexp(x, self.filled_like(x, 0, ()))

    @derived(REAL_FLOATING)
    def log_sigmoid(self, x: H, /) -> H:
        """log(sigmoid(x)), which is -softplus(-x)."""
        return self.negative(self.softplus(self.negative(x)))

    def _top(self, x: H, axis: Axes) -> H:
        """The maximum along `axis`, or 0 where it is infinite: safe to subtract."""
        top = self.max(x, axis=axis, keepdims=True)
        return self.where(self.isfinite(top), top, self.filled_like(top, 0, ()))

    @derived(REAL_FLOATING)
    def logsumexp(self, x: H, /, *, axis: Axes, keepdims: bool) -> H:
        """log(sum(exp(x))), without overflow; -inf where every element is -inf."""
        top = self._top(x, axis)
        e = self.exp(self.subtract(x, top))
        total = self.add(
            self.log(self.sum(e, axis=axis, dtype=None, keepdims=True)), top
        )
        if keepdims:
            return total
        gone = tuple(range(len(self.shape(x)))) if axis is None else axis
        return self.squeeze(total, axis=gone)

    @derived(REAL_FLOATING)
    def softmax(self, x: H, /, *, axis: int) -> H:
        """exp(x) / sum(exp(x)) along `axis`; a row of -inf gives zeros."""
        e = self.exp(self.subtract(x, self._top(x, (axis,))))
        total = self.sum(e, axis=(axis,), dtype=None, keepdims=True)
        return self.divide(e, self.where(self.equal(total, 0), 1, total))

    @derived(REAL_FLOATING)
    def log_softmax(self, x: H, /, *, axis: int) -> H:
        """log(softmax(x)); a row of -inf stays -inf."""
        away = self.subtract(x, self._top(x, (axis,)))
        total = self.sum(self.exp(away), axis=(axis,), dtype=None, keepdims=True)
        return self.subtract(away, self.log(self.where(self.equal(total, 0), 1, total)))

    @derived(INTEGRAL, differentiable=False)
    def one_hot(self, x: H, /, *, num_classes: int, dtype: DType) -> H:
        """Along a new last axis, 1 at the class and 0 elsewhere."""
        column = self.expand_dims(x, axis=(len(self.shape(x)),))
        return self.astype(
            self.equal(column, self.counting(x, num_classes)), dtype=dtype
        )

    @derived(REAL_FLOATING)
    def cross_entropy(self, logits: H, targets: H, /) -> H:
        """-log(softmax(logits)) at each target, along the last axis.

        `targets` are class numbers, one for each row of `logits`.
        """
        last = len(self.shape(logits)) - 1
        logp = self.log_softmax(logits, axis=last)
        column = self.expand_dims(targets, axis=(last,))
        chosen = self.take_along_axis(logp, column, axis=last)
        return self.negative(self.squeeze(chosen, axis=(last,)))
