"""Rules for norms over the last axes; the other norms stand on these.

Below, y is the norm without weight and bias, and h the cotangent times the weight.
"""

from typing import Any

from trivet.contract import Backend
from trivet_autodiff.rules.registry import rule

__all__: list[str] = []


@rule("layer_norm")
def layer_norm(b: Backend[Any]) -> Any:
    """(h - mean(h) - y mean(h y)) / deviation; sums of g y and of g over the rows."""

    def pull_x(g: Any, saved: Any) -> Any:
        x, weight, axis, eps = saved
        h, (x, dtype) = _weighed(b, g, weight), b.widened(x)
        away = b.subtract(x, b.mean(x, axis=axis, keepdims=True))
        level = b.subtract(h, b.mean(h, axis=axis, keepdims=True))
        return b.cast(_through_root(b, level, away, axis, eps), dtype)

    def pull_weight(g: Any, saved: Any) -> Any:
        x, axis, eps = saved
        y = b.layer_norm(x, None, None, axis=axis, eps=eps)
        return _over_rows(b, b.multiply(b.widened(g)[0], y), axis)

    def pull_bias(g: Any, axis: tuple[int, ...]) -> Any:
        return _over_rows(b, g, axis)

    def record(
        out: Any, x: Any, weight: Any, bias: Any, *, axis: tuple[int, ...], eps: float
    ) -> Any:
        return (
            (pull_x, (x, weight, axis, eps)),
            (pull_weight, (x, axis, eps)),
            (pull_bias, axis),
        )

    return record


@rule("rms_norm")
def rms_norm(b: Backend[Any]) -> Any:
    """(h - y mean(h y)) / root mean square; the sum of g y over the rows."""

    def pull_x(g: Any, saved: Any) -> Any:
        x, weight, axis, eps = saved
        h, (x, dtype) = _weighed(b, g, weight), b.widened(x)
        return b.cast(_through_root(b, h, x, axis, eps), dtype)

    def pull_weight(g: Any, saved: Any) -> Any:
        x, axis, eps = saved
        y = b.rms_norm(x, None, axis=axis, eps=eps)
        return _over_rows(b, b.multiply(b.widened(g)[0], y), axis)

    def record(
        out: Any, x: Any, weight: Any, *, axis: tuple[int, ...], eps: float
    ) -> Any:
        return (pull_x, (x, weight, axis, eps)), (pull_weight, (x, axis, eps))

    return record


def _weighed(b: Backend[Any], g: Any, weight: Any) -> Any:
    g, _ = b.widened(g)
    return g if weight is None else b.multiply(g, b.cast(weight, b.dtype(g)))


def _through_root(
    b: Backend[Any], h: Any, x: Any, axis: tuple[int, ...], eps: float
) -> Any:
    """The vjp of x over the root of its mean square: h less its part along y."""
    square = b.mean(b.square(x), axis=axis, keepdims=True)
    root = b.sqrt(b.add(square, eps))
    y = b.divide(x, root)
    along = b.mean(b.multiply(h, y), axis=axis, keepdims=True)
    return b.divide(b.subtract(h, b.multiply(y, along)), root)


def _over_rows(b: Backend[Any], g: Any, axis: tuple[int, ...]) -> Any:
    rows = tuple(range(len(g.shape) - len(axis)))
    return b.sum(g, axis=rows, dtype=None, keepdims=False)
