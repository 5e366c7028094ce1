"""Windows over an array as strided views and slices, for convolution and pooling.

Element t of a window at place p stands at p * stride + t * dilation - low.
"""

import itertools
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.lib.stride_tricks import as_strided

from trivet.shapes import window_places

__all__ = ["Ints", "Key", "Pairs", "padded", "reach", "steps", "view"]

Array = Any
Ints = tuple[int, ...]
Pairs = tuple[tuple[int, int], ...]
Key = tuple[Any, ...]


def padded(x: Array, padding: Pairs) -> Array:
    """The array with zeros around its last axes; itself where there are none."""
    if not any(map(any, padding)):
        return x
    lead = x.ndim - len(padding)
    size = x.shape[lead:]
    wide = (low + n + high for n, (low, high) in zip(size, padding, strict=True))
    result = np.zeros((*x.shape[:lead], *wide), x.dtype)
    ends = zip(size, padding, strict=True)
    inside: Key = (..., *(slice(low, low + n) for n, (low, _) in ends))
    result[inside] = x
    return result


def view(x: Array, window: Ints, stride: Ints, dilation: Ints) -> Array:
    """(..., *window, *places) of a padded array, read-only and without a copy."""
    ndim = len(window)
    lead = x.ndim - ndim
    none = ((0, 0),) * ndim
    places = window_places(x.shape[lead:], window, stride, none, dilation)
    own = x.strides[lead:]
    taps = (a * d for a, d in zip(own, dilation, strict=True))
    moves = (a * s for a, s in zip(own, stride, strict=True))
    return as_strided(
        x,
        (*x.shape[:lead], *window, *places),
        (*x.strides[:lead], *taps, *moves),
        writeable=False,
    )


def steps(
    n: int, window: int, places: int, stride: int, low: int, dilation: int
) -> list[tuple[slice, slice]]:
    """For each element of a window along one axis, the places at which it is inside.

    Each comes with the elements, of `n`, that it stands on there.
    """
    return [_inside(n, places, stride, t * dilation - low) for t in range(window)]


def _inside(n: int, places: int, stride: int, offset: int) -> tuple[slice, slice]:
    first = max(-(offset // stride), 0)
    last = min((n - 1 - offset) // stride, places - 1)
    if last < first:
        return slice(0, 0), slice(0, 0)
    start = first * stride + offset
    return slice(first, last + 1), slice(start, last * stride + offset + 1, stride)


def reach(
    size: Sequence[int],
    window: Sequence[int],
    places: Sequence[int],
    stride: Sequence[int],
    padding: Pairs,
    dilation: Sequence[int],
) -> Iterator[tuple[Key, Key]]:
    """For each element of the window in C order, the places at which it is inside.

    Each comes with the elements of the array that it stands on there; both are keys of
    the last axes.
    """
    low = [low for low, _ in padding]
    axes = zip(size, window, places, stride, low, dilation, strict=True)
    for pairs in itertools.product(*(steps(*axis) for axis in axes)):
        yield (..., *(pair[0] for pair in pairs)), (..., *(pair[1] for pair in pairs))
