"""Pooling over windows, and over equal parts of an array.

The layout is that of `contract.convolution`; windows that reach past the end, as ceil
mode has them, come with the padding that they need.
"""

import math
from typing import TypeVar

from trivet.contract.convolution import Convolution, Ints, Pairs
from trivet.contract.table import derived
from trivet.dtypes import REAL, REAL_FLOATING
from trivet.shapes import window_places

__all__ = ["Pooling"]

H = TypeVar("H")


class Pooling(Convolution[H], family="pooling"):
    """Padding is never the largest, and every window holds an element."""

    @derived(REAL)
    def max_pool(
        self, x: H, /, *, window: Ints, stride: Ints, padding: Pairs, dilation: Ints
    ) -> H:
        """The largest element of each window; NaN if there is one."""
        at = self._elements(x, window, stride, padding, dilation)
        axes = tuple(range(2, 2 + len(window)))
        return self.max(self._seen(x, at), axis=axes, keepdims=False)

    @derived(REAL, constant="integer result")
    def max_pool_indices(
        self, x: H, /, *, window: Ints, stride: Ints, padding: Pairs, dilation: Ints
    ) -> H:
        """Where the first largest element of each window stands, or the first NaN.

        In the index dtype, counted in C order along the axes after the channel.
        """
        at = self._elements(x, window, stride, padding, dilation)
        batch, channel, *_ = self.shape(x)
        places = self.shape(at)[len(window) :]
        taps, count = math.prod(window), math.prod(places)
        seen = self.reshape(self._seen(x, at), shape=(batch, channel, taps, count))
        best = self.argmax(seen, axis=2, keepdims=False)
        cell = self.add(self.multiply(best, count), self.counting(x, count))
        chosen = self.take(
            self.reshape(at, shape=(taps * count,)),
            self.reshape(cell, shape=(self.size(cell),)),
            axis=0,
        )
        return self.reshape(chosen, shape=(batch, channel, *places))

    @derived(REAL_FLOATING)
    def max_pool_pulled(
        self,
        g: H,
        x: H,
        out: H,
        /,
        *,
        window: Ints,
        stride: Ints,
        padding: Pairs,
        dilation: Ints,
    ) -> H:
        """The gradient of `x` from `g`, that of what `max_pool` gives: `out`.

        Added at the first largest element of each window. In the dtype of `g`.
        """
        indices = self.max_pool_indices(
            x, window=window, stride=stride, padding=padding, dilation=dilation
        )
        g, dtype = self.widened(g)
        shape, count = self.shape(x), self.size(g)
        size, planes = math.prod(shape[2:]), math.prod(shape[:2])
        start = self.multiply(self.counting(x, planes), size)
        start = self.reshape(start, shape=(*shape[:2], *(1,) * (len(shape) - 2)))
        places = self.reshape(self.add(indices, start), shape=(count,))
        zeros = self.filled_like(g, 0, (planes * size,))
        values = self.reshape(g, shape=(count,))
        added = self.index_update(zeros, places, values, mode="add")
        return self.cast(self.reshape(added, shape=shape), dtype)

    def _elements(
        self, x: H, window: Ints, stride: Ints, padding: Pairs, dilation: Ints
    ) -> H:
        """Positions of what each window sees; of its own elements for the padding."""
        size = self.shape(x)[2:]
        places = window_places(size, window, stride, padding, dilation)
        low = tuple(low for low, _ in padding)
        return self._positions(x, size, window, places, stride, low, dilation)

    @derived(REAL_FLOATING)
    def avg_pool(
        self, x: H, /, *, window: Ints, stride: Ints, padding: Pairs, counted: Pairs
    ) -> H:
        """The sum of each window over the number of its elements.

        Of the `padding`, which is 0, only the part named by `counted` counts.
        """
        x, dtype = self.widened(x)
        seen = self.sliding_windows(
            x,
            window=window,
            stride=stride,
            padding=padding,
            dilation=(1,) * len(window),
        )
        axes = tuple(range(2, 2 + len(window)))
        total = self.sum(seen, axis=axes, dtype=None, keepdims=False)
        size = self.shape(x)[2:]
        counts = self.window_counts(x, size, window, stride, padding, counted)
        return self.cast(self.divide(total, counts), dtype)

    def window_counts(
        self,
        like: H,
        size: Ints,
        window: Ints,
        stride: Ints,
        padding: Pairs,
        counted: Pairs,
    ) -> H | int:
        """What each place of `avg_pool` divides by, in the dtype of `like`.

        One number where it is the same everywhere.
        """
        if counted == padding:
            return math.prod(window)
        ndim = len(window)
        places = window_places(size, window, stride, padding, (1,) * ndim)
        total = self.filled_like(like, 1, ())
        for axis, n in enumerate(size):
            below, above = counted[axis]
            start = self.multiply(self.counting(like, places[axis]), stride[axis])
            start = self.subtract(start, padding[axis][0])
            stop = self.minimum(self.add(start, window[axis]), n + above)
            count = self.subtract(stop, self.maximum(start, -below))
            shape = (places[axis],) + (1,) * (ndim - 1 - axis)
            line = self.astype(self.reshape(count, shape=shape), dtype=self.dtype(like))
            total = self.multiply(total, line)
        return total

    @derived(REAL_FLOATING)
    def lp_pool(
        self, x: H, /, *, power: float, window: Ints, stride: Ints, padding: Pairs
    ) -> H:
        """The `power`-th root of the sum of |x| ** power in each window.

        A window of zeros has the slope 0.
        """
        x, dtype = self.widened(x)
        powers = self.pow(self.abs(x), power)
        mean = self.avg_pool(
            powers, window=window, stride=stride, padding=padding, counted=padding
        )
        total = self.multiply(mean, math.prod(window))
        empty = self.equal(total, 0)
        root = self.pow(self.where(empty, 1, total), 1 / power)
        return self.cast(self.where(empty, 0, root), dtype)

    @derived(REAL_FLOATING)
    def adaptive_avg_pool(self, x: H, /, *, size: Ints) -> H:
        """The means of `size` parts along each axis after the channel.

        Part p of m runs from floor(p n / m) up to ceil((p + 1) n / m).
        """
        if step := _even_parts(self.shape(x)[2:], size):
            none = ((0, 0),) * len(size)
            return self.avg_pool(
                x, window=step, stride=step, padding=none, counted=none
            )
        x, dtype = self.widened(x)
        for axis, m in enumerate(size, start=2):
            n = self.shape(x)[axis]
            at, count = self._parts(x, n, m), self.part_sizes(x, n, m)
            behind = (1,) * (len(self.shape(x)) - 1 - axis)
            tap = self.counting(x, self.shape(at)[1])
            own = self.less(tap, self.expand_dims(count, axis=(1,)))
            own = self.reshape(own, shape=(*self.shape(at), *behind))
            seen = self.where(own, self._of_parts(x, at, axis), 0)
            total = self.sum(seen, axis=(axis + 1,), dtype=None, keepdims=False)
            count = self.astype(count, dtype=self.dtype(x))
            x = self.divide(total, self.reshape(count, shape=(m, *behind)))
        return self.cast(x, dtype)

    @derived(REAL)
    def adaptive_max_pool(self, x: H, /, *, size: Ints) -> H:
        """The largest elements of the parts that `adaptive_avg_pool` has.

        The slope goes to the first largest one in C order.
        """
        if step := _even_parts(self.shape(x)[2:], size):
            none = ((0, 0),) * len(size)
            return self.max_pool(
                x, window=step, stride=step, padding=none, dilation=(1,) * len(size)
            )
        for axis in range(len(size) + 1, 1, -1):
            at = self._parts(x, self.shape(x)[axis], size[axis - 2])
            seen = self._of_parts(x, at, axis)
            best = self.argmax(seen, axis=axis + 1, keepdims=True)
            chosen = self.take_along_axis(seen, best, axis=axis + 1)
            x = self.squeeze(chosen, axis=(axis + 1,))
        return x

    def part_sizes(self, like: H, n: int, m: int) -> H:
        """How many of `n` elements each of `m` parts has, in the index dtype."""
        first, end = self._part_ends(like, n, m)
        return self.subtract(end, first)

    def _part_ends(self, like: H, n: int, m: int) -> tuple[H, H]:
        part = self.counting(like, m)
        rising = self.add(self.multiply(self.add(part, 1), n), m - 1)
        first = self.floor_divide(self.multiply(part, n), m)
        return first, self.floor_divide(rising, m)

    def _parts(self, like: H, n: int, m: int) -> H:
        """The positions of the elements of each part; short ones repeat their last."""
        longest = max(-(-(p + 1) * n // m) - p * n // m for p in range(m))
        first, end = self._part_ends(like, n, m)
        at = self.add(self.expand_dims(first, axis=(1,)), self.counting(like, longest))
        return self.minimum(at, self.expand_dims(self.subtract(end, 1), axis=(1,)))

    def _of_parts(self, x: H, at: H, axis: int) -> H:
        """The elements at positions along `axis`, in two axes in its place."""
        shape = self.shape(x)
        taken = self.take(x, self.reshape(at, shape=(self.size(at),)), axis=axis)
        return self.reshape(
            taken, shape=(*shape[:axis], *self.shape(at), *shape[axis + 1 :])
        )


def _even_parts(size: Ints, parts: Ints) -> Ints:
    """The sizes of the parts if they are equal along each axis, otherwise nothing.

    >>> _even_parts((6, 4), (3, 2)), _even_parts((6, 4), (3, 3))
    ((2, 2), ())
    """
    pairs = list(zip(size, parts, strict=True))
    if any(n % m for n, m in pairs):
        return ()
    return tuple(n // m for n, m in pairs)
