"""Interpolation as products with banded matrices, one block of the band at a time."""

import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from trivet_ndarray.accumulation import accumulate_rows
from trivet_ndarray.blocks import BLOCK
from trivet_ndarray.data import Array, Data
from trivet_ndarray.linalg import VECDOT
from trivet_ndarray.windows import Ints

__all__ = ["Resampling"]

_BLOCK = 64  # places; the zeros in larger blocks cost more than they save


class Resampling(Data):
    """Infinities and NaN go through the contract's bodies, where they do not spread."""

    def interpolate(
        self,
        x: Array,
        /,
        *,
        size: Ints,
        ratio: Any,
        mode: Any,
        align_corners: bool,
    ) -> Array:
        nearest = mode in {"nearest", "nearest-exact"}
        if not nearest and not _finite(x):
            return super().interpolate(
                x, size=size, ratio=ratio, mode=mode, align_corners=align_corners
            )
        x, dtype = self.widened(x)
        for axis in _shrinking_first(x.shape[2:], size):
            n, m, (a, b) = x.shape[axis], size[axis - 2], ratio[axis - 2]
            if n == m and a == b:
                continue
            place = self.interpolation_places(x, m, a, b, mode, aligned=align_corners)
            terms = self.interpolation_terms(place, n, mode)
            if nearest:
                x = x.take(terms[0][0], axis)
                continue
            made = np.empty((*x.shape[:axis], m, *x.shape[axis + 1 :]), x.dtype)
            old, new = _planes(x, axis), _planes(made, axis)
            for at, seen, block in _blocks(terms, x.dtype):
                new[:, at] = _product(old[:, seen], block)
            x = made
        return self.cast(x, dtype)

    def interpolate_transpose(
        self,
        x: Array,
        /,
        *,
        size: Ints,
        ratio: Any,
        mode: Any,
        align_corners: bool,
    ) -> Array:
        if not _finite(x):
            return super().interpolate_transpose(
                x, size=size, ratio=ratio, mode=mode, align_corners=align_corners
            )
        x, dtype = self.widened(x)
        for axis in _shrinking_first(x.shape[2:], size):
            m, n, (a, b) = x.shape[axis], size[axis - 2], ratio[axis - 2]
            if n == m and a == b:
                continue
            place = self.interpolation_places(x, m, a, b, mode, aligned=align_corners)
            terms = self.interpolation_terms(place, n, mode)
            sums = np.zeros((*x.shape[:axis], n, *x.shape[axis + 1 :]), x.dtype)
            old, new = _planes(x, axis), _planes(sums, axis)
            if len(terms) > 1 or not _add_evenly(new, old, terms[0][0]):
                for at, seen, block in _blocks(terms, x.dtype):
                    new[:, seen] += _product(old[:, at], block.T)
            x = sums
        return self.cast(x, dtype)

    def weighted_rows(self, x: Array, indices: Array, weights: Array, /) -> Array:
        if not _alike(x, weights):
            return super().weighted_rows(x, indices, weights)
        out = np.empty((len(indices), x.shape[1]), x.dtype)
        for some, columns in _points(indices, x.shape[1]):
            total, shares = out[some], weights[some]
            np.multiply(x.take(columns[0], 0), shares[:, :1], total)
            for k in range(1, len(columns)):
                rows = x.take(columns[k], 0)
                np.add(total, np.multiply(rows, shares[:, k : k + 1], rows), total)
        return out

    def weighted_rows_transpose(
        self, g: Array, indices: Array, weights: Array, /, *, size: int
    ) -> Array:
        if _alike(g, weights):
            places, shares = indices.reshape(-1), weights.reshape(-1, 1)
            several, sums = indices.shape[1], np.zeros((size, g.shape[1]), g.dtype)

            def values(some: Array) -> Array:
                rows = g.take(some // several, 0)
                return np.multiply(rows, shares[some], rows)

            if accumulate_rows(np.add, sums, places, values):
                return sums
        return super().weighted_rows_transpose(g, indices, weights, size=size)

    def row_products(self, g: Array, x: Array, indices: Array, /) -> Array:
        if not _alike(g, x):
            return super().row_products(g, x, indices)
        out = np.empty(indices.shape, g.dtype)
        for some, columns in _points(indices, g.shape[1]):
            for k, column in enumerate(columns):
                VECDOT(g[some], x.take(column, 0), out[some, k])
        return out


def _alike(x: Array, weights: Array) -> bool:
    """Whether rows can be made part by part, in the dtype of `x`."""
    return x.dtype == weights.dtype and x.dtype.kind == "f" and bool(weights.size)


def _points(indices: Array, width: int) -> Iterator[tuple[slice, Array]]:
    """Some points at a time, and their indices."""
    step = max(BLOCK // max(width, 1), 1)
    for start in range(0, len(indices), step):
        some = slice(start, start + step)
        yield some, indices[some].T.astype(np.intp, order="C")


def _finite(x: Array) -> bool:
    with np.errstate(over="ignore", invalid="ignore"):
        return bool(np.isfinite(x.sum()))


def _shrinking_first(old: Ints, new: Ints) -> list[int]:
    """The axes, those first that leave least to do; of equal ones the last.

    What comes after it then copies longer rows.
    """
    growth = [m / n for n, m in zip(old, new, strict=True)]
    return sorted(range(1 + len(old), 1, -1), key=lambda axis: growth[axis - 2])


def _planes(x: Array, axis: int) -> Array:
    """The array with the axes before `axis`, and those behind it, in one."""
    shape = x.shape
    before, behind = math.prod(shape[:axis]), math.prod(shape[axis + 1 :])
    return x.reshape(before, shape[axis], behind)


def _add_evenly(new: Array, old: Array, places: Array) -> bool:
    """Adds old elements at their places, if all of these are equally far apart.

    Or if each has as many old elements; otherwise nothing is done.
    """
    n, m = new.shape[1], old.shape[1]
    first, step = int(places[0]), int(places[-1] - places[0]) // max(m - 1, 1)
    if step and (places == first + step * np.arange(m)).all():
        new[:, first : first + step * m : step] = old
        return True
    several = m // n
    if m % n or (places != np.arange(m) // several).any():
        return False
    for turn in range(several):
        new += old[:, turn::several]
    return True


def _blocks(terms: Any, dtype: Any) -> Iterator[tuple[slice, slice, Array]]:
    """Some places, the elements that they depend on, and the weights between them."""
    for start in range(0, len(terms[0][0]), _BLOCK):
        at = slice(start, start + _BLOCK)
        columns = [place[at] for place, _ in terms]
        low = min(int(column.min()) for column in columns)
        high = max(int(column.max()) for column in columns) + 1
        rows = np.arange(len(columns[0]))
        block = np.zeros((len(rows), high - low), dtype)
        for column, (_, weight) in zip(columns, terms, strict=True):
            block[rows, column - low] += 1 if weight is None else weight[at]
        yield at, slice(low, high), block


def _product(planes: Array, block: Array) -> Array:
    """The block times the middle axis of the planes."""
    if planes.shape[2] == 1:
        return (planes[:, :, 0] @ block.T)[:, :, None]
    return np.matmul(block, planes)
