"""Rules for running extremes; the other statistics are differentiated by their bodies.

Convention: of equal elements, the first is the extreme from there on.
"""

from typing import Any

from trivet.contract import Backend
from trivet_autodiff.rules.registry import rule

__all__: list[str] = []


def _from_sources(b: Backend[Any]) -> Any:
    """Each cotangent is added at the element that was the extreme there."""

    def pull(g: Any, saved: Any) -> Any:
        out, axis = saved
        places = _sources(b, out, axis)
        zeros = b.filled_like(g, 0, tuple(g.shape))
        return b.scatter(zeros, places, g, axis=axis, mode="add")

    def record(out: Any, x: Any, *, axis: int) -> Any:
        return ((pull, (out, axis)),)

    return record


def _sources(b: Backend[Any], out: Any, axis: int) -> Any:
    """For each running extreme, the position of the element that it is.

    That is where the running extreme last changed.
    """
    shape = tuple(out.shape)
    n = shape[axis]
    if n < 2:
        return b.broadcast_to(b.filled_like(b.counting(out, 1), 0, ()), shape=shape)
    before, after = b.part(out, axis, 0, n - 1), b.part(out, axis, 1, n)
    both_nan = b.logical_and(b.isnan(before), b.isnan(after))
    same = b.logical_or(b.equal(before, after), both_nan)
    ones = tuple(n - 1 if i == axis else 1 for i in range(len(shape)))
    later = b.reshape(b.part(b.counting(out, n), 0, 1, n), shape=ones)
    changed = b.where(same, 0, later)
    first = b.filled_like(changed, 0, (*shape[:axis], 1, *shape[axis + 1 :]))
    return b.cumulative_max(b.concat((first, changed), axis=axis), axis=axis)


@rule("cumulative_max")
def cumulative_max(b: Backend[Any]) -> Any:
    """The cotangents of all places where an element is the largest so far."""
    return _from_sources(b)


@rule("cumulative_min")
def cumulative_min(b: Backend[Any]) -> Any:
    """The cotangents of all places where an element is the smallest so far."""
    return _from_sources(b)
