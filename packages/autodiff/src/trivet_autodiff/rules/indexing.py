"""Rules for reading and writing by position: repeated positions accumulate."""

from collections.abc import Sequence
from typing import Any

from trivet.contract import Backend, BasicKey, UpdateMode
from trivet_autodiff.recorders import unbroadcast
from trivet_autodiff.rules.data import over_counts
from trivet_autodiff.rules.registry import rule

__all__: list[str] = []


@rule("take", linear=True)
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
    """By mode; the functions below say what each does with repeated indices."""
    pulls = {
        "set": (_uncovered(b), _last(b)),
        "multiply": (_by_factors(b), _by_other_factors(b)),
        "minimum": (_ties_of_x(b), _ties_of_values(b)),
        "maximum": (_ties_of_x(b), _ties_of_values(b)),
    }

    def read(g: Any, indices: Any) -> Any:
        return b.take(g, indices, axis=0)

    def record(out: Any, x: Any, indices: Any, values: Any, *, mode: UpdateMode) -> Any:
        if mode == "add":
            return (None, None), None, (read, indices)
        pull_x, pull_values = pulls[mode]
        saved = (x, indices, values, out)
        return (pull_x, saved), None, (pull_values, saved)

    return record


def _uncovered(b: Backend[Any]) -> Any:
    """Setting cuts the cotangent off from what was replaced."""

    def pull(g: Any, saved: Any) -> Any:
        _, indices, values, _ = saved
        zeros = b.filled_like(g, 0, tuple(values.shape))
        return b.index_update(g, indices, zeros, mode="set")

    return pull


def _last(b: Backend[Any]) -> Any:
    """Of values set at one index, the last gets the cotangent."""

    def pull(g: Any, saved: Any) -> Any:
        indices = saved[1]
        n, k = g.shape[0], indices.shape[0]
        turn = b.counting(indices, k)
        last = b.index_update(b.filled_like(turn, -1, (n,)), indices, turn, mode="set")
        kept = b.equal(b.take(last, indices, axis=0), turn)
        kept = b.reshape(kept, shape=(k,) + (1,) * (len(g.shape) - 1))
        return b.where(kept, b.take(g, indices, axis=0), 0)

    return pull


def _by_factors(b: Backend[Any]) -> Any:
    """A row of `x` was multiplied by all values at its index."""

    def pull(g: Any, saved: Any) -> Any:
        _, indices, values, _ = saved
        ones = b.filled_like(g, 1, tuple(g.shape))
        return b.multiply(g, b.index_update(ones, indices, values, mode="multiply"))

    return pull


def _by_other_factors(b: Backend[Any]) -> Any:
    """A value was multiplied by its row of `x` and the other values at its index.

    These are all before times all after, so zeros do no harm.
    """

    def pull(g: Any, saved: Any) -> Any:
        x, indices, values, _ = saved
        order, places = b.in_order(indices, x.shape[0])
        rows = b.take(values, order, axis=0)
        before = _before(b, rows, places)
        turned = _before(b, b.flip(rows, axis=(0,)), b.flip(places, axis=(0,)))
        others = b.multiply(before, b.flip(turned, axis=(0,)))
        others = b.index_update(others, order, others, mode="set")
        return b.multiply(b.take(b.multiply(g, x), indices, axis=0), others)

    return pull


def _before(b: Backend[Any], rows: Any, places: Any) -> Any:
    """For each row the product of those before it at the same place."""
    n, shape = rows.shape[0], tuple(rows.shape)
    if not n:
        return rows
    one = b.filled_like(rows, 1, (1, *shape[1:]))
    if n == 1:
        return one
    running = b.part(b.running_within(b.multiply, rows, places), 0, 0, n - 1)
    same = b.equal(b.part(places, 0, 0, n - 1), b.part(places, 0, 1, n))
    same = b.reshape(same, shape=(n - 1,) + (1,) * (len(shape) - 1))
    return b.concat((one, b.where(same, running, 1)), axis=0)


def _ties_of_x(b: Backend[Any]) -> Any:
    """Whatever equals the extreme shares its cotangent evenly."""

    def pull(g: Any, saved: Any) -> Any:
        of_x, _, part = _ties(b, g, saved)
        return b.where(of_x, part, 0)

    return pull


def _ties_of_values(b: Backend[Any]) -> Any:
    """Whatever equals the extreme shares its cotangent evenly."""

    def pull(g: Any, saved: Any) -> Any:
        _, of_values, part = _ties(b, g, saved)
        return b.where(of_values, b.take(part, saved[1], axis=0), 0)

    return pull


def _ties(b: Backend[Any], g: Any, saved: Any) -> tuple[Any, Any, Any]:
    """Where `x` and the values are the extreme, and the share of each that is."""
    x, indices, values, out = saved
    dtype = b.default_dtypes(b.device(indices)).indexing
    of_x = _alike(b, x, out)
    of_values = _alike(b, values, b.take(out, indices, axis=0))
    count = b.index_update(
        b.astype(of_x, dtype=dtype),
        indices,
        b.astype(of_values, dtype=dtype),
        mode="add",
    )
    return of_x, of_values, over_counts(b, g, count)


def _alike(b: Backend[Any], x: Any, y: Any) -> Any:
    return b.logical_or(b.equal(x, y), b.logical_and(b.isnan(x), b.isnan(y)))


@rule("getitem", linear=True)
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


@rule("getitem_arrays", linear=True)
def getitem_arrays(b: Backend[Any]) -> Any:
    """Each cotangent is added at the position that was read."""

    def pull(g: Any, saved: Any) -> Any:
        shape, indices = saved
        return b.setitem_arrays(b.filled_like(g, 0, shape), indices, g, mode="add")

    def record(out: Any, x: Any, indices: Sequence[Any]) -> Any:
        return ((pull, (tuple(x.shape), indices)),)

    return record
