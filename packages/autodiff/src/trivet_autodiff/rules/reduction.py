"""Rules for reductions and running sums.

Conventions: ties share evenly in max and min; products are exact with zeros; the
slope of the standard deviation of equal elements is 0.
"""

import math
from typing import Any

from trivet.contract import Axes, Backend
from trivet.dtypes import DType
from trivet.shapes import reduced
from trivet_autodiff.complexes import cast
from trivet_autodiff.rules.data import carries, over_counts
from trivet_autodiff.rules.registry import rule

__all__: list[str] = []


def _spread(b: Backend[Any], g: Any, shape: tuple[int, ...], axis: Axes) -> Any:
    """A reduced cotangent, or anything of that shape, repeated over `shape`."""
    if not len(g.shape):
        return b.broadcast_to(g, shape=shape)
    kept = reduced(shape, axis, keepdims=True)
    if tuple(g.shape) != kept:
        g = b.reshape(g, shape=kept)
    return b.broadcast_to(g, shape=shape)


@rule("sum", linear=True)
def sum_(b: Backend[Any]) -> Any:
    """Every element gets the cotangent of its sum."""

    def pull(g: Any, saved: Any) -> Any:
        return _spread(b, g, *saved)

    def pull_cast(g: Any, saved: Any) -> Any:
        shape, axis, dtype = saved
        return _spread(b, cast(b, g, dtype), shape, axis)

    def record(
        out: Any, x: Any, *, axis: Axes, dtype: DType | None, keepdims: bool
    ) -> Any:
        if dtype is None:  # the sum has the dtype of `x`
            return ((pull, (tuple(x.shape), axis)),)
        if not carries(dtype):
            return (None,)
        return ((pull_cast, (tuple(x.shape), axis, b.dtype(x))),)

    return record


@rule("prod")
def prod(b: Backend[Any]) -> Any:
    """The product of the others: of all before times all after, so zeros do no harm."""

    def pull(g: Any, saved: Any) -> Any:
        x, axis = saved
        shape = tuple(x.shape)
        gone = tuple(range(len(shape))) if axis is None else axis
        order = (*(i for i in range(len(shape)) if i not in gone), *gone)
        moved = b.permute_dims(x, axes=order)
        rows = _rows(b, moved, len(shape) - len(gone))
        others = b.reshape(_others(b, rows), shape=tuple(moved.shape))
        back = tuple(order.index(i) for i in range(len(order)))
        return b.multiply(_spread(b, g, shape, axis), b.permute_dims(others, axes=back))

    def record(
        out: Any, x: Any, *, axis: Axes, dtype: DType | None, keepdims: bool
    ) -> Any:
        return ((pull, (x, axis)) if carries(b.dtype(out)) else None,)

    return record


def _rows(b: Backend[Any], x: Any, kept: int) -> Any:
    """The trailing axes as one."""
    return b.reshape(x, shape=(*x.shape[:kept], math.prod(x.shape[kept:])))


def _others(b: Backend[Any], x: Any) -> Any:
    """For each element of the last axis the product of all others there."""
    axis = len(x.shape) - 1
    n = x.shape[axis]

    def before(rows: Any) -> Any:
        running = b.cumulative_prod(rows, axis=axis, dtype=None, include_initial=True)
        return b.part(running, axis, 0, n)

    after = b.flip(before(b.flip(x, axis=(axis,))), axis=(axis,))
    return b.multiply(before(x), after)


def _shared(b: Backend[Any]) -> Any:
    """The elements equal to the result share its cotangent evenly."""

    def pull(g: Any, saved: Any) -> Any:
        x, out, axis = saved
        shape = tuple(x.shape)
        best = _spread(b, out, shape, axis)
        among = b.logical_or(b.equal(x, best), b.logical_and(b.isnan(x), b.isnan(best)))
        count = b.count_nonzero(among, axis=axis, keepdims=True)
        part = over_counts(b, b.reshape(g, shape=tuple(count.shape)), count)
        return b.where(among, _spread(b, part, shape, axis), 0)

    def record(out: Any, x: Any, *, axis: Axes, keepdims: bool) -> Any:
        return ((pull, (x, out, axis)),)

    return record


@rule("max")
def max_(b: Backend[Any]) -> Any:
    """Ties share evenly."""
    return _shared(b)


@rule("min")
def min_(b: Backend[Any]) -> Any:
    """Ties share evenly."""
    return _shared(b)


def _count(shape: tuple[int, ...], axis: Axes) -> int:
    return math.prod(shape if axis is None else [shape[i] for i in axis])


def _over(b: Backend[Any], g: Any, n: int) -> Any:
    """A cotangent over a count, which may be past the largest 16-bit float."""
    if n < 1 << 8:
        return b.divide(g, n)
    wide, dtype = b.widened(g)
    return b.cast(b.divide(wide, n), dtype)


@rule("mean", linear=True)
def mean(b: Backend[Any]) -> Any:
    """Every element gets its part of the cotangent."""

    def pull(g: Any, saved: Any) -> Any:
        shape, axis = saved
        return _spread(b, _over(b, g, max(_count(shape, axis), 1)), shape, axis)

    def record(out: Any, x: Any, *, axis: Axes, keepdims: bool) -> Any:
        return ((pull, (tuple(x.shape), axis)),)

    return record


@rule("var")
def var(b: Backend[Any]) -> Any:
    """2 (x - mean) / (n - correction)."""

    def pull(g: Any, saved: Any) -> Any:
        x, axis, correction = saved
        return _times_slope(b, g, x, axis, correction, 2.0)

    def record(
        out: Any, x: Any, *, axis: Axes, correction: float, keepdims: bool
    ) -> Any:
        return ((pull, (x, axis, correction)),)

    return record


@rule("std")
def std(b: Backend[Any]) -> Any:
    """(x - mean) / ((n - correction) std), which is 0 where the deviation is."""

    def pull(g: Any, saved: Any) -> Any:
        x, out, axis, correction = saved
        still = b.equal(out, 0)
        by = b.where(still, 0, b.divide(g, b.where(still, 1, out)))
        return _times_slope(b, by, x, axis, correction, 1.0)

    def record(
        out: Any, x: Any, *, axis: Axes, correction: float, keepdims: bool
    ) -> Any:
        return ((pull, (x, out, axis, correction)),)

    return record


def _times_slope(
    b: Backend[Any], g: Any, x: Any, axis: Axes, correction: float, factor: float
) -> Any:
    """g factor (x - mean) / (n - correction); NaN where the variance is.

    Of 16-bit floats it is computed in 32: 1 / n alone may be too small for them.
    """
    x, dtype = b.widened(x)
    n = _count(tuple(x.shape), axis) - correction
    away = b.subtract(x, b.mean(x, axis=axis, keepdims=True))
    share = b.multiply(b.cast(g, b.dtype(x)), factor / n if n > 0 else float("nan"))
    return b.cast(b.multiply(_spread(b, share, tuple(x.shape), axis), away), dtype)


@rule("cumulative_sum", linear=True)
def cumulative_sum(b: Backend[Any]) -> Any:
    """The running sum of the cotangents from the other end."""

    def pull(g: Any, saved: Any) -> Any:
        axis, initial, dtype = saved
        if initial:
            g = b.part(g, axis, 1, g.shape[axis])
        turned = b.flip(cast(b, g, dtype), axis=(axis,))
        running = b.cumulative_sum(
            turned, axis=axis, dtype=dtype, include_initial=False
        )
        return b.flip(running, axis=(axis,))

    def record(
        out: Any, x: Any, *, axis: int, dtype: DType | None, include_initial: bool
    ) -> Any:
        if not carries(b.dtype(out)):
            return (None,)
        return ((pull, (axis, include_initial, b.dtype(x))),)

    return record
