"""Rules for norms by channel, over the last axes, and over groups of channels."""

from typing import Any

from trivet.contract import Backend
from trivet_autodiff.rules.registry import rule

__all__: list[str] = []


@rule("channel_affine")
def channel_affine(b: Backend[Any]) -> Any:
    """g times the factor, and sums of g and of g (x - mean) over each channel."""

    def pull_x(g: Any, factor: Any) -> Any:
        shape = (factor.shape[0], *(1 for _ in g.shape[2:]))
        return b.multiply(g, b.reshape(factor, shape=shape))

    def pull_mean(g: Any, factor: Any) -> Any:
        return b.negative(b.multiply(b.over_channels(g), factor))

    def pull_factor(g: Any, saved: Any) -> Any:
        return b.channel_products(g, *saved)

    def pull_bias(g: Any, saved: None) -> Any:
        return b.over_channels(g)

    def record(out: Any, x: Any, mean: Any, factor: Any, bias: Any) -> Any:
        return (
            (pull_x, factor),
            (pull_mean, factor),
            (pull_factor, (x, mean)),
            (pull_bias, None),
        )

    return record


@rule("layer_norm")
def layer_norm(b: Backend[Any]) -> Any:
    """The ops for x and weight, and the sum of g over the rows for the bias."""

    def pull_x(g: Any, saved: Any) -> Any:
        x, weight, axis, eps = saved
        return b.layer_norm_pulled(g, x, weight, axis=axis, eps=eps)

    def pull_weight(g: Any, saved: Any) -> Any:
        x, axis, eps = saved
        return b.layer_norm_weight_pulled(g, x, axis=axis, eps=eps)

    def pull_bias(g: Any, axis: tuple[int, ...]) -> Any:
        return b.over_rows(b.widened(g)[0], axis)

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
    """The ops for x and weight."""

    def pull_x(g: Any, saved: Any) -> Any:
        x, weight, axis, eps = saved
        return b.rms_norm_pulled(g, x, weight, axis=axis, eps=eps)

    def pull_weight(g: Any, saved: Any) -> Any:
        x, axis, eps = saved
        return b.rms_norm_weight_pulled(g, x, axis=axis, eps=eps)

    def record(
        out: Any, x: Any, weight: Any, *, axis: tuple[int, ...], eps: float
    ) -> Any:
        return (pull_x, (x, weight, axis, eps)), (pull_weight, (x, axis, eps))

    return record


@rule("group_norm")
def group_norm(b: Backend[Any]) -> Any:
    """The ops for x and weight, and the sum of g over each channel for the bias."""

    def pull_x(g: Any, saved: Any) -> Any:
        x, weight, statics = saved
        return b.group_norm_pulled(g, x, weight, **statics)

    def pull_weight(g: Any, saved: Any) -> Any:
        x, statics = saved
        return b.group_norm_weight_pulled(g, x, **statics)

    def pull_bias(g: Any, saved: None) -> Any:
        return b.over_channels(b.widened(g)[0])

    def record(out: Any, x: Any, weight: Any, bias: Any, **statics: Any) -> Any:
        return (
            (pull_x, (x, weight, statics)),
            (pull_weight, (x, statics)),
            (pull_bias, None),
        )

    return record
