"""Reductions that leave NaN out, as elements that are missing.

`axis` and `keepdims` are those of `reduction`; dtypes without NaN are reduced as they
are, and dtypes of results are those of the functions without `nan` in their names.
"""

import math
from collections.abc import Sequence
from typing import Any, SupportsIndex, TypeVar

from trivet.contract import Backend
from trivet.dispatch import call, require_kind
from trivet.dtypes import DType, as_dtype
from trivet.errors import DTypeError, ShapeError
from trivet.shapes import Axes, normalize_axes, normalize_axis
from trivet.tensor import Tensor

__all__ = [
    "nanargmax",
    "nanargmin",
    "nanmax",
    "nanmean",
    "nanmedian",
    "nanmin",
    "nanprod",
    "nanstd",
    "nansum",
    "nanvar",
]

B = TypeVar("B", bound=Backend[Any])
Axis = SupportsIndex | Sequence[SupportsIndex] | None


def _axes(op: str, x: Tensor[Any], axis: Axis) -> Axes:
    require_kind(op, x)
    return normalize_axes(op, axis, x.ndim)


def _sum_dtype(op: str, x: Tensor[Any], dtype: Any) -> DType | None:
    if dtype is None:
        return None
    wanted, kind = as_dtype(dtype), "complex floating"
    if x.dtype.kind == kind and wanted.kind != kind:
        raise DTypeError(
            f"{op}: dtype={wanted} would drop the imaginary parts of {x.dtype}. Reduce "
            "the real part, or ask for a complex dtype."
        )
    return wanted


def _require_some(op: str, x: Tensor[Any], axes: Axes) -> None:
    sizes = x.shape if axes is None else [x.shape[i] for i in axes]
    if not math.prod(sizes):
        raise ShapeError(
            f"{op}: the tensor of shape {x.shape} has no elements along "
            + ("its axes." if axes is None else f"axis={axes}.")
        )


def nansum(
    x: Tensor[B], /, *, axis: Axis = None, dtype: Any = None, keepdims: bool = False
) -> Tensor[B]:
    """The sum of what is not NaN along `axis`; of nothing, 0.

    Dtypes and errors are those of `sum`.

    >>> import trivet as tv
    >>> tv.nansum(tv.asarray([1.0, float("nan"), 2.0])).item()
    3.0
    """
    axes = _axes("nansum", x, axis)
    wanted = _sum_dtype("nansum", x, dtype)
    return call("nansum", x, axis=axes, dtype=wanted, keepdims=keepdims)


def nanprod(
    x: Tensor[B], /, *, axis: Axis = None, dtype: Any = None, keepdims: bool = False
) -> Tensor[B]:
    """The product of what is not NaN along `axis`; of nothing, 1.

    Dtypes and errors are those of `prod`.

    >>> import trivet as tv
    >>> tv.nanprod(tv.asarray([2.0, float("nan"), 3.0])).item()
    6.0
    """
    axes = _axes("nanprod", x, axis)
    wanted = _sum_dtype("nanprod", x, dtype)
    return call("nanprod", x, axis=axes, dtype=wanted, keepdims=keepdims)


def nanmean(x: Tensor[B], /, *, axis: Axis = None, keepdims: bool = False) -> Tensor[B]:
    """The mean of what is not NaN along `axis`; of nothing, NaN.

    >>> import trivet as tv
    >>> tv.nanmean(tv.asarray([1.0, float("nan"), 2.0])).item()
    1.5
    """
    return call("nanmean", x, axis=_axes("nanmean", x, axis), keepdims=keepdims)


def nanvar(
    x: Tensor[B],
    /,
    *,
    axis: Axis = None,
    correction: float = 0.0,
    keepdims: bool = False,
) -> Tensor[B]:
    """The variance of what is not NaN along `axis`, over its count - correction.

    NaN where that is not positive. Raises `DTypeError` for complex, `AxisError`.

    >>> import trivet as tv
    >>> tv.nanvar(tv.asarray([1.0, float("nan"), 3.0]), correction=1).item()
    2.0
    """
    axes = _axes("nanvar", x, axis)
    return call("nanvar", x, axis=axes, correction=correction, keepdims=keepdims)


def nanstd(
    x: Tensor[B],
    /,
    *,
    axis: Axis = None,
    correction: float = 0.0,
    keepdims: bool = False,
) -> Tensor[B]:
    """The standard deviation of what is not NaN: the square root of `nanvar`.

    >>> import trivet as tv
    >>> tv.nanstd(tv.asarray([1.0, float("nan"), 3.0])).item()
    1.0
    """
    axes = _axes("nanstd", x, axis)
    return call("nanstd", x, axis=axes, correction=correction, keepdims=keepdims)


def nanmax(x: Tensor[B], /, *, axis: Axis = None, keepdims: bool = False) -> Tensor[B]:
    """The largest of what is not NaN along `axis`; NaN if nothing is.

    Raises `ShapeError` over no elements, `DTypeError` unless real, `AxisError`.

    >>> import trivet as tv
    >>> tv.nanmax(tv.asarray([1.0, float("nan"), 3.0])).item()
    3.0
    """
    axes = _axes("nanmax", x, axis)
    _require_some("nanmax", x, axes)
    return call("nanmax", x, axis=axes, keepdims=keepdims)


def nanmin(x: Tensor[B], /, *, axis: Axis = None, keepdims: bool = False) -> Tensor[B]:
    """The smallest of what is not NaN along `axis`; otherwise as `nanmax`.

    >>> import trivet as tv
    >>> tv.nanmin(tv.asarray([float("nan"), 1.0, 3.0])).item()
    1.0
    """
    axes = _axes("nanmin", x, axis)
    _require_some("nanmin", x, axes)
    return call("nanmin", x, axis=axes, keepdims=keepdims)


def nanargmax(
    x: Tensor[B], /, *, axis: SupportsIndex | None = None, keepdims: bool = False
) -> Tensor[B]:
    """The position of the first that is largest and not NaN; -1 if nothing is.

    With `axis=None` it counts in C order over the whole tensor. Raises `ShapeError`
    over no elements, `DTypeError` unless real, `AxisError`.

    >>> import trivet as tv
    >>> tv.nanargmax(tv.asarray([float("nan"), 1.0, 3.0])).item()
    2
    """
    return _position("nanargmax", x, axis, keepdims=keepdims)


def nanargmin(
    x: Tensor[B], /, *, axis: SupportsIndex | None = None, keepdims: bool = False
) -> Tensor[B]:
    """The position of the first that is smallest and not NaN; as `nanargmax`.

    >>> import trivet as tv
    >>> tv.nanargmin(tv.asarray([float("nan"), 1.0, 3.0])).item()
    1
    """
    return _position("nanargmin", x, axis, keepdims=keepdims)


def _position(
    op: str, x: Tensor[B], axis: SupportsIndex | None, *, keepdims: bool
) -> Tensor[B]:
    require_kind(op, x)
    along = None if axis is None else normalize_axis(op, axis, x.ndim)
    _require_some(op, x, None if along is None else (along,))
    return call(op, x, axis=along, keepdims=keepdims)


def nanmedian(
    x: Tensor[B], /, *, axis: Axis = None, keepdims: bool = False
) -> Tensor[B]:
    """The median of what is not NaN along `axis`; NaN if nothing is.

    Raises `DTypeError` for complex, `AxisError`.

    >>> import trivet as tv
    >>> tv.nanmedian(tv.asarray([5.0, float("nan"), 1.0, 2.0])).item()
    2.0
    """
    axes = _axes("nanmedian", x, axis)
    return call("nanmedian", x, axis=axes, keepdims=keepdims)
