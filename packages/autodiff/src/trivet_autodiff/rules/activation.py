"""Rules for activations that would otherwise pass through many ops."""

from collections.abc import Callable
from typing import Any

from trivet.contract import Backend
from trivet.contract.activation import SELU_ALPHA, SELU_SCALE
from trivet_autodiff.rules.nn import softmax
from trivet_autodiff.rules.registry import rule, unary
from trivet_autodiff.tape import IN1, OUT, Pull

__all__: list[str] = []

rule("quiet_softmax")(softmax)  # one more element, which is constant, changes no slope


@rule("hardtanh")
def hardtanh(b: Backend[Any]) -> Any:
    """0 at both bounds, 1 between them."""

    def pull(g: Any, saved: Any) -> Any:
        out, low, high = saved
        return b.where(b.logical_or(b.equal(out, low), b.equal(out, high)), 0, g)

    def record(out: Any, x: Any, *, min_val: float, max_val: float) -> Any:
        return ((pull, (out, min_val, max_val)),)

    return record


@rule("leaky_relu")
def leaky_relu(b: Backend[Any]) -> Any:
    """1 above 0, and `negative_slope` elsewhere."""

    def pull(g: Any, saved: Any) -> Any:
        x, slope = saved
        return b.where(b.less(0, x), g, b.multiply(g, slope))

    def record(out: Any, x: Any, *, negative_slope: float) -> Any:
        return ((pull, (x, negative_slope)),)

    return record


@rule("elu")
def elu(b: Backend[Any]) -> Any:
    """1 above 0, and alpha exp(x) = y + alpha elsewhere."""

    def pull(g: Any, saved: Any) -> Any:
        x, out, alpha = saved
        below = b.add(b.minimum(out, 0), alpha)
        slope = below if alpha == 1 else b.where(b.less(0, x), 1, below)
        return b.multiply(g, slope)

    def record(out: Any, x: Any, *, alpha: float) -> Any:
        return ((pull, (x, out, alpha)),)

    return record


@rule("celu")
def celu(b: Backend[Any]) -> Any:
    """1 above 0, and exp(x / alpha) = y / alpha + 1 elsewhere."""

    def pull(g: Any, saved: Any) -> Any:
        out, alpha = saved
        below = b.minimum(out, 0)
        if alpha != 1:
            below = b.divide(below, alpha)
        return b.multiply(g, b.add(below, 1))

    def record(out: Any, x: Any, *, alpha: float) -> Any:
        return ((pull, (out, alpha)),)

    return record


@unary("selu", saves=OUT)
def selu(b: Backend[Any]) -> Pull:
    """The scale above 0, and y + scale alpha elsewhere."""

    def pull(g: Any, out: Any) -> Any:
        below = b.add(b.minimum(out, 0), SELU_SCALE * SELU_ALPHA)
        return b.multiply(g, b.where(b.less(0, out), SELU_SCALE, below))

    return pull


@unary("hard_swish", saves=IN1)
def hard_swish(b: Backend[Any]) -> Pull:
    """(2 x + 3) / 6 between -3 and 3; 0 at and below, and 1 at and above them."""

    def pull(g: Any, x: Any) -> Any:
        part = b.divide(b.hardtanh(x, min_val=-3, max_val=3), 3)
        end = b.trunc(part)  # -1 and 1 from there on, where the line is 1/2 too far
        return b.multiply(g, b.add(b.subtract(part, b.multiply(end, 0.5)), 0.5))

    return pull


@rule("glu")
def glu(b: Backend[Any]) -> Any:
    """s for the first half, and y (1 - s) for the second, of which s is the sigmoid."""

    def pull(g: Any, saved: Any) -> Any:
        out, x, axis = saved
        n = x.shape[axis]
        gate = b.sigmoid(b.part(x, axis, n // 2, n))
        turn = b.multiply(b.multiply(g, out), b.subtract(1, gate))
        return b.concat((b.multiply(g, gate), turn), axis=axis)

    def record(out: Any, x: Any, *, axis: int) -> Any:
        return ((pull, (out, x, axis)),)

    return record


@unary("softsign", saves=IN1)
def softsign(b: Backend[Any]) -> Pull:
    """(1 + abs(x)) ** -2."""

    def pull(g: Any, x: Any) -> Any:
        size = b.add(b.abs(x), 1)
        return b.divide(b.divide(g, size), size)  # the square might overflow

    return pull


@rule("soft_shrink")
def soft_shrink(b: Backend[Any]) -> Any:
    """0 where the result is, and 1 elsewhere."""

    def pull(g: Any, out: Any) -> Any:
        return b.where(b.equal(out, 0), 0, g)

    def record(out: Any, x: Any, *, lambd: float) -> Any:
        return ((pull, out),)

    return record


@rule("silu")
def silu(b: Backend[Any]) -> Any:
    """The op for it."""
    return _gated(b, b.silu_pulled)


@rule("mish")
def mish(b: Backend[Any]) -> Any:
    """The op for it."""
    return _gated(b, b.mish_pulled)


@rule("gelu")
def gelu(b: Backend[Any]) -> Any:
    """The op for it."""
    return _gated(b, b.gelu_pulled)


def _gated(b: Backend[Any], pulled: Callable[..., Any]) -> Any:
    """What x times a gate of x shares: the result tells the gate."""

    def pull(g: Any, saved: Any) -> Any:
        x, out, statics = saved
        if b.dtype(x).bits == 16:  # rounded, it tells the gate no better than x does
            out = None
        return pulled(g, x, out, **statics)

    def record(out: Any, x: Any, **statics: Any) -> Any:
        return ((pull, (x, out, statics)),)

    return record
