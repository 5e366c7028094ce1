"""bfloat16, which NumPy has where the package ml_dtypes is installed.

Elementwise functions round each result to it. Everything that sums or iterates runs in
float32 and rounds once.
"""

from collections.abc import Callable, Sequence
from functools import wraps
from typing import Any

import numpy as np

from trivet.contract import OPS, Op
from trivet.dtypes import as_dtype, bfloat16, promote_all, weak_dtype

try:
    import ml_dtypes
except ImportError:
    NATIVE = None
else:
    NATIVE = np.dtype(ml_dtypes.bfloat16)

__all__ = [
    "NATIVE",
    "in_float32",
    "joining_concat",
    "joining_where",
    "result_type",
    "wide_ops",
]

_MANY = (list, tuple)
# What rearranges, compares and rounds by element needs no more precision, and sums of
# 16-bit floats are the adapter's, or widened by the op itself, as in norms and losses.
# (NumPy's own sort does not put NaN of this dtype last: what orders elements is not
# here.)
_NARROW = {
    "bitwise",
    "closeness",
    "comparison",
    "creation",
    "data",
    "elementwise",
    "indexing",
    "loss",
    "nanreduction",
    "normalization",
    "random",
    "rearrangement",
    "reduction",
    "scatter",
    "shape",
    "statistics",
    "trigonometric",
}


def wide_ops() -> list[Op]:
    """The ops that compute bfloat16 in float32; `relu` rounds nothing."""
    others = [op for op in OPS.values() if op.family not in _NARROW]
    return [op for op in others if op.name != "relu"]


def in_float32(op: Op, function: Callable[..., Any]) -> Callable[..., Any]:
    """The function, with bfloat16 operands as float32 and its results as bfloat16.

    Where another float stands beside them, the result is as it would be with float32.
    """

    @wraps(function)
    def wide(*arrays: Any, **statics: Any) -> Any:
        for x in arrays:  # a call without bfloat16 pays for this loop alone
            if getattr(x, "dtype", None) is NATIVE or x.__class__ in _MANY:
                break
        else:
            return function(*arrays, **statics)
        dtypes = _dtypes(arrays)
        if NATIVE not in dtypes:
            return function(*arrays, **statics)
        result = function(*_each(arrays, _widened), **statics)
        alone = all(dtype == NATIVE for dtype in dtypes if dtype.kind in "fcV")
        if not alone or statics.get("dtype") is not None:
            return result
        return _each(result, _narrowed)

    return _told_apart(op, function, wide)


def _told_apart(
    op: Op, function: Callable[..., Any], wide: Callable[..., Any]
) -> Callable[..., Any]:
    """`wide` only where it may be needed: the commonest ops have quicker looks."""

    def of_one(x: Any, /, **statics: Any) -> Any:
        if x.__class__ is np.ndarray and x.dtype is not NATIVE:
            return function(x, **statics)
        return wide(x, **statics)

    def of_pair(x1: Any, x2: Any, /) -> Any:
        if (
            x1.__class__ is x2.__class__ is np.ndarray
            and x1.dtype is not NATIVE
            and x2.dtype is not NATIVE
        ):
            return function(x1, x2)
        return wide(x1, x2)

    code = op.function.__code__
    shape = code.co_posonlyargcount - 1, code.co_kwonlyargcount > 0
    if shape == (2, False):
        return wraps(function)(of_pair)
    return wraps(function)(of_one) if shape[0] == 1 else wide


def joining_where(where: Callable[..., Any]) -> Callable[..., Any]:
    """NumPy's `where`, with the table's promotion beside bfloat16."""

    @wraps(where)
    def joined(condition: Any, x1: Any, x2: Any, /) -> Any:
        dtypes = getattr(x1, "dtype", None), getattr(x2, "dtype", None)
        if NATIVE in dtypes:
            x1, x2 = _alike((x1, x2))
        return where(condition, x1, x2)

    return joined


def joining_concat(concat: Callable[..., Any]) -> Callable[..., Any]:
    """NumPy's `concat`, with the table's promotion beside bfloat16."""

    @wraps(concat)
    def joined(arrays: Sequence[Any], /, *, axis: int) -> Any:
        if any(x.dtype is NATIVE for x in arrays):
            arrays = _alike(arrays)
        return concat(arrays, axis=axis)

    return joined


def result_type(*arrays: Any) -> np.dtype[Any]:
    """NumPy's, with the table's promotion beside bfloat16."""
    dtypes = [x.dtype for x in arrays]
    if NATIVE not in dtypes:
        return np.result_type(*dtypes)
    dtype = promote_all(map(as_dtype, dtypes))
    return np.dtype(NATIVE if dtype is bfloat16 else dtype.name)


def _alike(arrays: Sequence[Any]) -> list[Any]:
    """Arrays and Python numbers in the dtype that they promote to."""
    found = [as_dtype(x.dtype) for x in arrays if hasattr(x, "dtype")]
    dtype = promote_all(found)
    for x in arrays:
        if not hasattr(x, "dtype"):
            dtype = weak_dtype(dtype, x)
    native = NATIVE if dtype is bfloat16 else dtype.name
    return [np.asarray(x, native) for x in arrays]


def _dtypes(arrays: Any) -> list[np.dtype[Any]]:
    found = []
    for x in arrays:
        if isinstance(x, np.ndarray | np.generic):
            found.append(x.dtype)
        elif isinstance(x, _MANY):
            found += _dtypes(x)
    return found


def _each(x: Any, change: Callable[[Any], Any]) -> Any:
    """The arrays in `x`, however nested, each changed."""
    if not isinstance(x, _MANY):
        return change(x) if isinstance(x, np.ndarray | np.generic) else x
    parts = [_each(part, change) for part in x]
    return x._make(parts) if hasattr(x, "_make") else type(x)(parts)


def _widened(x: Any) -> Any:
    return x.astype(np.float32) if x.dtype == NATIVE else x


def _narrowed(x: Any) -> Any:
    return x.astype(NATIVE) if x.dtype == np.float32 else x
