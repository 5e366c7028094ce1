"""Rearranging elements.

In a flat list, the neighbours along an axis are a fixed step apart. Transposing,
broadcasting and slicing each read the list at other steps: one loop does all three.
"""

import math
from collections.abc import Sequence

from trivet.dtypes import promote_all
from trivet.shapes import strides
from trivet_example.data import Data
from trivet_example.grid import Grid, Values
from trivet_example.numbers import cast

__all__ = ["Shape", "spread"]


def read(
    data: Values, shape: tuple[int, ...], steps: Sequence[int], first: int = 0
) -> Values:
    """The elements at `first + i * steps[0] + j * steps[1] + ...`, in C order.

    >>> read([1, 2, 3, 4, 5, 6], (3, 2), (1, 3))
    [1, 4, 2, 5, 3, 6]
    """
    places = [first]
    for size, step in zip(shape, steps, strict=True):
        offsets = [i * step for i in range(size)]
        places = [place + offset for place in places for offset in offsets]
    return [data[place] for place in places]


def spread(data: Values, old: tuple[int, ...], new: tuple[int, ...]) -> Values:
    """The elements of an array of shape `old`, repeated to fill the shape `new`.

    >>> spread([1, 2], (2, 1), (2, 3))
    [1, 1, 1, 2, 2, 2]
    """
    if old == new:
        return data
    if len(data) == 1:
        return data * math.prod(new)
    own = [
        0 if size == 1 else step for size, step in zip(old, strides(old), strict=True)
    ]
    return read(data, new, [0] * (len(new) - len(old)) + own)


class Shape(Data):
    """None of these computes, so every dtype is treated alike."""

    def reshape(self, x: Grid, /, *, shape: tuple[int, ...]) -> Grid:
        return Grid(x.data, shape, x.dtype, x.device)

    def permute_dims(self, x: Grid, /, *, axes: tuple[int, ...]) -> Grid:
        if axes == tuple(range(len(axes))):
            return x
        shape = tuple(x.shape[axis] for axis in axes)
        own = strides(x.shape)
        data = read(x.data, shape, [own[axis] for axis in axes])
        return Grid(data, shape, x.dtype, x.device)

    def broadcast_to(self, x: Grid, /, *, shape: tuple[int, ...]) -> Grid:
        return Grid(spread(x.data, x.shape, shape), shape, x.dtype, x.device)

    def concat(self, arrays: Sequence[Grid], /, *, axis: int) -> Grid:
        dtype = promote_all(x.dtype for x in arrays)
        blocks = [math.prod(x.shape[axis:]) for x in arrays]
        parts = [cast(x.data, x.dtype, dtype) for x in arrays]
        before, after = arrays[0].shape[:axis], arrays[0].shape[axis + 1 :]
        data: Values = []
        for i in range(math.prod(before)):
            for part, block in zip(parts, blocks, strict=True):
                data += part[i * block : (i + 1) * block]
        shape = (*before, sum(x.shape[axis] for x in arrays), *after)
        return Grid(data, shape, dtype, arrays[0].device)

    def strided_slice(
        self,
        x: Grid,
        /,
        *,
        start: tuple[int, ...],
        size: tuple[int, ...],
        step: tuple[int, ...],
    ) -> Grid:
        own = strides(x.shape)
        first = sum(place * by for place, by in zip(start, own, strict=True))
        steps = [times * by for times, by in zip(step, own, strict=True)]
        return Grid(read(x.data, size, steps, first), size, x.dtype, x.device)
