"""Arguments about windows, checked and completed for the contract.

The functions of convolution, pooling and unfolding call it. Every setting may be one
number or one for each axis; padding may also be a pair (low, high) for each axis.
"""

import operator
from collections.abc import Sequence
from typing import Any, SupportsIndex

from trivet.contract import OPS
from trivet.dispatch import require_tensor
from trivet.errors import DTypeError, ShapeError
from trivet.shapes import window_places

__all__ = [
    "Each",
    "Padding",
    "check_elements",
    "check_fit",
    "check_kind",
    "check_layout",
    "for_each",
    "paddings",
    "pool_windows",
    "reaching",
]

Each = SupportsIndex | Sequence[SupportsIndex]
Padding = SupportsIndex | Sequence[SupportsIndex | Sequence[SupportsIndex]]
Ints = tuple[int, ...]
Pairs = tuple[tuple[int, int], ...]


def for_each(op: str, name: str, value: Each, ndim: int, least: int) -> Ints:
    """One int for each of `ndim` axes, none below `least`. Raises `ShapeError`.

    >>> for_each("conv2d", "stride", 2, 2, 1)
    (2, 2)
    """
    try:
        given = value if isinstance(value, Sequence) else (value,) * ndim
        numbers = tuple(map(operator.index, given))
    except TypeError:
        numbers = ()
    if len(numbers) != ndim or min(numbers) < least:
        many = "one int" if ndim == 1 else f"one int, or {ndim} of them"
        raise ShapeError(
            f"{op}: {name}={value!r} does not fit; give {many}, none below {least}."
        )
    return numbers


def paddings(op: str, value: Padding, ndim: int) -> Pairs:
    """The pair (low, high) for each of `ndim` axes. Raises `ShapeError`.

    >>> paddings("conv1d", (2, 1), 1), paddings("conv2d", (2, 1), 2)
    (((2, 1),), ((2, 2), (1, 1)))
    """
    given: Any = value if isinstance(value, Sequence) else (value,) * ndim
    if ndim == 1 and len(given) == 2:
        given = (given,)
    try:
        pairs = tuple(map(_pair, given))
    except (TypeError, ValueError):
        pairs = ()
    if len(pairs) != ndim or min(map(min, pairs)) < 0:
        axes = "one axis" if ndim == 1 else f"{ndim} axes"
        raise ShapeError(
            f"{op}: padding={value!r} does not fit {axes}; give one int, or for each "
            "axis an int or a pair (low, high), none negative."
        )
    return pairs


def _pair(value: Any) -> tuple[int, int]:
    low, high = value if isinstance(value, Sequence) else (value, value)
    return operator.index(low), operator.index(high)


def check_kind(op: str, x: Any, native: str) -> None:
    """Raise `TypeError` or `DTypeError` unless the contract's op `native` takes `x`."""
    require_tensor(op, x)
    if x.dtype.kind not in OPS[native].kinds:
        kinds = " or ".join(sorted(OPS[native].kinds))
        raise DTypeError(
            f"{op}: the dtype {x.dtype} is not one that this op takes; it takes "
            f"{kinds}. Cast with .astype(...)."
        )


def check_layout(op: str, x: Any, ndim: int, native: str) -> Ints:
    """The sizes of the last `ndim` axes of a tensor (batch, channel, *size).

    `native` is the op of the contract whose dtypes count. Raises `TypeError`,
    `DTypeError`, `ShapeError`.
    """
    check_kind(op, x, native)
    if x.ndim != ndim + 2:
        raise ShapeError(
            f"{op}: the tensor has the shape {x.shape}, and {ndim + 2} axes are "
            f"needed: batch, channel and {ndim} more. Add missing ones with "
            "tv.expand_dims."
        )
    return x.shape[2:]  # type: ignore[no-any-return]


def check_fit(
    op: str, size: Ints, window: Ints, stride: Ints, padding: Pairs, dilation: Ints
) -> None:
    """Raise `ShapeError` where a window finds no place."""
    places = window_places(size, window, stride, padding, dilation)
    for axis, count in enumerate(places):
        if count > 0:
            continue
        reach = dilation[axis] * (window[axis] - 1) + 1
        raise ShapeError(
            f"{op}: a window over {reach} elements does not fit axis {axis + 2}, which "
            f"has {size[axis]} and the padding {padding[axis]}."
        )


def reaching(
    size: Ints, window: Ints, stride: Ints, padding: Pairs, dilation: Ints
) -> Pairs:
    """The padding with which windows reach the last element, as ceil mode has it.

    A window that would start beyond the elements is left out.

    >>> reaching((4,), (3,), (2,), ((0, 0),), (1,))
    ((0, 1),)
    """
    needed = []
    for n, k, step, (low, high), d in zip(
        size, window, stride, padding, dilation, strict=True
    ):
        reach = d * (k - 1) + 1
        count = -((reach - n - low - high) // step) + 1
        if (count - 1) * step >= n + low:
            count -= 1
        needed.append((low, max(high, (count - 1) * step + reach - n - low)))
    return tuple(needed)


def pool_windows(
    op: str,
    size: Ints,
    kernel_size: Each,
    stride: Each | None,
    padding: Padding,
    dilation: Ints,
) -> dict[str, Any]:
    """The statics of pooling, for windows that fit. Raises `ShapeError`.

    The stride is the window's size unless given; the padding is at most half of it.
    """
    ndim = len(size)
    window = for_each(op, "kernel_size", kernel_size, ndim, 1)
    step = window if stride is None else for_each(op, "stride", stride, ndim, 1)
    around = paddings(op, padding, ndim)
    if any(2 * max(pad) > k for pad, k in zip(around, window, strict=True)):
        raise ShapeError(
            f"{op}: the padding {around} is more than half of kernel_size={window}."
        )
    check_fit(op, size, window, step, around, dilation)
    return {
        "window": window,
        "stride": step,
        "padding": around,
        "dilation": dilation,
    }


def check_elements(
    op: str,
    size: Ints,
    window: Ints,
    stride: Ints,
    padding: Pairs,
    dilation: Ints,
) -> None:
    """Raise `ShapeError` where a window sees padding alone, as dilated ones can."""
    for axis, n in enumerate(size):
        low, high = padding[axis]
        k, d = window[axis], dilation[axis]
        starts = range(-low, n + high - d * (k - 1), stride[axis])
        if any(s + d * (k - 1) < 0 or s % d >= n for s in starts if s < 0):
            raise ShapeError(
                f"{op}: a window sees padding alone on axis {axis + 2}, which has {n} "
                f"elements and the padding {padding[axis]}."
            )
