"""Joining tensors along an axis, and taking them apart again.

As in `shape`, two tensors never see each other's writes.
"""

from collections.abc import Sequence
from typing import Any, SupportsIndex, TypeVar

from trivet.arguments import items
from trivet.contract import Backend
from trivet.dispatch import call, call_many, method, require_tensor
from trivet.errors import ShapeError
from trivet.shapes import normalize_axis
from trivet.tensor import Tensor

__all__ = ["concat", "hstack", "stack", "unstack", "vstack"]

B = TypeVar("B", bound=Backend[Any])


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
    return _joined("concat", parts, normalize_axis("concat", axis, parts[0].ndim))


def _joined(op: str, parts: list[Tensor[B]], axis: int) -> Tensor[B]:
    for place, part in enumerate(parts):
        if not _differ_only_along(axis, parts[0].shape, part.shape):
            raise ShapeError(
                f"{op}: the tensors 0 and {place} have the shapes {parts[0].shape} "
                f"and {part.shape}, which differ outside axis {axis}."
            )
    return call_many("concat", parts, axis=axis)


def _differ_only_along(axis: int, one: tuple[int, ...], two: tuple[int, ...]) -> bool:
    return len(one) == len(two) and (
        one[:axis] + one[axis + 1 :] == two[:axis] + two[axis + 1 :]
    )


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


def _some(op: str, arrays: Sequence[Tensor[B]]) -> list[Tensor[B]]:
    parts = items(op, "arrays", arrays)
    require_tensor(op, *parts)
    if not parts:
        raise ShapeError(f"{op}: there are no tensors to join; give at least one.")
    return parts


def hstack(arrays: Sequence[Tensor[B]], /) -> Tensor[B]:
    """The tensors side by side: along axis 1, or of 1-D ones along axis 0.

    Those of no dimensions count as 1-D. Raises `ShapeError`.

    >>> import trivet as tv
    >>> tv.hstack([tv.asarray([[1], [2]]), tv.asarray([[3], [4]])]).tolist()
    [[1, 3], [2, 4]]
    """
    parts = [
        part if part.ndim else call("reshape", part, shape=(1,))
        for part in _some("hstack", arrays)
    ]
    return _joined("hstack", parts, 0 if parts[0].ndim == 1 else 1)


def vstack(arrays: Sequence[Tensor[B]], /) -> Tensor[B]:
    """The tensors below one another: along axis 0, 1-D ones as rows.

    Raises `ShapeError`.

    >>> import trivet as tv
    >>> tv.vstack([tv.asarray([1, 2]), tv.asarray([3, 4])]).tolist()
    [[1, 2], [3, 4]]
    """
    parts = [
        part if part.ndim > 1 else call("reshape", part, shape=(1, part.size))
        for part in _some("vstack", arrays)
    ]
    return _joined("vstack", parts, 0)


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
