"""Functions that make tensors: on a chosen backend, device and dtype.

Without `backend` the default one is used (`tv.explain()` says which and why); without
`device` and `dtype`, the backend's defaults.
"""

from collections.abc import Sequence
from typing import Any, Literal, SupportsIndex, TypeVar

from trivet import dtypes
from trivet.contract import Backend, Device
from trivet.contract.creation import Creation
from trivet.convert import asarray, supported
from trivet.dispatch import call, require_tensor, wrap
from trivet.dtypes import DType, Scalar, as_dtype
from trivet.errors import ShapeError
from trivet.plugins import device_of, resolve
from trivet.shapes import as_shape, broadcast
from trivet.tensor import Tensor

__all__ = [
    "arange",
    "asarray",
    "empty",
    "empty_like",
    "eye",
    "from_dlpack",
    "full",
    "full_like",
    "linspace",
    "meshgrid",
    "ones",
    "ones_like",
    "tensor",
    "tril",
    "triu",
    "zeros",
    "zeros_like",
]

# the functions with a `backend` argument
CHOOSING = frozenset(
    {
        "arange",
        "asarray",
        "empty",
        "eye",
        "from_dlpack",
        "full",
        "linspace",
        "ones",
        "tensor",
        "zeros",
    }
)
B = TypeVar("B", bound=Backend[Any])
Place = Device | str | None
ShapeLike = SupportsIndex | Sequence[SupportsIndex]


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


def _chosen(
    dtype: Any, device: Place, backend: Any, kind: str = "real_floating"
) -> tuple[Backend[Any], Device, DType]:
    """The backend, device and dtype that arguments and defaults come to."""
    found = resolve(backend)
    place = device_of(found, device)
    if dtype is None:
        return found, place, getattr(found.default_dtypes(place), kind)
    return found, place, supported(found, place, as_dtype(dtype))


def zeros(
    shape: ShapeLike, *, dtype: Any = None, device: Place = None, backend: Any = None
) -> Tensor[Any]:
    """A tensor of zeros.

    >>> import trivet as tv
    >>> tv.zeros((2, 2)).tolist()
    [[0.0, 0.0], [0.0, 0.0]]
    """
    found, place, wanted = _chosen(dtype, device, backend)
    sizes = as_shape("zeros", shape)
    return wrap(found.zeros(shape=sizes, dtype=wanted, device=place), found)


def ones(
    shape: ShapeLike, *, dtype: Any = None, device: Place = None, backend: Any = None
) -> Tensor[Any]:
    """A tensor of ones.

    >>> import trivet as tv
    >>> tv.ones(3, dtype="int8").tolist()
    [1, 1, 1]
    """
    found, place, wanted = _chosen(dtype, device, backend)
    sizes = as_shape("ones", shape)
    return wrap(found.ones(shape=sizes, dtype=wanted, device=place), found)


def empty(
    shape: ShapeLike, *, dtype: Any = None, device: Place = None, backend: Any = None
) -> Tensor[Any]:
    """A tensor whose elements may be anything, for programs that overwrite them.

    >>> import trivet as tv
    >>> tv.empty((2, 3)).shape
    (2, 3)
    """
    found, place, wanted = _chosen(dtype, device, backend)
    sizes = as_shape("empty", shape)
    return wrap(found.empty(shape=sizes, dtype=wanted, device=place), found)


def full(
    shape: ShapeLike,
    fill_value: Scalar | Tensor[Any],
    *,
    dtype: Any = None,
    device: Place = None,
    backend: Any = None,
) -> Tensor[Any]:
    """A tensor in which every element is `fill_value`, a number or a 0-d tensor.

    Without `dtype`, a number gets the default dtype of its kind.

    >>> import trivet as tv
    >>> tv.full(2, 7).tolist()
    [7, 7]
    """
    value = fill_value.item() if hasattr(fill_value, "item") else fill_value
    kind = "integral"
    if isinstance(value, complex):
        kind = "complex_floating"
    elif isinstance(value, float):
        kind = "real_floating"
    wanted = dtypes.bool if dtype is None and isinstance(value, bool) else dtype
    found, place, final = _chosen(wanted, device, backend, kind)
    sizes = as_shape("full", shape)
    handle = found.full(shape=sizes, fill_value=value, dtype=final, device=place)
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


def arange(
    start: float,
    /,
    stop: float | None = None,
    step: float = 1,
    *,
    dtype: Any = None,
    device: Place = None,
    backend: Any = None,
) -> Tensor[Any]:
    """`start, start + step, ...`, below `stop`; with one number, from 0 up to it.

    There are ceil((stop - start) / step) elements. Without `dtype`, ints give the
    default integer and floats the default float. Raises `ValueError` for step 0.

    >>> import trivet as tv
    >>> tv.arange(5, 0, -2).tolist()
    [5, 3, 1]
    >>> tv.arange(0, 1, 0.25).tolist()
    [0.0, 0.25, 0.5, 0.75]
    """
    first, last = (0, start) if stop is None else (start, stop)
    if step == 0:
        raise ValueError("arange: step=0 never reaches stop; give another step.")
    whole = all(isinstance(n, SupportsIndex) for n in (first, last, step))
    kind = "integral" if whole else "real_floating"
    found, place, wanted = _chosen(dtype, device, backend, kind)
    if not Creation.arange_size(first, last, step):  # also where stop lies behind start
        return zeros(0, dtype=wanted, device=place, backend=found)
    handle = found.arange(start=first, stop=last, step=step, dtype=wanted, device=place)
    return wrap(handle, found)


def linspace(
    start: float,
    stop: float,
    /,
    num: int,
    *,
    dtype: Any = None,
    device: Place = None,
    endpoint: bool = True,
    backend: Any = None,
) -> Tensor[Any]:
    """`num` evenly spaced numbers from `start` to `stop`.

    `stop` is the last of them unless `endpoint=False`. For an integer dtype the
    numbers are rounded down. Raises `ValueError` for a negative `num`.

    >>> import trivet as tv
    >>> tv.linspace(0, 1, 5).tolist()
    [0.0, 0.25, 0.5, 0.75, 1.0]
    """
    if num < 0:
        raise ValueError(f"linspace: num={num} is negative.")
    cplx = isinstance(start, complex) or isinstance(stop, complex)
    kind = "complex_floating" if cplx else "real_floating"
    found, place, wanted = _chosen(dtype, device, backend, kind)
    handle = found.linspace(
        start=start,
        stop=stop,
        num=num,
        dtype=wanted,
        device=place,
        endpoint=endpoint,
    )
    return wrap(handle, found)


def eye(
    n_rows: int,
    n_cols: int | None = None,
    /,
    *,
    k: int = 0,
    dtype: Any = None,
    device: Place = None,
    backend: Any = None,
) -> Tensor[Any]:
    """Ones on the `k`-th diagonal, zeros elsewhere; square unless `n_cols` is given.

    >>> import trivet as tv
    >>> tv.eye(2, 3, k=1).tolist()
    [[0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]
    """
    found, place, wanted = _chosen(dtype, device, backend)
    rows, cols = as_shape("eye", (n_rows, n_rows if n_cols is None else n_cols))
    handle = found.eye(n_rows=rows, n_cols=cols, k=k, dtype=wanted, device=place)
    return wrap(handle, found)


def _matrices(op: str, x: Tensor[B]) -> None:
    require_tensor(op, x)
    if x.ndim < 2:
        raise ShapeError(
            f"{op}: a tensor of shape {x.shape} holds no matrices; it needs at least "
            "two dimensions."
        )


def tril(x: Tensor[B], /, *, k: int = 0) -> Tensor[B]:
    """The matrices with zeros above their `k`-th diagonal. Raises `ShapeError`.

    >>> import trivet as tv
    >>> tv.tril(tv.ones((2, 2))).tolist()
    [[1.0, 0.0], [1.0, 1.0]]
    """
    _matrices("tril", x)
    return call("tril", x, k=k)


def triu(x: Tensor[B], /, *, k: int = 0) -> Tensor[B]:
    """The matrices with zeros below their `k`-th diagonal. Raises `ShapeError`.

    >>> import trivet as tv
    >>> tv.triu(tv.ones((2, 2))).tolist()
    [[1.0, 1.0], [0.0, 1.0]]
    """
    _matrices("triu", x)
    return call("triu", x, k=k)


def meshgrid(
    *arrays: Tensor[B], indexing: Literal["xy", "ij"] = "xy"
) -> tuple[Tensor[B], ...]:
    """The coordinates of a grid from its 1-D axes, each of the grid's shape.

    With "xy" the first axis runs along the columns, with "ij" along the rows. Raises
    `ShapeError` for an array that is not 1-D.

    >>> import trivet as tv
    >>> rows, cols = tv.meshgrid(tv.arange(2), tv.arange(3), indexing="ij")
    >>> rows.tolist(), cols.tolist()
    ([[0, 0, 0], [1, 1, 1]], [[0, 1, 2], [0, 1, 2]])
    """
    if indexing not in {"xy", "ij"}:
        raise ValueError(f'meshgrid: indexing={indexing!r} is neither "xy" nor "ij".')
    for x in arrays:
        require_tensor("meshgrid", x)
        if x.ndim != 1:
            raise ShapeError(f"meshgrid: an array has shape {x.shape}; it must be 1-D.")
    places = list(range(len(arrays)))
    if indexing == "xy":
        places[:2] = places[:2][::-1]
    ndim = len(arrays)
    apart = [
        call("reshape", x, shape=tuple(x.size if i == at else 1 for i in range(ndim)))
        for x, at in zip(arrays, places, strict=True)
    ]
    shape = broadcast("meshgrid", *(x.shape for x in apart))
    return tuple(call("broadcast_to", x, shape=shape) for x in apart)


def from_dlpack(
    x: Any,
    /,
    *,
    device: Place = None,
    copy: bool | None = None,
    backend: Any = None,
) -> Tensor[Any]:
    """A tensor of an object that offers `__dlpack__`, sharing its memory if it can.

    Raises `BufferError` where memory cannot be shared and `copy=False`.

    >>> import trivet as tv
    >>> tv.from_dlpack(tv.arange(3)).tolist()
    [0, 1, 2]
    """
    own = x.backend if isinstance(x, Tensor) else None
    found = resolve(own if backend is None else backend)
    place = None if device is None else device_of(found, device)
    return wrap(found.from_dlpack(x, device=place, copy=copy), found)
