"""Pooling by one ufunc on strided slices, one axis after the other.

Rows come before columns: their slices are contiguous, and leave fewer columns.
"""

import itertools
from typing import Any

import numpy as np

from trivet.shapes import window_places
from trivet_ndarray.data import Array, Data
from trivet_ndarray.windows import Ints, Pairs, steps

__all__ = ["Pooling"]


class Pooling(Data):
    """No element is visited from Python."""

    def max_pool(
        self, x: Array, /, *, window: Ints, stride: Ints, padding: Pairs, dilation: Ints
    ) -> Array:
        lowest = -np.inf if x.dtype.kind == "f" else np.iinfo(x.dtype).min
        return _pooled(np.maximum, x, lowest, window, stride, padding, dilation)

    def max_pool_indices(
        self, x: Array, /, *, window: Ints, stride: Ints, padding: Pairs, dilation: Ints
    ) -> Array:
        largest = self.max_pool(
            x, window=window, stride=stride, padding=padding, dilation=dilation
        )
        return _first_equal(x, largest, window, stride, padding, dilation)

    def avg_pool(
        self, x: Array, /, *, window: Ints, stride: Ints, padding: Pairs, counted: Pairs
    ) -> Array:
        x, dtype = self.widened(x)
        total = _pooled(np.add, x, 0, window, stride, padding, (1,) * len(window))
        counts = self.window_counts(x, x.shape[2:], window, stride, padding, counted)
        if isinstance(counts, int):
            counts = self.scalar(x, counts)
        return self.cast(np.divide(total, counts, total), dtype)


def _pooled(
    ufunc: Any,
    x: Array,
    neutral: float,
    window: Ints,
    stride: Ints,
    padding: Pairs,
    dilation: Ints,
) -> Array:
    """The ufunc over each window, in new memory."""
    places = window_places(x.shape[2:], window, stride, padding, dilation)
    for axis, count in enumerate(places):
        n, k, step, d = x.shape[2 + axis], window[axis], stride[axis], dilation[axis]
        low = padding[axis][0]
        if count < k:
            line = steps(n, count, k, d, low, step)
            x = _by_place(ufunc, x, line, 2 + axis)
        else:
            line = steps(n, k, count, step, low, d)
            x = _by_element(ufunc, x, neutral, line, 2 + axis, count)
    return x


def _by_place(
    ufunc: Any, x: Array, line: list[tuple[slice, slice]], axis: int
) -> Array:
    """The ufunc over large windows along one axis."""
    before = (slice(None),) * axis
    result = np.empty((*x.shape[:axis], len(line), *x.shape[axis + 1 :]), x.dtype)
    for place, (_, at) in enumerate(line):
        ufunc.reduce(x[(*before, at)], axis, None, result[(*before, place)])
    return result


def _by_element(
    ufunc: Any,
    x: Array,
    neutral: float,
    line: list[tuple[slice, slice]],
    axis: int,
    count: int,
) -> Array:
    """The ufunc over many windows along one axis."""
    before = (slice(None),) * axis
    whole = [at for at in line if at[0] == slice(0, count)]
    rest = [at for at in line if at[0] != slice(0, count)]
    if len(whole) > 1:
        first, second, *whole = whole
        result = ufunc(x[(*before, first[1])], x[(*before, second[1])])
    else:
        shape = (*x.shape[:axis], count, *x.shape[axis + 1 :])
        result = np.full(shape, neutral, x.dtype)
    for places, at in whole + rest:
        part = result[(*before, places)]
        ufunc(part, x[(*before, at)], part)
    return result


def _first_equal(
    x: Array,
    largest: Array,
    window: Ints,
    stride: Ints,
    padding: Pairs,
    dilation: Ints,
) -> Array:
    """The position of the first element of each window that is its largest, or NaN."""
    size, places = x.shape[2:], largest.shape[2:]
    lines = [
        steps(n, k, count, step, low, d)
        for n, k, count, step, (low, _), d in zip(
            size, window, places, stride, padding, dilation, strict=True
        )
    ]
    nan = x.dtype.kind == "f" and bool(np.isnan(largest).any())
    taps = np.zeros(largest.shape, np.intp)
    offsets = itertools.product(*map(range, window))
    found = list(zip(offsets, itertools.product(*lines), strict=True))
    for tap, pairs in reversed(found):  # the first overwrites those behind it
        at = (..., *(pair[0] for pair in pairs))
        seen = x[(..., *(pair[1] for pair in pairs))]
        hit = seen == largest[at]
        if nan:
            hit |= np.isnan(seen)
        offset = 0
        for t, n, d in zip(tap, size, dilation, strict=True):
            offset = offset * n + t * d
        np.copyto(taps[at], offset, where=hit)
    return taps + _starts(size, places, stride, padding)


def _starts(size: Ints, places: Ints, stride: Ints, padding: Pairs) -> Array:
    """The position at which each window starts, which may lie before the array."""
    total = np.zeros((), np.intp)
    for n, count, step, (low, _) in zip(size, places, stride, padding, strict=True):
        total = total[..., None] * n + (np.arange(count) * step - low)
    return total
