"""Activation functions of neural networks, beyond those of `contract.nn`.

At a kink the slope is the one on the left: 0 for all that are flat there. Infinite
elements give the limits, and have finite slopes.
"""

import math
from collections.abc import Callable
from typing import Literal, TypeVar

from trivet.contract.normal import Normal
from trivet.contract.table import derived
from trivet.dtypes import REAL_FLOATING

__all__ = ["SELU_ALPHA", "SELU_SCALE", "Activation", "Approximation"]

H = TypeVar("H")
Approximation = Literal["none", "tanh"]

# Klambauer et al., Self-Normalizing Neural Networks, 2017: alpha and scale.
SELU_ALPHA = 1.6732632423543772
SELU_SCALE = 1.0507009873554805
# Hendrycks and Gimpel, Gaussian Error Linear Units, 2016: the cubic under the tanh.
_CUBIC = 0.044715


class Activation(Normal[H], family="activation"):
    """NaN stays NaN.

    Every branch of a `where` is fed with elements for which it is finite, because
    slopes of branches that are not taken are multiplied by 0, not left out.
    """

    @derived(REAL_FLOATING)
    def hardtanh(self, x: H, /, *, min_val: float, max_val: float) -> H:
        """Each element kept between the bounds; flat at and beyond them."""
        above = self.where(self.greater_equal(x, max_val), max_val, x)
        return self.where(self.less_equal(x, min_val), min_val, above)

    @derived(REAL_FLOATING)
    def relu6(self, x: H, /) -> H:
        """Each element kept between 0 and 6."""
        return self.hardtanh(x, min_val=0, max_val=6)

    @derived(REAL_FLOATING)
    def hard_sigmoid(self, x: H, /, *, alpha: float, beta: float) -> H:
        """alpha * x + beta, kept between 0 and 1."""
        line = self.add(self.multiply(x, alpha), beta)
        return self.hardtanh(line, min_val=0, max_val=1)

    @derived(REAL_FLOATING)
    def hard_swish(self, x: H, /) -> H:
        """x * relu6(x + 3) / 6."""
        near = self.hardtanh(x, min_val=-3, max_val=3)
        curve = self.divide(self.multiply(near, self.add(near, 3)), 6)
        return self.where(self.greater_equal(x, 3), x, curve)

    @derived(REAL_FLOATING)
    def leaky_relu(self, x: H, /, *, negative_slope: float) -> H:
        """x above 0, and `negative_slope * x` elsewhere."""
        return self.where(self.less(0, x), x, self.multiply(x, negative_slope))

    @derived(REAL_FLOATING)
    def prelu(self, x: H, weight: H, /) -> H:
        """x above 0, and `weight * x` elsewhere; `weight` broadcasts."""
        positive = self.less(0, x)
        below = self.where(positive, 0, x)
        return self.where(positive, x, self.multiply(below, weight))

    @derived(REAL_FLOATING)
    def threshold(self, x: H, /, *, threshold: float, value: float) -> H:
        """x above `threshold`, and `value` elsewhere."""
        return self.where(self.less_equal(x, threshold), value, x)

    @derived(REAL_FLOATING)
    def thresholded_relu(self, x: H, /, *, alpha: float) -> H:
        """x above `alpha`, and 0 elsewhere."""
        return self.threshold(x, threshold=alpha, value=0)

    def _gated(self, x: H, gate: Callable[[H], H]) -> H:
        """x * gate(x), for a gate that goes from 0 to 1 faster than x grows."""
        far = self.isinf(x)
        near = self.where(far, 0, x)
        return self.where(far, self.relu(x), self.multiply(near, gate(near)))

    @derived(REAL_FLOATING)
    def gelu(self, x: H, /, *, approximate: Approximation) -> H:
        """x * ndtr(x), or with "tanh" x * (1 + tanh(a * (x + 0.044715 x**3))) / 2.

        There a is sqrt(2 / pi).
        """
        x, dtype = self.widened(x)
        gate = self.ndtr if approximate == "none" else self._tanh_gate
        return self.cast(self._gated(x, gate), dtype)

    @derived(REAL_FLOATING)
    def gelu_pulled(
        self, g: H, x: H, out: H | None, /, *, approximate: Approximation
    ) -> H:
        """The gradient of `x` from `g`, that of what `gelu` gives.

        That is `out`, where it is at hand; it then saves computing it once more, and
        is no variable of its own.
        """
        (g, _), (x, dtype) = self.widened(g), self.widened(x)
        near = self.clip(x, -100, 100)  # beyond, the slope is 0 or 1
        exact = approximate == "none"
        slope = self._gelu_slope(near) if exact else self._tanh_gelu_slope(near)
        return self.cast(self.multiply(g, slope), dtype)

    def _gelu_slope(self, x: H) -> H:
        """ndtr(x) + x exp(-x**2 / 2) / sqrt(2 pi)."""
        bell = self.exp(self.multiply(self.square(x), -0.5))
        rest = self.multiply(self.multiply(x, bell), 1 / math.sqrt(2 * math.pi))
        return self.add(self.ndtr(x), rest)

    def _tanh_gelu_slope(self, x: H) -> H:
        """s (1 + x (1 - s) u'), where s is the sigmoid of u."""
        gate = self._tanh_gate(x)
        turn = self.add(self.multiply(self.square(x), 3 * _CUBIC), 1)
        turn = self.multiply(turn, 2 * math.sqrt(2 / math.pi))
        rest = self.multiply(self.multiply(x, self.subtract(1, gate)), turn)
        return self.multiply(gate, self.add(rest, 1))

    def _tanh_gate(self, x: H) -> H:
        """(1 + tanh(u)) / 2 = sigmoid(2 u), which does not cancel for negative u."""
        near = self.clip(x, -100, 100)  # beyond, it is 0 or 1, and the cube overflows
        cube = self.multiply(self.multiply(self.square(near), near), _CUBIC)
        return self.sigmoid(
            self.multiply(self.add(near, cube), 2 * math.sqrt(2 / math.pi))
        )

    @derived(REAL_FLOATING)
    def silu(self, x: H, /) -> H:
        """x * sigmoid(x)."""
        return self._gated(x, self.sigmoid)

    @derived(REAL_FLOATING)
    def silu_pulled(self, g: H, x: H, out: H | None, /) -> H:
        """The gradient of `x` from `g`, that of what `silu` gives.

        g s (1 + x (1 - s)), with s = sigmoid(x). `out` is as in `gelu_pulled`.
        """
        (g, _), (x, dtype) = self.widened(g), self.widened(x)
        near = self.clip(x, -1e4, 1e4)  # where 1 - s is 0, an infinite x is none
        gate = self.sigmoid(near)
        rest = self.multiply(near, self.subtract(1, gate))
        slope = self.multiply(gate, self.add(rest, 1))
        return self.cast(self.multiply(g, slope), dtype)

    @derived(REAL_FLOATING)
    def mish(self, x: H, /) -> H:
        """x * tanh(softplus(x))."""
        return self._gated(x, lambda near: self.tanh(self.softplus(near)))

    @derived(REAL_FLOATING)
    def mish_pulled(self, g: H, x: H, out: H | None, /) -> H:
        """The gradient of `x` from `g`, that of what `mish` gives.

        g (t + x (1 - t**2) sigmoid(x)), with t = tanh(softplus(x)). `out` is as in
        `gelu_pulled`.
        """
        (g, _), (x, dtype) = self.widened(g), self.widened(x)
        near = self.clip(x, -1e4, 1e4)  # where 1 - t is 0, an infinite x is none
        gate = self.tanh(self.softplus(near))
        turn = self.multiply(self.subtract(1, self.square(gate)), self.sigmoid(near))
        slope = self.add(gate, self.multiply(near, turn))
        return self.cast(self.multiply(g, slope), dtype)

    @derived(REAL_FLOATING)
    def softsign(self, x: H, /) -> H:
        """x / (1 + abs(x))."""
        far = self.isinf(x)
        near = self.where(far, 0, x)
        curve = self.divide(near, self.add(self.abs(near), 1))
        return self.where(far, self.sign(x), curve)

    def _exponential(self, x: H, alpha: float, width: float) -> H:
        """x above 0, and alpha * (exp(x / width) - 1) elsewhere."""
        positive = self.less(0, x)
        below = self.where(positive, 0, x)
        if width != 1:
            below = self.divide(below, width)
        return self.where(positive, x, self.multiply(self.expm1(below), alpha))

    @derived(REAL_FLOATING)
    def elu(self, x: H, /, *, alpha: float) -> H:
        """x above 0, and alpha * (exp(x) - 1) elsewhere."""
        return self._exponential(x, alpha, 1)

    @derived(REAL_FLOATING)
    def celu(self, x: H, /, *, alpha: float) -> H:
        """x above 0, and alpha * (exp(x / alpha) - 1) elsewhere."""
        return self._exponential(x, alpha, alpha)

    @derived(REAL_FLOATING)
    def selu(self, x: H, /) -> H:
        """`elu` scaled so that layers keep mean 0 and variance 1."""
        return self.multiply(self._exponential(x, SELU_ALPHA, 1), SELU_SCALE)

    @derived(REAL_FLOATING)
    def glu(self, x: H, /, *, axis: int) -> H:
        """The first half along `axis` times the sigmoid of the second half."""
        n = self.shape(x)[axis]
        gate = self.sigmoid(self.part(x, axis, n // 2, n))
        return self.multiply(self.part(x, axis, 0, n // 2), gate)

    @derived(REAL_FLOATING)
    def tanhshrink(self, x: H, /) -> H:
        """x - tanh(x)."""
        x, dtype = self.widened(x)  # near 0 most digits are lost
        return self.cast(self.subtract(x, self.tanh(x)), dtype)

    @derived(REAL_FLOATING)
    def shrink(self, x: H, /, *, lambd: float, bias: float) -> H:
        """x moved towards 0 by `bias`; 0 where abs(x) is at most `lambd`."""
        moved = self.subtract(x, self.multiply(self.sign(x), bias)) if bias else x
        return self.where(self.less_equal(self.abs(x), lambd), 0, moved)

    @derived(REAL_FLOATING)
    def hard_shrink(self, x: H, /, *, lambd: float) -> H:
        """x, or 0 where abs(x) is at most `lambd`."""
        return self.shrink(x, lambd=lambd, bias=0)

    @derived(REAL_FLOATING)
    def soft_shrink(self, x: H, /, *, lambd: float) -> H:
        """x moved towards 0 by `lambd`, but not beyond 0."""
        return self.shrink(x, lambd=lambd, bias=lambd)

    @derived(REAL_FLOATING)
    def softmin(self, x: H, /, *, axis: int) -> H:
        """softmax(-x); a row of inf gives zeros."""
        return self.softmax(self.negative(x), axis=axis)

    @derived(REAL_FLOATING)
    def quiet_softmax(self, x: H, /, *, axis: int) -> H:
        """exp(x) / (1 + sum(exp(x))) along `axis`; a row of -inf gives zeros."""
        x, dtype = self.widened(x)
        top = self.relu(self._top(x, (axis,)))
        e = self.exp(self.subtract(x, top))
        total = self.sum(e, axis=(axis,), dtype=None, keepdims=True)
        total = self.add(total, self.exp(self.negative(top)))
        return self.cast(self.divide(e, total), dtype)
