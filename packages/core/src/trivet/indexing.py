"""`x[key]`: from Python's keys to the contract's ops.

A key is parsed once, for reading here and for `trivet.writing`.
"""

import operator
from typing import TYPE_CHECKING, Any, TypeVar

from trivet import dtypes
from trivet.contract import Backend
from trivet.dispatch import call, common, wrap
from trivet.errors import TensorIndexError
from trivet.failures import require_dynamic
from trivet.shapes import broadcast, complete_key

if TYPE_CHECKING:
    from trivet.tensor import Tensor

__all__ = [
    "Parts",
    "are_adjacent",
    "flattened",
    "fronted",
    "getitem",
    "has_arrays",
    "index_axes",
    "is_mask",
    "is_tensor",
    "leading",
    "out_of_bounds",
    "parsed",
    "whole",
    "with_handles",
]

B = TypeVar("B", bound=Backend[Any])
Parts = tuple[Any, ...]
_BASIC = (int, slice, type(None), type(Ellipsis))
_ALL = slice(None)


def getitem(x: "Tensor[B]", key: Any) -> "Tensor[B]":
    """The elements that `key` selects."""
    parts = key if isinstance(key, tuple) else (key,)
    for part in parts:
        if part.__class__ not in _BASIC:
            x, parts = flattened(x, parts)
            return _get(x, parsed(x, parts))
    return call("getitem", x, key=parts)


# ---- keys --------------------------------------------------------------------------


def parsed(x: "Tensor[Any]", parts: Parts) -> Parts:
    """The key made of ints, slices, `None`, one ellipsis and integer tensors.

    Where it holds tensors the ellipsis and missing axes are written out, masks have
    become positions, and integers are in bounds. A 0-d mask stays, alone.
    """
    found = tuple(_part(x, part) for part in parts)
    if not has_arrays(found):
        return found
    if len(found) == 1 and x.ndim and not is_mask(found[0]):  # the commonest
        return (*found, *(_ALL,) * (x.ndim - 1))
    if any(is_mask(part) and not part.ndim for part in found):
        if len(found) == 1:
            return found
        raise TensorIndexError("a 0-d mask cannot be combined with other indices.")
    result: list[Any] = []
    axis = 0
    for part in _complete(x, found):
        result += _positions(x, part, axis) if is_mask(part) else [part]
        if isinstance(part, int) and not -x.shape[axis] <= part < x.shape[axis]:
            raise _outside(part, axis, x.shape[axis])
        axis += _axes_of(part)
    return tuple(result)


def flattened(x: "Tensor[B]", parts: Parts) -> "tuple[Tensor[B], Parts]":
    """The tensor and the key, with one axis for those that a lone mask is for.

    One position for each element takes less time than one along each axis.
    """
    mask: Any = parts[0] if len(parts) == 1 else None
    if not is_mask(mask) or mask.ndim < 2:
        return x, parts
    if mask.shape != x.shape[: mask.ndim]:
        return x, parts
    flat = call("reshape", mask, shape=(mask.size,))
    rest = x.shape[mask.ndim :]
    return call("reshape", x, shape=(mask.size, *rest)), (flat,)


def _part(x: "Tensor[Any]", part: Any) -> Any:
    if part.__class__ in _BASIC:
        return part
    if is_tensor(part):
        return _integers_or_mask(part)
    if isinstance(part, bool):
        raise TensorIndexError(
            f"the index {part} is a bool; use a 0-d boolean tensor as a mask, or "
            "int(...) for a position."
        )
    if isinstance(part, list | tuple | range) or hasattr(part, "shape"):
        return _integers_or_mask(_as_tensor(x, part))
    if hasattr(part, "__index__"):
        return operator.index(part)
    raise TensorIndexError(
        f"{part!r} is not an index. An index is made of ints, slices, None, an "
        "ellipsis, and integer or boolean tensors."
    )


def is_tensor(part: Any) -> bool:
    """Whether a part of a key, or a value, is a tensor."""
    if part.__class__ in _BASIC:  # told sooner than an attribute is missed
        return False
    return isinstance(getattr(part, "backend", None), Backend)


def is_mask(part: Any) -> bool:
    """Whether a part of a key is a boolean tensor."""
    return is_tensor(part) and part.dtype is dtypes.bool


def has_arrays(parts: Parts) -> bool:
    """Whether a key holds tensors."""
    return any(is_tensor(part) for part in parts)


def _as_tensor(x: "Tensor[Any]", part: Any) -> "Tensor[Any]":
    from trivet.convert import asarray

    index = asarray(part, backend=x.backend, device=x.device)
    if not index.size and not hasattr(part, "dtype"):  # an empty list selects nothing
        return call("astype", index, dtype=dtypes.int64)
    return index


def _integers_or_mask(index: "Tensor[Any]") -> "Tensor[Any]":
    if index.dtype.kind in dtypes.BITS:
        return index
    raise TensorIndexError(
        f"a tensor of dtype {index.dtype} is not an index: use an integer or boolean "
        "tensor."
    )


def _axes_of(part: Any) -> int:
    """How many axes of the tensor a part of a key is for."""
    if part is None or part is Ellipsis:
        return 0
    return int(part.ndim) if is_mask(part) else 1


def _complete(x: "Tensor[Any]", parts: Parts) -> Parts:
    """The key with slices for its ellipsis and for the axes that it does not name."""
    return complete_key(parts, sum(map(_axes_of, parts)), x.ndim)


def _outside(number: int, axis: int, size: int) -> TensorIndexError:
    return TensorIndexError(
        f"index {number} is out of bounds for axis {axis} with size {size}."
    )


def _positions(x: "Tensor[Any]", mask: "Tensor[Any]", axis: int) -> "list[Tensor[Any]]":
    """A mask as integer tensors, one for each axis that it covers."""
    covered = x.shape[axis : axis + mask.ndim]
    # the standard lets a mask be empty along an axis: it selects nothing
    if any(n not in {0, size} for n, size in zip(mask.shape, covered, strict=True)):
        raise TensorIndexError(
            f"the mask of shape {mask.shape} does not fit the tensor's axes of shape "
            f"{covered}."
        )
    require_dynamic("indexing", mask, "Write tv.where(mask, x1, x2)")
    backend, (handle,) = common("nonzero", (mask,))
    return [wrap(places, backend) for places in backend.nonzero(handle)]


# ---- reading -----------------------------------------------------------------------


def _get(x: "Tensor[Any]", parts: Parts) -> "Tensor[Any]":
    """NumPy's rule: slices first; the arrays' axes stay in place if adjacent."""
    if not has_arrays(parts):
        return call("getitem", x, key=parts)
    if is_mask(parts[0]):
        return _get_all_or_nothing(x, parts[0])
    if indices := leading(parts):
        return _gathered(x, indices, x, parts)
    axes = index_axes(parts)
    front = fronted(call("getitem", x, key=whole(parts)), axes)
    taken = _gathered(front, tuple(parts[i] for i in axes), x, parts)
    if not are_adjacent(axes):
        return taken
    count = taken.ndim - (front.ndim - len(axes))
    return _moved_back(taken, count, axes[0])


def index_axes(parts: Parts) -> tuple[int, ...]:
    """Where in a parsed key the integers and the integer tensors are."""
    return tuple(i for i, part in enumerate(parts) if _is_index(part))


def are_adjacent(axes: tuple[int, ...]) -> bool:
    """Whether axes follow one another: those of their indices then stay in place."""
    return axes == tuple(range(axes[0], axes[0] + len(axes)))


def whole(parts: Parts) -> Parts:
    """The key that takes the axes of the indices whole, and slices the others."""
    return tuple(_ALL if _is_index(part) else part for part in parts)


def fronted(x: "Tensor[B]", axes: tuple[int, ...]) -> "Tensor[B]":
    """The axes in front of the others."""
    order = (*axes, *(i for i in range(x.ndim) if i not in axes))
    return call("permute_dims", x, axes=order)


def _moved_back(x: "Tensor[Any]", count: int, first: int) -> "Tensor[Any]":
    """The first `count` axes moved behind the `first` axes that follow them."""
    axes = (
        *range(count, count + first),
        *range(count),
        *range(count + first, x.ndim),
    )
    return call("permute_dims", x, axes=axes)


def _get_all_or_nothing(x: "Tensor[Any]", mask: "Tensor[Any]") -> "Tensor[Any]":
    """A 0-d mask adds an axis of length 1 or 0 in front."""
    stacked = call("expand_dims", x, axis=(0,))
    return getitem(stacked, call("reshape", mask, shape=(1,)))


def _is_index(part: Any) -> bool:
    return is_tensor(part) or isinstance(part, int)


def leading(parts: Parts) -> Parts:
    """The indices of a key that indexes leading axes and takes the others whole."""
    count = next((i for i, part in enumerate(parts) if not _is_index(part)), len(parts))
    return parts[:count] if all(part == _ALL for part in parts[count:]) else ()


def _gathered(
    front: "Tensor[Any]", indices: Parts, x: "Tensor[Any]", parts: Parts
) -> "Tensor[Any]":
    """`front[indices]` for leading axes; `x` and `parts` are what the user wrote."""
    backend, handle, found, _ = with_handles("getitem", front, indices)
    try:
        taken = backend.getitem_arrays(handle, found)
    except IndexError as error:
        raise out_of_bounds(x, parts, error) from error
    return wrap(taken, backend)


def with_handles(
    op: str, x: "Tensor[Any]", indices: Parts
) -> tuple[Backend[Any], Any, list[Any], tuple[int, ...]]:
    """Where `x` meets its indices, the handles there, and the indices' shape."""
    shapes = [index.shape for index in indices if is_tensor(index)]
    shape = shapes[0] if len(shapes) == 1 else broadcast(op, *shapes)
    backend, (handle, *found) = common(op, (x, *indices))
    device = backend.device(handle)
    dtype = backend.default_dtypes(device).indexing
    for place, index in enumerate(indices):
        if isinstance(index, int):
            found[place] = backend.full(
                shape=(), fill_value=index, dtype=dtype, device=device
            )
    return backend, handle, found, shape


def out_of_bounds(
    x: "Tensor[Any]", parts: Parts, error: IndexError
) -> TensorIndexError:
    """The error that names the first index in a tensor that is out of bounds."""
    axes = iter(enumerate(x.shape))
    for part in parts:
        axis, size = next(axes) if part is not None else (0, 0)
        for number in _ends(part):
            if not -size <= number < size:
                return _outside(number, axis, size)
    return TensorIndexError(f"getitem: {error}")


def _ends(part: Any) -> tuple[int, ...]:
    """The smallest and the largest index in a tensor, if there are any."""
    if not is_tensor(part) or not part.size:
        return ()
    ends: tuple[int, int] = part.backend.extremes(part.handle)
    return ends
