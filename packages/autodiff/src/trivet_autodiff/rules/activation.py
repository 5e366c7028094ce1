"""Rules for activations that would otherwise pass through many ops."""

import math
from typing import Any

from trivet.contract import Backend
from trivet_autodiff.rules.nn import softmax
from trivet_autodiff.rules.registry import rule, unary
from trivet_autodiff.tape import IN1, Pull

__all__: list[str] = []

rule("quiet_softmax")(softmax)  # one more element, which is constant, changes no slope


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
