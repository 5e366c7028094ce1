"""Repeating elements, or a whole tensor.

As in `shape`, two tensors never see each other's writes.
"""

from collections.abc import Sequence
from itertools import chain
from itertools import repeat as times
from typing import Any, SupportsIndex, TypeVar

from trivet.contract import Backend
from trivet.convert import asarray
from trivet.dispatch import call, method, require_tensor
from trivet.dtypes import INTEGRAL
from trivet.errors import DTypeError, ShapeError
from trivet.shapes import ints, normalize_axis
from trivet.tensor import Tensor

__all__ = ["repeat", "tile"]

B = TypeVar("B", bound=Backend[Any])
Ints = SupportsIndex | Sequence[SupportsIndex]


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
def tile(x: Tensor[B], repetitions: Ints, /) -> Tensor[B]:
    """The whole tensor repeated along each axis.

    The shorter of shape and repetitions is filled up with ones in front. Raises
    `ShapeError` for a negative count.

    >>> import trivet as tv
    >>> tv.tile(tv.asarray([1, 2]), (2, 2)).tolist()
    [[1, 2, 1, 2], [1, 2, 1, 2]]
    """
    require_tensor("tile", x)
    counts = ints(repetitions)
    if min(counts, default=0) < 0:
        raise ShapeError(f"tile: the repetitions {counts} hold a negative count.")
    counts = (1,) * (x.ndim - len(counts)) + counts
    shape = (1,) * (len(counts) - x.ndim) + x.shape
    whole = call("reshape", x, shape=shape) if shape != x.shape else x
    return call("tile", whole, repetitions=counts)
