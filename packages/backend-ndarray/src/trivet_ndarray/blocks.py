"""Kernels of several passes, run on parts of an array that stay in the cache.

A kernel writes into memory that it is given, and the parts share their temporaries, so
a large array is read once and written once.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import numpy as np

from trivet_ndarray.data import Array

__all__ = ["BLOCK", "are_alike", "by_elements", "by_rows", "in_parts", "row_loops"]

Kernel = Callable[[Array, Array], None]
BLOCK = 1 << 16  # elements; half or four times as many differ by less than 10 %
_WIDE = 256  # elements of a row; below, a loop of its own is too short


@contextmanager
def row_loops(width: int) -> Iterator[None]:
    """Ufuncs take each row of an array and a column as it lies, in a third of the time.

    Of rows shorter than its buffer NumPy fills that first, both operands and the column
    repeated. Operands of another dtype than the result are slow in here.
    """
    if width < _WIDE:
        yield
        return
    size = np.setbufsize(16)  # the least; as `errstate`, for this thread and task
    try:
        yield
    finally:
        np.setbufsize(size)


def by_elements(kernel: Kernel, x: Array) -> Array:
    """`kernel(x, out)` of all elements, in the dtype and layout of `x`.

    16-bit floats reach the kernel as float32.
    """
    x = np.asarray(x)
    out = np.empty_like(x)
    if x.ndim and x.size <= BLOCK and x.itemsize > 2:  # all of it is one part
        kernel(x, out)
        return out
    if x.flags.f_contiguous and not x.flags.c_contiguous:
        _run(kernel, x.T, out.T)
    else:
        _run(kernel, x, out)
    return out


def _run(kernel: Kernel, x: Array, out: Array) -> None:
    if x.flags.c_contiguous:
        x, out = x.reshape(-1), out.reshape(-1)
    step = max(BLOCK * len(x) // max(x.size, 1), 1)
    _in_steps(kernel, x, out, step)


def by_rows(kernel: Kernel, x: Array, ndim: int = 1) -> Array:
    """`kernel(rows, out)`, where a row is the last `ndim` axes, flattened.

    16-bit floats reach the kernel as float32.
    """
    x = np.asarray(x)
    out = np.empty(x.shape, x.dtype)
    if not x.size:
        return out
    width = int(np.prod(x.shape[x.ndim - ndim :]))
    rows, out_rows = x.reshape(-1, width), out.reshape(-1, width)
    with row_loops(width):
        _in_steps(kernel, rows, out_rows, max(BLOCK // width, 1))
    return out


def are_alike(*arrays: Array) -> bool:
    """Whether `in_parts` takes them: all of one shape and one dtype of 32 bits or more.

    16-bit floats would be rounded between the steps of a kernel.
    """
    first = arrays[0]
    return first.itemsize > 2 and all(
        x.dtype == first.dtype and x.shape == first.shape for x in arrays
    )


def in_parts(kernel: Callable[..., None], *arrays: Array, ndim: int = 0) -> Array:
    """`kernel(*parts, out)` for arrays that are alike, by elements or by rows.

    The last `ndim` axes make a row, and reach the kernel as one.
    """
    shape = arrays[0].shape
    out = np.empty(shape, arrays[0].dtype)
    if not out.size:
        return out
    width = int(np.prod(shape[len(shape) - ndim :]))
    flat = (-1, width) if ndim else (-1,)
    goal, step = out.reshape(flat), max(BLOCK // width, 1)
    if ndim or all(x.flags.c_contiguous for x in arrays):
        arrays = tuple(x.reshape(flat) for x in arrays)
    else:  # as they lie: to make them flat takes a copy
        goal, step = out, max(BLOCK * len(out) // out.size, 1)
    with row_loops(width if ndim else 0):
        for start in range(0, len(goal), step):
            part = slice(start, start + step)
            kernel(*(x[part] for x in arrays), goal[part])
    return out


def _in_steps(kernel: Kernel, x: Array, out: Array, step: int) -> None:
    narrow = x.itemsize == 2
    for start in range(0, len(x), step):
        part, goal = x[start : start + step], out[start : start + step]
        if narrow:
            wide = part.astype(np.float32)
            kernel(wide, wide)
            goal[...] = wide
        else:
            kernel(part, goal)
