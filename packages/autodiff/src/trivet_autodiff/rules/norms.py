"""Rules for norms. The slope of a norm at 0 is 0."""

import math
from typing import Any

from trivet.contract import Axes, Backend
from trivet.shapes import reduced
from trivet_autodiff.complexes import is_complex, real_part
from trivet_autodiff.rules.data import over_counts
from trivet_autodiff.rules.registry import rule

__all__: list[str] = []


@rule("vector_norm")
def vector_norm(b: Backend[Any]) -> Any:
    """sign(x) (abs(x) / norm) ** (ord - 1), with conj(x) if that is complex.

    Elements that share the largest or smallest size share the cotangent evenly. The
    number of elements that are not zero has no slope.
    """

    def pull(g: Any, saved: Any) -> Any:
        x, out, axis, ord = saved
        if is_complex(b, x):
            x, g = b.conj(x), real_part(b, g)
        kept = reduced(tuple(x.shape), axis, keepdims=True)
        g, out = b.reshape(g, shape=kept), b.reshape(out, shape=kept)
        if ord == 1:
            return b.multiply(g, b.sign(x))
        if math.isinf(ord):
            return b.multiply(g, _extreme(b, x, out, axis))
        still = b.equal(out, 0)
        norm = b.where(still, 1, out)
        if ord == 2:
            return b.multiply(b.where(still, 0, g), b.divide(x, norm))
        return b.multiply(b.where(still, 0, g), _power(b, x, norm, ord))

    def record(out: Any, x: Any, *, axis: Axes, keepdims: bool, ord: float) -> Any:
        if ord == 0:
            return (None,)
        axis = tuple(range(len(x.shape))) if axis is None else axis
        return ((pull, (x, out, axis, ord)),)

    return record


def _extreme(b: Backend[Any], x: Any, out: Any, axis: Axes) -> Any:
    among = b.equal(b.abs(x), out)
    count = b.maximum(b.count_nonzero(among, axis=axis, keepdims=True), 1)
    share = over_counts(b, b.filled_like(out, 1, ()), count)
    return b.where(among, b.multiply(b.sign(x), share), 0)


def _power(b: Backend[Any], x: Any, norm: Any, ord: float) -> Any:
    """Zeros have slope 0, also where a power of theirs is infinite."""
    zero = b.equal(x, 0)
    ratio = b.where(zero, 1, b.divide(b.abs(x), norm))
    return b.where(zero, 0, b.multiply(b.sign(x), b.pow(ratio, ord - 1)))
