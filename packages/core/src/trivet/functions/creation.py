"""Functions that make tensors: on a chosen backend, device and dtype.

Without `backend` the default one is used (`tv.explain()` says which and why); without
`device` and `dtype`, the backend's defaults.
"""

from collections.abc import Sequence
from typing import Any, SupportsIndex, TypeVar, overload

from trivet import dtypes
from trivet.arguments import flag, scalar
from trivet.contract import Backend, Device
from trivet.convert import asarray, supported
from trivet.dispatch import require_tensor, wrap
from trivet.dtypes import REAL_FLOATING, DType, Scalar, as_dtype
from trivet.errors import ConversionError, DTypeError
from trivet.nesting import fitting
from trivet.plugins import device_of, resolve
from trivet.shapes import as_shape
from trivet.tensor import Tensor

__all__ = [
    "asarray",
    "empty",
    "empty_like",
    "from_dlpack",
    "full",
    "full_like",
    "ones",
    "ones_like",
    "tensor",
    "zeros",
    "zeros_like",
]

B = TypeVar("B", bound=Backend[Any])
Place = Device | str | None
ShapeLike = SupportsIndex | Sequence[SupportsIndex]


@overload
def tensor(
    obj: Any, *, dtype: Any = None, device: Place = None, backend: B
) -> Tensor[B]: ...


@overload
def tensor(
    obj: Any, *, dtype: Any = None, device: Place = None, backend: str | None = None
) -> Tensor[Any]: ...


def tensor(
    obj: Any, *, dtype: Any = None, device: Place = None, backend: Any = None
) -> Tensor[Any]:
    """A tensor with its own copy of `obj`; `tv.asarray` shares memory where it can.

    Takes numbers, nested lists, arrays and tensors. Raises as `tv.asarray`.

    >>> import trivet as tv
    >>> tv.tensor([[1, 2], [3, 4]], dtype=tv.float32)
    Tensor([[1., 2.],
            [3., 4.]], dtype=float32, backend=ndarray, device=cpu)
    """
    return asarray(obj, dtype=dtype, device=device, copy=True, backend=backend)


def chosen(
    dtype: Any, device: Place, backend: Any, kind: str = "real_floating"
) -> tuple[Backend[Any], Device, DType]:
    """The backend, device and dtype that arguments and defaults come to."""
    found = resolve(backend)
    place = device_of(found, device)
    if dtype is None:
        return found, place, getattr(found.default_dtypes(place), kind)
    return found, place, supported(found, place, as_dtype(dtype))


def chosen_floating(
    op: str, dtype: Any, device: Place, backend: Any
) -> tuple[Backend[Any], Device, DType]:
    """As `chosen`, where only real floating dtypes can be. Raises `DTypeError`."""
    found, place, wanted = chosen(dtype, device, backend)
    if wanted.kind not in REAL_FLOATING:
        raise DTypeError(f"{op}: dtype={wanted} is not a real floating dtype.")
    return found, place, wanted


@overload
def zeros(
    shape: ShapeLike, *, dtype: Any = None, device: Place = None, backend: B
) -> Tensor[B]: ...


@overload
def zeros(
    shape: ShapeLike,
    *,
    dtype: Any = None,
    device: Place = None,
    backend: str | None = None,
) -> Tensor[Any]: ...


def zeros(
    shape: ShapeLike, *, dtype: Any = None, device: Place = None, backend: Any = None
) -> Tensor[Any]:
    """A tensor of zeros.

    >>> import trivet as tv
    >>> tv.zeros((2, 2)).tolist()
    [[0.0, 0.0], [0.0, 0.0]]
    """
    found, place, wanted = chosen(dtype, device, backend)
    sizes = as_shape("zeros", shape)
    return wrap(found.zeros(shape=sizes, dtype=wanted, device=place), found)


@overload
def ones(
    shape: ShapeLike, *, dtype: Any = None, device: Place = None, backend: B
) -> Tensor[B]: ...


@overload
def ones(
    shape: ShapeLike,
    *,
    dtype: Any = None,
    device: Place = None,
    backend: str | None = None,
) -> Tensor[Any]: ...


def ones(
    shape: ShapeLike, *, dtype: Any = None, device: Place = None, backend: Any = None
) -> Tensor[Any]:
    """A tensor of ones.

    >>> import trivet as tv
    >>> tv.ones(3, dtype="int8").tolist()
    [1, 1, 1]
    """
    found, place, wanted = chosen(dtype, device, backend)
    sizes = as_shape("ones", shape)
    return wrap(found.ones(shape=sizes, dtype=wanted, device=place), found)


@overload
def empty(
    shape: ShapeLike, *, dtype: Any = None, device: Place = None, backend: B
) -> Tensor[B]: ...


@overload
def empty(
    shape: ShapeLike,
    *,
    dtype: Any = None,
    device: Place = None,
    backend: str | None = None,
) -> Tensor[Any]: ...


def empty(
    shape: ShapeLike, *, dtype: Any = None, device: Place = None, backend: Any = None
) -> Tensor[Any]:
    """A tensor whose elements may be anything, for programs that overwrite them.

    >>> import trivet as tv
    >>> tv.empty((2, 3)).shape
    (2, 3)
    """
    found, place, wanted = chosen(dtype, device, backend)
    sizes = as_shape("empty", shape)
    return wrap(found.empty(shape=sizes, dtype=wanted, device=place), found)


@overload
def full(
    shape: ShapeLike,
    fill_value: Scalar | Tensor[Any],
    *,
    dtype: Any = None,
    device: Place = None,
    backend: B,
) -> Tensor[B]: ...


@overload
def full(
    shape: ShapeLike,
    fill_value: Scalar | Tensor[Any],
    *,
    dtype: Any = None,
    device: Place = None,
    backend: str | None = None,
) -> Tensor[Any]: ...


def full(
    shape: ShapeLike,
    fill_value: Scalar | Tensor[Any],
    *,
    dtype: Any = None,
    device: Place = None,
    backend: Any = None,
) -> Tensor[Any]:
    """A tensor in which every element is `fill_value`, a number or a 0-d tensor.

    Without `dtype`, a number gets the default dtype of its kind. Raises `DTypeError`
    for a number that does not fit `dtype`, `ShapeError`.

    >>> import trivet as tv
    >>> tv.full(2, 7).tolist()
    [7, 7]
    """
    value = scalar("full", "fill_value", fill_value)
    kind = "integral"
    if isinstance(value, complex):
        kind = "complex_floating"
    elif isinstance(value, float):
        kind = "real_floating"
    wanted = dtypes.bool if dtype is None and isinstance(value, bool) else dtype
    found, place, final = chosen(wanted, device, backend, kind)
    sizes = as_shape("full", shape)
    fit = fitting("full", value, final)
    handle = found.full(shape=sizes, fill_value=fit, dtype=final, device=place)
    return wrap(handle, found)


def _like(x: Tensor[B], dtype: Any, device: Place) -> dict[str, Any]:
    wanted = x.dtype if dtype is None else dtype
    place = x.device if device is None else device
    return {"dtype": wanted, "device": place, "backend": x.backend}


def zeros_like(
    x: Tensor[B], /, *, dtype: Any = None, device: Place = None
) -> Tensor[B]:
    """Zeros with the shape, dtype, device and backend of `x`.

    >>> import trivet as tv
    >>> tv.zeros_like(tv.asarray([1, 2])).tolist()
    [0, 0]
    """
    require_tensor("zeros_like", x)
    return zeros(x.shape, **_like(x, dtype, device))


def ones_like(x: Tensor[B], /, *, dtype: Any = None, device: Place = None) -> Tensor[B]:
    """Ones with the shape, dtype, device and backend of `x`.

    >>> import trivet as tv
    >>> tv.ones_like(tv.asarray([1, 2])).tolist()
    [1, 1]
    """
    require_tensor("ones_like", x)
    return ones(x.shape, **_like(x, dtype, device))


def empty_like(
    x: Tensor[B], /, *, dtype: Any = None, device: Place = None
) -> Tensor[B]:
    """A tensor of any content with the shape, dtype, device and backend of `x`.

    >>> import trivet as tv
    >>> tv.empty_like(tv.zeros((2, 3))).shape
    (2, 3)
    """
    require_tensor("empty_like", x)
    return empty(x.shape, **_like(x, dtype, device))


def full_like(
    x: Tensor[B], /, fill_value: Scalar, *, dtype: Any = None, device: Place = None
) -> Tensor[B]:
    """`fill_value` everywhere, with the shape, dtype, device and backend of `x`.

    >>> import trivet as tv
    >>> tv.full_like(tv.zeros(2), 3).tolist()
    [3.0, 3.0]
    """
    require_tensor("full_like", x)
    return full(x.shape, fill_value, **_like(x, dtype, device))


@overload
def from_dlpack(
    x: Any, /, *, device: Place = None, copy: bool | None = None, backend: B
) -> Tensor[B]: ...


@overload
def from_dlpack(
    x: Any,
    /,
    *,
    device: Place = None,
    copy: bool | None = None,
    backend: str | None = None,
) -> Tensor[Any]: ...


def from_dlpack(
    x: Any,
    /,
    *,
    device: Place = None,
    copy: bool | None = None,
    backend: Any = None,
) -> Tensor[Any]:
    """A tensor of an object that offers `__dlpack__`, sharing its memory if it can.

    Raises `BufferError` where memory cannot be shared and `copy=False`,
    `ConversionError` for an object of another kind.

    >>> import trivet as tv
    >>> tv.from_dlpack(tv.arange(3)).tolist()
    [0, 1, 2]
    """
    own = x.backend if isinstance(x, Tensor) else None
    found = resolve(own if backend is None else backend)
    place = None if device is None else device_of(found, device)
    if copy is not None:
        flag("from_dlpack", "copy", copy)
    if not hasattr(x, "__dlpack__"):
        raise ConversionError(
            f"from_dlpack: a {type(x).__name__} has no __dlpack__. tv.asarray(...) "
            "takes numbers, lists and buffers."
        )
    return wrap(found.from_dlpack(x, device=place, copy=copy), found)
