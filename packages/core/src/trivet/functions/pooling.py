"""Means and norms of windows, and pooling of parts, in one to three dimensions.

The layout is (batch, channel, *size). Users reach them as `tv.nn.<name>`.
"""

import math
from typing import Any, TypeVar

from trivet.arguments import real
from trivet.contract import Backend
from trivet.dispatch import call
from trivet.errors import ArgumentError, ShapeError
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
    "adaptive_avg_pool1d",
    "adaptive_avg_pool2d",
    "adaptive_avg_pool3d",
    "adaptive_max_pool1d",
    "adaptive_max_pool2d",
    "adaptive_max_pool3d",
    "avg_pool1d",
    "avg_pool2d",
    "avg_pool3d",
    "lp_pool1d",
    "lp_pool2d",
]

B = TypeVar("B", bound=Backend[Any])


def avg_pool1d(
    x: Tensor[B],
    kernel_size: Each,
    *,
    stride: Each | None = None,
    padding: Padding = 0,
    ceil_mode: bool = False,
    count_include_pad: bool = True,
) -> Tensor[B]:
    """The mean of each window of (batch, channel, length).

    The padding, at most half of the window on either side, is 0 and counts as
    elements if `count_include_pad`. The stride is the kernel's size unless given. What
    windows do not reach at the end is left out, unless `ceil_mode` adds a window
    there; what lies beyond the padding never counts. Raises `ShapeError`, `DTypeError`
    unless real floating.

    >>> import trivet as tv
    >>> tv.nn.avg_pool1d(tv.asarray([[[1.0, 3.0, 5.0]]]), 2, stride=1).tolist()
    [[[2.0, 4.0]]]
    """
    statics = (stride, padding, ceil_mode, count_include_pad)
    return _avg("avg_pool1d", 1, x, kernel_size, *statics)


def avg_pool2d(
    x: Tensor[B],
    kernel_size: Each,
    *,
    stride: Each | None = None,
    padding: Padding = 0,
    ceil_mode: bool = False,
    count_include_pad: bool = True,
) -> Tensor[B]:
    """The mean of each window of (batch, channel, height, width).

    Settings are one number or one for each axis. Else as `avg_pool1d`.

    >>> import trivet as tv
    >>> x = tv.reshape(tv.arange(16.0), (1, 1, 4, 4))
    >>> tv.nn.avg_pool2d(x, 2).tolist()
    [[[[2.5, 4.5], [10.5, 12.5]]]]
    """
    statics = (stride, padding, ceil_mode, count_include_pad)
    return _avg("avg_pool2d", 2, x, kernel_size, *statics)


def avg_pool3d(
    x: Tensor[B],
    kernel_size: Each,
    *,
    stride: Each | None = None,
    padding: Padding = 0,
    ceil_mode: bool = False,
    count_include_pad: bool = True,
) -> Tensor[B]:
    """The mean of each window of (batch, channel, depth, height, width).

    Settings are one number or one for each axis. Else as `avg_pool1d`.

    >>> import trivet as tv
    >>> tv.nn.avg_pool3d(tv.ones((1, 2, 4, 4, 4)), 2).shape
    (1, 2, 2, 2, 2)
    """
    statics = (stride, padding, ceil_mode, count_include_pad)
    return _avg("avg_pool3d", 3, x, kernel_size, *statics)


def _avg(
    op: str,
    ndim: int,
    x: Tensor[B],
    kernel_size: Each,
    stride: Each | None,
    padding: Padding,
    ceil_mode: bool,  # noqa: FBT001  # as the public function has it
    count_include_pad: bool,  # noqa: FBT001  # as the public function has it
) -> Tensor[B]:
    size = check_layout(op, x, ndim, "avg_pool")
    statics = pool_windows(op, size, kernel_size, stride, padding, (1,) * ndim)
    if not count_include_pad:
        check_elements(op, size, **statics)
    counted = statics["padding"] if count_include_pad else ((0, 0),) * ndim
    if ceil_mode:
        statics["padding"] = reaching(size, **statics)
    del statics["dilation"]
    return call("avg_pool", x, **statics, counted=counted)


def lp_pool1d(
    x: Tensor[B],
    norm_type: float,
    kernel_size: Each,
    *,
    stride: Each | None = None,
    ceil_mode: bool = False,
) -> Tensor[B]:
    """The `norm_type`-norm of each window of (batch, channel, length).

    It is (sum |x| ** p) ** (1 / p), and the largest |x| for an infinite p. The stride
    and `ceil_mode` are those of `avg_pool1d`. A window of zeros has the slope 0.
    Raises `ShapeError`, `DTypeError` unless real floating, `ValueError` for p <= 0.

    >>> import trivet as tv
    >>> tv.nn.lp_pool1d(tv.asarray([[[3.0, -4.0]]]), 2, 2).tolist()
    [[[5.0]]]
    """
    return _lp("lp_pool1d", 1, x, norm_type, kernel_size, stride, ceil_mode=ceil_mode)


def lp_pool2d(
    x: Tensor[B],
    norm_type: float,
    kernel_size: Each,
    *,
    stride: Each | None = None,
    ceil_mode: bool = False,
) -> Tensor[B]:
    """The `norm_type`-norm of each window of (batch, channel, height, width).

    Settings are one number or one for each axis. Else as `lp_pool1d`.

    >>> import trivet as tv
    >>> tv.nn.lp_pool2d(tv.ones((1, 1, 4, 4)), 2, 2).tolist()
    [[[[2.0, 2.0], [2.0, 2.0]]]]
    """
    return _lp("lp_pool2d", 2, x, norm_type, kernel_size, stride, ceil_mode=ceil_mode)


def _lp(
    op: str,
    ndim: int,
    x: Tensor[B],
    norm_type: float,
    kernel_size: Each,
    stride: Each | None,
    *,
    ceil_mode: bool,
) -> Tensor[B]:
    size = check_layout(op, x, ndim, "lp_pool")
    if not real(op, "norm_type", norm_type) > 0:
        raise ArgumentError(f"{op}: norm_type={norm_type!r} is not above 0.")
    statics = pool_windows(op, size, kernel_size, stride, 0, (1,) * ndim)
    if ceil_mode:
        statics["padding"] = reaching(size, **statics)
    if math.isinf(norm_type):
        return call("max_pool", call("abs", x), **statics)
    del statics["dilation"]
    return call("lp_pool", x, power=norm_type, **statics)


def adaptive_avg_pool1d(x: Tensor[B], output_size: Each) -> Tensor[B]:
    """The means of `output_size` parts of (batch, channel, length).

    Part p of m runs from floor(p n / m) up to ceil((p + 1) n / m), so neighbours may
    share an element. Raises `ShapeError`, `DTypeError` unless real floating.

    >>> import trivet as tv
    >>> tv.nn.adaptive_avg_pool1d(tv.asarray([[[1.0, 2.0, 6.0]]]), 2).tolist()
    [[[1.5, 4.0]]]
    """
    return _adaptive("adaptive_avg_pool", 1, x, output_size)


def adaptive_avg_pool2d(x: Tensor[B], output_size: Each) -> Tensor[B]:
    """The means of parts of (batch, channel, height, width), as `adaptive_avg_pool1d`.

    >>> import trivet as tv
    >>> tv.nn.adaptive_avg_pool2d(tv.ones((1, 2, 5, 7)), (3, 1)).shape
    (1, 2, 3, 1)
    """
    return _adaptive("adaptive_avg_pool", 2, x, output_size)


def adaptive_avg_pool3d(x: Tensor[B], output_size: Each) -> Tensor[B]:
    """The means of parts along three axes, as `adaptive_avg_pool1d`.

    >>> import trivet as tv
    >>> tv.nn.adaptive_avg_pool3d(tv.ones((1, 2, 5, 7, 4)), 1).tolist()
    [[[[[1.0]]], [[[1.0]]]]]
    """
    return _adaptive("adaptive_avg_pool", 3, x, output_size)


def adaptive_max_pool1d(x: Tensor[B], output_size: Each) -> Tensor[B]:
    """The largest elements of `output_size` parts of (batch, channel, length).

    The parts are those of `adaptive_avg_pool1d`. NaN wins; among equal elements the
    first has the slope. Raises `ShapeError`, `DTypeError` unless real.

    >>> import trivet as tv
    >>> tv.nn.adaptive_max_pool1d(tv.asarray([[[1.0, 2.0, 6.0]]]), 2).tolist()
    [[[2.0, 6.0]]]
    """
    return _adaptive("adaptive_max_pool", 1, x, output_size)


def adaptive_max_pool2d(x: Tensor[B], output_size: Each) -> Tensor[B]:
    """The largest elements of parts of each plane, as `adaptive_max_pool1d`.

    >>> import trivet as tv
    >>> x = tv.reshape(tv.arange(9.0), (1, 1, 3, 3))
    >>> tv.nn.adaptive_max_pool2d(x, (1, 2)).tolist()
    [[[[7.0, 8.0]]]]
    """
    return _adaptive("adaptive_max_pool", 2, x, output_size)


def adaptive_max_pool3d(x: Tensor[B], output_size: Each) -> Tensor[B]:
    """The largest elements of parts of each volume, as `adaptive_max_pool1d`.

    >>> import trivet as tv
    >>> tv.nn.adaptive_max_pool3d(tv.ones((1, 2, 5, 7, 4)), (2, 3, 2)).shape
    (1, 2, 2, 3, 2)
    """
    return _adaptive("adaptive_max_pool", 3, x, output_size)


def _adaptive(name: str, ndim: int, x: Tensor[B], output_size: Each) -> Tensor[B]:
    op = f"{name}{ndim}d"
    size = check_layout(op, x, ndim, name)
    parts = for_each(op, "output_size", output_size, ndim, 1)
    if 0 in size:
        raise ShapeError(
            f"{op}: the tensor has the shape {x.shape}, and an empty axis has no parts."
        )
    return call(name, x, size=parts)
