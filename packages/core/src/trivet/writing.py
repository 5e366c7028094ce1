"""`x[key] = value` and its functional form `tv.at`: from Python's keys to writes.

A write never reaches another tensor. It goes into the memory in place when this
tensor is the only one that can see it, and into a copy otherwise.
"""

from sys import getrefcount
from typing import TYPE_CHECKING, Any, TypeVar

from trivet import dtypes
from trivet.contract import OPS, Backend, UpdateMode, contains, tracker_of
from trivet.dispatch import call, common, wrap
from trivet.errors import DTypeError, GradientError, ShapeError
from trivet.failures import wrong_dtype
from trivet.indexing import (
    Parts,
    are_adjacent,
    flattened,
    fronted,
    has_arrays,
    index_axes,
    is_mask,
    is_tensor,
    leading,
    out_of_bounds,
    parsed,
    whole,
    with_handles,
)
from trivet.shapes import basic_region, broadcast

if TYPE_CHECKING:
    from trivet.tensor import Tensor

__all__ = ["At", "at", "setitem"]

B = TypeVar("B", bound=Backend[Any])


def setitem(x: "Tensor[Any]", key: Any, value: Any) -> None:
    """Set the elements that `key` selects."""
    filler = _filler(x, value)
    _refuse_tracked(x, filler)
    filler = _on_backend_of(x, filler)
    flat, parts = flattened(x, key if isinstance(key, tuple) else (key,))
    parts = parsed(flat, parts)
    if has_arrays(parts):
        if flat is x and _arrays_written(x, parts, filler):
            return
        done = _with_arrays(flat, parts, filler, "set")
        if flat is not x:
            done = call("reshape", done, shape=x.shape)
        x.handle = done.handle
        return
    _check_fits(filler.shape, basic_region(x.shape, parts).shape)
    if not _written_in_place(x, parts, filler):
        x.handle = call("setitem", x, filler, key=parts).handle


def at(x: "Tensor[B]", key: Any) -> "At":
    """The functional form of writing: `tv.at(x, i).set(v)` is a changed copy of `x`.

    >>> import trivet as tv
    >>> tv.at(tv.zeros(3), 1).set(5.0).tolist()
    [0.0, 5.0, 0.0]
    >>> tv.at(tv.zeros(3), tv.asarray([0, 0, 2])).add(1.0).tolist()
    [2.0, 0.0, 1.0]
    >>> tv.at(tv.ones(2), tv.asarray([1, 1])).multiply(3.0).tolist()
    [1.0, 9.0]
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

    def multiply(self, value: Any) -> "Tensor[Any]":
        """A copy with the elements times `value`; repeated indices accumulate."""
        return self._with(value, "multiply")

    def min(self, value: Any) -> "Tensor[Any]":
        """A copy with the smaller of each element and `value`; NaN if either is.

        Of values at repeated indices, the smallest counts. Raises `DTypeError` unless
        real.
        """
        return self._with(value, "minimum")

    def max(self, value: Any) -> "Tensor[Any]":
        """A copy with the larger of each element and `value`; otherwise as `min`."""
        return self._with(value, "maximum")

    def _with(self, value: Any, mode: UpdateMode) -> "Tensor[Any]":
        x, filler = self._x, _filler(self._x, value)
        if mode != "set" and x.dtype.kind not in OPS[mode].kinds:
            raise wrong_dtype(mode, x.dtype)
        flat, parts = flattened(x, self._key)
        parts = parsed(flat, parts)
        if has_arrays(parts):
            done = _with_arrays(flat, parts, filler, mode)
            return call("reshape", done, shape=x.shape)
        _check_fits(filler.shape, basic_region(x.shape, parts).shape)
        if mode != "set":
            filler = call(mode, call("getitem", x, key=parts), filler)
        return call("setitem", x, filler, key=parts)


def _filler(x: "Tensor[Any]", value: Any) -> "Tensor[Any]":
    """The value as a tensor in the dtype of `x`. Raises `DTypeError`.

    Python's numbers, lists and NumPy's arrays need a dtype of the same kind or below;
    a tensor needs one whose values all survive.
    """
    from trivet.convert import asarray

    if is_tensor(value) and value.dtype is x.dtype:
        return value  # type: ignore[no-any-return]
    where = {"backend": x.backend, "device": x.device}
    if isinstance(value, bool | int | float | complex):
        _require_kind(x, _kind_of(value), value)
        return asarray(value, dtype=x.dtype, **where)
    natural = value if is_tensor(value) else asarray(value, **where)
    if natural is value and not dtypes.can_cast(value.dtype, x.dtype):
        raise _unfitting(x, value.dtype)
    if natural.size:
        _require_kind(x, natural.dtype.kind, natural.dtype)
    if natural.dtype == x.dtype:
        return natural
    if natural is value or hasattr(value, "dtype"):
        return call("astype", natural, dtype=x.dtype)
    return asarray(value, dtype=x.dtype, **where)  # not through a narrower default


def _kind_of(number: dtypes.Scalar) -> dtypes.Kind:
    if isinstance(number, bool):
        return "bool"
    if isinstance(number, int):
        return "signed integer"
    return "real floating" if isinstance(number, float) else "complex floating"


def _rank(kind: dtypes.Kind) -> int:
    kinds = (dtypes.BOOLEAN, dtypes.INTEGRAL, dtypes.REAL_FLOATING, dtypes.COMPLEX)
    return next(rank for rank, members in enumerate(kinds) if kind in members)


def _require_kind(x: "Tensor[Any]", kind: dtypes.Kind, given: Any) -> None:
    if _rank(kind) > _rank(x.dtype.kind):
        raise _unfitting(x, given)


def _unfitting(x: "Tensor[Any]", given: Any) -> DTypeError:
    what = (
        f"a value of dtype {given}" if isinstance(given, dtypes.DType) else f"{given}"
    )
    return DTypeError(
        f"setitem: {what} does not fit a tensor of dtype {x.dtype}. Cast one of "
        "them with .astype(...) first."
    )


def _refuse_tracked(x: "Tensor[Any]", value: "Tensor[Any]") -> None:
    for tensor in (x, value):
        if tracker_of(tensor.backend, tensor.handle):
            raise GradientError(
                "a write in place would change what the gradients need: the tensor or "
                "the value is tracked. Use the functional form, which is "
                "differentiable: y = tv.at(x, index).set(value)."
            )


def _on_backend_of(x: "Tensor[Any]", value: "Tensor[Any]") -> "Tensor[Any]":
    """The untracked value without the decorators that `x` does not have."""
    if value.backend is x.backend or not contains(value.backend, x.backend):
        return value
    return value.to_backend(x.backend)


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


def _written_in_place(x: "Tensor[Any]", parts: Parts, value: "Tensor[Any]") -> bool:
    if _references(x) > _SOLE or x.backend.support("write") != "native":
        return False
    backend, (_, filler) = common("setitem", (x, value))
    return backend is x.backend and x.backend.write(x.handle, filler, key=parts)


def _arrays_written(x: "Tensor[Any]", parts: Parts, value: "Tensor[Any]") -> bool:
    """Whether the backend wrote at a key with integer tensors.

    In place where this tensor alone sees the memory, otherwise into a copy for it.
    """
    sole = _references(x) <= _SOLE
    if is_mask(parts[0]) or x.backend.support("write_arrays") != "native":
        return False
    axes = index_axes(parts)
    indices = tuple(parts[i] for i in axes)
    backend, _, found, shape = with_handles("setitem", x, indices)
    _check_fits(value.shape, _place(x, parts, shape))
    if backend is not x.backend or value.backend is not backend:
        return False
    key = tuple(axes.index(i) if i in axes else part for i, part in enumerate(parts))

    def written(handle: Any) -> bool:
        return bool(backend.write_arrays(handle, found, value.handle, key=key))

    try:
        if sole and written(x.handle):
            return True
        fresh = backend.copy(x.handle)
        done = written(fresh)
    except IndexError as error:
        raise out_of_bounds(x, parts, error) from error
    x.handle = fresh
    return done


def _place(x: "Tensor[Any]", parts: Parts, shape: tuple[int, ...]) -> tuple[int, ...]:
    """The shape that a parsed key selects, its indices together having `shape`."""
    if first := leading(parts):  # the commonest case
        return (*shape, *x.shape[len(first) :])
    axes = index_axes(parts)
    sliced = basic_region(x.shape, whole(parts)).shape
    rest = tuple(n for i, n in enumerate(sliced) if i not in axes)
    start = axes[0] if are_adjacent(axes) else 0
    return (*rest[:start], *shape, *rest[start:])


def _check_fits(value: tuple[int, ...], place: tuple[int, ...]) -> None:
    if value == place:
        return
    if len(value) > len(place) or broadcast("setitem", value, place) != place:
        raise ShapeError(
            f"setitem: a value of shape {value} does not fit the place of shape "
            f"{place}."
        )


def _with_arrays(
    x: "Tensor[Any]", parts: Parts, value: "Tensor[Any]", mode: UpdateMode
) -> "Tensor[Any]":
    """A copy of `x` changed where a key with tensors says."""
    if is_mask(parts[0]):
        return _all_or_nothing(x, parts[0], value, mode)
    axes = index_axes(parts)
    indices = tuple(parts[i] for i in axes)
    shape = broadcast("setitem", *(i.shape for i in indices if is_tensor(i)))
    _check_fits(value.shape, _place(x, parts, shape))
    if leading(parts):
        return _with_rows(x, indices, value, mode, (x, parts))
    return _with_slices(x, parts, value, mode, len(shape))


def _with_slices(
    x: "Tensor[Any]", parts: Parts, value: "Tensor[Any]", mode: UpdateMode, count: int
) -> "Tensor[Any]":
    """As above, the indices together having `count` axes, with slices among them.

    The sliced part is turned to have the indices' axes in front, changed there, turned
    back and put where it was: no element that the slices leave out is looked at.
    """
    axes, rest = index_axes(parts), whole(parts)
    sliced = call("getitem", x, key=rest)
    filler = _fronted_value(value, sliced, axes, count)
    indices = tuple(parts[i] for i in axes)
    turned = _with_rows(fronted(sliced, axes), indices, filler, mode, (x, parts))
    order = (*axes, *(i for i in range(sliced.ndim) if i not in axes))
    back = tuple(order.index(i) for i in range(sliced.ndim))
    done = call("permute_dims", turned, axes=back)
    if all(part == slice(None) for part in rest):
        return done
    return call("setitem", x, done, key=rest)


def _all_or_nothing(
    x: "Tensor[Any]", mask: "Tensor[Any]", value: "Tensor[Any]", mode: UpdateMode
) -> "Tensor[Any]":
    """A 0-d mask is for an axis of length 1 in front."""
    stacked = call("expand_dims", x, axis=(0,))
    parts = parsed(stacked, (call("reshape", mask, shape=(1,)),))
    done = _with_arrays(stacked, parts, value, mode)
    return call("squeeze", done, axis=(0,))


def _fronted_value(
    value: "Tensor[Any]", sliced: "Tensor[Any]", axes: tuple[int, ...], count: int
) -> "Tensor[Any]":
    """The value with the `count` axes of the indices in front, as in `fronted`."""
    ndim = sliced.ndim - len(axes) + count
    if not are_adjacent(axes) or value.ndim <= ndim - axes[0] - count:
        return value
    ones = (1,) * (ndim - value.ndim)
    full = call("reshape", value, shape=(*ones, *value.shape))
    return fronted(full, tuple(range(axes[0], axes[0] + count)))


def _with_rows(
    x: "Tensor[Any]",
    indices: Parts,
    value: "Tensor[Any]",
    mode: UpdateMode,
    written: "tuple[Tensor[Any], Parts]",
) -> "Tensor[Any]":
    """A copy of `x` changed at indices of leading axes; `written` is what users see."""
    backend, handle, found, _ = with_handles("setitem", x, indices)
    backend, (filler, *_) = common("setitem", (value, wrap(handle, backend)))
    try:
        done = backend.setitem_arrays(handle, found, filler, mode=mode)
    except IndexError as error:
        raise out_of_bounds(*written, error) from error
    return wrap(done, backend)
