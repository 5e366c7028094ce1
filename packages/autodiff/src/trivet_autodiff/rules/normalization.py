"""Rules for norms over the last axes; the other norms stand on these."""

from typing import Any

from trivet.contract import Backend
from trivet_autodiff.rules.registry import rule

__all__: list[str] = []


@rule("layer_norm")
def layer_norm(b: Backend[Any]) -> Any:
    """(h - mean(h) - y mean(h y)) / deviation, with y the norm and h = g * weight."""

    def normal(x: Any, axis: tuple[int, ...], eps: float) -> Any:
        return b.layer_norm(x, None, None, axis=axis, eps=eps)

    def pull_x(g: Any, saved: Any) -> Any:
        x, weight, axis, eps = saved
        h = _weighed(b, g, weight)
        x, dtype = b.widened(x)
        var = b.var(x, axis=axis, correction=0, keepdims=True)
        level = b.subtract(h, b.mean(h, axis=axis, keepdims=True))
        back = _turned(b, level, h, normal(x, axis, eps), axis)
        return b.cast(b.divide(back, b.sqrt(b.add(var, eps))), dtype)

    def pull_weight(g: Any, saved: Any) -> Any:
        x, axis, eps = saved
        return _over_rows(b, b.multiply(b.widened(g)[0], normal(x, axis, eps)), axis)

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
    """(h - y mean(h y)) / root mean square, with y the norm and h = g * weight."""

    def normal(x: Any, axis: tuple[int, ...], eps: float) -> Any:
        return b.rms_norm(x, None, axis=axis, eps=eps)

    def pull_x(g: Any, saved: Any) -> Any:
        x, weight, axis, eps = saved
        h = _weighed(b, g, weight)
        x, dtype = b.widened(x)
        square = b.mean(b.square(x), axis=axis, keepdims=True)
        back = _turned(b, h, h, normal(x, axis, eps), axis)
        return b.cast(b.divide(back, b.sqrt(b.add(square, eps))), dtype)

    def pull_weight(g: Any, saved: Any) -> Any:
        x, axis, eps = saved
        return _over_rows(b, b.multiply(b.widened(g)[0], normal(x, axis, eps)), axis)

    def record(
        out: Any, x: Any, weight: Any, *, axis: tuple[int, ...], eps: float
    ) -> Any:
        return (pull_x, (x, weight, axis, eps)), (pull_weight, (x, axis, eps))

    return record


def _weighed(b: Backend[Any], g: Any, weight: Any) -> Any:
    g, _ = b.widened(g)
    return g if weight is None else b.multiply(g, b.cast(weight, b.dtype(g)))


def _turned(b: Backend[Any], g: Any, h: Any, y: Any, axis: tuple[int, ...]) -> Any:
    """g less its part along y: the norm does not see the length of x."""
    along = b.mean(b.multiply(h, y), axis=axis, keepdims=True)
    return b.subtract(g, b.multiply(y, along))


def _over_rows(b: Backend[Any], g: Any, axis: tuple[int, ...]) -> Any:
    rows = tuple(range(len(g.shape) - len(axis)))
    return b.sum(g, axis=rows, dtype=None, keepdims=False)
