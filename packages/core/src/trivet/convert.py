"""Between tensors and Python's own values: numbers, nested lists, pickles, backends.

`asarray` takes anything and knows who can read it; host data travels as bytes in C
order, so core needs no array library for it.
"""

import math
import struct
from collections.abc import Sequence
from typing import Any, TypeVar, overload

from trivet import dtypes
from trivet.contract import (
    Backend,
    Decorator,
    Device,
    Tracker,
    contains,
    tracker_of,
)
from trivet.dispatch import call, call_many, wrap
from trivet.dtypes import DType, Scalar, as_dtype
from trivet.errors import ConversionError, DTypeError, GradientError
from trivet.nesting import (
    FORMATS,
    NESTING,
    are_plain,
    default_dtype,
    flattened,
    leaves,
    number,
    packed,
)
from trivet.plugins import device_of, resolve
from trivet.tensor import Tensor

__all__ = [
    "asarray",
    "elements",
    "holds_tensors",
    "nested",
    "reduce",
    "supported",
    "to_backend",
    "untracked",
]

B = TypeVar("B", bound=Backend[Any])
_BUFFER_FORMATS = {code: as_dtype(name) for name, code in FORMATS.items()}
_BUFFER_FORMATS |= {"f": dtypes.float32, "d": dtypes.float64}
_BUFFER_FORMATS |= {"Zf": dtypes.complex64, "Zd": dtypes.complex128}
_BUFFER_FORMATS |= {"l": dtypes.int64, "L": dtypes.uint64}


@overload
def asarray(
    obj: Any,
    /,
    *,
    dtype: Any = None,
    device: Device | str | None = None,
    copy: bool | None = None,
    backend: B,
) -> Tensor[B]: ...


@overload
def asarray(
    obj: Any,
    /,
    *,
    dtype: Any = None,
    device: Device | str | None = None,
    copy: bool | None = None,
    backend: str | None = None,
) -> Tensor[Any]: ...


def asarray(
    obj: Any,
    /,
    *,
    dtype: Any = None,
    device: Device | str | None = None,
    copy: bool | None = None,
    backend: Any = None,
) -> Tensor[Any]:
    """A tensor of `obj`: a tensor, number, nested list, buffer or DLPack exporter.

    Without `dtype`, Python floats get the backend's default float, ints its default
    integer, and arrays keep their own dtype. With `copy=None` the memory of `obj` is
    shared where the backend can; `copy=False` raises `ConversionError` where it
    cannot; `copy=True` never shares. Tensors in a list are stacked where they are, and
    gradients flow to them.

    Raises `ConversionError` for ragged lists and objects of other kinds, `DTypeError`
    where a value does not fit `dtype` or the backend lacks it, `GradientError` where
    a tracked tensor would lose its gradients on another backend.

    >>> import trivet as tv
    >>> tv.asarray([[1, 2], [3, 4]]).shape
    (2, 2)
    >>> tv.asarray(1.5).dtype
    trivet.float32
    """
    wanted = None if dtype is None else as_dtype(dtype)
    if isinstance(obj, Tensor):
        return _from_tensor(obj, wanted, device, copy=copy, backend=backend)
    if isinstance(obj, list | tuple) and holds_tensors(obj):
        if copy is False:
            raise _only_by_a_copy(obj)
        whole = _stacked(obj, _common_dtype(obj, wanted))
        return _from_tensor(whole, wanted, device, copy=copy, backend=backend)
    chosen = resolve(backend)
    place = device_of(chosen, device)
    x = _from_array(obj, chosen, place, copy=copy)
    if x is None:
        if copy is False:
            raise _only_by_a_copy(obj)
        return _from_values(obj, wanted, chosen, place)
    return _finished(x, wanted, copy=copy)


def _only_by_a_copy(obj: Any) -> ConversionError:
    return ConversionError(
        f"asarray: a {type(obj).__name__} cannot become a tensor without a copy; pass "
        "copy=None."
    )


def holds_tensors(items: Sequence[Any]) -> bool:
    """Whether there are tensors in nested lists."""
    if are_plain(items):
        return False
    return any(
        isinstance(item, Tensor)
        or (isinstance(item, list | tuple) and holds_tensors(item))
        for item in items
    )


def _common_dtype(obj: Any, dtype: DType | None) -> tuple[Tensor[Any], DType]:
    """The first tensor in a nested list, and the dtype that all its items come to."""
    items = list(leaves(obj))
    first = next(item for item in items if isinstance(item, Tensor))
    if dtype is not None:
        return first, dtype
    found = dtypes.promote_all(
        as_dtype(item.dtype) for item in items if hasattr(item, "dtype")
    )
    for item in items:
        if not hasattr(item, "dtype"):
            found = dtypes.weak_dtype(found, number(item))
    return first, found


def _stacked(item: Any, like: tuple[Tensor[Any], DType]) -> Tensor[Any]:
    """A nested list with tensors in it as one tensor, where its first tensor is."""
    first, dtype = like
    if isinstance(item, Tensor):
        return item if item.dtype == dtype else call("astype", item, dtype=dtype)
    if not isinstance(item, NESTING) or not item:
        return asarray(item, dtype=dtype, backend=first.backend, device=first.device)
    parts = [_stacked(inner, like) for inner in item]
    for place, part in enumerate(parts):
        if part.shape != parts[0].shape:
            raise ConversionError(
                f"asarray: the nested sequences are ragged: item 0 has the shape "
                f"{parts[0].shape} and item {place} the shape {part.shape}. Every row "
                "must have the same shape."
            )
    return call_many("stack", parts, axis=0)


def supported(backend: Backend[Any], device: Device, dtype: DType) -> DType:
    """The dtype, if the device of the backend has it. Raises `DTypeError`."""
    known = backend.dtypes(device)
    if dtype in known:
        return dtype
    raise DTypeError(
        f"the backend {backend.name} has no dtype {dtype} on {device}. It has "
        f"{', '.join(map(str, known))}."
    )


def _from_tensor(
    x: Tensor[Any],
    dtype: DType | None,
    device: Device | str | None,
    *,
    copy: bool | None,
    backend: Any,
) -> Tensor[Any]:
    moved = x if backend is None else to_backend(x, resolve(backend))
    if device is not None:
        moved = moved.to_device(device)
    if copy is False and moved.handle is not x.handle:
        raise ConversionError(
            "asarray: the tensor cannot reach that backend or device without a copy; "
            "pass copy=None."
        )
    return _finished(moved, dtype, copy=True if copy and moved is x else None)


def _finished(x: Tensor[Any], dtype: DType | None, *, copy: bool | None) -> Tensor[Any]:
    if dtype is not None and dtype != x.dtype:
        if copy is False:
            raise ConversionError(
                f"asarray: {x.dtype} cannot become {dtype} without a copy; pass "
                "copy=None."
            )
        return call("astype", x, dtype=supported(x.backend, x.device, dtype))
    return call("copy", x) if copy else x


def _from_array(
    obj: Any, backend: Backend[Any], device: Device, *, copy: bool | None
) -> Tensor[Any] | None:
    """A tensor of another library's array, or `None` if `obj` is none."""
    if isinstance(obj, str | bytes | int | float | complex | list | tuple | range):
        return None
    adopted = backend.adopt(obj)
    if adopted is not None:
        return wrap(adopted, backend)
    view = _host_view(obj)
    if view is not None and copy is not False:
        dtype = supported(backend, device, _buffer_dtype(obj, view))
        data = view if view.c_contiguous else view.tobytes()
        shape = view.shape or ()
        handle = backend.from_host(data, shape=shape, dtype=dtype, device=device)
        return wrap(handle, backend)
    if hasattr(obj, "__dlpack__"):
        handle = backend.from_dlpack(obj, device=device, copy=copy)
        return wrap(handle, backend)
    return None


def _host_view(obj: Any) -> memoryview | None:
    try:
        return memoryview(obj)
    except (TypeError, ValueError, BufferError):
        return None


def _buffer_dtype(obj: Any, view: memoryview) -> DType:
    code = view.format.lstrip("@=")
    if code in _BUFFER_FORMATS and view.itemsize == _BUFFER_FORMATS[code].itemsize:
        return _BUFFER_FORMATS[code]
    name = getattr(obj, "dtype", view.format)
    raise ConversionError(
        f"asarray: elements of type {name} have no dtype in Trivet, or are not in this "
        "machine's byte order. Convert the array first, for example with "
        '.astype("float64").'
    )


def _from_values(
    obj: Any, dtype: DType | None, backend: Backend[Any], device: Device
) -> Tensor[Any]:
    shape, flat = flattened(obj)
    natural = dtype or default_dtype(flat, backend.default_dtypes(device))
    wanted = supported(backend, device, natural)
    # struct has no format for bfloat16: it goes through float32
    sent = dtypes.float32 if wanted == dtypes.bfloat16 else wanted
    handle = backend.from_host(
        packed(flat, sent), shape=shape, dtype=sent, device=device
    )
    return _finished(wrap(handle, backend), wanted, copy=None)


# ---- out ---------------------------------------------------------------------------


def untracked(x: Tensor[Any]) -> Any:
    """The handle of `x` without any record of how it was computed."""
    backend, handle = x.backend, x.handle
    while isinstance(backend, Decorator):
        if isinstance(backend, Tracker):
            handle = backend.detach(handle)
        backend = backend.inner
    return handle


def elements(x: Tensor[Any]) -> list[Scalar]:
    """The elements as Python numbers, in C order."""
    dtype = x.dtype
    if dtype == dtypes.bfloat16:
        return elements(call("astype", x, dtype=dtypes.float32))
    data = x.backend.to_host(x.handle)
    code = FORMATS[dtype.name]
    parts = 2 if dtype.kind == "complex floating" else 1
    numbers = list(struct.unpack(f"={x.size * parts}{code}", data))
    if parts == 1:
        return numbers
    return [complex(*pair) for pair in zip(numbers[::2], numbers[1::2], strict=True)]


def nested(x: Tensor[Any]) -> Any:
    """The elements as nested lists; of a 0-d tensor, a number."""
    rows: list[Any] = elements(x)
    if not x.shape:
        return rows[0]
    for axis in range(x.ndim - 1, 0, -1):
        size, count = x.shape[axis], math.prod(x.shape[:axis])
        rows = [rows[i * size : (i + 1) * size] for i in range(count)]
    return rows


def to_backend(x: Tensor[Any], backend: Any) -> Tensor[Any]:
    """The values of `x` on another backend."""
    target = resolve(backend)
    if contains(target, x.backend):
        return x if target is x.backend else wrap(x.handle, target)
    _refuse_tracked(x, target)
    if contains(x.backend, target):
        return wrap(x.handle, target)
    devices = target.devices()
    device = x.device if x.device in devices else target.default_device
    dtype = supported(target, device, x.dtype)
    data = x.backend.to_host(x.handle)
    handle = target.from_host(data, shape=x.shape, dtype=dtype, device=device)
    return wrap(handle, target)


def _refuse_tracked(x: Tensor[Any], target: Backend[Any]) -> None:
    if tracker_of(x.backend, x.handle):
        raise GradientError(
            f"to_backend: the tensor is tracked, and {target.name} would lose its "
            "gradient. Call .detach() first."
        )


def reduce(x: Tensor[Any]) -> tuple[Any, ...]:
    """What pickle keeps: the values, not the graph.

    A tracked tensor comes back untracked, on the same backend.
    """
    data = bytes(x.backend.to_host(untracked(x)))
    return _restored, (data, x.shape, x.dtype, x.backend.name, str(x.device))


def _restored(
    data: bytes, shape: tuple[int, ...], dtype: DType, backend: str, device: str
) -> Tensor[Any]:
    found = resolve(backend)
    place = device_of(found, device)
    handle = found.from_host(data, shape=shape, dtype=dtype, device=place)
    return wrap(handle, found)
