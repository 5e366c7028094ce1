"""Rules for norms over the last axes; the other norms stand on these.

Below, y is the norm without weight and bias, and h the cotangent times the weight.
"""

from typing import Any

from trivet.contract import Backend
from trivet_autodiff.rules.registry import rule

__all__: list[str] = []


@rule("layer_norm")
def layer_norm(b: Backend[Any]) -> Any:
    """The op for x; sums of g y and of g over the rows for weight and bias."""

    def pull_x(g: Any, saved: Any) -> Any:
        x, weight, axis, eps = saved
        return b.layer_norm_pulled(g, x, weight, axis=axis, eps=eps)

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
        h, (x, dtype) = b.weighed(g, weight), b.widened(x)
        return b.cast(b.through_root(h, x, axis, eps), dtype)

    def pull_weight(g: Any, saved: Any) -> Any:
        x, axis, eps = saved
        y = b.rms_norm(x, None, axis=axis, eps=eps)
        return _over_rows(b, b.multiply(b.widened(g)[0], y), axis)

    def record(
        out: Any, x: Any, weight: Any, *, axis: tuple[int, ...], eps: float
    ) -> Any:
        return (pull_x, (x, weight, axis, eps)), (pull_weight, (x, axis, eps))

    return record


def _over_rows(b: Backend[Any], g: Any, axis: tuple[int, ...]) -> Any:
    rows = tuple(range(len(g.shape) - len(axis)))
    return b.sum(g, axis=rows, dtype=None, keepdims=False)
