"""`x[key] = value` and its functional form `tv.at`: from Python's keys to writes.

A write never reaches another tensor. It goes into the memory in place when this
tensor is the only one that can see it, and into a copy otherwise.
"""

from sys import getrefcount
from typing import TYPE_CHECKING, Any, TypeVar

from trivet import dtypes
from trivet.contract import OPS, Backend, Recorder, UpdateMode, contains
from trivet.dispatch import call, common, wrap
from trivet.errors import DTypeError, GradientError, ShapeError
from trivet.failures import wrong_dtype
from trivet.indexing import (
    Parts,
    flattened,
    getitem,
    has_arrays,
    is_mask,
    is_tensor,
    leading,
    out_of_bounds,
    parsed,
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
        if flat is x and _arrays_written_in_place(x, parts, filler):
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
        backend = tensor.backend
        if isinstance(backend, Recorder) and backend.is_tracked(tensor.handle):
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


def _arrays_written_in_place(
    x: "Tensor[Any]", parts: Parts, value: "Tensor[Any]"
) -> bool:
    """Whether a key of integer tensors for the leading axes was, as above."""
    first = () if is_mask(parts[0]) else leading(parts)
    if not first or _references(x) > _SOLE:
        return False
    if x.backend.support("write_arrays") != "native":
        return False
    backend, handle, found, shape = with_handles("setitem", x, first)
    _check_fits(value.shape, (*shape, *x.shape[len(first) :]))
    if backend is not x.backend or value.backend is not backend:
        return False
    try:
        return bool(backend.write_arrays(handle, found, value.handle))
    except IndexError as error:
        raise out_of_bounds(x, parts, error) from error


def _check_fits(value: tuple[int, ...], place: tuple[int, ...]) -> None:
    if len(value) > len(place) or broadcast("setitem", value, place) != place:
        raise ShapeError(
            f"setitem: a value of shape {value} does not fit the place of shape "
            f"{place}."
        )


def _with_arrays(
    x: "Tensor[Any]", parts: Parts, value: "Tensor[Any]", mode: UpdateMode
) -> "Tensor[Any]":
    """A copy of `x` changed where a key with tensors says."""
    first = () if is_mask(parts[0]) else leading(parts)
    if not first:
        return _with_places(x, parts, value, mode)
    backend, handle, found, shape = with_handles("setitem", x, first)
    _check_fits(value.shape, (*shape, *x.shape[len(first) :]))
    backend, (filler, *_) = common("setitem", (value, wrap(handle, backend)))
    try:
        done = backend.setitem_arrays(handle, found, filler, mode=mode)
    except IndexError as error:
        raise out_of_bounds(x, parts, error) from error
    return wrap(done, backend)


def _with_places(
    x: "Tensor[Any]", parts: Parts, value: "Tensor[Any]", mode: UpdateMode
) -> "Tensor[Any]":
    """The key applied to the elements' numbers in C order says which ones change."""
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
