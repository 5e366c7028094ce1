"""Convolutions as matrix products of patches, a few images at a time.

Patches are copied into one buffer that stays in the cache; measured, this is quicker
than one product for the whole batch, and takes a fraction of the memory.
"""

import math

import numpy as np

from trivet.shapes import transposed_size
from trivet_ndarray.data import Array, Data
from trivet_ndarray.depthwise import filtered, products_by_place
from trivet_ndarray.reduction import SUM
from trivet_ndarray.windows import Ints, Pairs, padded, reach, view

__all__ = ["Convolution"]

_CHUNK = 1 << 20  # bytes of patches; half to twice as many make no difference


class Convolution(Data):
    """16-bit floats are computed in float32."""

    def sliding_windows(
        self, x: Array, /, *, window: Ints, stride: Ints, padding: Pairs, dilation: Ints
    ) -> Array:
        return view(padded(x, padding), window, stride, dilation)

    def add_windows(
        self, x: Array, /, *, size: Ints, stride: Ints, padding: Pairs, dilation: Ints
    ) -> Array:
        x, dtype = self.widened(x)
        result = np.zeros((*x.shape[:2], *size), x.dtype)
        _add_windows(result, x, stride, padding, dilation)
        return self.cast(result, dtype)

    def conv(
        self,
        x: Array,
        weight: Array,
        /,
        *,
        stride: Ints,
        padding: Pairs,
        dilation: Ints,
        groups: int,
    ) -> Array:
        dtype = np.result_type(x, weight)
        wide = np.float32 if dtype == np.float16 else dtype
        x, weight = (
            padded(x.astype(wide, copy=False), padding),
            weight.astype(wide, copy=False),
        )
        return _convolved(x, weight, stride, dilation, groups).astype(dtype, copy=False)

    def conv_transpose(
        self,
        x: Array,
        weight: Array,
        /,
        *,
        stride: Ints,
        padding: Pairs,
        dilation: Ints,
        groups: int,
        output_padding: Ints,
    ) -> Array:
        around = _mirrored(weight.shape[2:], padding, dilation, output_padding)
        if max(stride) == 1 and min(map(min, around)) >= 0:
            turned = _turned(weight, groups)
            return self.conv(
                x,
                turned,
                stride=stride,
                padding=around,
                dilation=dilation,
                groups=groups,
            )
        dtype = np.result_type(x, weight)
        wide = np.float32 if dtype == np.float16 else dtype
        x, weight = x.astype(wide, copy=False), weight.astype(wide, copy=False)
        size, cut = transposed_size(
            x.shape[2:], weight.shape[2:], stride, padding, dilation, output_padding
        )
        result = np.zeros((len(x), weight.shape[1] * groups, *size), wide)
        _spread(result, x, weight, groups, stride, cut, dilation)
        return result.astype(dtype, copy=False)


def _convolved(
    x: Array, weight: Array, stride: Ints, dilation: Ints, groups: int
) -> Array:
    """The convolution of a padded array, the quickest way."""
    window = weight.shape[2:]
    seen = view(x, window, stride, dilation)
    places = seen.shape[2 + len(window) :]
    few = math.prod(places) < math.prod(window)
    if groups == len(weight) > 1 and seen.size and x.dtype.kind == "f":
        if weight.shape[1] == 1 and max(stride) == 1 and not few:
            return filtered(x, weight, dilation)
        if few and max(dilation) == 1 and _is_finite(x):
            return products_by_place(x, weight, stride)
    convolve = _by_channel if few else _by_image
    flat = convolve(seen, weight, groups)
    return flat.reshape(len(x), len(weight), *places)


def _is_finite(x: Array) -> bool:
    with np.errstate(over="ignore", invalid="ignore"):
        return bool(np.isfinite(SUM(x, None)))


def _by_image(seen: Array, weight: Array, groups: int) -> Array:
    """(batch, out, places): rows of weights times columns of patches."""
    batch, channel = seen.shape[:2]
    out, inner, *window = weight.shape
    places = seen.shape[2 + len(window) :]
    length, count = inner * math.prod(window), math.prod(places)
    rows = weight.reshape(groups, out // groups, length)
    result = np.empty((batch, groups, out // groups, count), seen.dtype)
    if math.prod(window) == 1:  # the array is its own patches
        columns = seen.reshape(batch, groups, length, count)
        return np.matmul(rows, columns, result)
    some = _at_once(batch, channel * math.prod(window) * count * seen.itemsize)
    buffer = np.empty((some, *seen.shape[1:]), seen.dtype)
    for at in range(0, batch, some):
        part = seen[at : at + some]
        patches = buffer[: len(part)]
        np.copyto(patches, part)
        columns = patches.reshape(len(part), groups, length, count)
        np.matmul(rows, columns, result[at : at + some])
    return result


def _by_channel(seen: Array, weight: Array, groups: int) -> Array:
    """The same where windows are large and places few, as in gradients of weights.

    The sum over channels is made a few at a time, so that the copied runs are long.
    """
    batch = len(seen)
    out, inner, *window = weight.shape
    places = seen.shape[2 + len(window) :]
    length, count = math.prod(window), math.prod(places)
    apart = seen.reshape(batch, groups, inner, *window, *places)
    ahead = range(3 + len(window), apart.ndim)
    apart = apart.transpose(1, 0, *ahead, *range(2, 3 + len(window)))
    behind = (slice(None),) * len(window)
    rows = weight.reshape(groups, out // groups, inner * length)
    total = np.zeros((groups, batch * count, out // groups), seen.dtype)
    some = _at_once(inner, batch * groups * length * count * seen.itemsize)
    for at in range(0, inner, some):
        part = apart[(..., slice(at, at + some), *behind)]
        columns = rows[:, :, at * length : (at + some) * length].swapaxes(1, 2)
        total += np.matmul(
            part.reshape(groups, batch * count, len(columns[0])), columns
        )
    result = total.reshape(groups, batch, count, out // groups).transpose(1, 0, 3, 2)
    return result.reshape(batch, out, count)


def _at_once(batch: int, size: int) -> int:
    """How many images of `size` bytes of patches are worked on together."""
    return max(min(batch, _CHUNK // max(size, 1)), 1)


def _spread(
    result: Array,
    x: Array,
    weight: Array,
    groups: int,
    stride: Ints,
    cut: Pairs,
    dilation: Ints,
) -> None:
    """Adds the weighted windows of all elements of `x` to `result`."""
    batch, channel, *places = x.shape
    _, out, *window = weight.shape
    length, count = out * math.prod(window), math.prod(places)
    rows = weight.reshape(groups, channel // groups, length).swapaxes(1, 2)
    columns = x.reshape(batch, groups, channel // groups, count)
    some = _at_once(batch, groups * length * count * x.itemsize)
    buffer = np.empty((some, groups, length, count), x.dtype)
    for at in range(0, batch, some):
        part = columns[at : at + some]
        made = np.matmul(rows, part, buffer[: len(part)])
        made = made.reshape(len(part), groups * out, *window, *places)
        _add_windows(result[at : at + some], made, stride, cut, dilation)


def _add_windows(
    result: Array, x: Array, stride: Ints, padding: Pairs, dilation: Ints
) -> None:
    """Adds (batch, channel, *window, *places) to `result`, in as few steps as it can.

    One step for each element of the window, or for each place if those are fewer: in
    the formula, place and stride mirror element and dilation.
    """
    ndim = len(stride)
    window, places = x.shape[2 : 2 + ndim], x.shape[2 + ndim :]
    if math.prod(places) < math.prod(window):
        x = x.transpose(0, 1, *range(2 + ndim, x.ndim), *range(2, 2 + ndim))
        window, places, stride, dilation = places, window, dilation, stride
    keys = reach(result.shape[2:], window, places, stride, padding, dilation)
    for tap, (at, inside) in zip(np.ndindex(window), keys, strict=True):
        result[inside] += x[(slice(None), slice(None), *tap)][at]


def _mirrored(
    window: Ints, padding: Pairs, dilation: Ints, output_padding: Ints
) -> Pairs:
    """The padding with which a plain convolution is the transposed one."""
    axes = zip(window, padding, dilation, output_padding, strict=True)
    return tuple(
        (d * (k - 1) - low, d * (k - 1) - high + extra)
        for k, (low, high), d, extra in axes
    )


def _turned(weight: Array, groups: int) -> Array:
    """The weight with its windows reversed, and its channels the other way round."""
    channel, out, *window = weight.shape
    turned = np.flip(weight, tuple(range(2, weight.ndim)))
    turned = turned.reshape(groups, channel // groups, out, *window).swapaxes(1, 2)
    return turned.reshape(groups * out, channel // groups, *window)
