"""Functions of neural networks, each with its gradient in mind."""

import math
from typing import TypeVar

from trivet.contract.random import Random
from trivet.contract.table import derived
from trivet.dtypes import INTEGRAL, REAL_FLOATING, DType
from trivet.shapes import Axes, reduced

__all__ = ["Nn"]

H = TypeVar("H")


class Nn(Random[H], family="nn"):
    """Bodies are stable for large, infinite and masked (-inf) inputs."""

    @derived(REAL_FLOATING)
    def relu(self, x: H, /) -> H:
        """The larger of each element and 0."""
        return self.maximum(x, 0)

    @derived(REAL_FLOATING)
    def relu_pulled(self, g: H, out: H, /) -> H:
        """The gradient of relu, whose result is `out`: `g`, and 0 where that is 0."""
        return self.where(self.equal(out, 0), 0, g)

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
        """The maximum along `axis`, or 0 where there is no finite one."""
        shape = self.shape(x)
        if not math.prod(shape if axis is None else [shape[i] for i in axis]):
            return self.filled_like(x, 0, reduced(shape, axis, keepdims=True))
        top = self.max(x, axis=axis, keepdims=True)
        return self.where(self.isfinite(top), top, self.filled_like(top, 0, ()))

    @derived(REAL_FLOATING)
    def logsumexp(self, x: H, /, *, axis: Axes, keepdims: bool) -> H:
        """log(sum(exp(x))), without overflow; -inf where every element is -inf."""
        x, dtype = self.widened(x)
        top = self._top(x, axis)
        e = self.exp(self.subtract(x, top))
        total = self.sum(e, axis=axis, dtype=None, keepdims=True)
        whole = self.cast(self.add(self.log(total), top), dtype)
        shape = reduced(self.shape(x), axis, keepdims=keepdims)
        return self.reshape(whole, shape=shape)

    @derived(REAL_FLOATING)
    def softmax(self, x: H, /, *, axis: int) -> H:
        """exp(x) / sum(exp(x)) along `axis`; a row of -inf gives zeros."""
        x, dtype = self.widened(x)
        e = self.exp(self.subtract(x, self._top(x, (axis,))))
        total = self.sum(e, axis=(axis,), dtype=None, keepdims=True)
        return self.cast(
            self.divide(e, self.where(self.equal(total, 0), 1, total)), dtype
        )

    @derived(REAL_FLOATING)
    def softmax_pulled(self, g: H, out: H, /, *, axis: int) -> H:
        """The gradient of `x` from `g`, that of what `softmax` gives: `out`.

        out (g - sum(g out)) along `axis`, in the dtype of `out`.
        """
        (g, _), (out, dtype) = self.widened(g), self.widened(out)
        weighed = self.multiply(g, out)
        total = self.sum(weighed, axis=(axis,), dtype=None, keepdims=True)
        return self.cast(self.subtract(weighed, self.multiply(out, total)), dtype)

    @derived(REAL_FLOATING)
    def log_softmax(self, x: H, /, *, axis: int) -> H:
        """log(softmax(x)); a row of -inf stays -inf."""
        x, dtype = self.widened(x)
        away = self.subtract(x, self._top(x, (axis,)))
        total = self.sum(self.exp(away), axis=(axis,), dtype=None, keepdims=True)
        log_total = self.log(self.where(self.equal(total, 0), 1, total))
        return self.cast(self.subtract(away, log_total), dtype)

    @derived(REAL_FLOATING)
    def log_softmax_pulled(self, g: H, out: H, /, *, axis: int) -> H:
        """The gradient of `x` from `g`, that of what `log_softmax` gives: `out`.

        g - exp(out) sum(g) along `axis`, in the dtype of `out`.
        """
        (g, _), (out, dtype) = self.widened(g), self.widened(out)
        total = self.sum(g, axis=(axis,), dtype=None, keepdims=True)
        rest = self.subtract(g, self.multiply(self.exp(out), total))
        return self.cast(rest, dtype)

    @derived(INTEGRAL, constant="integer operands")
    def one_hot(self, x: H, /, *, num_classes: int, dtype: DType) -> H:
        """Along a new last axis, 1 at the class and 0 elsewhere."""
        column = self.expand_dims(x, axis=(len(self.shape(x)),))
        return self.astype(
            self.equal(column, self.counting(x, num_classes)), dtype=dtype
        )
