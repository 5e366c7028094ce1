"""Rows of a few elements, computed as columns that are as long as there are rows.

Along a last axis of 10 elements NumPy starts a loop for every 10 of them. On a
transposed copy of a part that stays in the cache a loop goes over all rows. What comes
out is the same to the bit, so that a row's result doesn't depend on how many there are.
"""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from trivet.contract import Axes
from trivet_ndarray.blocks import BLOCK
from trivet_ndarray.data import Array

__all__ = [
    "LANES",
    "LIMITS",
    "are_slim",
    "finite_tops",
    "of_columns",
    "over_columns",
    "totals",
]

# the most bytes of a row, where no element counts less than 4, and the fewest rows
Limits = tuple[int, int]
LIMITS = 80, 512  # of a function of several passes
_SUM: Any = np.add.reduce
_MAX: Any = np.maximum.reduce
_AND: Any = np.logical_and.reduce
_KINDS = "fd?bBhHiIlLqQ"  # 16-bit floats gain little, complex sums have their own order
LANES = 8


def are_slim(x: Array, axis: Axes, limits: Limits = LIMITS) -> bool:
    """Whether `axis` is the last one alone, and columns take less time than rows."""
    if not x.ndim:
        return False
    width, (most, least) = x.shape[-1], limits
    if x.size < least * width or not 1 < width <= most // max(x.itemsize, 4):
        return False
    if axis != (x.ndim - 1,) or x.dtype.char not in _KINDS:
        return False
    return bool(x.flags.c_contiguous)


def over_columns(
    kernel: Callable[[Array], Array],
    x: Array,
    *,
    keepdims: bool,
    dtype: np.dtype[Any] | None = None,
) -> Array:
    """`kernel(columns)`, a number for each row of `x`; the columns may be changed."""
    out = np.empty(x.size // x.shape[-1], dtype or x.dtype)
    for part, columns in _parts(x):
        out[part] = kernel(columns)
    return out.reshape(x.shape[:-1] + (1,) * keepdims)


def of_columns(kernel: Callable[[Array], object], x: Array) -> Array:
    """`x` after `kernel(columns)` has changed the columns in place."""
    out = np.empty(x.shape, x.dtype)
    rows = out.reshape(-1, x.shape[-1])
    for part, columns in _parts(x):
        kernel(columns)
        rows[part] = columns.T
    return out


def _parts(x: Array) -> Iterator[tuple[slice, Array]]:
    width = x.shape[-1]
    rows, step = x.reshape(-1, width), BLOCK // width
    for start in range(0, len(rows), step):
        part = slice(start, start + step)
        yield part, rows[part].T.copy()


def totals(columns: Array) -> Array:
    """The sum of each row of up to 128 real elements, in the order of NumPy's own loop.

    That adds what is 8 apart, then the 8 sums in pairs, then what is left over.
    """
    width = len(columns)
    if width < LANES:
        return _SUM(columns, 0)
    full = width - width % LANES
    lanes = columns[:LANES]
    if full > LANES:
        lanes = _SUM(columns[:full].reshape(-1, LANES, columns.shape[1]), 0)
    lanes = lanes[::2] + lanes[1::2]
    lanes = lanes[::2] + lanes[1::2]
    total: Array = lanes[0] + lanes[1]
    for column in columns[full:]:
        np.add(total, column, total)
    return np.add(total, 0, total)  # it begins with 0: a row of -0.0 has the sum 0.0


def finite_tops(columns: Array) -> Array:
    """The largest of each row; 0 in the place of an infinite one or NaN."""
    top = _MAX(columns, 0)
    finite = np.isfinite(top)
    if not _AND(finite):
        top[~finite] = 0
    return top
