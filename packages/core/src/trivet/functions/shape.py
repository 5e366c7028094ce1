"""Functions of the shape: its sizes, its axes and their order.

Two tensors never see each other's writes, so it makes no difference to a user which of
these share memory.
"""

from collections.abc import Sequence
from typing import Any, SupportsIndex, TypeVar

from trivet.arguments import flag, items
from trivet.contract import Backend
from trivet.dispatch import call, method, require_tensor
from trivet.errors import ArgumentError, AxisError, ShapeError
from trivet.failures import describe
from trivet.shapes import (
    as_shape,
    broadcast,
    ints,
    normalize_axes,
    normalize_axis,
    resolve_reshape,
)
from trivet.tensor import Tensor

__all__ = [
    "broadcast_arrays",
    "broadcast_shapes",
    "broadcast_to",
    "expand_dims",
    "flip",
    "moveaxis",
    "permute_dims",
    "reshape",
    "roll",
    "squeeze",
]

B = TypeVar("B", bound=Backend[Any])
Ints = SupportsIndex | Sequence[SupportsIndex]


def broadcast_arrays(*arrays: Tensor[B]) -> tuple[Tensor[B], ...]:
    """The tensors, each broadcast to the shape that all broadcast to.

    Raises `ShapeError`.

    >>> import trivet as tv
    >>> [x.shape for x in tv.broadcast_arrays(tv.zeros((3, 1)), tv.zeros(4))]
    [(3, 4), (3, 4)]
    """
    require_tensor("broadcast_arrays", *arrays)
    shape = broadcast("broadcast_arrays", *(x.shape for x in arrays))
    return tuple(call("broadcast_to", x, shape=shape) for x in arrays)


def broadcast_shapes(*shapes: Sequence[SupportsIndex]) -> tuple[int, ...]:
    """The shape that all shapes broadcast to. Raises `ShapeError`.

    >>> import trivet as tv
    >>> tv.broadcast_shapes((3, 1), (4,))
    (3, 4)
    """
    op = "broadcast_shapes"
    return broadcast(op, *(as_shape(op, shape) for shape in shapes))


@method
def broadcast_to(x: Tensor[B], /, shape: Ints) -> Tensor[B]:
    """The elements repeated along new axes in front and axes of size 1.

    Raises `ShapeError` where an axis of another size would have to change.

    >>> import trivet as tv
    >>> tv.broadcast_to(tv.asarray([1, 2]), (2, 2)).tolist()
    [[1, 2], [1, 2]]
    """
    require_tensor("broadcast_to", x)
    wanted = as_shape("broadcast_to", shape)
    if broadcast("broadcast_to", x.shape, wanted) != wanted:
        raise ShapeError(
            f"broadcast_to: a tensor of shape {x.shape} does not broadcast to {wanted}."
            " Only axes of size 1 can grow, and new axes come in front."
        )
    return call("broadcast_to", x, shape=wanted)


@method
def expand_dims(x: Tensor[B], /, axis: Ints) -> Tensor[B]:
    """With axes of size 1 at the places `axis` of the result.

    Raises `AxisError`.

    >>> import trivet as tv
    >>> tv.expand_dims(tv.zeros((2, 3)), (0, -1)).shape
    (1, 2, 3, 1)
    """
    require_tensor("expand_dims", x)
    axes = ints("expand_dims", "axis", axis)
    places = normalize_axes("expand_dims", axes, x.ndim + len(axes))
    return call("expand_dims", x, axis=places)


@method
def flip(x: Tensor[B], /, *, axis: Ints | None = None) -> Tensor[B]:
    """The elements in reverse order along the axes; along all when `axis=None`.

    Raises `AxisError`.

    >>> import trivet as tv
    >>> tv.flip(tv.asarray([[1, 2], [3, 4]]), axis=1).tolist()
    [[2, 1], [4, 3]]
    """
    require_tensor("flip", x)
    return call("flip", x, axis=normalize_axes("flip", axis, x.ndim))


@method
def moveaxis(x: Tensor[B], source: Ints, destination: Ints, /) -> Tensor[B]:
    """The axes `source` moved to the places `destination`, the others in their order.

    Raises `ShapeError` unless both have equally many entries, `AxisError`.

    >>> import trivet as tv
    >>> tv.moveaxis(tv.zeros((2, 3, 4)), 0, -1).shape
    (3, 4, 2)
    """
    require_tensor("moveaxis", x)
    old = normalize_axes("moveaxis", source, x.ndim) or ()
    new = normalize_axes("moveaxis", destination, x.ndim) or ()
    if len(old) != len(new):
        raise ShapeError(
            f"moveaxis: source has {len(old)} axes and destination has {len(new)}; "
            "they pair up one to one."
        )
    order = [i for i in range(x.ndim) if i not in old]
    for place, axis in sorted(zip(new, old, strict=True)):
        order.insert(place, axis)
    return call("permute_dims", x, axes=tuple(order))


@method
def permute_dims(x: Tensor[B], /, axes: Sequence[SupportsIndex]) -> Tensor[B]:
    """The axes in another order: axis `i` of the result is axis `axes[i]` of `x`.

    Raises `AxisError` unless `axes` names every axis once.

    >>> import trivet as tv
    >>> tv.permute_dims(tv.zeros((2, 3, 4)), (2, 0, 1)).shape
    (4, 2, 3)
    """
    require_tensor("permute_dims", x)
    named = tuple(items("permute_dims", "axes", axes))
    order = normalize_axes("permute_dims", named, x.ndim) or ()
    if len(order) != x.ndim:
        raise AxisError(
            f"permute_dims: axes={named} names {len(order)} of the tensor's "
            f"{x.ndim} axes; name every axis once."
        )
    return call("permute_dims", x, axes=order)


@method
def reshape(x: Tensor[B], /, shape: Ints, *, copy: bool | None = None) -> Tensor[B]:
    """The elements in C order as another shape of the same size; one size may be -1.

    `copy=True` always copies, `copy=None` only where it must, and `copy=False` never:
    it raises `ValueError` where that cannot be, or where the backend cannot tell.
    Raises `ShapeError` where the sizes do not fit.

    >>> import trivet as tv
    >>> tv.reshape(tv.asarray([1, 2, 3, 4]), (2, -1)).tolist()
    [[1, 2], [3, 4]]
    """
    require_tensor("reshape", x)
    wanted = resolve_reshape(x.shape, ints("reshape", "shape", shape))
    if copy is None:
        return call("reshape", x, shape=wanted)
    if not flag("reshape", "copy", copy):
        _require_view(x, wanted)
        return call("reshape", x, shape=wanted)
    return call("copy", call("reshape", x, shape=wanted))


def _require_view(x: Tensor[Any], shape: tuple[int, ...]) -> None:
    if x.backend.reshape_is_view(x.handle, shape=shape):
        return
    tells = x.backend.support("reshape_is_view") == "native"
    raise ArgumentError(
        "reshape: copy=False, and the backend "
        + ("copies" if tells else "cannot tell whether it copies")
        + f" to make {shape} of {describe(x)}. Pass copy=None or copy=True."
    )


@method
def roll(x: Tensor[B], /, shift: Ints, *, axis: Ints | None = None) -> Tensor[B]:
    """The elements moved along `axis` by `shift`, round the end to the start.

    With `axis=None` the flat elements are rolled. Several shifts pair up with several
    axes; one shift goes with all axes. Raises `ShapeError`, `AxisError`.

    >>> import trivet as tv
    >>> tv.roll(tv.asarray([1, 2, 3]), 1).tolist()
    [3, 1, 2]
    """
    require_tensor("roll", x)
    shifts = ints("roll", "shift", shift)
    if axis is None:
        return call("roll", x, shift=(sum(shifts),), axis=None)
    axes = tuple(
        normalize_axis("roll", one, x.ndim) for one in ints("roll", "axis", axis)
    )
    if not isinstance(shift, Sequence):
        shifts *= len(axes)
    if len(shifts) != len(axes):
        raise ShapeError(
            f"roll: there are {len(shifts)} shifts for {len(axes)} axes; they pair up "
            "one to one."
        )
    if not axes:
        return call("reshape", x, shape=x.shape)
    return call("roll", x, shift=shifts, axis=axes)


@method
def squeeze(x: Tensor[B], /, axis: Ints) -> Tensor[B]:
    """Without the named axes, which must have size 1.

    Raises `ShapeError` for an axis of another size, `AxisError`.

    >>> import trivet as tv
    >>> tv.squeeze(tv.zeros((1, 3, 1)), 0).shape
    (3, 1)
    """
    require_tensor("squeeze", x)
    axes = normalize_axes("squeeze", axis, x.ndim) or ()
    for one in axes:
        if x.shape[one] != 1:
            raise ShapeError(
                f"squeeze: axis {one} of the shape {x.shape} has the size "
                f"{x.shape[one]}; only axes of size 1 can go."
            )
    return call("squeeze", x, axis=axes)
