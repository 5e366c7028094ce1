"""Ordering elements, and finding where they are."""

from typing import Any, Literal, TypeVar

from trivet.arguments import option
from trivet.contract import Backend
from trivet.convert import asarray
from trivet.dispatch import (
    as_number,
    call,
    common,
    method,
    require_kind,
    require_tensor,
    wrap,
)
from trivet.dtypes import INTEGRAL, Scalar, weak_dtype
from trivet.errors import ShapeError
from trivet.failures import describe, fail, require_dynamic
from trivet.shapes import normalize_axis
from trivet.tensor import Tensor

__all__ = ["argsort", "nonzero", "searchsorted", "sort"]

B = TypeVar("B", bound=Backend[Any])


@method
def argsort(
    x: Tensor[B], /, *, axis: int = -1, descending: bool = False, stable: bool = True
) -> Tensor[B]:
    """The positions that sort `x` along `axis`, in the backend's index dtype.

    A stable sort keeps equal elements in their order, descending too. NaN comes last,
    and first when descending. Raises `AxisError`, and `DTypeError` unless real.

    >>> import trivet as tv
    >>> tv.argsort(tv.asarray([3.0, 1.0, 2.0])).tolist()
    [1, 2, 0]
    """
    return _ordered("argsort", x, axis, descending=descending, stable=stable)


@method
def sort(
    x: Tensor[B], /, *, axis: int = -1, descending: bool = False, stable: bool = True
) -> Tensor[B]:
    """The elements in order along `axis`; a sorted copy.

    NaN comes last, and first when descending. Raises `AxisError`, and `DTypeError`
    unless real.

    >>> import trivet as tv
    >>> tv.sort(tv.asarray([[3, 1], [2, 5]]), descending=True).tolist()
    [[3, 1], [5, 2]]
    """
    return _ordered("sort", x, axis, descending=descending, stable=stable)


def _ordered(
    op: str, x: Tensor[B], axis: int, *, descending: bool, stable: bool
) -> Tensor[B]:
    require_kind(op, x)
    along = normalize_axis(op, axis, x.ndim)
    return call(op, x, axis=along, descending=descending, stable=stable)


def searchsorted(
    x1: Tensor[B],
    x2: Tensor[B] | Scalar,
    /,
    *,
    side: Literal["left", "right"] = "left",
    sorter: Tensor[B] | None = None,
) -> Tensor[B]:
    """The positions in the sorted 1-D `x1` before which `x2` keeps it sorted.

    Of equal elements, "left" is before the first and "right" behind the last. `sorter`
    holds the positions that sort `x1` where it is not sorted itself. The result has the
    shape of `x2` and the backend's index dtype. Raises `ShapeError` unless `x1` is 1-D
    and `DTypeError` unless both are real.

    >>> import trivet as tv
    >>> tv.searchsorted(tv.asarray([1, 3, 3, 5]), tv.asarray([3, 9])).tolist()
    [1, 4]
    """
    option("searchsorted", "side", side, ("left", "right"))
    require_kind("searchsorted", x1)
    if x1.ndim != 1:
        raise ShapeError(
            f"searchsorted: the first operand has the shape {x1.shape}; it must be 1-D."
        )
    if sorter is not None:
        _check_sorter(x1, sorter)
        x1 = call("take", x1, sorter, axis=0)
    if not isinstance(x2, Tensor):
        number = as_number("searchsorted", 1, x2)
        dtype = weak_dtype(x1.dtype, number)
        x2 = asarray(number, dtype=dtype, backend=x1.backend, device=x1.device)
    require_kind("searchsorted", x2)
    return call("searchsorted", x1, x2, side=side)


def _check_sorter(x1: Tensor[Any], sorter: Any) -> None:
    require_tensor("searchsorted", x1, sorter)
    if sorter.dtype.kind not in INTEGRAL or sorter.shape != x1.shape:
        raise ShapeError(
            f"searchsorted: sorter={describe(sorter)} must be integers of the shape "
            f"{x1.shape}, as tv.argsort gives them."
        )


def nonzero(x: Tensor[B], /) -> tuple[Tensor[B], ...]:
    """For each axis the positions of the elements that are not zero, in C order.

    Takes all dtypes. Raises `ShapeError` for a 0-d tensor, which has no axes.

    >>> import trivet as tv
    >>> rows, cols = tv.nonzero(tv.asarray([[1, 0], [0, 5]]))
    >>> rows.tolist(), cols.tolist()
    ([0, 1], [0, 1])
    """
    require_tensor("nonzero", x)
    if not x.ndim:
        raise ShapeError(
            "nonzero: a 0-d tensor has no axes to give positions on. Compare it with "
            "!= 0 instead."
        )
    require_dynamic("nonzero", x, "Compute with the mask x != 0 itself")
    backend, (handle,) = common("nonzero", (x,))
    try:
        places = backend.nonzero(handle)
    except Exception as error:  # noqa: BLE001  # `fail` raises it again, explained
        fail("nonzero", error, (x,), {})
    return tuple(wrap(place, backend) for place in places)
