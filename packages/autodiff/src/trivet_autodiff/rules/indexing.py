"""Rules for reading and writing by position: repeated positions accumulate."""

from collections.abc import Sequence
from typing import Any

from trivet.contract import Backend, BasicKey, UpdateMode
from trivet_autodiff.rules.registry import rule
from trivet_autodiff.tape import unbroadcast

__all__: list[str] = []


@rule("take")
def take(b: Backend[Any]) -> Any:
    """Each cotangent is added at the position that was read."""

    def pull(g: Any, saved: Any) -> Any:
        shape, indices, axis = saved
        front = (axis, *(i for i in range(len(shape)) if i != axis))
        zeros = b.filled_like(g, 0, tuple(shape[i] for i in front))
        rows = b.permute_dims(g, axes=front)
        added = b.index_update(zeros, indices, rows, mode="add")
        back = tuple(front.index(i) for i in range(len(front)))
        return b.permute_dims(added, axes=back)

    def record(out: Any, x: Any, indices: Any, *, axis: int) -> Any:
        return (pull, (tuple(x.shape), indices, axis)), None

    return record


@rule("index_update")
def index_update(b: Backend[Any]) -> Any:
    """Adding passes the cotangent to both; setting cuts it off from what was replaced.

    That is so in `x`, and among values of which only the last was kept.
    """

    def pull_x(g: Any, indices: Any) -> Any:
        zeros = b.filled_like(g, 0, (indices.shape[0], *g.shape[1:]))
        return b.index_update(g, indices, zeros, mode="set")

    def pull_values(g: Any, saved: Any) -> Any:
        indices, only_last = saved
        rows = b.take(g, indices, axis=0)
        if not only_last:
            return rows
        n, k = g.shape[0], indices.shape[0]
        turn = b.counting(indices, k)
        last = b.index_update(b.filled_like(turn, -1, (n,)), indices, turn, mode="set")
        kept = b.equal(b.take(last, indices, axis=0), turn)
        kept = b.reshape(kept, shape=(k,) + (1,) * (len(g.shape) - 1))
        return b.where(kept, rows, 0)

    def record(out: Any, x: Any, indices: Any, values: Any, *, mode: UpdateMode) -> Any:
        own = (None, None) if mode == "add" else (pull_x, indices)
        return own, None, (pull_values, (indices, mode == "set"))

    return record


@rule("getitem")
def getitem(b: Backend[Any]) -> Any:
    """Zeros with the cotangent where the elements came from."""

    def pull(g: Any, saved: Any) -> Any:
        shape, key = saved
        return b.setitem(b.filled_like(g, 0, shape), g, key=key)

    def record(out: Any, x: Any, *, key: BasicKey) -> Any:
        return ((pull, (tuple(x.shape), key)),)

    return record


@rule("setitem")
def setitem(b: Backend[Any]) -> Any:
    """The value gets the cotangent of its place, and `x` that of the rest."""

    def pull_x(g: Any, key: BasicKey) -> Any:
        return b.setitem(g, b.filled_like(g, 0, ()), key=key)

    def pull_value(g: Any, saved: Any) -> Any:
        shape, key = saved
        return unbroadcast(b, b.getitem(g, key=key), shape)

    def record(out: Any, x: Any, value: Any, *, key: BasicKey) -> Any:
        return (pull_x, key), (pull_value, (tuple(value.shape), key))

    return record


@rule("getitem_arrays")
def getitem_arrays(b: Backend[Any]) -> Any:
    """Each cotangent is added at the position that was read."""

    def pull(g: Any, saved: Any) -> Any:
        shape, indices = saved
        return b.setitem_arrays(b.filled_like(g, 0, shape), indices, g, mode="add")

    def record(out: Any, x: Any, indices: Sequence[Any]) -> Any:
        return ((pull, (tuple(x.shape), indices)),)

    return record
