"""Arithmetic on shapes, axes and basic index keys; no array is touched here.

The tensor functions use it to check and normalise arguments before a backend sees
them, the contract's derived bodies to compute their parameters.
"""

import math
import operator
from collections.abc import Iterable, Sequence
from types import EllipsisType
from typing import Any, NamedTuple, SupportsIndex

from trivet.errors import ArgumentError, AxisError, ShapeError, TensorIndexError

__all__ = [
    "Axes",
    "BasicKey",
    "Region",
    "as_shape",
    "basic_region",
    "broadcast",
    "complete_key",
    "ints",
    "normalize_axes",
    "normalize_axis",
    "reduced",
    "resolve_reshape",
    "sequence",
    "strides",
    "transposed_size",
    "window_places",
]

Axes = tuple[int, ...] | None
_MOST = 2**59  # elements of 16 bytes that an address of 64 bits reaches
BasicKey = tuple["int | slice | EllipsisType | None", ...]


def sequence(
    number: SupportsIndex | Iterable[SupportsIndex],
) -> Iterable[SupportsIndex]:
    """What holds one number or more, as a sequence.

    >>> sequence(3), sequence([2, 3])
    ((3,), [2, 3])
    """
    # an isinstance of the protocol takes microseconds: it comes last
    if isinstance(number, tuple | list):
        return number
    if isinstance(number, int | SupportsIndex):
        return (number,)
    return number


def ints(
    op: str, name: str, numbers: SupportsIndex | Iterable[SupportsIndex]
) -> tuple[int, ...]:
    """The numbers as a tuple of ints. Raises `ArgumentError` for what is no integer.

    >>> ints("roll", "shift", 3), ints("roll", "shift", [2, 3])
    ((3,), (2, 3))
    """
    try:
        return tuple(map(operator.index, sequence(numbers)))
    except TypeError as error:
        raise ArgumentError(
            f"{op}: {name}={numbers!r} is neither an int nor a sequence of ints."
        ) from error


def as_shape(
    op: str, shape: SupportsIndex | Iterable[SupportsIndex]
) -> tuple[int, ...]:
    """The shape as a tuple of ints, none negative. Raises `ShapeError`.

    >>> as_shape("zeros", 3), as_shape("zeros", [2, 3])
    ((3,), (2, 3))
    """
    try:
        sizes = tuple(map(operator.index, sequence(shape)))
    except TypeError as error:
        raise ShapeError(
            f"{op}: {shape!r} is not a shape; give an int or a sequence of ints."
        ) from error
    if any(size < 0 for size in sizes):
        raise ShapeError(f"{op}: the shape {sizes} has a negative size.")
    if math.prod(sizes) > _MOST:
        raise ShapeError(f"{op}: the shape {sizes} has more elements than can be.")
    return sizes


def normalize_axis(op: str, axis: SupportsIndex, ndim: int) -> int:
    """The axis counted from the front. Raises `AxisError`.

    >>> normalize_axis("flip", -1, 3)
    2
    """
    if axis.__class__ is int and -ndim <= axis < ndim:
        return axis % ndim
    try:
        number = operator.index(axis)
    except TypeError as error:
        raise AxisError(f"{op}: axis={axis!r} is not an int.") from error
    if not -ndim <= number < ndim:
        raise AxisError(
            f"{op}: axis={number} is out of range for a tensor with {ndim} dimension"
            f"{'' if ndim == 1 else 's'}"
            + (
                f"; it can be {-ndim} to {ndim - 1}."
                if ndim
                else ", which has no axes."
            )
        )
    return number % ndim


def normalize_axes(
    op: str, axis: SupportsIndex | Sequence[SupportsIndex] | None, ndim: int
) -> Axes:
    """The axes counted from the front, or `None` for all. Raises `AxisError`.

    >>> normalize_axes("sum", (0, -1), 3)
    (0, 2)
    """
    if axis is None:
        return None
    if axis.__class__ is int:
        return (normalize_axis(op, axis, ndim),)
    try:
        axes = tuple(normalize_axis(op, one, ndim) for one in sequence(axis))
    except TypeError as error:
        raise AxisError(
            f"{op}: axis={axis!r} is neither an int nor a sequence of ints."
        ) from error
    if len(set(axes)) != len(axes):
        given = tuple(sequence(axis))
        raise AxisError(f"{op}: axis={given} names an axis twice.")
    return axes


def broadcast(op: str, *shapes: tuple[int, ...]) -> tuple[int, ...]:
    """The shape that all shapes broadcast to. Raises `ShapeError`.

    >>> broadcast("add", (3, 1), (4,))
    (3, 4)
    """
    result: list[int] = []
    ndim = max((len(shape) for shape in shapes), default=0)
    for i in range(-ndim, 0):
        sizes = {shape[i] for shape in shapes if len(shape) >= -i} - {1}
        if len(sizes) > 1:
            listed = " and ".join(map(str, shapes))
            raise ShapeError(
                f"{op}: the shapes {listed} do not broadcast: axis {i} has the sizes "
                f"{' and '.join(map(str, sorted(sizes)))}. Sizes must be equal or 1."
            )
        result.append(sizes.pop() if sizes else 1)
    return tuple(result)


def resolve_reshape(
    old: tuple[int, ...], new: Sequence[SupportsIndex]
) -> tuple[int, ...]:
    """The new shape with its -1 filled in. Raises `ShapeError`.

    >>> resolve_reshape((2, 6), (3, -1))
    (3, 4)
    """
    sizes, total = tuple(map(operator.index, new)), math.prod(old)
    if -1 in sizes:
        sizes = _filled(sizes, total)
    if math.prod(sizes) == total and not (sizes and min(sizes) < 0):
        return sizes
    raise ShapeError(
        f"reshape: {total} element{'' if total == 1 else 's'} of shape {old} do not "
        f"fit the shape {tuple(map(operator.index, new))}. The product of the sizes "
        "must stay the same; one size may be -1."
    )


def _filled(sizes: tuple[int, ...], total: int) -> tuple[int, ...]:
    """The sizes with the missing one, if that can be told."""
    known = -math.prod(sizes)
    if sizes.count(-1) != 1 or not known or total % known:
        return sizes
    at = sizes.index(-1)
    return (*sizes[:at], total // known, *sizes[at + 1 :])


def reduced(shape: tuple[int, ...], axes: Axes, *, keepdims: bool) -> tuple[int, ...]:
    """The shape after reducing over `axes` (all when `None`).

    >>> reduced((2, 3, 4), (1,), keepdims=False)
    (2, 4)
    """
    gone = range(len(shape)) if axes is None else axes
    if keepdims:
        return tuple(1 if i in gone else size for i, size in enumerate(shape))
    return tuple(size for i, size in enumerate(shape) if i not in gone)


def strides(shape: tuple[int, ...]) -> tuple[int, ...]:
    """How many elements apart neighbours along each axis are, in C order.

    >>> strides((2, 3, 4))
    (12, 4, 1)
    """
    return tuple(math.prod(shape[i + 1 :]) for i in range(len(shape)))


def window_places(
    size: Sequence[int],
    window: Sequence[int],
    stride: Sequence[int],
    padding: Sequence[tuple[int, int]],
    dilation: Sequence[int],
) -> tuple[int, ...]:
    """How many places a window has along each axis; none where it does not fit.

    `padding` holds the sizes added below and above, `dilation` the distances between
    neighbours in the window.

    >>> window_places((7,), (3,), (2,), ((0, 1),), (1,))
    (3,)
    """
    axes = zip(size, window, stride, padding, dilation, strict=True)
    return tuple(
        max((n + sum(pad) - d * (k - 1) - 1) // step + 1, 0)
        for n, k, step, pad, d in axes
    )


def transposed_size(
    places: Sequence[int],
    window: Sequence[int],
    stride: Sequence[int],
    padding: Sequence[tuple[int, int]],
    dilation: Sequence[int],
    output_padding: Sequence[int],
) -> tuple[tuple[int, ...], tuple[tuple[int, int], ...]]:
    """The size of a transposed convolution, and what is cut off on either side of it.

    More output padding than padding makes the result longer than all windows together.

    >>> transposed_size((3,), (2,), (2,), ((0, 0),), (1,), (1,))
    ((7,), ((0, 0),))
    """
    size, cut = [], []
    axes = zip(places, window, stride, padding, dilation, output_padding, strict=True)
    for n, k, step, (low, high), d, extra in axes:
        size.append((n - 1) * step + d * (k - 1) + 1 - low - high + extra)
        cut.append((low, max(high - extra, 0)))
    return tuple(size), tuple(cut)


class Region(NamedTuple):
    """A basic index, resolved: per axis the start, count and step, and the new shape.

    `shape` differs from `size` where integers drop axes or `None` adds them.
    """

    start: tuple[int, ...]
    size: tuple[int, ...]
    step: tuple[int, ...]
    shape: tuple[int, ...]


def basic_region(shape: tuple[int, ...], key: BasicKey) -> Region:
    """What a key of ints, slices, `None` and an ellipsis selects from `shape`.

    Raises `TensorIndexError`.

    >>> basic_region((4, 5), (1, slice(None, None, -2)))
    Region(start=(1, 4), size=(1, 3), step=(1, -2), shape=(3,))
    """
    start, size, step, new = [], [], [], []
    axis = 0
    for part in _without_ellipsis(shape, key):
        if part is None:
            new.append(1)
            continue
        if isinstance(part, slice):
            first, last, by = part.indices(shape[axis])
            count = len(range(first, last, by))
            new.append(count)
        else:
            first, count, by = _position(part, axis, shape), 1, 1
        start.append(first)
        size.append(count)
        step.append(by)
        axis += 1
    return Region(tuple(start), tuple(size), tuple(step), tuple(new))


def _without_ellipsis(
    shape: tuple[int, ...], key: BasicKey
) -> tuple[int | slice | None, ...]:
    used = sum(part is not None and part is not Ellipsis for part in key)
    return complete_key(key, used, len(shape))


def complete_key(key: tuple[Any, ...], used: int, ndim: int) -> tuple[Any, ...]:
    """The key with slices for its ellipsis, or at its end for axes it does not name.

    `used` is how many of the tensor's axes it names. Raises `TensorIndexError`.

    >>> complete_key((0, ..., 1), 2, 3)
    (0, slice(None, None, None), 1)
    """
    if used > ndim:
        raise TensorIndexError(
            f"too many indices: the tensor has {ndim} dimensions, and the index names "
            f"{used}."
        )
    places = [i for i, part in enumerate(key) if part is Ellipsis]
    if len(places) > 1:
        raise TensorIndexError("an index can hold one ellipsis (...), not several.")
    at = places[0] if places else len(key)
    return key[:at] + (slice(None),) * (ndim - used) + key[at + 1 :]


def _position(part: SupportsIndex, axis: int, shape: tuple[int, ...]) -> int:
    number, size = operator.index(part), shape[axis]
    if not -size <= number < size:
        raise TensorIndexError(
            f"index {number} is out of bounds for axis {axis} with size {size}."
        )
    return number % size
