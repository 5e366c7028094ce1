"""Rules for pooling: overlapping windows add up, of equal elements the first counts."""

import math
from typing import Any

from trivet.contract import Backend
from trivet_autodiff.rules.registry import rule

__all__: list[str] = []


@rule("max_pool")
def max_pool(b: Backend[Any]) -> Any:
    """The op for it."""

    def pull(g: Any, saved: Any) -> Any:
        x, out, statics = saved
        return b.max_pool_pulled(g, x, out, **statics)

    def record(out: Any, x: Any, **statics: Any) -> Any:
        return ((pull, (x, out, statics)),)

    return record


@rule("max_pool_pulled")
def max_pool_pulled(b: Backend[Any]) -> Any:
    """The cotangent, read where it was added; the places depend on nothing."""

    def pull(g: Any, saved: Any) -> Any:
        x, shape, statics = saved
        batch, channel, *_ = x.shape
        size, count = math.prod(x.shape[2:]), math.prod(shape[2:])
        places = b.reshape(
            b.max_pool_indices(x, **statics), shape=(batch, channel, count)
        )
        planes = b.reshape(g, shape=(batch, channel, size))
        return b.reshape(b.take_along_axis(planes, places, axis=2), shape=shape)

    def record(out: Any, g: Any, x: Any, largest: Any, **statics: Any) -> Any:
        return ((pull, (x, tuple(g.shape), statics)),)

    return record


@rule("avg_pool", linear=True)
def avg_pool(b: Backend[Any]) -> Any:
    """The cotangent over the count, added to every element of its window."""

    def pull(g: Any, saved: Any) -> Any:
        size, window, stride, padding, counted = saved
        counts = b.window_counts(g, size, window, stride, padding, counted)
        g, ndim = b.divide(g, counts), len(window)
        lead, places = tuple(g.shape[:2]), tuple(g.shape[2:])
        apart = b.reshape(g, shape=(*lead, *(1,) * ndim, *places))
        return b.add_windows(
            b.broadcast_to(apart, shape=(*lead, *window, *places)),
            size=size,
            stride=stride,
            padding=padding,
            dilation=(1,) * ndim,
        )

    def record(
        out: Any, x: Any, *, window: Any, stride: Any, padding: Any, counted: Any
    ) -> Any:
        return ((pull, (tuple(x.shape[2:]), window, stride, padding, counted)),)

    return record


@rule("adaptive_avg_pool", linear=True)
def adaptive_avg_pool(b: Backend[Any]) -> Any:
    """The sum over the parts that hold an element, each by its own size.

    Part p of m holds element i of n just where part i of n would hold element p of m,
    so these sums are again those of an adaptive pooling, the other way round.
    """

    def pull(g: Any, size: tuple[int, ...]) -> Any:
        g, dtype = b.widened(g)
        places = tuple(g.shape[2:])
        g = b.divide(g, _part_counts(b, g, size, places))
        if not any(n % m for n, m in zip(size, places, strict=True)):
            return b.cast(_repeated(b, g, size), dtype)
        means = b.adaptive_avg_pool(g, size=size)
        return b.cast(b.multiply(means, _part_counts(b, g, places, size)), dtype)

    def record(out: Any, x: Any, *, size: Any) -> Any:
        return ((pull, tuple(x.shape[2:])),)

    return record


def _repeated(b: Backend[Any], g: Any, size: tuple[int, ...]) -> Any:
    """Each element as often along each axis as it takes to fill `size`."""
    lead, places = tuple(g.shape[:2]), tuple(g.shape[2:])
    if max(places) == 1:
        return b.broadcast_to(g, shape=(*lead, *size))
    pairs = list(zip(size, places, strict=True))
    apart = b.reshape(g, shape=(*lead, *(n for _, m in pairs for n in (m, 1))))
    whole = (*lead, *(k for n, m in pairs for k in (m, n // m)))
    return b.reshape(b.broadcast_to(apart, shape=whole), shape=(*lead, *size))


def _part_counts(
    b: Backend[Any], g: Any, size: tuple[int, ...], parts: tuple[int, ...]
) -> Any:
    """How many elements each part has, in the dtype of the cotangent."""
    total = b.filled_like(g, 1, ())
    for axis, (n, m) in enumerate(zip(size, parts, strict=True), start=1):
        behind = (1,) * (len(size) - axis)
        line = b.reshape(b.part_sizes(g, n, m), shape=(m, *behind))
        total = b.multiply(total, b.astype(line, dtype=b.dtype(g)))
    return total
