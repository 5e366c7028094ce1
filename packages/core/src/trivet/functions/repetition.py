"""Repeating elements, or a whole tensor.

As in `shape`, two tensors never see each other's writes.
"""

from collections.abc import Sequence
from typing import Any, SupportsIndex, TypeVar

from trivet.arguments import integer
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
    size = x.shape[along]
    if isinstance(repeats, Tensor):
        counts, total = _counts(repeats, size)
    else:
        total = _required_not_negative(integer("repeat", "repeats", repeats))
        like = x.backend.default_dtypes(x.device).indexing
        counts = asarray([total], dtype=like, device=x.device, backend=x.backend)
    if counts.size == 1:
        total *= size
    return call("repeat", x, counts, axis=along, total=total)


def _counts(repeats: Tensor[B], size: int) -> tuple[Tensor[B], int]:
    """One count for all elements, or one for each of `size` elements; and their sum."""
    if repeats.dtype.kind not in INTEGRAL:
        raise DTypeError(
            f"repeat: the repeats have the dtype {repeats.dtype} and must be integers. "
            "Cast with .astype(...)."
        )
    if repeats.ndim > 1 or repeats.size not in {1, size}:
        raise ShapeError(
            f"repeat: the repeats have the shape {repeats.shape}, and the axis has "
            f"{size} elements. Give one count, or one for each element."
        )
    if repeats.size:
        _required_not_negative(int(call("min", repeats, axis=None, keepdims=False)))
    total = int(call("sum", repeats, axis=None, dtype=None, keepdims=False))
    return call("reshape", repeats, shape=(repeats.size,)), total


def _required_not_negative(count: int) -> int:
    if count < 0:
        raise ShapeError(f"repeat: the count {count} is negative.")
    return count


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
    counts = ints("tile", "repetitions", repetitions)
    if min(counts, default=0) < 0:
        raise ShapeError(f"tile: the repetitions {counts} hold a negative count.")
    counts = (1,) * (x.ndim - len(counts)) + counts
    shape = (1,) * (len(counts) - x.ndim) + x.shape
    whole = call("reshape", x, shape=shape) if shape != x.shape else x
    return call("tile", whole, repetitions=counts)
