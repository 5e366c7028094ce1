"""Activations without a selection: `numpy.where` takes ten times a maximum's time."""

import math

import numpy as np

from trivet.contract.activation import Approximation
from trivet_ndarray.blocks import are_alike, by_elements, in_parts
from trivet_ndarray.data import Array
from trivet_ndarray.nn import Nn, logistic
from trivet_ndarray.reduction import MAX, MIN
from trivet_ndarray.slopes import pull_gelu, pull_gelu_by_tanh, pull_mish, pull_silu

__all__ = ["Activation"]

# exp(z**2) erfc(z) / (2 t) for t = 1 / (1 + z / 2), highest power first: a fit by
# Chebyshev polynomials, with a relative error below 5e-8 for 0 <= z <= 11.
_ERFCX = (
    -0.0296387535,
    0.142796721,
    -0.244655362,
    0.14024204,
    -0.0141459095,
    0.101696087,
    0.121462741,
    0.141199902,
    0.141042511,
)


class Activation(Nn):
    """Infinite elements are replaced by the largest finite one where 0 * inf looms.

    In kernels `out` may be `x` itself, which is then read before it is written.
    """

    def hardtanh(self, x: Array, /, *, min_val: float, max_val: float) -> Array:
        if x.dtype.itemsize > 2:  # one pass as it is
            return np.clip(x, min_val, max_val)
        return by_elements(lambda x, out: np.clip(x, min_val, max_val, out), x)

    def hard_swish(self, x: Array, /) -> Array:
        def kernel(x: Array, out: Array) -> None:
            share = np.add(x, 3)
            np.divide(share, 6, share)
            np.clip(share, 0, 1, share)
            np.multiply(np.maximum(x, -3), share, out)

        return by_elements(kernel, x)

    def leaky_relu(self, x: Array, /, *, negative_slope: float) -> Array:
        def kernel(x: Array, out: Array) -> None:
            below = np.minimum(x, 0)
            np.multiply(below, negative_slope, below)
            np.add(np.maximum(x, 0), below, out)

        return by_elements(kernel, x)

    def prelu(self, x: Array, weight: Array, /) -> Array:
        dtype = np.result_type(x.dtype, weight.dtype)
        x = self.widened(x)[0]
        below = np.asarray(np.minimum(x, 0) * weight)
        return np.add(np.maximum(x, 0), below, below).astype(dtype, copy=False)

    def gelu(self, x: Array, /, *, approximate: Approximation) -> Array:
        x = np.asarray(x)
        if approximate == "tanh":
            return by_elements(_gelu_by_tanh, x)
        if x.dtype.itemsize <= 4:
            return by_elements(_gelu, x)
        return np.multiply(np.maximum(x, -np.finfo(x.dtype).max), self.ndtr(x))

    def gelu_pulled(
        self, g: Array, x: Array, out: Array | None, /, *, approximate: Approximation
    ) -> Array:
        if out is None or not are_alike(g, x, out):
            return super().gelu_pulled(g, x, out, approximate=approximate)
        kernel = pull_gelu if approximate == "none" else pull_gelu_by_tanh
        return in_parts(kernel, g, x, out)

    def silu_pulled(self, g: Array, x: Array, out: Array | None, /) -> Array:
        if out is None or not are_alike(g, x, out):
            return super().silu_pulled(g, x, out)
        return in_parts(pull_silu, g, x, out)

    def mish_pulled(self, g: Array, x: Array, out: Array | None, /) -> Array:
        if out is None or not are_alike(g, x, out):
            return super().mish_pulled(g, x, out)
        return in_parts(pull_mish, g, x, out)

    def silu(self, x: Array, /) -> Array:
        def kernel(x: Array, out: Array) -> None:
            gate = np.empty_like(x)
            logistic(x, gate)
            np.multiply(_above_minus_inf(x), gate, out)

        return by_elements(kernel, x)

    def mish(self, x: Array, /) -> Array:
        def kernel(x: Array, out: Array) -> None:
            # with e = exp(x), tanh(softplus(x)) is n / (n + 2) for n = e (e + 2); above
            # x = 20 it is 1 to the last bit of float64
            e = np.minimum(x, 20)
            np.exp(e, e)
            n = np.add(e, 2)
            np.multiply(n, e, n)
            np.divide(n, np.add(n, 2, e), n)
            np.multiply(_above_minus_inf(x), n, out)

        return by_elements(kernel, x)

    def softsign(self, x: Array, /) -> Array:
        def kernel(x: Array, out: Array) -> None:
            most = np.finfo(x.dtype).max
            finite = np.clip(x, -most, most)
            size = np.abs(finite)
            np.divide(finite, np.add(size, 1, size), out)

        return by_elements(kernel, x)

    def elu(self, x: Array, /, *, alpha: float) -> Array:
        return _exponential(x, alpha, 1, 1)

    def celu(self, x: Array, /, *, alpha: float) -> Array:
        return _exponential(x, alpha, alpha, 1)

    def selu(self, x: Array, /) -> Array:
        return _exponential(x, 1.6732632423543772, 1, 1.0507009873554805)

    def soft_shrink(self, x: Array, /, *, lambd: float) -> Array:
        def kernel(x: Array, out: Array) -> None:
            np.subtract(x, np.clip(x, -lambd, lambd), out)

        return by_elements(kernel, x)

    def quiet_softmax(self, x: Array, /, *, axis: int) -> Array:
        x, dtype = self.widened(x)
        top = MAX(x, axis, None, None, True, 0)
        if not np.isfinite(top).all():
            top[np.isinf(top)] = 0
        e = np.subtract(x, top)
        np.exp(e, e)
        total = self.sum(e, axis=(axis,), dtype=None, keepdims=True)
        np.add(total, np.exp(-top), total)
        return self.cast(np.divide(e, total, e), dtype)


def _gelu(x: Array, out: Array) -> None:
    """relu(x) - abs(x) erfc(abs(x) / sqrt(2)) / 2, to the precision of float32."""
    size = np.abs(x)
    np.minimum(size, 15, out=size)  # where erfc is 0
    t = np.multiply(size, 0.5**1.5)
    np.reciprocal(np.add(t, 1, t), t)
    tail = np.multiply(t, _ERFCX[0])
    for c in _ERFCX[1:-1]:
        np.multiply(np.add(tail, c, tail), t, tail)
    np.add(tail, _ERFCX[-1], tail)
    np.multiply(t, size, t)
    np.multiply(tail, t, tail)
    np.multiply(size, np.multiply(size, -0.5, t), size)
    np.multiply(np.exp(size, size), tail, tail)
    np.subtract(np.maximum(x, 0), tail, out)


def _gelu_by_tanh(x: Array, out: Array) -> None:
    """x sigmoid(2 u), where u is what the tanh is of."""
    near = np.clip(x, -50, 50)  # beyond, the gate is 0 or 1
    gate = np.multiply(near, near)
    np.add(np.multiply(gate, 0.044715, gate), 1, gate)
    np.multiply(np.multiply(gate, near, gate), 2 * math.sqrt(2 / math.pi), gate)
    logistic(gate, gate)
    np.multiply(_above_minus_inf(x), gate, out)


def _above_minus_inf(x: Array) -> Array:
    """The elements, and the least finite number in the place of -inf."""
    if MIN(x, None, None, None, False, 0) > -np.inf:
        return x
    return np.maximum(x, -np.finfo(x.dtype).max)


def _exponential(x: Array, alpha: float, width: float, scale: float) -> Array:
    """x above 0, and alpha * (exp(x / width) - 1) elsewhere, all times `scale`."""

    def kernel(x: Array, out: Array) -> None:
        below = np.minimum(x, 0)
        if width != 1:
            np.divide(below, width, below)
        np.expm1(below, below)
        np.multiply(below, alpha, below)
        above = np.maximum(x, 0)
        if scale != 1:
            np.multiply(above, scale, above)
            np.multiply(below, scale, below)
        np.add(above, below, out)

    return by_elements(kernel, x)
