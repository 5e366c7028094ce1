"""Rules for activations that would otherwise pass through many ops."""

import math
from typing import Any

from trivet.contract import Backend
from trivet_autodiff.rules.nn import softmax
from trivet_autodiff.rules.registry import rule, unary
from trivet_autodiff.tape import IN1, Pull

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
        return b.where(b.less(0, x), g, b.multiply(g, below))

    def record(out: Any, x: Any, *, alpha: float) -> Any:
        return ((pull, (x, out, alpha)),)

    return record


@unary("silu", saves=IN1)
def silu(b: Backend[Any]) -> Pull:
    """s (1 + x (1 - s)), with s = sigmoid(x)."""

    def pull(g: Any, x: Any) -> Any:
        near = b.clip(x, -1e4, 1e4)  # where 1 - s is 0, an infinite x is none
        s = b.sigmoid(x)
        slope = b.multiply(s, b.add(b.multiply(near, b.subtract(1, s)), 1))
        return b.multiply(g, slope)

    return pull


@rule("gelu")
def gelu(b: Backend[Any]) -> Any:
    """ndtr(x) + x exp(-x**2 / 2) / sqrt(2 pi), or that of the formula with tanh."""

    def exact(x: Any) -> Any:
        bell = b.exp(b.multiply(b.square(x), -0.5))
        rest = b.multiply(b.multiply(x, bell), 1 / math.sqrt(2 * math.pi))
        return b.add(b.ndtr(x), rest)

    def by_tanh(x: Any) -> Any:
        factor, cubic = 2 * math.sqrt(2 / math.pi), 0.044715
        square = b.square(x)
        inner = b.multiply(b.multiply(b.add(b.multiply(square, cubic), 1), x), factor)
        s = b.sigmoid(inner)
        turn = b.multiply(b.add(b.multiply(square, 3 * cubic), 1), factor)
        rest = b.multiply(b.multiply(x, b.subtract(1, s)), turn)
        return b.multiply(s, b.add(rest, 1))

    def pull(g: Any, saved: Any) -> Any:
        x, approximate = saved
        x, dtype = b.widened(x)
        near = b.clip(x, -100, 100)  # beyond, the slope is 0 or 1
        slope = exact(near) if approximate == "none" else by_tanh(near)
        return b.multiply(g, b.cast(slope, dtype))

    def record(out: Any, x: Any, *, approximate: str) -> Any:
        return ((pull, (x, approximate)),)

    return record
