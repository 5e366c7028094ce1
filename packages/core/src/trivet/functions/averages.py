"""Weighted means, and how far elements are spread.

`axis` is an int, a tuple of ints, or `None` for all axes; with `keepdims=True` the
reduced axes stay, with size 1.
"""

import math
from collections.abc import Sequence
from typing import Any, SupportsIndex, TypeVar

from trivet.contract import Backend
from trivet.dispatch import call, require_kind, require_tensor
from trivet.errors import ShapeError
from trivet.functions.floats import as_floats
from trivet.shapes import Axes, normalize_axes
from trivet.tensor import Tensor

__all__ = ["average", "ptp"]

B = TypeVar("B", bound=Backend[Any])
Axis = SupportsIndex | Sequence[SupportsIndex] | None


def average(
    x: Tensor[B],
    /,
    *,
    axis: Axis = None,
    weights: Tensor[Any] | None = None,
    keepdims: bool = False,
) -> Tensor[B]:
    """The mean along `axis`, in which elements count as much as `weights` says.

    The weights have the shape of `x`, or that of the axes alone, in their order; their
    sum divides: where it is 0, the result is infinite or NaN. Without weights it is
    `mean`. Integers are taken as float64. Raises `ShapeError`, `AxisError`.

    >>> import trivet as tv
    >>> x, weights = tv.asarray([[1.0, 5.0], [2.0, 4.0]]), tv.asarray([3.0, 1.0])
    >>> tv.average(x, axis=1, weights=weights).tolist()
    [2.0, 2.5]
    """
    require_tensor("average", x)
    axes = normalize_axes("average", axis, x.ndim)
    if weights is None:
        return call("mean", x, axis=axes, keepdims=keepdims)
    require_tensor("average", x, weights)
    values, parts = as_floats("average", x, weights)
    parts = call("broadcast_to", _aligned(parts, x, axes), shape=x.shape)
    over: dict[str, Any] = {"axis": axes, "dtype": None, "keepdims": keepdims}
    return call("sum", values * parts, **over) / call("sum", parts, **over)


def _aligned(weights: Tensor[Any], x: Tensor[Any], axes: Axes) -> Tensor[Any]:
    """The weights shaped to broadcast against `x`."""
    if weights.shape == x.shape:
        return weights
    if axes is None or weights.shape != tuple(x.shape[axis] for axis in axes):
        raise ShapeError(
            f"average: weights of shape {weights.shape} do not fit a tensor of shape "
            f"{x.shape} along axis={axes}. Give them the shape of all of it, or of "
            "these axes."
        )
    order = tuple(sorted(range(len(axes)), key=axes.__getitem__))
    turned = call("permute_dims", weights, axes=order)
    shape = tuple(n if axis in axes else 1 for axis, n in enumerate(x.shape))
    return call("reshape", turned, shape=shape)


def ptp(x: Tensor[B], /, *, axis: Axis = None, keepdims: bool = False) -> Tensor[B]:
    """The largest less the smallest element along `axis`, "peak to peak".

    NaN if there is one; integers wrap. Raises `ShapeError` over nothing, `DTypeError`
    unless real, `AxisError`.

    >>> import trivet as tv
    >>> tv.ptp(tv.asarray([[1, 5], [2, 4]]), axis=1).tolist()
    [4, 2]
    """
    require_kind("max", x)
    axes = normalize_axes("ptp", axis, x.ndim)
    if not math.prod(x.shape if axes is None else [x.shape[one] for one in axes]):
        raise ShapeError(
            f"ptp: the tensor of shape {x.shape} has no elements along axis={axis}."
        )
    most, least = (call(op, x, axis=axes, keepdims=keepdims) for op in ("max", "min"))
    return call("subtract", most, least)
