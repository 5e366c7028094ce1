"""The largest elements, order with positions, and elements chosen by a mask.

NaN counts as the largest, as in `sort`.
"""

from typing import Any, NamedTuple, SupportsIndex, TypeVar

from trivet.arguments import integer
from trivet.contract import Backend
from trivet.convert import asarray
from trivet.dispatch import as_number, call, require_kind, require_tensor
from trivet.dtypes import Scalar, can_cast, weak_dtype
from trivet.dtypes import bool as boolean
from trivet.errors import DTypeError, ShapeError
from trivet.failures import require_dynamic
from trivet.indexing import getitem
from trivet.shapes import broadcast, normalize_axis
from trivet.tensor import Tensor

__all__ = [
    "argtopk",
    "kthvalue",
    "masked_fill",
    "masked_select",
    "sort_with_indices",
    "topk",
]

B = TypeVar("B", bound=Backend[Any])


class ValuesAndIndices(NamedTuple):
    """Elements, and where they were along the axis."""

    values: Tensor[Any]
    indices: Tensor[Any]


def argtopk(
    x: Tensor[B],
    k: SupportsIndex,
    /,
    *,
    axis: SupportsIndex = -1,
    largest: bool = True,
    sorted: bool = True,
) -> Tensor[B]:
    """The positions of the `k` largest elements along `axis`, the largest first.

    With `largest=False`, of the smallest, the smallest first; with `sorted=False` in
    any order, which can be quicker. Of equal elements, any may be taken. In the index
    dtype. Raises `ShapeError` unless 0 <= k <= the size of the axis, `DTypeError`
    unless real, `AxisError`.

    >>> import trivet as tv
    >>> tv.argtopk(tv.asarray([1.0, 9.0, 5.0]), 2).tolist()
    [1, 2]
    """
    return _best("argtopk", x, k, axis, largest=largest, ordered=sorted)


def _best(
    op: str,
    x: Tensor[B],
    k: SupportsIndex,
    axis: SupportsIndex,
    *,
    largest: bool,
    ordered: bool,
) -> Tensor[B]:
    require_kind("argtopk", x)
    along = normalize_axis(op, axis, x.ndim)
    count = integer(op, "k", k)
    if not 0 <= count <= x.shape[along]:
        raise ShapeError(
            f"{op}: k={count} is not from 0 to {x.shape[along]}, the size of axis "
            f"{along}."
        )
    return call("argtopk", x, k=count, axis=along, largest=largest, ordered=ordered)


def topk(
    x: Tensor[Any],
    k: SupportsIndex,
    /,
    *,
    axis: SupportsIndex = -1,
    largest: bool = True,
    sorted: bool = True,
) -> ValuesAndIndices:
    """The `k` largest elements along `axis`, and their positions: see `argtopk`.

    Gradients go to the elements that were taken.

    >>> import trivet as tv
    >>> values, indices = tv.topk(tv.asarray([1.0, 9.0, 5.0]), 2)
    >>> values.tolist(), indices.tolist()
    ([9.0, 5.0], [1, 2])
    """
    indices = _best("topk", x, k, axis, largest=largest, ordered=sorted)
    return _with_values(x, indices, normalize_axis("topk", axis, x.ndim))


def _with_values(x: Tensor[Any], indices: Tensor[Any], axis: int) -> ValuesAndIndices:
    values = call("take_along_axis", x, indices, axis=axis)
    return ValuesAndIndices(values, indices)


def sort_with_indices(
    x: Tensor[Any],
    /,
    *,
    axis: SupportsIndex = -1,
    descending: bool = False,
    stable: bool = True,
) -> ValuesAndIndices:
    """The elements in order along `axis`, and their positions before.

    What `sort` and `argsort` give together, in one pass. Raises `DTypeError` unless
    real, `AxisError`.

    >>> import trivet as tv
    >>> values, indices = tv.sort_with_indices(tv.asarray([3, 1, 2]))
    >>> values.tolist(), indices.tolist()
    ([1, 2, 3], [1, 2, 0])
    """
    require_kind("sort", x)
    along = normalize_axis("sort_with_indices", axis, x.ndim)
    order = call("argsort", x, axis=along, descending=descending, stable=stable)
    return _with_values(x, order, along)


def kthvalue(
    x: Tensor[Any],
    k: SupportsIndex,
    /,
    *,
    axis: SupportsIndex = -1,
    keepdims: bool = False,
) -> ValuesAndIndices:
    """The `k`-th smallest element along `axis`, from k=1 on, and its position.

    Of equal elements, any may be taken. Raises `ShapeError` unless 1 <= k <= the size
    of the axis, `DTypeError` unless real, `AxisError`.

    >>> import trivet as tv
    >>> value, index = tv.kthvalue(tv.asarray([7.0, 1.0, 5.0]), 2)
    >>> value.item(), index.item()
    (5.0, 2)
    """
    require_kind("argtopk", x)
    along = normalize_axis("kthvalue", axis, x.ndim)
    place = integer("kthvalue", "k", k)
    if not 1 <= place <= x.shape[along]:
        raise ShapeError(
            f"kthvalue: k={place} is not from 1 to {x.shape[along]}, the size of axis "
            f"{along}."
        )
    smallest = call("argtopk", x, k=place, axis=along, largest=False, ordered=True)
    only = (slice(None),) * along
    index = call("getitem", smallest, key=(*only, slice(place - 1, place)))
    found = _with_values(x, index, along)
    if keepdims:
        return found
    return ValuesAndIndices(*(call("squeeze", part, axis=(along,)) for part in found))


def masked_select(x: Tensor[B], mask: Tensor[Any], /) -> Tensor[B]:
    """The elements where `mask` holds, in C order, along one axis.

    The two broadcast: where their shapes are equal it is `x[mask]`. How many there are
    is read back to the host. Raises `ShapeError`, `DTypeError` unless the mask is
    boolean.

    >>> import trivet as tv
    >>> x = tv.asarray([[1, 2], [3, 4]])
    >>> tv.masked_select(x, tv.asarray([True, False])).tolist()
    [1, 3]
    """
    shape = _masked_shape("masked_select", x, mask)
    require_dynamic("masked_select", mask, "Write tv.where(mask, x1, x2)")
    wide = [part if part.shape == shape else _spread(part, shape) for part in (x, mask)]
    flat = [call("reshape", part, shape=(part.size,)) for part in wide]
    return getitem(flat[0], flat[1])


def _spread(x: Tensor[B], shape: tuple[int, ...]) -> Tensor[B]:
    return call("broadcast_to", x, shape=shape)


def _masked_shape(op: str, x: Tensor[Any], mask: Tensor[Any]) -> tuple[int, ...]:
    require_tensor(op, x, mask)
    if mask.dtype != boolean:
        raise DTypeError(
            f"{op}: the mask has the dtype {mask.dtype} and must be boolean. Compare, "
            "for example with mask != 0."
        )
    return broadcast(op, x.shape, mask.shape)


def masked_fill(
    x: Tensor[B], mask: Tensor[Any], value: Tensor[Any] | Scalar, /
) -> Tensor[B]:
    """The elements with `value` where `mask` holds, in the dtype of `x`.

    The mask and the value broadcast to the shape of `x`. Raises `ShapeError`, and
    `DTypeError` for a value that `x` cannot hold or a mask that is not boolean.

    >>> import trivet as tv
    >>> tv.masked_fill(tv.asarray([1.0, 2.0]), tv.asarray([True, False]), 0).tolist()
    [0.0, 2.0]
    """
    _masked_shape("masked_fill", x, mask)
    filler = _as_filler(x, value)
    for what, part in (("mask", mask), ("value", filler)):
        if broadcast("masked_fill", x.shape, part.shape) != x.shape:
            raise ShapeError(
                f"masked_fill: the {what} of shape {part.shape} does not broadcast to "
                f"{x.shape}, the shape of the tensor."
            )
    return call("where", mask, filler, x)


def _as_filler(x: Tensor[Any], value: Any) -> Tensor[Any]:
    if isinstance(value, Tensor):
        dtype = value.dtype
    else:
        value = as_number("masked_fill", 2, value)
        dtype = weak_dtype(x.dtype, value)
    if not can_cast(dtype, x.dtype):
        raise DTypeError(
            f"masked_fill: a value of dtype {dtype} does not fit a tensor of dtype "
            f"{x.dtype}. Cast one of them with .astype(...) first."
        )
    if not isinstance(value, Tensor):
        return asarray(value, dtype=x.dtype, backend=x.backend, device=x.device)
    return value if dtype == x.dtype else call("astype", value, dtype=x.dtype)
