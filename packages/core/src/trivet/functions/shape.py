"""Functions that rearrange elements without computing with them.

Two tensors never see each other's writes, so it makes no difference to a user which of
these share memory.
"""

import operator
from collections.abc import Sequence
from itertools import chain
from itertools import repeat as times
from typing import Any, SupportsIndex, TypeVar

from trivet.contract import Backend
from trivet.convert import asarray
from trivet.dispatch import call, call_many, method, require_tensor
from trivet.dtypes import INTEGRAL
from trivet.errors import AxisError, DTypeError, ShapeError
from trivet.shapes import (
    as_shape,
    broadcast,
    normalize_axes,
    normalize_axis,
    resolve_reshape,
    sequence,
)
from trivet.tensor import Tensor

__all__ = [
    "broadcast_arrays",
    "broadcast_shapes",
    "broadcast_to",
    "concat",
    "expand_dims",
    "flip",
    "moveaxis",
    "permute_dims",
    "repeat",
    "reshape",
    "roll",
    "squeeze",
    "stack",
    "tile",
    "unstack",
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


def concat(
    arrays: Sequence[Tensor[B]], /, *, axis: SupportsIndex | None = 0
) -> Tensor[B]:
    """The tensors one after the other along `axis`, in their promoted dtype.

    With `axis=None` they are flattened first. The other axes must have equal sizes.
    Raises `ShapeError`, `AxisError`.

    >>> import trivet as tv
    >>> tv.concat([tv.asarray([1, 2]), tv.asarray([3])]).tolist()
    [1, 2, 3]
    """
    parts = _some("concat", arrays)
    if axis is None:
        flat = [call("reshape", x, shape=(x.size,)) for x in parts]
        return call_many("concat", flat, axis=0)
    along = normalize_axis("concat", axis, parts[0].ndim)
    for place, part in enumerate(parts):
        if not _differ_only_along(along, parts[0].shape, part.shape):
            raise ShapeError(
                f"concat: the tensors 0 and {place} have the shapes {parts[0].shape} "
                f"and {part.shape}, which differ outside axis {along}."
            )
    return call_many("concat", parts, axis=along)


def _some(op: str, arrays: Sequence[Tensor[B]]) -> list[Tensor[B]]:
    parts = list(arrays)
    require_tensor(op, *parts)
    if not parts:
        raise ShapeError(f"{op}: there are no tensors to join; give at least one.")
    return parts


def _differ_only_along(axis: int, one: tuple[int, ...], two: tuple[int, ...]) -> bool:
    return len(one) == len(two) and (
        one[:axis] + one[axis + 1 :] == two[:axis] + two[axis + 1 :]
    )


@method
def expand_dims(x: Tensor[B], /, axis: Ints) -> Tensor[B]:
    """With axes of size 1 at the places `axis` of the result.

    Raises `AxisError`.

    >>> import trivet as tv
    >>> tv.expand_dims(tv.zeros((2, 3)), (0, -1)).shape
    (1, 2, 3, 1)
    """
    require_tensor("expand_dims", x)
    axes = _ints(axis)
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
    order = normalize_axes("permute_dims", tuple(axes), x.ndim) or ()
    if len(order) != x.ndim:
        raise AxisError(
            f"permute_dims: axes={tuple(axes)} names {len(order)} of the tensor's "
            f"{x.ndim} axes; name every axis once."
        )
    return call("permute_dims", x, axes=order)


@method
def repeat(
    x: Tensor[B],
    repeats: SupportsIndex | Tensor[Any],
    /,
    *,
    axis: SupportsIndex | None = None,
) -> Tensor[B]:
    """Each element along `axis` repeated `repeats` times; of the flat `x` if `None`.

    A 1-D integer tensor gives a count for each element, or one for all; its values are
    read back to the host. Raises `ShapeError`, `DTypeError`, `AxisError`.

    >>> import trivet as tv
    >>> tv.repeat(tv.asarray([5, 6]), 2).tolist()
    [5, 5, 6, 6]
    >>> tv.repeat(tv.asarray([5, 6]), tv.asarray([0, 3])).tolist()
    [6, 6, 6]
    """
    require_tensor("repeat", x)
    if axis is None:
        return repeat(call("reshape", x, shape=(x.size,)), repeats, axis=0)
    along = normalize_axis("repeat", axis, x.ndim)
    counts = _counts(repeats, x.shape[along])
    if len(counts) == 1:
        return _repeated_evenly(x, counts[0], along)
    places = list(chain.from_iterable(map(times, range(len(counts)), counts)))
    dtype = x.backend.default_dtypes(x.device).indexing
    indices = asarray(places, dtype=dtype, device=x.device, backend=x.backend)
    return call("take", x, indices, axis=along)


def _counts(repeats: SupportsIndex | Tensor[Any], size: int) -> list[int]:
    """One count for all elements, or one for each of `size` elements."""
    if not isinstance(repeats, Tensor):
        counts = [repeats.__index__()]
    elif repeats.dtype.kind not in INTEGRAL:
        raise DTypeError(
            f"repeat: the repeats have the dtype {repeats.dtype} and must be integers. "
            "Cast with .astype(...)."
        )
    elif repeats.ndim > 1 or repeats.size not in {1, size}:
        raise ShapeError(
            f"repeat: the repeats have the shape {repeats.shape}, and the axis has "
            f"{size} elements. Give one count, or one for each element."
        )
    else:
        counts = call("reshape", repeats, shape=(repeats.size,)).tolist()
    if min(counts, default=0) < 0:
        raise ShapeError(f"repeat: the count {min(counts)} is negative.")
    return counts


def _repeated_evenly(x: Tensor[B], count: int, axis: int) -> Tensor[B]:
    before, after = x.shape[: axis + 1], x.shape[axis + 1 :]
    apart = call("expand_dims", x, axis=(axis + 1,))
    many = call("broadcast_to", apart, shape=(*before, count, *after))
    return call("reshape", many, shape=(*before[:-1], before[-1] * count, *after))


@method
def reshape(x: Tensor[B], /, shape: Ints, *, copy: bool | None = None) -> Tensor[B]:
    """The elements in C order as another shape of the same size; one size may be -1.

    `copy=True` always copies. The backend copies only where it must otherwise.
    Raises `ShapeError` where the sizes do not fit.

    >>> import trivet as tv
    >>> tv.reshape(tv.asarray([1, 2, 3, 4]), (2, -1)).tolist()
    [[1, 2], [3, 4]]
    """
    require_tensor("reshape", x)
    shaped = call("reshape", x, shape=resolve_reshape(x.shape, _ints(shape)))
    return call("copy", shaped) if copy else shaped


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
    shifts = _ints(shift)
    if axis is None:
        return call("roll", x, shift=(sum(shifts),), axis=None)
    axes = tuple(normalize_axis("roll", one, x.ndim) for one in _ints(axis))
    if not isinstance(shift, Sequence):
        shifts *= len(axes)
    if len(shifts) != len(axes):
        raise ShapeError(
            f"roll: there are {len(shifts)} shifts for {len(axes)} axes; they pair up "
            "one to one."
        )
    return call("roll", x, shift=shifts, axis=axes)


def _ints(numbers: Ints) -> tuple[int, ...]:
    return tuple(map(operator.index, sequence(numbers)))


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


def stack(arrays: Sequence[Tensor[B]], /, *, axis: SupportsIndex = 0) -> Tensor[B]:
    """Tensors of one shape along a new axis, in their promoted dtype.

    Raises `ShapeError`, `AxisError`.

    >>> import trivet as tv
    >>> tv.stack([tv.asarray([1, 2]), tv.asarray([3, 4])], axis=1).tolist()
    [[1, 3], [2, 4]]
    """
    parts = _some("stack", arrays)
    for place, part in enumerate(parts):
        if part.shape != parts[0].shape:
            raise ShapeError(
                f"stack: the tensors 0 and {place} have the shapes {parts[0].shape} "
                f"and {part.shape}; they must be the same."
            )
    along = normalize_axis("stack", axis, parts[0].ndim + 1)
    return call_many("stack", parts, axis=along)


@method
def tile(x: Tensor[B], repetitions: Ints, /) -> Tensor[B]:
    """The whole tensor repeated along each axis.

    The shorter of shape and repetitions is filled up with ones in front. Raises
    `ShapeError` for a negative count.

    >>> import trivet as tv
    >>> tv.tile(tv.asarray([1, 2]), (2, 2)).tolist()
    [[1, 2, 1, 2], [1, 2, 1, 2]]
    """
    require_tensor("tile", x)
    counts = _ints(repetitions)
    if min(counts, default=0) < 0:
        raise ShapeError(f"tile: the repetitions {counts} hold a negative count.")
    counts = (1,) * (x.ndim - len(counts)) + counts
    shape = (1,) * (len(counts) - x.ndim) + x.shape
    whole = call("reshape", x, shape=shape) if shape != x.shape else x
    return call("tile", whole, repetitions=counts)


@method
def unstack(x: Tensor[B], /, *, axis: SupportsIndex = 0) -> tuple[Tensor[B], ...]:
    """The slices along `axis`, without it, as a tuple. Raises `AxisError`.

    >>> import trivet as tv
    >>> [part.tolist() for part in tv.unstack(tv.asarray([[1, 2], [3, 4]]))]
    [[1, 2], [3, 4]]
    """
    require_tensor("unstack", x)
    along = normalize_axis("unstack", axis, x.ndim)
    before = (slice(None),) * along
    return tuple(call("getitem", x, key=(*before, i)) for i in range(x.shape[along]))
