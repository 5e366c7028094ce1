"""Convolutions, their transposes, and the patches that they are made of.

The layout is (batch, channel, *size). Users reach them as `tv.nn.<name>`.
"""

from typing import Any, TypeVar

from trivet.arguments import integer
from trivet.contract import Backend
from trivet.dispatch import call
from trivet.errors import ShapeError
from trivet.functions.window import (
    Each,
    Padding,
    check_fit,
    check_kind,
    check_layout,
    for_each,
    paddings,
)
from trivet.shapes import transposed_size, window_places
from trivet.tensor import Tensor

__all__ = [
    "conv1d",
    "conv2d",
    "conv3d",
    "conv_transpose1d",
    "conv_transpose2d",
    "conv_transpose3d",
    "fold",
    "unfold",
]

B = TypeVar("B", bound=Backend[Any])


def conv1d(
    x: Tensor[B],
    weight: Tensor[B],
    bias: Tensor[B] | None = None,
    *,
    stride: Each = 1,
    padding: Padding = 0,
    dilation: Each = 1,
    groups: int = 1,
) -> Tensor[B]:
    """The cross-correlation of (batch, channel, length) with a weight.

    `weight` is (out, channel / groups, window), `bias` (out,), the result (batch, out,
    places) in the promoted dtype. `padding` zeros are put on both ends, or (low, high).
    A window starts every `stride` elements, and sees every `dilation`-th; what it does
    not reach at the end is left out. The channels come in `groups` equal parts, each
    seen by its own part of the weight. Raises `ShapeError`, `DTypeError` unless real.

    >>> import trivet as tv
    >>> x = tv.asarray([[[1.0, 2.0, 3.0, 4.0]]])
    >>> tv.nn.conv1d(x, tv.asarray([[[1.0, 10.0]]]), padding=(0, 1)).tolist()
    [[[21.0, 32.0, 43.0, 4.0]]]
    """
    return _conv("conv1d", 1, x, weight, bias, stride, padding, dilation, groups)


def conv2d(
    x: Tensor[B],
    weight: Tensor[B],
    bias: Tensor[B] | None = None,
    *,
    stride: Each = 1,
    padding: Padding = 0,
    dilation: Each = 1,
    groups: int = 1,
) -> Tensor[B]:
    """The cross-correlation of (batch, channel, height, width) with a weight.

    `weight` is (out, channel / groups, rows, columns). Every setting is one number or
    one for each axis, of `padding` also a pair: padding=((0, 1), 2). Else as `conv1d`.

    >>> import trivet as tv
    >>> x = tv.ones((1, 3, 5, 5))
    >>> tv.nn.conv2d(x, tv.ones((2, 3, 3, 3)), stride=(2, 1), padding=1).shape
    (1, 2, 3, 5)
    """
    return _conv("conv2d", 2, x, weight, bias, stride, padding, dilation, groups)


def conv3d(
    x: Tensor[B],
    weight: Tensor[B],
    bias: Tensor[B] | None = None,
    *,
    stride: Each = 1,
    padding: Padding = 0,
    dilation: Each = 1,
    groups: int = 1,
) -> Tensor[B]:
    """The cross-correlation of (batch, channel, depth, height, width) with a weight.

    `weight` is (out, channel / groups, *window). Settings as in `conv2d`.

    >>> import trivet as tv
    >>> tv.nn.conv3d(tv.ones((1, 1, 4, 4, 4)), tv.ones((2, 1, 2, 2, 2))).shape
    (1, 2, 3, 3, 3)
    """
    return _conv("conv3d", 3, x, weight, bias, stride, padding, dilation, groups)


def _conv(
    op: str,
    ndim: int,
    x: Tensor[B],
    weight: Tensor[B],
    bias: Tensor[B] | None,
    stride: Each,
    padding: Padding,
    dilation: Each,
    groups: int,
) -> Tensor[B]:
    size = check_layout(op, x, ndim, "conv")
    window = _check_weight(op, weight, ndim)
    groups = integer(op, "groups", groups)
    _check_groups(op, groups, x.shape[1], weight.shape[1] * groups, weight.shape[0])
    statics: dict[str, Any] = {
        "stride": for_each(op, "stride", stride, ndim, 1),
        "padding": paddings(op, padding, ndim),
        "dilation": for_each(op, "dilation", dilation, ndim, 1),
    }
    check_fit(op, size, window, **statics)
    result = call("conv", x, weight, **statics, groups=groups)
    return _with_bias(op, result, bias)


def _check_weight(op: str, weight: Any, ndim: int) -> tuple[int, ...]:
    """The size of the window."""
    check_kind(op, weight, "conv")
    if weight.ndim != ndim + 2 or 0 in weight.shape[2:]:
        raise ShapeError(
            f"{op}: the weight has the shape {weight.shape}, and {ndim + 2} axes are "
            f"needed: two of channels and {ndim} of the window, which is not empty."
        )
    return weight.shape[2:]  # type: ignore[no-any-return]


def _check_groups(op: str, groups: int, channel: int, wanted: int, split: int) -> None:
    if groups < 1 or channel % groups or split % groups:
        raise ShapeError(
            f"{op}: groups={groups} does not divide the {channel} channels of the "
            f"tensor and the {split} of the weight's first axis."
        )
    if channel != wanted:
        raise ShapeError(
            f"{op}: the tensor has {channel} channels, and the weight is for "
            f"{wanted} with groups={groups}."
        )


def _with_bias(op: str, result: Tensor[B], bias: Tensor[B] | None) -> Tensor[B]:
    if bias is None:
        return result
    check_kind(op, bias, "conv")
    out = result.shape[1]
    if bias.shape != (out,):
        raise ShapeError(
            f"{op}: the bias has the shape {bias.shape}, and ({out},) is needed: one "
            "number for each channel of the result."
        )
    column = call("reshape", bias, shape=(out,) + (1,) * (result.ndim - 2))
    return call("add", result, column)


def conv_transpose1d(
    x: Tensor[B],
    weight: Tensor[B],
    bias: Tensor[B] | None = None,
    *,
    stride: Each = 1,
    padding: Padding = 0,
    output_padding: Each = 0,
    dilation: Each = 1,
    groups: int = 1,
) -> Tensor[B]:
    """The transpose of `conv1d`: each element spreads a weighted window.

    `weight` is (channel, out / groups, window), `bias` (out,). `padding` is that of the
    `conv1d` and is cut off; `output_padding` lengthens the end, and must be smaller
    than the stride or the dilation. The length is (length - 1) * stride - low - high +
    dilation * (window - 1) + 1 + output_padding. Raises `ShapeError`, `DTypeError`.

    >>> import trivet as tv
    >>> x, weight = tv.asarray([[[1.0, 2.0]]]), tv.asarray([[[1.0, 10.0]]])
    >>> tv.nn.conv_transpose1d(x, weight, stride=2, output_padding=1).tolist()
    [[[1.0, 10.0, 2.0, 20.0, 0.0]]]
    """
    statics = (stride, padding, output_padding, dilation, groups)
    return _transposed("conv_transpose1d", 1, x, weight, bias, *statics)


def conv_transpose2d(
    x: Tensor[B],
    weight: Tensor[B],
    bias: Tensor[B] | None = None,
    *,
    stride: Each = 1,
    padding: Padding = 0,
    output_padding: Each = 0,
    dilation: Each = 1,
    groups: int = 1,
) -> Tensor[B]:
    """The transpose of `conv2d`: each element spreads a weighted window.

    `weight` is (channel, out / groups, rows, columns). Else as `conv_transpose1d`.

    >>> import trivet as tv
    >>> x, weight = tv.ones((1, 4, 5, 5)), tv.ones((4, 3, 2, 2))
    >>> tv.nn.conv_transpose2d(x, weight, stride=2).shape
    (1, 3, 10, 10)
    """
    statics = (stride, padding, output_padding, dilation, groups)
    return _transposed("conv_transpose2d", 2, x, weight, bias, *statics)


def conv_transpose3d(
    x: Tensor[B],
    weight: Tensor[B],
    bias: Tensor[B] | None = None,
    *,
    stride: Each = 1,
    padding: Padding = 0,
    output_padding: Each = 0,
    dilation: Each = 1,
    groups: int = 1,
) -> Tensor[B]:
    """The transpose of `conv3d`: each element spreads a weighted window.

    `weight` is (channel, out / groups, *window). Else as `conv_transpose1d`.

    >>> import trivet as tv
    >>> x, weight = tv.ones((1, 2, 2, 2, 2)), tv.ones((2, 1, 3, 3, 3))
    >>> tv.nn.conv_transpose3d(x, weight).shape
    (1, 1, 4, 4, 4)
    """
    statics = (stride, padding, output_padding, dilation, groups)
    return _transposed("conv_transpose3d", 3, x, weight, bias, *statics)


def _transposed(
    op: str,
    ndim: int,
    x: Tensor[B],
    weight: Tensor[B],
    bias: Tensor[B] | None,
    stride: Each,
    padding: Padding,
    output_padding: Each,
    dilation: Each,
    groups: int,
) -> Tensor[B]:
    places = check_layout(op, x, ndim, "conv_transpose")
    window = _check_weight(op, weight, ndim)
    groups = integer(op, "groups", groups)
    _check_groups(op, groups, x.shape[1], weight.shape[0], weight.shape[0])
    statics: dict[str, Any] = {
        "stride": for_each(op, "stride", stride, ndim, 1),
        "padding": paddings(op, padding, ndim),
        "dilation": for_each(op, "dilation", dilation, ndim, 1),
        "output_padding": for_each(op, "output_padding", output_padding, ndim, 0),
    }
    _check_size(op, places, window, **statics)
    result = call("conv_transpose", x, weight, **statics, groups=groups)
    return _with_bias(op, result, bias)


def _check_size(
    op: str, places: tuple[int, ...], window: tuple[int, ...], **statics: Any
) -> None:
    size, _ = transposed_size(places, window, **statics)
    limits = zip(statics["stride"], statics["dilation"], strict=True)
    extra = statics["output_padding"]
    if any(n >= max(pair) for n, pair in zip(extra, limits, strict=True)):
        raise ShapeError(
            f"{op}: output_padding={extra} must be smaller than the stride "
            f"{statics['stride']} or the dilation {statics['dilation']} on every axis."
        )
    if min(size) < 1 or 0 in places:
        raise ShapeError(
            f"{op}: nothing is left of an axis: the sizes would be {size}. Cut off "
            "less by a smaller padding."
        )


def unfold(
    x: Tensor[B],
    kernel_size: Each,
    *,
    dilation: Each = 1,
    padding: Padding = 0,
    stride: Each = 1,
) -> Tensor[B]:
    """The patches of (batch, channel, height, width) as columns: im2col.

    The result is (batch, channel * rows * columns, places), with the patches' elements
    and the places in C order; settings as in `conv2d`. Matrix products with it are
    convolutions. Raises `ShapeError`, `DTypeError` unless real.

    >>> import trivet as tv
    >>> x = tv.reshape(tv.arange(6), (1, 1, 2, 3))
    >>> tv.nn.unfold(x, 2).tolist()
    [[[0, 1], [1, 2], [3, 4], [4, 5]]]
    """
    size = check_layout("unfold", x, 2, "sliding_windows")
    window = for_each("unfold", "kernel_size", kernel_size, 2, 1)
    statics = _patches("unfold", size, window, dilation, padding, stride)
    seen = call("sliding_windows", x, window=window, **statics)
    batch, channel, rows, columns, down, across = seen.shape
    return call("reshape", seen, shape=(batch, channel * rows * columns, down * across))


def fold(
    x: Tensor[B],
    output_size: Each,
    kernel_size: Each,
    *,
    dilation: Each = 1,
    padding: Padding = 0,
    stride: Each = 1,
) -> Tensor[B]:
    """Columns as `unfold` gives them, added at their places: col2im.

    `x` is (batch, channel * rows * columns, places), the result (batch, channel,
    *output_size). Where patches overlap their elements add up, so it is the transpose
    of `unfold`, not its inverse. Raises `ShapeError`, `DTypeError` unless real.

    >>> import trivet as tv
    >>> columns = tv.nn.unfold(tv.ones((1, 1, 2, 3)), 2)
    >>> tv.nn.fold(columns, (2, 3), 2).tolist()
    [[[[1.0, 2.0, 1.0], [1.0, 2.0, 1.0]]]]
    """
    check_kind("fold", x, "add_windows")
    size = for_each("fold", "output_size", output_size, 2, 1)
    window = for_each("fold", "kernel_size", kernel_size, 2, 1)
    statics = _patches("fold", size, window, dilation, padding, stride)
    down, across = window_places(size, window, **statics)
    rows, columns = window
    if x.ndim != 3 or x.shape[1] % (rows * columns) or x.shape[2] != down * across:
        raise ShapeError(
            f"fold: the tensor has the shape {x.shape}, and (batch, channel * "
            f"{rows * columns}, {down * across}) is needed for patches of {window} at "
            f"{(down, across)} places."
        )
    batch, channel = x.shape[0], x.shape[1] // (rows * columns)
    apart = call("reshape", x, shape=(batch, channel, rows, columns, down, across))
    return call("add_windows", apart, size=size, **statics)


def _patches(
    op: str,
    size: tuple[int, ...],
    window: tuple[int, ...],
    dilation: Each,
    padding: Padding,
    stride: Each,
) -> dict[str, Any]:
    statics: dict[str, Any] = {
        "stride": for_each(op, "stride", stride, 2, 1),
        "padding": paddings(op, padding, 2),
        "dilation": for_each(op, "dilation", dilation, 2, 1),
    }
    check_fit(op, size, window, **statics)
    return statics
