"""Padding, splitting, turning, windows and diagonals: elements in other places.

As in `shape`, two tensors never see each other's writes.
"""

import math
from collections.abc import Sequence
from itertools import accumulate, pairwise
from typing import Any, SupportsIndex, TypeVar

from trivet import dtypes
from trivet.arguments import integer, items, option, scalar
from trivet.contract import Backend
from trivet.contract.rearrangement import PadMode
from trivet.dispatch import call, method, require_tensor
from trivet.dtypes import DType, Scalar, can_cast, weak_dtype
from trivet.errors import AxisError, DTypeError, ShapeError
from trivet.functions.shape import permute_dims
from trivet.shapes import ints, normalize_axes, normalize_axis
from trivet.tensor import Tensor

__all__ = [
    "chunk",
    "diag",
    "flatten",
    "narrow",
    "pad",
    "ravel",
    "rot90",
    "split",
    "swapaxes",
    "transpose",
    "unfold",
]

B = TypeVar("B", bound=Backend[Any])
_MODES = ("constant", "reflect", "edge", "circular")


@method
def swapaxes(x: Tensor[B], axis1: SupportsIndex, axis2: SupportsIndex, /) -> Tensor[B]:
    """The two axes exchanged. Raises `AxisError`.

    >>> import trivet as tv
    >>> tv.swapaxes(tv.zeros((2, 3, 4)), 0, -1).shape
    (4, 3, 2)
    """
    require_tensor("swapaxes", x)
    first, second = (
        normalize_axis("swapaxes", axis, x.ndim) for axis in (axis1, axis2)
    )
    order = list(range(x.ndim))
    order[first], order[second] = second, first
    return call("permute_dims", x, axes=tuple(order))


@method
def transpose(
    x: Tensor[B], /, axes: Sequence[SupportsIndex] | None = None
) -> Tensor[B]:
    """The axes in reverse order, or in the order `axes`, as NumPy's `transpose`.

    The standard has `permute_dims` and `matrix_transpose`; other libraries look for
    this name. Raises `AxisError` unless `axes` names every axis once.

    >>> import trivet as tv
    >>> tv.transpose(tv.zeros((2, 3, 4))).shape
    (4, 3, 2)
    """
    require_tensor("transpose", x)
    return permute_dims(x, range(x.ndim)[::-1] if axes is None else axes)


@method
def ravel(x: Tensor[B], /) -> Tensor[B]:
    """The elements in C order along one axis.

    >>> import trivet as tv
    >>> tv.ravel(tv.asarray([[1, 2], [3, 4]])).tolist()
    [1, 2, 3, 4]
    """
    require_tensor("ravel", x)
    return call("reshape", x, shape=(x.size,))


@method
def flatten(
    x: Tensor[B],
    /,
    *,
    start_axis: SupportsIndex = 0,
    end_axis: SupportsIndex = -1,
) -> Tensor[B]:
    """The axes from `start_axis` to `end_axis`, both included, as one.

    All of them unless told otherwise; a 0-d tensor becomes 1-D. Raises `AxisError`.

    >>> import trivet as tv
    >>> tv.flatten(tv.zeros((2, 3, 4)), start_axis=1).shape
    (2, 12)
    """
    require_tensor("flatten", x)
    if not x.ndim:
        return call("reshape", x, shape=(1,))
    first = normalize_axis("flatten", start_axis, x.ndim)
    last = normalize_axis("flatten", end_axis, x.ndim)
    if first > last:
        raise AxisError(
            f"flatten: start_axis={first} is behind end_axis={last}; it must not be."
        )
    size = math.prod(x.shape[first : last + 1])
    shape = (*x.shape[:first], size, *x.shape[last + 1 :])
    return call("reshape", x, shape=shape)


def rot90(
    x: Tensor[B], /, *, k: int = 1, axes: Sequence[SupportsIndex] = (0, 1)
) -> Tensor[B]:
    """Turned by `k` quarters in the plane of two axes, from the first to the second.

    Raises `AxisError` unless `axes` are two.

    >>> import trivet as tv
    >>> tv.rot90(tv.asarray([[1, 2], [3, 4]])).tolist()
    [[2, 4], [1, 3]]
    """
    require_tensor("rot90", x)
    given = tuple(items("rot90", "axes", axes))
    plane = normalize_axes("rot90", given, x.ndim)
    if plane is None or len(plane) != 2:
        raise AxisError(f"rot90: axes={given} are not two axes.")
    first, second = plane
    turns = integer("rot90", "k", k) % 4
    if turns == 2:
        return call("flip", x, axis=plane)
    if turns == 1:
        x = call("flip", x, axis=(second,))
    turned = swapaxes(x, first, second) if turns else x
    return call("flip", turned, axis=(second,)) if turns == 3 else turned


def pad(
    x: Tensor[B],
    pad_width: SupportsIndex | Sequence[Any],
    /,
    *,
    mode: PadMode = "constant",
    constant_values: Scalar = 0,
) -> Tensor[B]:
    """The tensor with more elements in front of and behind each axis.

    `pad_width` is one number for all, a pair (before, behind) for all axes, or a pair
    for each axis. `mode` says with what: "constant" with `constant_values`; "edge" with
    the first and the last element; "reflect" with those next to them, mirrored, as
    often as needed; "circular" with those of the other end.

    Raises `ShapeError` for widths that do not fit or are negative, or an empty axis
    with nothing to repeat; `DTypeError` for a constant that `x` cannot hold;
    `ValueError` for another mode.

    >>> import trivet as tv
    >>> x = tv.asarray([1, 2, 3])
    >>> tv.pad(x, (1, 2)).tolist()
    [0, 1, 2, 3, 0, 0]
    >>> tv.pad(x, (1, 2), mode="reflect").tolist()
    [2, 1, 2, 3, 2, 1]
    """
    require_tensor("pad", x)
    option("pad", "mode", mode, _MODES)
    width = _widths(x, pad_width)
    for axis, ends in enumerate(width):
        if mode != "constant" and any(ends) and not x.shape[axis]:
            raise ShapeError(
                f"pad: axis {axis} of a tensor of shape {x.shape} is empty and has no "
                f'elements for mode={mode!r}. Use mode="constant".'
            )
    number = scalar("pad", "constant_values", constant_values)
    if not _holds(x.dtype, number):
        raise DTypeError(
            f"pad: constant_values={constant_values!r} does not fit a tensor of dtype "
            f"{x.dtype}. Cast it with .astype(...) first."
        )
    return call("pad", x, width=width, mode=mode, value=number)


def _holds(dtype: DType, number: Any) -> bool:
    if number == 0:
        return True
    if not can_cast(weak_dtype(dtype, number), dtype):
        return False
    if dtype.kind not in dtypes.INTEGRAL:
        return True
    limits = dtypes.iinfo(dtype)
    return bool(limits.min <= number <= limits.max)


def _paired(ends: Any) -> bool:
    return isinstance(ends, Sequence) and len(ends) == 2


def _widths(x: Tensor[Any], given: Any) -> tuple[tuple[int, int], ...]:
    if not hasattr(given, "__iter__") or getattr(given, "shape", True) == ():
        given = (integer("pad", "pad_width", given),) * 2
    pairs = list(given)
    if len(pairs) == 2 and all(hasattr(end, "__index__") for end in pairs):
        pairs = [tuple(pairs)] * x.ndim
    if len(pairs) != x.ndim or any(not _paired(ends) for ends in pairs):
        raise ShapeError(
            f"pad: pad_width={given!r} does not fit a tensor of shape {x.shape}. Give "
            "a number, a pair (before, behind), or a pair for each axis."
        )
    low, high = zip(*pairs, strict=True) if pairs else ((), ())
    width = tuple(
        zip(ints("pad", "pad_width", low), ints("pad", "pad_width", high), strict=True)
    )
    if any(end < 0 for pair in width for end in pair):
        raise ShapeError(
            f"pad: pad_width={given!r} has a negative number. Slice to leave elements "
            "out."
        )
    return width


def narrow(
    x: Tensor[B],
    axis: SupportsIndex,
    start: SupportsIndex,
    length: SupportsIndex,
    /,
) -> Tensor[B]:
    """The `length` elements along `axis` from `start` on.

    A negative start counts from the end. Raises `ShapeError` where they are not all
    there, which a slice would not, and `AxisError`.

    >>> import trivet as tv
    >>> tv.narrow(tv.asarray([1, 2, 3, 4]), 0, 1, 2).tolist()
    [2, 3]
    """
    require_tensor("narrow", x)
    along = normalize_axis("narrow", axis, x.ndim)
    n, first = x.shape[along], integer("narrow", "start", start)
    count = integer("narrow", "length", length)
    begin = first + n if first < 0 else first
    if not 0 <= begin <= begin + count <= n:
        raise ShapeError(
            f"narrow: {count} elements from {first} on are not all in axis {along} of "
            f"size {n}."
        )
    return _slice(x, along, begin, begin + count)


def _slice(x: Tensor[B], axis: int, start: int, stop: int) -> Tensor[B]:
    return call("getitem", x, key=(*(slice(None),) * axis, slice(start, stop)))


def split(
    x: Tensor[B],
    sizes: SupportsIndex | Sequence[SupportsIndex],
    /,
    *,
    axis: SupportsIndex = 0,
) -> list[Tensor[B]]:
    """Pieces of these sizes along `axis`.

    One number is the size of every piece; the last is smaller where it does not go in.
    (NumPy's function takes the number of pieces and positions instead; for a number of
    pieces, there is `chunk`.) Raises `ShapeError` for a size below 1, or sizes that do
    not add up to that of the axis; `AxisError`.

    >>> import trivet as tv
    >>> x = tv.asarray([1, 2, 3, 4, 5])
    >>> [part.tolist() for part in tv.split(x, 2)]
    [[1, 2], [3, 4], [5]]
    >>> [part.tolist() for part in tv.split(x, [4, 1])]
    [[1, 2, 3, 4], [5]]
    """
    require_tensor("split", x)
    along = normalize_axis("split", axis, x.ndim)
    n = x.shape[along]
    if hasattr(sizes, "__index__") and not getattr(sizes, "shape", ()):
        size = integer("split", "sizes", sizes)
        return _in_equal_parts("split", x, size, along)
    given = ints("split", "sizes", sizes)
    ends = [0, *accumulate(given)]
    if ends[-1] != n or any(stop < start for start, stop in pairwise(ends)):
        raise ShapeError(
            f"split: the sizes {list(given)} do not add up to {n}, the size of axis "
            f"{along}, or one is negative."
        )
    return [_slice(x, along, start, stop) for start, stop in pairwise(ends)]


def _in_equal_parts(op: str, x: Tensor[B], size: int, axis: int) -> list[Tensor[B]]:
    if size < 1:
        raise ShapeError(f"{op}: a piece of size {size} is too small; give 1 or more.")
    n = x.shape[axis]
    starts = range(0, max(n, 1), size)
    return [_slice(x, axis, start, min(start + size, n)) for start in starts]


def chunk(
    x: Tensor[B], chunks: SupportsIndex, /, *, axis: SupportsIndex = 0
) -> list[Tensor[B]]:
    """At most `chunks` pieces along `axis`, all but the last of one size.

    That is the axis's size over `chunks`, rounded up, so there can be fewer pieces.
    Raises `ShapeError` for less than one, `AxisError`.

    >>> import trivet as tv
    >>> [part.tolist() for part in tv.chunk(tv.asarray([1, 2, 3, 4, 5]), 3)]
    [[1, 2], [3, 4], [5]]
    """
    require_tensor("chunk", x)
    along = normalize_axis("chunk", axis, x.ndim)
    count = integer("chunk", "chunks", chunks)
    if count < 1:
        raise ShapeError(f"chunk: chunks={count} is less than one.")
    size = max(-(-x.shape[along] // count), 1)
    return _in_equal_parts("chunk", x, size, along)


def unfold(
    x: Tensor[B],
    axis: SupportsIndex,
    size: SupportsIndex,
    step: SupportsIndex = 1,
    /,
) -> Tensor[B]:
    """Windows of `size` elements along `axis`, each `step` behind the one before.

    `axis` then counts the windows, and a new last axis has the elements of each. (The
    patches of images are `tv.nn.unfold`.) Raises `ShapeError` for a window below 1 or
    larger than the axis, or a step below 1; `AxisError`.

    >>> import trivet as tv
    >>> tv.unfold(tv.asarray([1, 2, 3, 4, 5]), 0, 3, 2).tolist()
    [[1, 2, 3], [3, 4, 5]]
    """
    require_tensor("unfold", x)
    along = normalize_axis("unfold", axis, x.ndim)
    window, by = integer("unfold", "size", size), integer("unfold", "step", step)
    n = x.shape[along]
    if not 1 <= window <= n or by < 1:
        raise ShapeError(
            f"unfold: windows of {window} elements with the step {by} do not fit axis "
            f"{along} of size {n}. Both must be 1 or more, and a window no larger."
        )
    return call("unfold_axis", x, axis=along, size=window, step=by)


def diag(x: Tensor[B], /, *, k: SupportsIndex = 0) -> Tensor[B]:
    """The `k`-th diagonal of a matrix, or the square matrix that has a vector there.

    Above the main diagonal for k > 0, below for k < 0. Raises `ShapeError` unless 1-D
    or 2-D.

    >>> import trivet as tv
    >>> tv.diag(tv.asarray([[1, 2], [3, 4]])).tolist()
    [1, 4]
    >>> tv.diag(tv.asarray([5]), k=1).tolist()
    [[0, 5], [0, 0]]
    """
    require_tensor("diag", x)
    if x.ndim not in {1, 2}:
        raise ShapeError(
            f"diag: a tensor of shape {x.shape} is neither a vector nor a matrix. Use "
            "tv.linalg.diagonal for a stack of matrices."
        )
    return call("diag", x, k=integer("diag", "k", k))
