"""Kernels for the gradients of activations: `kernel(g, x, out, goal)` on some elements.

`out` is what the activation gave for `x`: a product with a gate, which is `out / x`.
Where that says nothing, the slope is a number.
"""

import math
from typing import Any

import numpy as np

from trivet_ndarray.reduction import MAX, MIN

__all__ = ["pull_gelu", "pull_gelu_by_tanh", "pull_mish", "pull_silu"]

Array = Any
_FAR = 1e4  # where every gate is 0 or 1, to the last bit of float64
_CUBIC, _TURN = 0.044715, 2 * math.sqrt(2 / math.pi)


def pull_silu(g: Array, x: Array, out: Array, goal: Array) -> None:
    """s (1 + x - y), where y is `out` and s the sigmoid."""
    plain, gate = _is_plain(x, goal), _gate(x, out)
    with np.errstate(invalid="ignore"):
        np.add(np.subtract(x, out, goal), 1, goal)
        np.multiply(goal, gate, goal)
    if not plain:
        _settle(x, goal, 0.5)
    np.multiply(goal, g, goal)


def pull_gelu(g: Array, x: Array, out: Array, goal: Array) -> None:
    """ndtr(x) + x exp(-x**2 / 2) / sqrt(2 pi)."""
    plain, gate = _is_plain(x, goal), _gate(x, out)
    with np.errstate(invalid="ignore", over="ignore", under="ignore"):
        np.multiply(x, x, goal)
        np.exp(np.multiply(goal, -0.5, goal), goal)
        np.multiply(goal, x, goal)
    np.multiply(goal, 1 / math.sqrt(2 * math.pi), goal)
    np.add(goal, gate, goal)
    if not plain:
        _settle(x, goal, 0.5)
    np.multiply(goal, g, goal)


def pull_gelu_by_tanh(g: Array, x: Array, out: Array, goal: Array) -> None:
    """s (1 + (x - y) u'), where y is `out` and s the sigmoid of u."""
    plain, gate = _is_plain(x, goal), _gate(x, out)
    with np.errstate(invalid="ignore", over="ignore"):
        turn = np.multiply(x, x)
        np.add(np.multiply(turn, 3 * _CUBIC * _TURN, turn), _TURN, turn)
        np.multiply(np.subtract(x, out, goal), turn, goal)
        np.multiply(np.add(goal, 1, goal), gate, goal)
    if not plain:
        _settle(x, goal, 0.5)
    np.multiply(goal, g, goal)


def pull_mish(g: Array, x: Array, out: Array, goal: Array) -> None:
    """t + x (1 - t**2) s, where s is the sigmoid.

    With q = (1 - t) / (1 + t), which is (1 + exp(x))**-2, s is 1 - sqrt(q), and that is
    2 t / ((1 + t) (1 + sqrt(q))). So it is t (1 + 2 (x - y) / (1 + sqrt(q))), where y
    is `out`.
    """
    plain, gate = _is_plain(x, goal), _gate(x, out)
    with np.errstate(invalid="ignore"):
        root = np.subtract(1, gate)
        np.sqrt(np.divide(root, np.add(gate, 1, goal), root), root)
        np.divide(np.subtract(x, out, goal), np.add(root, 1, root), goal)
        np.add(np.multiply(goal, 2, goal), 1, goal)
        np.multiply(goal, gate, goal)
    if not plain:
        _settle(x, goal, 0.6)
    np.multiply(goal, g, goal)


def _is_plain(x: Array, size: Array) -> bool:
    """Whether every element is a number by which `out` divides to its gate.

    `size` is memory for their absolute values.
    """
    np.abs(x, size)
    kind = np.finfo(x.dtype)
    return bool(MIN(size, None) >= kind.tiny / kind.eps and MAX(size, None) <= _FAR)


def _gate(x: Array, out: Array) -> Array:
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.divide(out, x)


def _settle(x: Array, slope: Array, middle: float) -> None:
    """The slopes at 0, where it is `middle`, and far from it."""
    size = np.abs(x)
    kind = np.finfo(x.dtype)
    odd = (size < kind.tiny / kind.eps) | (size > _FAR)
    slope[odd] = np.where(size[odd] < 1, middle, x[odd] > 0)
