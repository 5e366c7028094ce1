"""Rules for convolutions: each is the transpose of the other, so all orders work."""

from typing import Any

from trivet.contract import Backend
from trivet.shapes import transposed_size
from trivet_autodiff.rules.registry import rule

__all__: list[str] = []


@rule("sliding_windows", linear=True)
def sliding_windows(b: Backend[Any]) -> Any:
    """Every cotangent is added where its element was seen."""

    def pull(g: Any, saved: Any) -> Any:
        size, statics = saved
        return b.add_windows(g, size=size, **statics)

    def record(out: Any, x: Any, *, window: Any, **statics: Any) -> Any:
        return ((pull, (tuple(x.shape[2:]), statics)),)

    return record


@rule("add_windows", linear=True)
def add_windows(b: Backend[Any]) -> Any:
    """Every element gets the cotangent of its place; none if that is padding."""

    def pull(g: Any, saved: Any) -> Any:
        shape, statics = saved
        ndim = len(shape) // 2 - 1
        seen = b.sliding_windows(g, window=shape[2 : 2 + ndim], **statics)
        return _front(b, seen, shape)

    def record(out: Any, x: Any, *, size: Any, **statics: Any) -> Any:
        return ((pull, (tuple(x.shape), statics)),)

    return record


@rule("conv", linear=True)
def conv(b: Backend[Any]) -> Any:
    """The transposed convolution, and the correlation of `x` with the cotangent."""

    def pull_x(g: Any, saved: Any) -> Any:
        weight, size, statics = saved
        return _conv_to_size(b, g, weight, size, statics)

    def pull_weight(g: Any, saved: Any) -> Any:
        x, window, statics = saved
        return _weight_cotangent(b, x, g, window, **statics)

    def record(out: Any, x: Any, weight: Any, **statics: Any) -> Any:
        return (
            (pull_x, (weight, tuple(x.shape[2:]), statics)),
            (pull_weight, (x, tuple(weight.shape[2:]), statics)),
        )

    return record


@rule("conv_transpose", linear=True)
def conv_transpose(b: Backend[Any]) -> Any:
    """The convolution, and the correlation of the cotangent with `x`."""

    def pull_x(g: Any, saved: Any) -> Any:
        weight, shape, statics = saved
        # output padding of a whole stride makes room for places that `x` did not have
        return _front(b, b.conv(g, weight, **statics), shape)

    def pull_weight(g: Any, saved: Any) -> Any:
        x, window, statics = saved
        return _weight_cotangent(b, g, x, window, **statics)

    def record(
        out: Any, x: Any, weight: Any, *, output_padding: Any, **statics: Any
    ) -> Any:
        return (
            (pull_x, (weight, tuple(x.shape), statics)),
            (pull_weight, (x, tuple(weight.shape[2:]), statics)),
        )

    return record


def _conv_to_size(
    b: Backend[Any], g: Any, weight: Any, size: tuple[int, ...], statics: Any
) -> Any:
    """The transposed convolution whose result has `size`: dropped tails get 0."""
    window, none = tuple(weight.shape[2:]), (0,) * len(size)
    settings = {name: statics[name] for name in ("stride", "padding", "dilation")}
    least, _ = transposed_size(
        tuple(g.shape[2:]), window, output_padding=none, **settings
    )
    extra = tuple(n - m for n, m in zip(size, least, strict=True))
    return b.conv_transpose(g, weight, **statics, output_padding=extra)


def _weight_cotangent(
    b: Backend[Any],
    x: Any,
    g: Any,
    window: tuple[int, ...],
    *,
    stride: Any,
    padding: Any,
    dilation: Any,
    groups: int,
) -> Any:
    """The sum of g(p) x(p * stride + t * dilation) over batch and places p, for each t.

    That is a convolution in which batch and channel, and stride and dilation, have
    changed places.
    """
    batch, channel, *size = x.shape
    out, *places = g.shape[1:]
    inner = channel // groups
    x = b.reshape(x, shape=(batch, groups, inner, *size))
    x = b.permute_dims(x, axes=(2, 1, 0, *range(3, 3 + len(size))))
    x = b.reshape(x, shape=(inner, groups * batch, *size))
    g = b.permute_dims(g, axes=(1, 0, *range(2, 2 + len(places))))
    found = b.conv(
        x, g, stride=dilation, padding=padding, dilation=stride, groups=groups
    )
    found = _front(b, found, (inner, out, *window))
    return b.permute_dims(found, axes=(1, 0, *range(2, 2 + len(window))))


def _front(b: Backend[Any], x: Any, shape: tuple[int, ...]) -> Any:
    """The first elements along each axis, as many as `shape` has."""
    if tuple(x.shape) == shape:
        return x
    none = (0,) * len(shape)
    return b.strided_slice(x, start=none, size=shape, step=(1,) * len(shape))
