"""Functions that pick elements by position; `x[key]` itself is in `trivet.indexing`."""

from typing import Any, SupportsIndex, TypeVar

from trivet.contract import Backend
from trivet.dispatch import call, method, require_tensor
from trivet.dtypes import INTEGRAL
from trivet.errors import AxisError, DTypeError, ShapeError
from trivet.shapes import broadcast, normalize_axis
from trivet.tensor import Tensor

__all__ = ["take", "take_along_axis"]

B = TypeVar("B", bound=Backend[Any])


@method
def take(
    x: Tensor[B], indices: Tensor[Any], /, *, axis: SupportsIndex | None = None
) -> Tensor[B]:
    """The slices of `x` at the 1-D integer `indices` along `axis`.

    Negative indices count from the end. `axis` may be left out for one dimension only.
    Raises `ShapeError`, `DTypeError`, `AxisError`, and `TensorIndexError` where the
    backend checks bounds.

    >>> import trivet as tv
    >>> tv.take(tv.asarray([10, 20, 30]), tv.asarray([2, 0, 0])).tolist()
    [30, 10, 10]
    """
    require_tensor("take", x, indices)
    _require_integers("take", indices)
    if indices.ndim != 1:
        raise ShapeError(
            f"take: the indices have the shape {indices.shape} and must have one "
            "dimension. Index with x[indices] for others."
        )
    if axis is None and x.ndim > 1:
        raise AxisError(
            f"take: a tensor with {x.ndim} dimensions needs an axis to take along; "
            f"give axis=0 to {x.ndim - 1}."
        )
    along = normalize_axis("take", 0 if axis is None else axis, x.ndim)
    return call("take", x, indices, axis=along)


@method
def take_along_axis(
    x: Tensor[B], indices: Tensor[Any], /, *, axis: SupportsIndex = -1
) -> Tensor[B]:
    """The elements at the integer `indices` along `axis`, as `argsort` gives them.

    `indices` has as many dimensions as `x`; the axes other than `axis` broadcast.
    Raises `ShapeError`, `DTypeError`, `AxisError`, and `TensorIndexError` where the
    backend checks bounds.

    >>> import trivet as tv
    >>> x = tv.asarray([[3, 1], [2, 4]])
    >>> tv.take_along_axis(x, tv.argsort(x)).tolist()
    [[1, 3], [2, 4]]
    """
    require_tensor("take_along_axis", x, indices)
    _require_integers("take_along_axis", indices)
    if x.ndim != indices.ndim:
        raise ShapeError(
            f"take_along_axis: the tensor has {x.ndim} dimensions and the indices have "
            f"{indices.ndim}. They must have equally many."
        )
    along = normalize_axis("take_along_axis", axis, x.ndim)
    shapes = (shape[:along] + shape[along + 1 :] for shape in (x.shape, indices.shape))
    broadcast("take_along_axis", *shapes)
    return call("take_along_axis", x, indices, axis=along)


def _require_integers(op: str, indices: Tensor[Any]) -> None:
    if indices.dtype.kind not in INTEGRAL:
        raise DTypeError(
            f"{op}: the indices have the dtype {indices.dtype} and must be integers. "
            "Cast with .astype(...)."
        )
