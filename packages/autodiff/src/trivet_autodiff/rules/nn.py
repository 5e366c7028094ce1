"""Rules for functions of neural networks. Rows of -inf have finite gradients."""

import math
from typing import Any

from trivet.contract import Axes, Backend
from trivet.shapes import reduced
from trivet_autodiff.rules.registry import rule, unary
from trivet_autodiff.tape import IN1, OUT, Pull

__all__: list[str] = []


@unary("relu", saves=OUT)
def relu(b: Backend[Any]) -> Pull:
    """1 above 0, and 0 at and below it."""
    return b.relu_pulled


@unary("sigmoid", saves=OUT)
def sigmoid(b: Backend[Any]) -> Pull:
    """y (1 - y)."""
    return lambda g, out: b.multiply(g, b.multiply(out, b.subtract(1, out)))


@unary("softplus", saves=IN1)
def softplus(b: Backend[Any]) -> Pull:
    """sigmoid(x)."""
    return lambda g, x: b.multiply(g, b.sigmoid(x))


@unary("log_sigmoid", saves=IN1)
def log_sigmoid(b: Backend[Any]) -> Pull:
    """sigmoid(-x)."""
    return lambda g, x: b.multiply(g, b.sigmoid(b.negative(x)))


@rule("softmax")
def softmax(b: Backend[Any]) -> Any:
    """The op for it."""

    def pull(g: Any, saved: Any) -> Any:
        out, axis = saved
        return b.softmax_pulled(g, out, axis=axis)

    def record(out: Any, x: Any, *, axis: int) -> Any:
        return ((pull, (out, axis)),)

    return record


@rule("log_softmax")
def log_softmax(b: Backend[Any]) -> Any:
    """The op for it."""

    def pull(g: Any, saved: Any) -> Any:
        out, axis = saved
        return b.log_softmax_pulled(g, out, axis=axis)

    def record(out: Any, x: Any, *, axis: int) -> Any:
        return ((pull, (out, axis)),)

    return record


@rule("logsumexp")
def logsumexp(b: Backend[Any]) -> Any:
    """exp(x - logsumexp(x)), which is 0 in a row of -inf."""

    def pull(g: Any, saved: Any) -> Any:
        x, out, axis = saved
        kept = reduced(tuple(x.shape), axis, keepdims=True)
        out = b.reshape(out, shape=kept)
        safe = b.where(b.equal(out, -math.inf), 0, out)
        return b.multiply(b.reshape(g, shape=kept), b.exp(b.subtract(x, safe)))

    def record(out: Any, x: Any, *, axis: Axes, keepdims: bool) -> Any:
        return ((pull, (x, out, axis)),)

    return record
