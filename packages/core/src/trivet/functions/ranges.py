"""Ranges, grids and the shapes of matrices: tensors made by counting."""

import math
from typing import Any, Literal, SupportsIndex, TypeVar, overload

from trivet.arguments import integer, option, real, scalar
from trivet.contract import Backend
from trivet.contract.creation import Creation
from trivet.dispatch import call, require_tensor, wrap
from trivet.errors import ArgumentError, ShapeError
from trivet.functions.creation import Place, chosen, zeros
from trivet.shapes import as_shape, broadcast
from trivet.tensor import Tensor

__all__ = [
    "arange",
    "eye",
    "linspace",
    "meshgrid",
    "tril",
    "tril_indices",
    "triu",
    "triu_indices",
]

B = TypeVar("B", bound=Backend[Any])


@overload
def arange(
    start: float,
    /,
    stop: float | None = None,
    step: float = 1,
    *,
    dtype: Any = None,
    device: Place = None,
    backend: B,
) -> Tensor[B]: ...


@overload
def arange(
    start: float,
    /,
    stop: float | None = None,
    step: float = 1,
    *,
    dtype: Any = None,
    device: Place = None,
    backend: str | None = None,
) -> Tensor[Any]: ...


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
    for name, number in (("start", first), ("stop", last), ("step", step)):
        if not math.isfinite(real("arange", name, number)):
            raise ArgumentError(f"arange: {name}={number} is not finite.")
    if step == 0:
        raise ArgumentError("arange: step=0 never reaches stop; give another step.")
    whole = all(isinstance(n, SupportsIndex) for n in (first, last, step))
    kind = "integral" if whole else "real_floating"
    found, place, wanted = chosen(dtype, device, backend, kind)
    size = Creation.arange_size(first, last, step)
    if not sum(as_shape("arange", size)):  # also where stop lies behind start
        return zeros(0, dtype=wanted, device=place, backend=found)
    handle = found.arange(start=first, stop=last, step=step, dtype=wanted, device=place)
    return wrap(handle, found)


@overload
def linspace(
    start: float,
    stop: float,
    /,
    num: int,
    *,
    dtype: Any = None,
    device: Place = None,
    endpoint: bool = True,
    backend: B,
) -> Tensor[B]: ...


@overload
def linspace(
    start: float,
    stop: float,
    /,
    num: int,
    *,
    dtype: Any = None,
    device: Place = None,
    endpoint: bool = True,
    backend: str | None = None,
) -> Tensor[Any]: ...


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
    num = integer("linspace", "num", num)
    start, stop = (
        scalar("linspace", name, value)
        for name, value in (("start", start), ("stop", stop))
    )
    if num < 0:
        raise ArgumentError(f"linspace: num={num} is negative.")
    as_shape("linspace", num)
    cplx = isinstance(start, complex) or isinstance(stop, complex)
    kind = "complex_floating" if cplx else "real_floating"
    found, place, wanted = chosen(dtype, device, backend, kind)
    handle = found.linspace(
        start=start,
        stop=stop,
        num=num,
        dtype=wanted,
        device=place,
        endpoint=endpoint,
    )
    return wrap(handle, found)


@overload
def eye(
    n_rows: int,
    n_cols: int | None = None,
    /,
    *,
    k: int = 0,
    dtype: Any = None,
    device: Place = None,
    backend: B,
) -> Tensor[B]: ...


@overload
def eye(
    n_rows: int,
    n_cols: int | None = None,
    /,
    *,
    k: int = 0,
    dtype: Any = None,
    device: Place = None,
    backend: str | None = None,
) -> Tensor[Any]: ...


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
    found, place, wanted = chosen(dtype, device, backend)
    rows, cols = as_shape("eye", (n_rows, n_rows if n_cols is None else n_cols))
    diagonal = integer("eye", "k", k)
    handle = found.eye(n_rows=rows, n_cols=cols, k=diagonal, dtype=wanted, device=place)
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
    return call("tril", x, k=integer("tril", "k", k))


def triu(x: Tensor[B], /, *, k: int = 0) -> Tensor[B]:
    """The matrices with zeros below their `k`-th diagonal. Raises `ShapeError`.

    >>> import trivet as tv
    >>> tv.triu(tv.ones((2, 2))).tolist()
    [[1.0, 1.0], [0.0, 1.0]]
    """
    _matrices("triu", x)
    return call("triu", x, k=integer("triu", "k", k))


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
    option("meshgrid", "indexing", indexing, ("xy", "ij"))
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


def tril_indices(
    n: SupportsIndex,
    k: int = 0,
    m: SupportsIndex | None = None,
    /,
    *,
    device: Place = None,
    backend: Any = None,
) -> tuple[Tensor[Any], Tensor[Any]]:
    """The rows and columns of what `tril` keeps of a matrix of n rows, m columns.

    It is square unless `m` is given; `k` is the last diagonal that is kept. In C
    order and the index dtype. Raises `ShapeError`.

    >>> import trivet as tv
    >>> rows, columns = tv.tril_indices(2)
    >>> rows.tolist(), columns.tolist()
    ([0, 1, 1], [0, 0, 1])
    """
    shape = as_shape("tril_indices", (n, n if m is None else m))
    return _triangle(shape, k + 1, device, backend, upper=False)


def triu_indices(
    n: SupportsIndex,
    k: int = 0,
    m: SupportsIndex | None = None,
    /,
    *,
    device: Place = None,
    backend: Any = None,
) -> tuple[Tensor[Any], Tensor[Any]]:
    """The rows and columns of what `triu` keeps: otherwise as `tril_indices`.

    >>> import trivet as tv
    >>> rows, columns = tv.triu_indices(2)
    >>> rows.tolist(), columns.tolist()
    ([0, 0, 1], [0, 1, 1])
    """
    shape = as_shape("triu_indices", (n, n if m is None else m))
    return _triangle(shape, k, device, backend, upper=True)


def _triangle(
    shape: tuple[int, ...], k: int, device: Place, backend: Any, *, upper: bool
) -> tuple[Tensor[Any], Tensor[Any]]:
    """The places left of column row + k, or with `upper` from there on."""
    height, width = shape
    found, place, _ = chosen(None, device, backend)
    rows, columns = found.triangle_indices(
        n_rows=height, n_cols=width, k=k, upper=upper, device=place
    )
    return wrap(rows, found), wrap(columns, found)
