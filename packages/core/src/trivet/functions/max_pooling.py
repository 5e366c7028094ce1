"""The largest elements of windows, in one to three dimensions.

The layout is (batch, channel, *size). Users reach them as `tv.nn.<name>`.
"""

from typing import Any, TypeVar

from trivet.contract import Backend
from trivet.dispatch import call
from trivet.functions.window import (
    Each,
    Padding,
    check_elements,
    check_layout,
    for_each,
    pool_windows,
    reaching,
)
from trivet.tensor import Tensor

__all__ = [
    "max_pool1d",
    "max_pool1d_with_indices",
    "max_pool2d",
    "max_pool2d_with_indices",
    "max_pool3d",
    "max_pool3d_with_indices",
]

B = TypeVar("B", bound=Backend[Any])


def max_pool1d(
    x: Tensor[B],
    kernel_size: Each,
    *,
    stride: Each | None = None,
    padding: Padding = 0,
    dilation: Each = 1,
    ceil_mode: bool = False,
) -> Tensor[B]:
    """The largest element of each window of (batch, channel, length).

    NaN wins. The stride is the kernel's size unless given. Padding, at most half of
    the window on either side, is never the largest. What windows do not reach at the
    end is left out, unless `ceil_mode` adds a window there. Among equal elements the
    first has the slope. Raises `ShapeError`, `DTypeError` unless real.

    >>> import trivet as tv
    >>> tv.nn.max_pool1d(tv.asarray([[[3.0, 1.0, 2.0, 5.0, 4.0]]]), 2).tolist()
    [[[3.0, 5.0]]]
    """
    return _max("max_pool1d", 1, x, kernel_size, stride, padding, dilation, ceil_mode)


def max_pool2d(
    x: Tensor[B],
    kernel_size: Each,
    *,
    stride: Each | None = None,
    padding: Padding = 0,
    dilation: Each = 1,
    ceil_mode: bool = False,
) -> Tensor[B]:
    """The largest element of each window of (batch, channel, height, width).

    Settings are one number or one for each axis. Else as `max_pool1d`.

    >>> import trivet as tv
    >>> x = tv.reshape(tv.arange(16.0), (1, 1, 4, 4))
    >>> tv.nn.max_pool2d(x, 2).tolist()
    [[[[5.0, 7.0], [13.0, 15.0]]]]
    """
    return _max("max_pool2d", 2, x, kernel_size, stride, padding, dilation, ceil_mode)


def max_pool3d(
    x: Tensor[B],
    kernel_size: Each,
    *,
    stride: Each | None = None,
    padding: Padding = 0,
    dilation: Each = 1,
    ceil_mode: bool = False,
) -> Tensor[B]:
    """The largest element of each window of (batch, channel, depth, height, width).

    Settings are one number or one for each axis. Else as `max_pool1d`.

    >>> import trivet as tv
    >>> tv.nn.max_pool3d(tv.ones((1, 2, 4, 4, 4)), 2).shape
    (1, 2, 2, 2, 2)
    """
    return _max("max_pool3d", 3, x, kernel_size, stride, padding, dilation, ceil_mode)


def max_pool1d_with_indices(
    x: Tensor[B],
    kernel_size: Each,
    *,
    stride: Each | None = None,
    padding: Padding = 0,
    dilation: Each = 1,
    ceil_mode: bool = False,
) -> tuple[Tensor[B], Tensor[B]]:
    """`max_pool1d` and where its elements stand along the last axis.

    Of equal elements it is the first, and of several NaN too.

    >>> import trivet as tv
    >>> x = tv.asarray([[[3.0, 1.0, 5.0, 5.0]]])
    >>> values, indices = tv.nn.max_pool1d_with_indices(x, 2)
    >>> values.tolist(), indices.tolist()
    ([[[3.0, 5.0]]], [[[0, 2]]])
    """
    return _with_indices(1, x, kernel_size, stride, padding, dilation, ceil_mode)


def max_pool2d_with_indices(
    x: Tensor[B],
    kernel_size: Each,
    *,
    stride: Each | None = None,
    padding: Padding = 0,
    dilation: Each = 1,
    ceil_mode: bool = False,
) -> tuple[Tensor[B], Tensor[B]]:
    """`max_pool2d` and where its elements stand in each plane, in C order.

    Of equal elements it is the first, and of several NaN too.

    >>> import trivet as tv
    >>> x = tv.reshape(tv.arange(16.0), (1, 1, 4, 4))
    >>> tv.nn.max_pool2d_with_indices(x, 2)[1].tolist()
    [[[[5, 7], [13, 15]]]]
    """
    return _with_indices(2, x, kernel_size, stride, padding, dilation, ceil_mode)


def max_pool3d_with_indices(
    x: Tensor[B],
    kernel_size: Each,
    *,
    stride: Each | None = None,
    padding: Padding = 0,
    dilation: Each = 1,
    ceil_mode: bool = False,
) -> tuple[Tensor[B], Tensor[B]]:
    """`max_pool3d` and where its elements stand in each volume, in C order.

    Of equal elements it is the first, and of several NaN too.

    >>> import trivet as tv
    >>> x = tv.reshape(tv.arange(8.0), (1, 1, 2, 2, 2))
    >>> tv.nn.max_pool3d_with_indices(x, 2)[1].tolist()
    [[[[[7]]]]]
    """
    return _with_indices(3, x, kernel_size, stride, padding, dilation, ceil_mode)


def _max(
    op: str,
    ndim: int,
    x: Tensor[B],
    kernel_size: Each,
    stride: Each | None,
    padding: Padding,
    dilation: Each,
    ceil_mode: bool,  # noqa: FBT001  # as the public function has it
) -> Tensor[B]:
    statics = _max_statics(
        op, ndim, x, kernel_size, stride, padding, dilation, ceil_mode=ceil_mode
    )
    return call("max_pool", x, **statics)


def _with_indices(
    ndim: int,
    x: Tensor[B],
    kernel_size: Each,
    stride: Each | None,
    padding: Padding,
    dilation: Each,
    ceil_mode: bool,  # noqa: FBT001  # as the public function has it
) -> tuple[Tensor[B], Tensor[B]]:
    statics = _max_statics(
        f"max_pool{ndim}d_with_indices",
        ndim,
        x,
        kernel_size,
        stride,
        padding,
        dilation,
        ceil_mode=ceil_mode,
    )
    return call("max_pool", x, **statics), call("max_pool_indices", x, **statics)


def _max_statics(
    op: str,
    ndim: int,
    x: Tensor[Any],
    kernel_size: Each,
    stride: Each | None,
    padding: Padding,
    dilation: Each,
    *,
    ceil_mode: bool,
) -> dict[str, Any]:
    size = check_layout(op, x, ndim, "max_pool")
    apart = for_each(op, "dilation", dilation, ndim, 1)
    statics = pool_windows(op, size, kernel_size, stride, padding, apart)
    check_elements(op, size, **statics)
    if ceil_mode:
        statics["padding"] = reaching(size, **statics)
    return statics
