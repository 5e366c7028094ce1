"""What activations, norms, attention and losses cost, beside NumPy and PyTorch.

    python benchmarks/layers.py [--rounds N] [--json PATH] [NAME...]

The arrays have a million elements; the columns and the goal are those of nn.py.
"""

import math
import sys
from collections.abc import Callable
from typing import Any

from nn import F, Task, main  # first: it sets the number of threads

# isort: split
import numpy as np

import trivet as tv

nn = tv.nn
SHAPE = (1000, 1000)
SLIM = (100_000, 10)
CLASSES = np.random.default_rng(1).integers(0, 1000, 1000)
TARGETS = tv.asarray(CLASSES)


def logistic(x: Any) -> Any:
    """The sigmoid as one would write it."""
    return 1 / (1 + np.exp(-x))


def softmax(x: Any) -> Any:
    """The stable softmax along the last axis."""
    e = np.exp(x - x.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


def log_softmax(x: Any) -> Any:
    """Its logarithm, in no need of a quotient."""
    away = x - x.max(-1, keepdims=True)
    return away - np.log(np.exp(away).sum(-1, keepdims=True))


def layer_norm(x: Any, weight: Any, bias: Any) -> Any:
    """The norm of rows as one would write it."""
    mean, var = x.mean(1, keepdims=True), x.var(1, keepdims=True)
    return (x - mean) / np.sqrt(var + 1e-5) * weight + bias


def rms_norm(x: Any, weight: Any) -> Any:
    """The norm without a mean."""
    return x / np.sqrt((x * x).mean(1, keepdims=True) + 1e-5) * weight


def attention(query: Any, key: Any, value: Any) -> Any:
    """All scores at once."""
    return softmax(query @ key.swapaxes(-1, -2) / 8) @ value


def cross_entropy(x: Any) -> Any:
    """The mean of the logarithms, without a softmax in full."""
    top = x.max(1, keepdims=True)
    total = np.log(np.exp(x - top).sum(1)) + top[:, 0]
    return (total - x[np.arange(len(x)), CLASSES]).mean()


def gelu_by_tanh(x: Any) -> Any:
    """With the cube as products: NumPy's power is slow."""
    inner = math.sqrt(2 / math.pi) * (x + 0.044715 * x * x * x)
    return 0.5 * x * (1 + np.tanh(inner))


def huber(x: Any, y: Any) -> Any:
    """Both branches and a choice."""
    size = np.abs(x - y)
    return np.where(size <= 1, 0.5 * size * size, size - 0.5).mean()


def bce(x: Any, y: Any) -> Any:
    """The stable form for logits."""
    return (np.maximum(x, 0) - x * y + np.log1p(np.exp(-np.abs(x)))).mean()


def each(name: str, numpy: Callable[..., Any], torch: str, **statics: Any) -> Task:
    """A function of one array."""
    return Task(
        (SHAPE,),
        lambda x: getattr(nn, name)(x, **statics),
        numpy,
        lambda x: getattr(F, torch)(x, **statics),
    )


def theirs(name: str) -> Any:
    """PyTorch's function, or nothing where it is not installed."""
    return getattr(F, name, None)


def pair(name: str, numpy: Callable[..., Any]) -> Task:
    """A loss of predictions and targets."""
    return Task((SHAPE, SHAPE), getattr(nn, name), numpy, theirs(name))


TASKS = {
    "sigmoid": each("sigmoid", logistic, "sigmoid"),
    "softplus": each("softplus", lambda x: np.logaddexp(x, 0), "softplus"),
    "relu6": each("relu6", lambda x: np.clip(x, 0, 6), "relu6"),
    "leaky_relu": each(
        "leaky_relu", lambda x: np.where(x > 0, x, x * 0.01), "leaky_relu"
    ),
    "elu": each("elu", lambda x: np.where(x > 0, x, np.expm1(x)), "elu"),
    "silu": each("silu", lambda x: x * logistic(x), "silu"),
    "mish": each("mish", lambda x: x * np.tanh(np.logaddexp(x, 0)), "mish"),
    "gelu by tanh": each("gelu", gelu_by_tanh, "gelu", approximate="tanh"),
    "hard_swish": each(
        "hard_swish", lambda x: x * np.clip(x + 3, 0, 6) / 6, "hardswish"
    ),
    "softmax": Task((SHAPE,), nn.softmax, softmax, lambda x: F.softmax(x, -1)),
    "softmax 100000x10": Task((SLIM,), nn.softmax, softmax, lambda x: F.softmax(x, -1)),
    "log_softmax 100000x10": Task(
        (SLIM,), nn.log_softmax, log_softmax, lambda x: F.log_softmax(x, -1)
    ),
    "max 100000x10": Task(
        (SLIM,),
        lambda x: tv.max(x, axis=1),
        lambda x: x.max(1),
        lambda x: x.amax(1),
    ),
    "sum 100000x10": Task(
        (SLIM,), lambda x: tv.sum(x, axis=1), lambda x: x.sum(1), lambda x: x.sum(1)
    ),
    "layer_norm": Task(
        (SHAPE, SHAPE[1:], SHAPE[1:]),
        lambda x, w, b: nn.layer_norm(x, 1000, w, b),
        layer_norm,
        lambda x, w, b: F.layer_norm(x, (1000,), w, b),
    ),
    "rms_norm": Task(
        (SHAPE, SHAPE[1:]),
        lambda x, w: nn.rms_norm(x, 1000, w, eps=1e-5),
        rms_norm,
        lambda x, w: F.rms_norm(x, (1000,), w, 1e-5),
    ),
    "attention 8x512x64": Task(
        ((8, 512, 64),) * 3,
        nn.scaled_dot_product_attention,
        attention,
        theirs("scaled_dot_product_attention"),
    ),
    "linear 10x100x1000 to 256": Task(
        ((10, 100, 1000), (256, 1000), (256,)),
        nn.linear,
        lambda x, w, b: x @ w.T + b,
        theirs("linear"),
    ),
    "mse_loss": pair("mse_loss", lambda x, y: ((x - y) ** 2).mean()),
    "l1_loss": pair("l1_loss", lambda x, y: np.abs(x - y).mean()),
    "huber_loss": pair("huber_loss", huber),
    "binary_cross_entropy_with_logits": pair("binary_cross_entropy_with_logits", bce),
    "cross_entropy": Task(
        (SHAPE,),
        lambda x: nn.cross_entropy(x, TARGETS),
        cross_entropy,
        lambda x: F.cross_entropy(x, x.new_tensor(CLASSES).long()),
    ),
}


if __name__ == "__main__":
    sys.exit(main(TASKS))
