"""Reading and writing many elements at positions along an axis, or at whole indices.

Nothing is changed in place: writing gives a changed copy, which is differentiable.
"""

from typing import Any, SupportsIndex, TypeVar

from trivet.arguments import option
from trivet.contract import OPS, Backend, UpdateMode
from trivet.dispatch import call, common, require_tensor, wrap
from trivet.dtypes import INTEGRAL, can_cast
from trivet.errors import DTypeError, ShapeError
from trivet.failures import fail, wrong_dtype
from trivet.functions.indexing import take_along_axis
from trivet.shapes import broadcast, normalize_axis
from trivet.tensor import Tensor

__all__ = ["gather", "gather_nd", "put_along_axis", "scatter", "scatter_nd"]

B = TypeVar("B", bound=Backend[Any])
_MODES = ("set", "add", "multiply", "minimum", "maximum")


def gather(
    x: Tensor[B], indices: Tensor[Any], /, *, axis: SupportsIndex = -1
) -> Tensor[B]:
    """The elements at the integer `indices` along `axis`: `take_along_axis`.

    `indices` has as many dimensions as `x`; the axes other than `axis` broadcast.
    Raises what `take_along_axis` raises.

    >>> import trivet as tv
    >>> x = tv.asarray([[1, 2], [3, 4]])
    >>> tv.gather(x, tv.asarray([[1], [0]]), axis=1).tolist()
    [[2], [3]]
    """
    return take_along_axis(x, indices, axis=axis)


def scatter(
    x: Tensor[B],
    indices: Tensor[Any],
    updates: Tensor[Any],
    /,
    *,
    axis: SupportsIndex = -1,
    mode: UpdateMode = "set",
) -> Tensor[B]:
    """A copy of `x` with the elements at `indices` along `axis` changed by `updates`.

    `mode` is "set", "add", "multiply", "minimum" or "maximum". Repeated indices are
    taken one after the other; of values that are set, the last counts. `indices` has
    as many dimensions as `x` and its other axes broadcast to those of `x`; `updates`
    broadcasts to that shape and is cast to the dtype of `x`, which must hold it.

    Raises `ShapeError`, `DTypeError`, `AxisError`, `ValueError` for another mode, and
    `TensorIndexError` where the backend checks bounds.

    >>> import trivet as tv
    >>> zeros, places = tv.zeros(3), tv.asarray([0, 2, 0])
    >>> tv.scatter(zeros, places, tv.asarray([1.0, 2.0, 3.0]), mode="add").tolist()
    [4.0, 0.0, 2.0]
    """
    _require_writable("scatter", x, indices, updates, mode)
    along = _axis_of_indices("scatter", x, indices, axis)
    place = (*x.shape[:along], indices.shape[along], *x.shape[along + 1 :])
    _require_fits("scatter", "indices", indices.shape, place)
    _require_fits("scatter", "updates", updates.shape, place)
    values = _cast("scatter", updates, x)
    return call("scatter", x, indices, values, axis=along, mode=mode)


def put_along_axis(
    x: Tensor[B],
    indices: Tensor[Any],
    values: Tensor[Any],
    /,
    *,
    axis: SupportsIndex = -1,
) -> Tensor[B]:
    """A copy of `x` with the elements at `indices` along `axis` set to `values`.

    What `scatter` does in its mode "set", and what `take_along_axis` reads back.
    Unlike NumPy's function of the name it gives a copy.

    >>> import trivet as tv
    >>> x = tv.asarray([[3, 1], [2, 4]])
    >>> tv.put_along_axis(x, tv.asarray([[0], [1]]), tv.asarray(9), axis=1).tolist()
    [[9, 1], [2, 9]]
    """
    return scatter(x, indices, values, axis=axis, mode="set")


def gather_nd(x: Tensor[B], indices: Tensor[Any], /) -> Tensor[B]:
    """The elements or slices of `x` at the positions along the last axis of `indices`.

    `indices` of shape (..., m) gives a result of shape (..., *x.shape[m:]). Raises
    `ShapeError` unless 1 <= m <= x.ndim, `DTypeError` unless the indices are
    integers, and `TensorIndexError` where the backend checks bounds.

    >>> import trivet as tv
    >>> x = tv.asarray([[1, 2], [3, 4]])
    >>> tv.gather_nd(x, tv.asarray([[0, 0], [1, 0]])).tolist()
    [1, 3]
    """
    require_tensor("gather_nd", x, indices)
    _require_positions("gather_nd", x, indices)
    backend, (handle, places) = common("gather_nd", (x, indices))
    try:
        taken = backend.getitem_arrays(handle, _columns(backend, places))
    except Exception as error:  # noqa: BLE001  # `fail` raises it again, explained
        fail("gather_nd", error, (x, indices), {})
    return wrap(taken, backend)


def scatter_nd(
    x: Tensor[B],
    indices: Tensor[Any],
    updates: Tensor[Any],
    /,
    *,
    mode: UpdateMode = "set",
) -> Tensor[B]:
    """A copy of `x` with what `gather_nd(x, indices)` reads changed by `updates`.

    Modes, repeated positions and errors are those of `scatter`.

    >>> import trivet as tv
    >>> places = tv.asarray([[1, 1], [0, 1]])
    >>> tv.scatter_nd(tv.zeros((2, 2)), places, tv.asarray([5.0, 7.0])).tolist()
    [[0.0, 7.0], [0.0, 5.0]]
    """
    _require_writable("scatter_nd", x, indices, updates, mode)
    _require_positions("scatter_nd", x, indices)
    place = (*indices.shape[:-1], *x.shape[indices.shape[-1] :])
    _require_fits("scatter_nd", "updates", updates.shape, place)
    operands = (x, indices, _cast("scatter_nd", updates, x))
    backend, (handle, places, values) = common("scatter_nd", operands)
    try:
        columns = _columns(backend, places)
        done = backend.setitem_arrays(handle, columns, values, mode=mode)
    except Exception as error:  # noqa: BLE001  # `fail` raises it again, explained
        fail("scatter_nd", error, operands, {"mode": mode})
    return wrap(done, backend)


def _columns(backend: Backend[Any], places: Any) -> list[Any]:
    return [backend.getitem(places, key=(..., i)) for i in range(places.shape[-1])]


def _require_writable(
    op: str, x: Tensor[Any], indices: Tensor[Any], updates: Tensor[Any], mode: str
) -> None:
    require_tensor(op, x, indices, updates)
    option(op, "mode", mode, _MODES)
    if mode != "set" and x.dtype.kind not in OPS[mode].kinds:
        raise wrong_dtype(mode, x.dtype)
    _require_integers(op, indices)


def _require_integers(op: str, indices: Tensor[Any]) -> None:
    if indices.dtype.kind not in INTEGRAL:
        raise DTypeError(
            f"{op}: the indices have the dtype {indices.dtype} and must be integers. "
            "Cast with .astype(...)."
        )


def _axis_of_indices(
    op: str, x: Tensor[Any], indices: Tensor[Any], axis: SupportsIndex
) -> int:
    if x.ndim != indices.ndim:
        raise ShapeError(
            f"{op}: the tensor has {x.ndim} dimensions and the indices have "
            f"{indices.ndim}. They must have equally many."
        )
    return normalize_axis(op, axis, x.ndim)


def _require_positions(op: str, x: Tensor[Any], indices: Tensor[Any]) -> None:
    _require_integers(op, indices)
    if not indices.ndim or not 1 <= indices.shape[-1] <= x.ndim:
        raise ShapeError(
            f"{op}: indices of shape {indices.shape} do not fit a tensor of shape "
            f"{x.shape}: their last axis holds a position, of 1 to {x.ndim} numbers."
        )


def _require_fits(
    op: str, what: str, shape: tuple[int, ...], place: tuple[int, ...]
) -> None:
    if len(shape) > len(place) or broadcast(op, shape, place) != place:
        raise ShapeError(
            f"{op}: {what} of shape {shape} do not broadcast to {place}, the shape of "
            "what they are for."
        )


def _cast(op: str, updates: Tensor[Any], x: Tensor[Any]) -> Tensor[Any]:
    if updates.dtype == x.dtype:
        return updates
    if not can_cast(updates.dtype, x.dtype):
        raise DTypeError(
            f"{op}: updates of dtype {updates.dtype} do not fit a tensor of dtype "
            f"{x.dtype}. Cast one of them with .astype(...) first."
        )
    return call("astype", updates, dtype=x.dtype)
