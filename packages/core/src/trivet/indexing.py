"""`x[key]` and `x[key] = value`: from Python's keys to the contract's ops.

A write never reaches another tensor. It goes into the memory in place when this
tensor is the only one that can see it, and into a copy otherwise.
"""

import operator
from collections.abc import Sequence
from sys import getrefcount
from typing import TYPE_CHECKING, Any, TypeVar

from trivet import dtypes
from trivet.contract import Backend, Recorder, UpdateMode
from trivet.dispatch import call, common, wrap
from trivet.errors import DTypeError, GradientError, TensorIndexError
from trivet.failures import fail
from trivet.shapes import basic_region, broadcast

if TYPE_CHECKING:
    from trivet.tensor import Tensor

__all__ = ["At", "at", "getitem", "setitem"]

B = TypeVar("B", bound=Backend[Any])
_BASIC = (int, slice, type(None), type(Ellipsis))


def getitem(x: "Tensor[B]", key: Any) -> "Tensor[B]":
    """The elements that `key` selects."""
    parts = key if isinstance(key, tuple) else (key,)
    if all(part.__class__ in _BASIC for part in parts):
        return call("getitem", x, key=parts)
    parts = _parsed(x, parts)
    if not _has_arrays(parts):
        return call("getitem", x, key=parts)
    return _get_arrays(x, parts)


def setitem(x: "Tensor[Any]", key: Any, value: Any) -> None:
    """Set the elements that `key` selects."""
    filler = _filler(x, value)
    _refuse_tracked(x, filler)
    parts = _parsed(x, key if isinstance(key, tuple) else (key,))
    if _written_in_place(x, parts, filler):
        return
    x.handle = _updated(x, parts, filler, "set").handle


def at(x: "Tensor[B]", key: Any) -> "At":
    """The functional form of writing: `tv.at(x, i).set(v)` is a changed copy of `x`.

    >>> import trivet as tv
    >>> tv.at(tv.zeros(3), 1).set(5.0).tolist()
    [0.0, 5.0, 0.0]
    >>> tv.at(tv.zeros(3), tv.asarray([0, 0, 2])).add(1.0).tolist()
    [2.0, 0.0, 1.0]
    """
    return At(x, key)


class At:
    """A tensor and a key, waiting for what to do there."""

    __slots__ = ("_key", "_x")

    def __init__(self, x: "Tensor[Any]", key: Any) -> None:
        self._x = x
        self._key = key if isinstance(key, tuple) else (key,)

    def set(self, value: Any) -> "Tensor[Any]":
        """A copy with the selected elements set to `value`."""
        return self._with(value, "set")

    def add(self, value: Any) -> "Tensor[Any]":
        """A copy with `value` added; repeated indices accumulate."""
        return self._with(value, "add")

    def _with(self, value: Any, mode: UpdateMode) -> "Tensor[Any]":
        parts = _parsed(self._x, self._key)
        return _updated(self._x, parts, _filler(self._x, value), mode)


def _parsed(x: "Tensor[Any]", parts: Sequence[Any]) -> tuple[Any, ...]:
    """The key with NumPy integers, lists and masks made ints and integer tensors."""
    result: list[Any] = []
    for part in parts:
        if part.__class__ in _BASIC:
            result.append(part)
        elif _is_tensor(part) and part.dtype == dtypes.bool and not part.ndim:
            result.append(part)
        elif _is_tensor(part) and part.dtype == dtypes.bool:
            result.extend(_positions(x, part, len(result)))
        elif _is_tensor(part):
            result.append(_checked(part))
        elif isinstance(part, bool):
            raise TensorIndexError(
                f"the index {part} is a bool; use a 0-d boolean tensor as a mask, or "
                "int(...) for a position."
            )
        elif hasattr(part, "__index__") and not hasattr(part, "__len__"):
            result.append(operator.index(part))
        else:
            result.extend(_parsed(x, (_as_tensor(x, part),)))
    return tuple(result)


def _is_tensor(part: Any) -> bool:
    return isinstance(getattr(part, "backend", None), Backend)


def _as_tensor(x: "Tensor[Any]", part: Any) -> "Tensor[Any]":
    from trivet.convert import asarray

    try:
        index = asarray(part, backend=x.backend, device=x.device)
    except TypeError as error:
        raise TensorIndexError(
            f"{part!r} is not an index. An index is made of ints, slices, None, an "
            "ellipsis, and integer or boolean tensors."
        ) from error
    if not index.size:  # an empty list selects nothing
        return call("astype", index, dtype=dtypes.int64)
    return index


def _checked(index: "Tensor[Any]") -> "Tensor[Any]":
    if index.dtype.kind in dtypes.INTEGRAL:
        return index
    raise TensorIndexError(
        f"a tensor of dtype {index.dtype} is not an index: use an integer or boolean "
        "tensor."
    )


def _positions(
    x: "Tensor[Any]", mask: "Tensor[Any]", axis: int
) -> "list[Tensor[Any] | None]":
    """A mask as integer tensors, one for each axis that it covers."""
    covered = x.shape[axis : axis + mask.ndim]
    if covered != mask.shape:
        raise TensorIndexError(
            f"the mask of shape {mask.shape} does not fit the tensor's axes of shape "
            f"{covered}."
        )
    backend, (handle,) = common("nonzero", (mask,))
    return [wrap(places, backend) for places in backend.nonzero(handle)]


def _has_arrays(parts: Sequence[Any]) -> bool:
    return any(_is_tensor(part) for part in parts)


def _get_arrays(x: "Tensor[Any]", parts: tuple[Any, ...]) -> "Tensor[Any]":
    """NumPy's rule: slices first; the arrays' axes stay in place if adjacent."""
    if len(parts) == 1 and parts[0].dtype == dtypes.bool:
        return _get_all_or_nothing(x, parts[0])
    parts = _filled(x, parts)
    arrays = [i for i, part in enumerate(parts) if _is_index(part)]
    rest = tuple(slice(None) if i in arrays else part for i, part in enumerate(parts))
    sliced = call("getitem", x, key=rest)
    indices = [parts[i] for i in arrays]
    order = [*arrays, *(i for i in range(sliced.ndim) if i not in arrays)]
    front = call("permute_dims", sliced, axes=tuple(order))
    taken = _gathered(front, indices)
    first, count = arrays[0], _ndim(indices)
    # with first == 0 they are where they belong; apart, they stay in front
    if arrays != list(range(first, first + len(arrays))) or first == 0:
        return taken
    moved = [*range(count, count + first), *range(count), *range(count + first, taken.ndim)]
    return call("permute_dims", taken, axes=tuple(moved))


def _get_all_or_nothing(x: "Tensor[Any]", mask: "Tensor[Any]") -> "Tensor[Any]":
    """A 0-d mask adds an axis of length 1 or 0 in front."""
    stacked = call("expand_dims", x, axis=(0,))
    return getitem(stacked, call("reshape", mask, shape=(1,)))


def _is_index(part: Any) -> bool:
    return _is_tensor(part) or isinstance(part, int)


def _filled(x: "Tensor[Any]", parts: tuple[Any, ...]) -> tuple[Any, ...]:
    """The key with its ellipsis written out, so that part i is for axis i."""
    used = sum(part is not None and part is not Ellipsis for part in parts)
    if used > x.ndim:
        raise TensorIndexError(
            f"too many indices: the tensor has {x.ndim} dimensions, and the index names "
            f"{used}."
        )
    at_ = next((i for i, p in enumerate(parts) if p is Ellipsis), len(parts))
    gap = (slice(None),) * (x.ndim - used)
    return (*parts[:at_], *gap, *parts[at_ + 1 :])


def _ndim(indices: Sequence[Any]) -> int:
    return max(getattr(index, "ndim", 0) for index in indices)


def _gathered(x: "Tensor[Any]", indices: Sequence[Any]) -> "Tensor[Any]":
    """`x[indices]` for leading axes; ints among the indices become arrays."""
    anchor = next(index for index in indices if _is_tensor(index))
    backend, (handle, *found) = common("indexing", (x, *indices))
    for place, index in enumerate(indices):
        if isinstance(index, int):
            found[place] = backend.filled_like(anchor.handle, index, ())
    _check_bounds(x, indices)
    try:
        taken = backend.getitem_arrays(handle, found)
    except Exception as error:
        fail("indexing", error, (x, *indices), {})
    return wrap(taken, backend)


def _check_bounds(x: "Tensor[Any]", indices: Sequence[Any]) -> None:
    shapes = [index.shape for index in indices if _is_tensor(index)]
    broadcast("indexing", *shapes)
    for axis, index in enumerate(indices):
        size = x.shape[axis]
        if isinstance(index, int) and not -size <= index < size:
            raise TensorIndexError(
                f"index {index} is out of bounds for axis {axis} with size {size}."
            )


# ---- writing -----------------------------------------------------------------------


def _filler(x: "Tensor[Any]", value: Any) -> "Tensor[Any]":
    """The value as a tensor in the dtype of `x`."""
    from trivet.convert import asarray

    if not _is_tensor(value):
        value = asarray(value, backend=x.backend, device=x.device)
        kinds = (dtypes.BOOLEAN, dtypes.INTEGRAL, dtypes.REAL_FLOATING, dtypes.COMPLEX)
        rank = [next(i for i, k in enumerate(kinds) if t.dtype.kind in k) for t in (x, value)]
        fits = rank[1] <= rank[0]
    else:
        fits = dtypes.can_cast(value.dtype, x.dtype)
    if not fits and value.size:
        raise DTypeError(
            f"a value of dtype {value.dtype} does not fit a tensor of dtype {x.dtype}. "
            "Cast it with .astype(...) first."
        )
    return value if value.dtype == x.dtype else call("astype", value, dtype=x.dtype)


def _refuse_tracked(x: "Tensor[Any]", value: "Tensor[Any]") -> None:
    for tensor in (x, value):
        backend = tensor.backend
        if isinstance(backend, Recorder) and backend.is_tracked(tensor.handle):
            raise GradientError(
                "a write in place would change what the gradients need: the tensor or "
                "the value is tracked. Use the functional form, which is "
                "differentiable: y = tv.at(x, index).set(value)."
            )


def _references(x: "Tensor[Any]") -> int:
    return getrefcount(x.handle)


def _sole() -> int:
    """What `_references` counts when a tensor's handle has no other holder."""

    class Probe:
        handle = None

    probe = Probe()
    probe.handle = object()  # type: ignore[assignment]
    return _references(probe)  # type: ignore[arg-type]


_SOLE = _sole()


def _written_in_place(x: "Tensor[Any]", parts: Any, value: "Tensor[Any]") -> bool:
    if _has_arrays(parts) or x.backend.support("write") != "native":
        return False
    if _references(x) > _SOLE:
        return False
    backend, (_, filler) = common("setitem", (x, value))
    if backend is not x.backend:
        return False
    try:
        return x.backend.write(x.handle, filler, key=parts)
    except Exception as error:
        _explain_write(x, parts, value, error)
        raise


def _explain_write(
    x: "Tensor[Any]", parts: Any, value: "Tensor[Any]", error: Exception
) -> None:
    """Raise a better error where the key or the value's shape is at fault."""
    from trivet.shapes import basic_region

    region = basic_region(x.shape, parts)
    _check_fits(value.shape, region.shape, error)


def _check_fits(
    value: tuple[int, ...], place: tuple[int, ...], error: Exception | None = None
) -> None:
    from trivet.errors import ShapeError

    if broadcast("setitem", value, place) != place:
        raise ShapeError(
            f"setitem: a value of shape {value} does not fit the place of shape {place}."
        ) from error


def _updated(
    x: "Tensor[Any]", parts: tuple[Any, ...], value: "Tensor[Any]", mode: UpdateMode
) -> "Tensor[Any]":
    """A copy of `x` changed where the key says."""
    if not _has_arrays(parts) and mode == "set":
        return call("setitem", x, value, key=parts)
    backend, (handle, filler) = common("setitem", (x, value))
    counting = backend.reshape(backend.counting(handle, x.size), shape=x.shape)
    places = getitem(wrap(counting, backend), parts)
    _check_fits(value.shape, places.shape)
    flat = backend.reshape(handle, shape=(x.size,))
    index = backend.reshape(places.handle, shape=(places.size,))
    whole = backend.broadcast_to(filler, shape=places.shape)
    values = backend.reshape(whole, shape=(places.size,))
    done = backend.index_update(flat, index, values, mode=mode)
    return wrap(backend.reshape(done, shape=x.shape), backend)
