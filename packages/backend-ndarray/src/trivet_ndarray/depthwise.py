"""Convolutions in which each channel has a window of its own: no matrix to multiply.

A padded array is one long row for each image and channel, in which a step along any
axis is a fixed distance. What is computed across the ends of lines is dropped.
"""

import math

import numpy as np
from numpy.lib.stride_tricks import as_strided

from trivet.shapes import window_places
from trivet_ndarray.blocks import BLOCK, row_loops
from trivet_ndarray.data import Array
from trivet_ndarray.linalg import VECDOT
from trivet_ndarray.reduction import SUM
from trivet_ndarray.windows import Ints

__all__ = ["filtered", "products_by_place"]


def filtered(x: Array, weight: Array, dilation: Ints) -> Array:
    """The convolution of a padded array, with one filter for each channel."""
    count, (channels, _, *window) = len(x), weight.shape
    size, one = x.shape[2:], (1,) * len(dilation)
    none = ((0, 0),) * len(dilation)
    places = window_places(size, tuple(window), one, none, dilation)
    rows = x.reshape(count * channels, math.prod(size))
    length = _reach(places, size, one)
    taps = _offsets(tuple(window), size, dilation)
    factors = weight.reshape(channels, len(taps))
    result = np.empty((len(rows), *places), x.dtype)
    step = max(BLOCK // max(length, 1), 1)
    total, term = np.empty((2, min(step, len(rows)), length), x.dtype)
    with row_loops(length):
        for start in range(0, len(rows), step):
            part = rows[start : start + step]
            own = factors[np.arange(start, start + len(part)) % channels]
            sums = total[: len(part)]
            _weigh(part, own, taps, sums, term[: len(part)])
            result[start : start + step] = _grid(sums, places, size)
    return result.reshape(count, channels, *places)


def _weigh(
    rows: Array, factors: Array, taps: list[int], sums: Array, term: Array
) -> None:
    """The rows, moved by each distance, times its factors, added up."""
    length = sums.shape[1]
    for tap, offset in enumerate(taps):
        seen, factor = rows[:, offset : offset + length], factors[:, tap : tap + 1]
        if tap:
            np.add(sums, np.multiply(seen, factor, term), sums)
        else:
            np.multiply(seen, factor, sums)


def products_by_place(x: Array, weight: Array, stride: Ints) -> Array:
    """The convolution of a padded, finite array, with one large window for each group.

    `x` has as many channels for a group as its window has. One dot product for each
    place: they should be few.
    """
    groups, inner, *window = weight.shape
    size, one = x.shape[2:], (1,) * len(stride)
    none = ((0, 0),) * len(stride)
    places = window_places(size, tuple(window), stride, none, one)
    length = _reach(tuple(window), size, one)
    # with zeros, so that what lies between the rows of a window counts nothing
    filters = np.zeros((groups * inner, length), weight.dtype)
    grid = _grid(filters, tuple(window), size)
    grid[...] = weight.reshape(groups * inner, *window)
    rows = x.reshape(len(x), groups * inner, math.prod(size))
    offsets = _offsets(places, size, stride)
    products = np.empty((len(offsets), len(x), groups * inner), x.dtype)
    step = max(BLOCK // max(length, 1), 1)
    for start in range(0, groups * inner, step):
        some = slice(start, start + step)
        seen, own = rows[:, some], filters[some]
        for place, offset in enumerate(offsets):
            VECDOT(seen[:, :, offset : offset + length], own, products[place, :, some])
    totals = SUM(products.reshape(len(offsets), len(x), groups, inner), 3)
    return totals.transpose(1, 2, 0).reshape(len(x), groups, *places)


def _pitches(size: Ints) -> Ints:
    """The distance of neighbours along each axis."""
    return tuple(math.prod(size[axis + 1 :]) for axis in range(len(size)))


def _reach(counts: Ints, size: Ints, step: Ints) -> int:
    """From the first to the last of `counts` elements along each axis."""
    axes = zip(counts, _pitches(size), step, strict=True)
    return 1 + sum((n - 1) * pitch * s for n, pitch, s in axes)


def _offsets(counts: Ints, size: Ints, step: Ints) -> list[int]:
    """How far behind the first each of them stands, in C order."""
    total = np.zeros(1, np.intp)
    for n, pitch, s in zip(counts, _pitches(size), step, strict=True):
        total = (total[:, None] + np.arange(n) * (pitch * s)).reshape(-1)
    return total.tolist()


def _grid(rows: Array, counts: Ints, size: Ints) -> Array:
    """The elements that are not between rows, along axes of their own."""
    strides = (pitch * rows.itemsize for pitch in _pitches(size))
    return as_strided(rows, (len(rows), *counts), (rows.strides[0], *strides))
