"""Selection without branches: on a mixed mask `numpy.where` takes ten times as long."""

from math import copysign
from typing import Any

import numpy as np

from trivet.dtypes import Scalar
from trivet_ndarray.bfloat import NATIVE, joining_where
from trivet_ndarray.blocks import BLOCK
from trivet_ndarray.data import Array, Data

__all__ = ["Comparison"]

_LEAST = 256  # elements; below, the passes cost more than the branches
_LARGE = 1 << 13  # elements; below, setting up the parts costs more than the branches
_SAMPLE = 2048
_BITS = {"f": np.int32, "d": np.int64}
_WORDS = {size: np.dtype(f"u{size}") for size in (1, 2, 4, 8)}


class Comparison(Data):
    """Bits are chosen: those of elements or 0, the commonest case, or of two arrays."""

    def where(
        self, condition: Array, x1: Array | Scalar, x2: Array | Scalar, /
    ) -> Array:
        if _is_zero(x1) and _fits(condition, x2):
            return _without(x2, condition)
        if _is_zero(x2) and _fits(condition, x1):
            return _masked(x1, np.negative(condition.view(np.int8)))
        return _SELECT(condition, x1, x2)

    def relu_pulled(self, g: Array, out: Array, /) -> Array:
        none = np.equal(out, 0)
        return _without(g, none) if _fits(none, g) else self.where(none, 0, g)


def _is_zero(x: Array | Scalar) -> bool:
    """Whether `x` is the number 0, whose bits are all 0; those of -0.0 are not."""
    if x.__class__ is float:
        return x == 0 and copysign(1, x) == 1
    return x.__class__ is int and x == 0


def _fits(condition: Array, x: Array | Scalar) -> bool:
    return (
        x.__class__ is np.ndarray
        and condition.__class__ is np.ndarray
        and x.dtype.char in _BITS
        and x.size >= _LEAST
        and condition.shape == x.shape
        and condition.dtype.char == "?"
    )


def _without(x: Array, condition: Array) -> Array:
    """The elements of `x`, and 0 where the condition holds."""
    return _masked(x, np.subtract(condition.view(np.int8), 1))


def _masked(x: Array, keep: Array) -> Array:
    """The elements of `x` where `keep` is -1, and 0 where it is 0."""
    bits = keep.astype(_BITS[x.dtype.char])
    return np.bitwise_and(x.view(bits.dtype), bits, bits).view(x.dtype)


def _selected(condition: Array, x1: Any, x2: Any) -> Array:
    if condition.size >= _LARGE and _is_mixed(condition):
        return _mixed(condition, x1, x2)
    return np.where(condition, x1, x2)


_SELECT = _selected if NATIVE is None else joining_where(_selected)


def _is_mixed(condition: Array) -> bool:
    """Whether a sample often differs from one element to the next.

    If not, the processor guesses the branches of `numpy.where`, which is then quicker.
    """
    if condition.dtype.char != "?" or condition.shape[-1] == 1:
        return False
    if not condition.flags.c_contiguous:
        return True
    flat, changes = condition.reshape(-1), 0
    for start in (0, flat.size // 2, flat.size - _SAMPLE):
        part = flat[start : start + _SAMPLE]
        changes += int(np.count_nonzero(part[1:] != part[:-1]))
    return changes > 3 * _SAMPLE // 32


def _mixed(condition: Array, x1: Any, x2: Any) -> Array:
    dtype = np.result_type(x1, x2)
    if dtype.itemsize not in _WORDS:
        return np.where(condition, x1, x2)
    first, second = np.asarray(x1, dtype), np.asarray(x2, dtype)
    shape = np.broadcast_shapes(condition.shape, first.shape, second.shape)
    word = _WORDS[dtype.itemsize]
    sides = [_flat(x, shape).view(word) for x in (first, second)]
    return _chosen(_flat(condition, shape), *sides).view(dtype).reshape(shape)


def _flat(x: Array, shape: tuple[int, ...]) -> Array:
    """The elements in C order; the only one, if there is just one."""
    if x.size == 1:
        return x.reshape(-1)
    return np.ascontiguousarray(np.broadcast_to(x, shape)).reshape(-1)


def _chosen(condition: Array, x1: Array, x2: Array) -> Array:
    """The second, with the bits that differ turned where the condition holds."""
    out = np.empty(condition.shape, x1.dtype)
    buffer = np.empty(min(BLOCK, out.size), x1.dtype)
    for start in range(0, out.size, BLOCK):
        part = slice(start, start + BLOCK)
        first, second = (x if x.size == 1 else x[part] for x in (x1, x2))
        goal, held = out[part], buffer[: min(BLOCK, out.size - start)]
        np.copyto(held, condition[part])
        np.bitwise_xor(first, second, goal)
        np.multiply(goal, held, goal)
        np.bitwise_xor(goal, second, goal)
    return out
