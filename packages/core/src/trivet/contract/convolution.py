"""Convolutions and their transposes, and the windows that they stand on.

The layout is (batch, channel, *size) with any number of axes after the channel. All
statics have one entry for each of these axes.
"""

import math
from typing import TypeVar

from trivet.contract.nn import Nn
from trivet.contract.table import derived
from trivet.dtypes import REAL, Scalar, promote
from trivet.shapes import transposed_size, window_places

__all__ = ["Convolution", "Ints", "Pairs"]

H = TypeVar("H")
Ints = tuple[int, ...]
Pairs = tuple[tuple[int, int], ...]  # (low, high) for each axis


class Convolution(Nn[H], family="convolution"):
    """Element t of a window at place p stands at p * stride + t * dilation - low.

    `low` is the padding before the first element. Every window has a place; the
    elements that no window reaches are left out.
    """

    @derived(REAL)
    def sliding_windows(
        self, x: H, /, *, window: Ints, stride: Ints, padding: Pairs, dilation: Ints
    ) -> H:
        """What a window sees at its places: (batch, channel, *window, *places).

        The padding is 0.
        """
        x = self._padded(x, padding, 0)
        size = self.shape(x)[2:]
        ndim = len(size)
        places = window_places(size, window, stride, ((0, 0),) * ndim, dilation)
        at = self._positions(x, size, window, places, stride, (0,) * ndim, dilation)
        return self._seen(x, at)

    @derived(REAL)
    def add_windows(
        self, x: H, /, *, size: Ints, stride: Ints, padding: Pairs, dilation: Ints
    ) -> H:
        """The transpose of `sliding_windows`, of (batch, channel, *window, *places).

        Every element is added where it would have been seen in an array of `size`;
        what falls on the padding is lost. 16-bit floats accumulate in float32.
        """
        x, dtype = self.widened(x)
        batch, channel, *rest = self.shape(x)
        ndim, planes = len(size), batch * channel
        wide = tuple(n + sum(pad) for n, pad in zip(size, padding, strict=True))
        window, places = tuple(rest[:ndim]), tuple(rest[ndim:])
        at = self._positions(x, wide, window, places, stride, (0,) * ndim, dilation)
        rows = self.reshape(x, shape=(planes, self.size(at)))
        sums = self.index_update(
            self.filled_like(x, 0, (math.prod(wide), planes)),
            self.reshape(at, shape=(self.size(at),)),
            self.matrix_transpose(rows),
            mode="add",
        )
        whole = self.reshape(self.matrix_transpose(sums), shape=(batch, channel, *wide))
        inside = self.strided_slice(
            whole,
            start=(0, 0, *(low for low, _ in padding)),
            size=(batch, channel, *size),
            step=(1,) * (2 + ndim),
        )
        return self.cast(inside, dtype)

    @derived(REAL)
    def conv(
        self,
        x: H,
        weight: H,
        /,
        *,
        stride: Ints,
        padding: Pairs,
        dilation: Ints,
        groups: int,
    ) -> H:
        """The cross-correlation of `x` with `weight`, padded with 0.

        `weight` is (out, channel / groups, *window). The channels of `x` and of the
        result come in `groups` equal parts, each of which sees only its own.
        """
        dtype = promote(self.dtype(x), self.dtype(weight))
        x, weight = self.widened(x)[0], self.widened(weight)[0]
        out, channel, *window = self.shape(weight)
        seen = self.sliding_windows(
            x, window=tuple(window), stride=stride, padding=padding, dilation=dilation
        )
        batch, places = self.shape(x)[0], self.shape(seen)[2 + len(window) :]
        length = channel * math.prod(window)
        rows = self.reshape(weight, shape=(groups, out // groups, length))
        columns = self.reshape(seen, shape=(batch, groups, length, math.prod(places)))
        product = self.matmul(rows, columns)
        return self.cast(self.reshape(product, shape=(batch, out, *places)), dtype)

    @derived(REAL)
    def conv_transpose(
        self,
        x: H,
        weight: H,
        /,
        *,
        stride: Ints,
        padding: Pairs,
        dilation: Ints,
        groups: int,
        output_padding: Ints,
    ) -> H:
        """The transpose of `conv` as a function of its input.

        `weight` is (channel, out / groups, *window). `padding` is what the `conv` has
        and is taken off here; `output_padding` makes the result longer at its end.
        """
        dtype = promote(self.dtype(x), self.dtype(weight))
        x, weight = self.widened(x)[0], self.widened(weight)[0]
        batch, channel, *places = self.shape(x)
        _, out, *window = self.shape(weight)
        length, inner = out * math.prod(window), channel // groups
        rows = self.reshape(weight, shape=(groups, inner, length))
        columns = self.reshape(x, shape=(batch, groups, inner, math.prod(places)))
        made = self.matmul(self.matrix_transpose(rows), columns)
        size, padding = transposed_size(
            places, window, stride, padding, dilation, output_padding
        )
        result = self.add_windows(
            self.reshape(made, shape=(batch, out * groups, *window, *places)),
            size=size,
            stride=stride,
            padding=padding,
            dilation=dilation,
        )
        return self.cast(result, dtype)

    def _padded(self, x: H, padding: Pairs, value: Scalar) -> H:
        """The array with `value` around it along the axes after the channel."""
        for axis, pad in enumerate(padding, start=2):
            shape = self.shape(x)
            low, high = (
                self.filled_like(x, value, (*shape[:axis], n, *shape[axis + 1 :]))
                for n in pad
            )
            x = self.concat((low, x, high), axis=axis) if any(pad) else x
        return x

    def _seen(self, x: H, at: H) -> H:
        """The elements at positions in C order after the channel."""
        batch, channel, *size = self.shape(x)
        flat = self.reshape(x, shape=(batch, channel, math.prod(size)))
        taken = self.take(flat, self.reshape(at, shape=(self.size(at),)), axis=2)
        return self.reshape(taken, shape=(batch, channel, *self.shape(at)))

    def _positions(
        self,
        like: H,
        size: Ints,
        window: Ints,
        places: Ints,
        stride: Ints,
        low: Ints,
        dilation: Ints,
    ) -> H:
        """Where in C order of `size` each element of each window stands.

        The shape is (*window, *places). What stands outside takes the position of the
        nearest element of the same window that does not.
        """
        ndim, total = len(size), self.counting(like, 1)
        for axis, (n, apart) in enumerate(zip(size, dilation, strict=True)):
            shape = [1] * (2 * ndim)
            shape[axis], shape[ndim + axis] = window[axis], places[axis]
            start = self.multiply(self.counting(like, places[axis]), stride[axis])
            line = self._line(
                self.subtract(start, low[axis]), n, window[axis], apart=apart
            )
            total = self.add(
                self.multiply(total, n), self.reshape(line, shape=tuple(shape))
            )
        return self.reshape(total, shape=(*window, *places))

    def _line(self, start: H, n: int, window: int, *, apart: int) -> H:
        """The positions along one axis of windows that start at `start`."""
        tap = self.reshape(self.counting(start, window), shape=(window, 1))
        line = self.add(self.multiply(tap, apart), start)
        first = self.remainder(start, apart)
        last = self.subtract(n - 1, self.remainder(self.subtract(n - 1, start), apart))
        return self.minimum(self.maximum(line, first), last)
