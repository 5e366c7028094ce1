"""Pooling by one ufunc on strided slices, one axis after the other.

Rows come before columns: their slices are contiguous, and leave fewer columns.
"""

import math
from typing import Any

import numpy as np

from trivet.shapes import window_places
from trivet_ndarray.blocks import BLOCK, are_alike
from trivet_ndarray.data import Array, Data
from trivet_ndarray.windows import Ints, Key, Pairs, reach, steps

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

    def max_pool_pulled(
        self,
        g: Array,
        x: Array,
        out: Array,
        /,
        *,
        window: Ints,
        stride: Ints,
        padding: Pairs,
        dilation: Ints,
    ) -> Array:
        if not are_alike(g, out):
            return super().max_pool_pulled(
                g,
                x,
                out,
                window=window,
                stride=stride,
                padding=padding,
                dilation=dilation,
            )
        made = np.zeros(x.shape, x.dtype)
        size, planes = x.shape[2:], math.prod(x.shape[:2])
        taps = list(reach(size, window, out.shape[2:], stride, padding, dilation))
        flat = (a.reshape(planes, *a.shape[2:]) for a in (g, x, out, made))
        gs, xs, tops, goals = flat
        step = max(BLOCK // max(math.prod(size), 1), 1)
        for start in range(0, planes, step):
            part = slice(start, start + step)
            _give(gs[part], xs[part], tops[part], goals[part], taps)
        return made

    def avg_pool(
        self, x: Array, /, *, window: Ints, stride: Ints, padding: Pairs, counted: Pairs
    ) -> Array:
        x, dtype = self.widened(x)
        total = _pooled(np.add, x, 0, window, stride, padding, (1,) * len(window))
        counts = self.window_counts(x, x.shape[2:], window, stride, padding, counted)
        if isinstance(counts, int):
            counts = self.scalar(x, counts)
        return self.cast(np.divide(total, counts, total), dtype)

    def adaptive_avg_pool(self, x: Array, /, *, size: Ints) -> Array:
        old = x.shape[2:]
        if not any(n % m for n, m in zip(old, size, strict=True)):
            return super().adaptive_avg_pool(x, size=size)
        x, dtype = self.widened(x)
        for axis, m in enumerate(size, start=2):
            x = _in_parts(np.add, x, axis, m)
        for axis, (n, m) in enumerate(zip(old, size, strict=True), start=2):
            count = self.part_sizes(x, n, m).astype(x.dtype)
            x /= count.reshape(m, *(1,) * (x.ndim - 1 - axis))
        return self.cast(x, dtype)

    def adaptive_max_pool(self, x: Array, /, *, size: Ints) -> Array:
        if not any(n % m for n, m in zip(x.shape[2:], size, strict=True)):
            return super().adaptive_max_pool(x, size=size)
        for axis, m in enumerate(size, start=2):
            x = _in_parts(np.maximum, x, axis, m)
        return x


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
    if window == x.shape[2:] and max(places) == 1 and not any(map(any, padding)):
        # quicker in one step, and NumPy's sums round less over neighbours
        return ufunc.reduce(x, tuple(range(2, x.ndim)), keepdims=True)
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
    before: Any = (slice(None),) * axis
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
    before: Any = (slice(None),) * axis
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
        ufunc(part, x[(*before, at)], out=part)
    return result


def _in_parts(ufunc: Any, x: Array, axis: int, m: int) -> Array:
    """The ufunc over `m` parts along one axis, in new memory."""
    n = x.shape[axis]
    before: Any = (slice(None),) * axis
    part = np.arange(m)
    start, stop = part * n // m, ((part + 1) * n + m - 1) // m
    longest = int((stop - start).max())
    if longest < m:  # one step for each element of a part
        result = x.take(start, axis)
        for t in range(1, longest):
            (some,) = np.nonzero(start + t < stop)
            more = x.take(start[some] + t, axis)
            result[(*before, some)] = ufunc(result[(*before, some)], more)
        return result
    result = np.empty((*x.shape[:axis], m, *x.shape[axis + 1 :]), x.dtype)
    for p in range(m):
        elements = x[(*before, slice(start[p], stop[p]))]
        ufunc.reduce(elements, axis, None, result[(*before, p)])
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
    nan = x.dtype.kind == "f" and bool(np.isnan(largest).any())
    taps = math.prod(window)
    small = np.uint8 if taps < 256 else np.uint32
    # counted from the last element of the window, so that the first is the largest
    rank = np.zeros(largest.shape, small)
    keys = reach(size, window, places, stride, padding, dilation)
    for tap, (at, inside) in enumerate(keys):
        seen, best = x[inside], rank[at]
        hit = seen == largest[at]
        if nan:
            hit |= np.isnan(seen)
        own = np.multiply(hit, small(taps - tap), dtype=small)
        np.maximum(best, own, out=best)
    line = _offsets(size, window, dilation)
    return line[::-1].take(rank - small(1)) + _starts(size, places, stride, padding)


def _give(
    g: Array, x: Array, largest: Array, made: Array, taps: list[tuple[Key, Key]]
) -> None:
    """Each `g` to the first element of its window that is the largest, or NaN."""
    free = np.ones(g.shape, np.bool_)  # what was not given yet
    nan, finite = np.isnan(largest).any(), np.isfinite(g).all()
    for at, inside in taps:
        seen, left = x[inside], free[at]
        hit = seen == largest[at]
        if nan:
            hit |= np.isnan(seen)
        hit &= left
        np.greater(left, hit, out=left)
        own = made[inside]
        if finite:
            share = hit.astype(g.dtype)
            own += np.multiply(share, g[at], share)
        else:  # 0 * inf is NaN
            own += np.where(hit, g[at], 0)


def _offsets(size: Ints, window: Ints, dilation: Ints) -> Array:
    """How far behind the start of a window each of its elements stands."""
    total = np.zeros(1, np.intp)
    for n, k, d in zip(size, window, dilation, strict=True):
        total = (total[:, None] * n + np.arange(k) * d).reshape(-1)
    return total


def _starts(size: Ints, places: Ints, stride: Ints, padding: Pairs) -> Array:
    """The position at which each window starts, which may lie before the array."""
    total = np.zeros((), np.intp)
    for n, count, step, (low, _) in zip(size, places, stride, padding, strict=True):
        total = total[..., None] * n + (np.arange(count) * step - low)
    return total
