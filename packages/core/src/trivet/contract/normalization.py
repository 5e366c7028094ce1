"""Normalisation by mean and variance, or by the root of the mean square.

All compute in float32 for 16-bit floats and give the dtype of `x`; weights and biases
may have another one. The mean is taken away before anything is squared or scaled, so
a large mean costs no accuracy.
"""

import math
from typing import TypeVar

from trivet.contract.nn import Nn
from trivet.contract.table import derived
from trivet.dtypes import REAL_FLOATING

__all__ = ["Normalization"]

H = TypeVar("H")


class Normalization(Nn[H], family="normalization"):
    """`weight` and `bias` are `None` where there are none."""

    @derived(REAL_FLOATING)
    def batch_norm(
        self, x: H, mean: H, var: H, weight: H | None, bias: H | None, /, *, eps: float
    ) -> H:
        """(x - mean) / sqrt(var + eps) * weight + bias.

        All but `x` have one element for each channel, along axis 1 of `x`.
        """
        x, dtype = self.widened(x)
        factor = self.divide(1, self.sqrt(self.add(self._channels(var, x), eps)))
        if weight is not None:
            factor = self.multiply(factor, self._channels(weight, x))
        if bias is not None:
            bias = self._channels(bias, x)
        found = self.channel_affine(x, self._channels(mean, x), factor, bias)
        return self.cast(found, dtype)

    @derived(REAL_FLOATING)
    def channel_affine(self, x: H, mean: H, factor: H, bias: H | None, /) -> H:
        """(x - mean) * factor + bias, channel by channel, all in one dtype."""
        away = self.subtract(x, self._by_channel(mean, x))
        scaled = self.multiply(away, self._by_channel(factor, x))
        if bias is None:
            return scaled
        return self.add(scaled, self._by_channel(bias, x))

    @derived(REAL_FLOATING)
    def channel_products(self, g: H, x: H, mean: H, /) -> H:
        """The sum of g (x - mean) over each channel, all in one dtype."""
        away = self.subtract(x, self._by_channel(mean, x))
        return self.over_channels(self.multiply(g, away))

    def _by_channel(self, parameter: H, x: H) -> H:
        """In the dtype of `x`, and shaped to broadcast along its axis 1."""
        shape = (self.size(parameter), *(1 for _ in self.shape(x)[2:]))
        return self.cast(self.reshape(parameter, shape=shape), self.dtype(x))

    def _channels(self, parameter: H, x: H) -> H:
        """In the dtype of `x`, in one line."""
        line = self.reshape(parameter, shape=(self.size(parameter),))
        return self.cast(line, self.dtype(x))

    @derived(REAL_FLOATING)
    def layer_norm(
        self,
        x: H,
        weight: H | None,
        bias: H | None,
        /,
        *,
        axis: tuple[int, ...],
        eps: float,
    ) -> H:
        """(x - mean) / sqrt(variance + eps) * weight + bias, over the last axes.

        `axis` names the last axes of `x`, in order; weight and bias have their sizes.
        """
        x, dtype = self.widened(x)
        away = self.subtract(x, self.mean(x, axis=axis, keepdims=True))
        normal = self._rooted(away, axis, eps)
        return self.cast(self._affine(normal, weight, bias), dtype)

    @derived(REAL_FLOATING)
    def layer_norm_pulled(
        self,
        g: H,
        x: H,
        weight: H | None,
        /,
        *,
        axis: tuple[int, ...],
        eps: float,
    ) -> H:
        """The gradient of `x` from `g`, that of what `layer_norm` gives.

        (h - mean(h) - y mean(h y)) / deviation, where h is g times the weight, and y
        the norm without weight and bias. In the dtype of `x`.
        """
        h, (x, dtype) = self.weighed(g, weight), self.widened(x)
        away = self.subtract(x, self.mean(x, axis=axis, keepdims=True))
        level = self.subtract(h, self.mean(h, axis=axis, keepdims=True))
        return self.cast(self.through_root(level, away, axis, eps), dtype)

    @derived(REAL_FLOATING)
    def layer_norm_weight_pulled(
        self, g: H, x: H, /, *, axis: tuple[int, ...], eps: float
    ) -> H:
        """The gradient of the weight from `g`, that of what `layer_norm` gives.

        The sum of g y over the rows, where y is the norm without weight and bias. For
        16-bit floats in float32.
        """
        (g, _), (x, _) = self.widened(g), self.widened(x)
        y = self.layer_norm(x, None, None, axis=axis, eps=eps)
        return self.over_rows(self.multiply(g, y), axis)

    def over_rows(self, x: H, axis: tuple[int, ...]) -> H:
        """The sum over all axes before the last ones, which `axis` names."""
        rows = tuple(range(len(self.shape(x)) - len(axis)))
        return self.sum(x, axis=rows, dtype=None, keepdims=False)

    def weighed(self, g: H, weight: H | None) -> H:
        """A gradient fit for sums, times the weight."""
        g, _ = self.widened(g)
        if weight is None:
            return g
        return self.multiply(g, self.cast(weight, self.dtype(g)))

    def through_root(self, h: H, x: H, axis: tuple[int, ...], eps: float) -> H:
        """What h is for x when y is x over the root of its mean square."""
        square = self.mean(self.square(x), axis=axis, keepdims=True)
        root = self.sqrt(self.add(square, eps))
        y = self.divide(x, root)
        along = self.mean(self.multiply(h, y), axis=axis, keepdims=True)
        return self.divide(self.subtract(h, self.multiply(y, along)), root)

    def _rooted(self, x: H, axis: tuple[int, ...], eps: float) -> H:
        """x over the root of its mean square."""
        square = self.mean(self.square(x), axis=axis, keepdims=True)
        return self.divide(x, self.sqrt(self.add(square, eps)))

    def _affine(self, x: H, weight: H | None, bias: H | None) -> H:
        dtype = self.dtype(x)
        if weight is not None:
            x = self.multiply(x, self.cast(weight, dtype))
        return x if bias is None else self.add(x, self.cast(bias, dtype))

    @derived(REAL_FLOATING)
    def rms_norm(
        self, x: H, weight: H | None, /, *, axis: tuple[int, ...], eps: float
    ) -> H:
        """x / sqrt(mean(x**2) + eps) * weight, over the last axes.

        `axis` names the last axes of `x`, in order; the weight has their sizes.
        """
        x, dtype = self.widened(x)
        return self.cast(self._affine(self._rooted(x, axis, eps), weight, None), dtype)

    @derived(REAL_FLOATING)
    def rms_norm_pulled(
        self, g: H, x: H, weight: H | None, /, *, axis: tuple[int, ...], eps: float
    ) -> H:
        """The gradient of `x` from `g`, that of what `rms_norm` gives.

        (h - y mean(h y)) / root mean square, where h is g times the weight, and y the
        norm without weight. In the dtype of `x`.
        """
        h, (x, dtype) = self.weighed(g, weight), self.widened(x)
        return self.cast(self.through_root(h, x, axis, eps), dtype)

    @derived(REAL_FLOATING)
    def rms_norm_weight_pulled(
        self, g: H, x: H, /, *, axis: tuple[int, ...], eps: float
    ) -> H:
        """The gradient of the weight from `g`, that of what `rms_norm` gives.

        As `layer_norm_weight_pulled` is for `layer_norm`.
        """
        (g, _), (x, _) = self.widened(g), self.widened(x)
        y = self.rms_norm(x, None, axis=axis, eps=eps)
        return self.over_rows(self.multiply(g, y), axis)

    @derived(REAL_FLOATING)
    def group_norm(
        self,
        x: H,
        weight: H | None,
        bias: H | None,
        /,
        *,
        num_groups: int,
        eps: float,
    ) -> H:
        """`layer_norm` of each group of channels, which lie along axis 1 of `x`.

        Weight and bias have one element for each channel.
        """
        x, dtype = self.widened(x)
        shape = self.shape(x)
        inside = math.prod(shape[1:]) // num_groups
        groups = self.reshape(x, shape=(shape[0], num_groups, inside))
        normal = self.layer_norm(groups, None, None, axis=(2,), eps=eps)
        normal = self.reshape(normal, shape=shape)
        if weight is not None:
            weight = self._by_channel(weight, x)
        if bias is not None:
            bias = self._by_channel(bias, x)
        return self.cast(self._affine(normal, weight, bias), dtype)

    @derived(REAL_FLOATING)
    def group_norm_pulled(
        self, g: H, x: H, weight: H | None, /, *, num_groups: int, eps: float
    ) -> H:
        """The gradient of `x` from `g`, that of what `group_norm` gives.

        As `layer_norm_pulled` is for `layer_norm`.
        """
        shape = self.shape(x)
        if weight is not None:
            g, _ = self.widened(g)
            g = self.multiply(g, self._by_channel(weight, g))
        rows = (shape[0], num_groups, math.prod(shape[1:]) // num_groups)
        found = self.layer_norm_pulled(
            self.reshape(g, shape=rows),
            self.reshape(x, shape=rows),
            None,
            axis=(2,),
            eps=eps,
        )
        return self.reshape(found, shape=shape)

    @derived(REAL_FLOATING)
    def group_norm_weight_pulled(
        self, g: H, x: H, /, *, num_groups: int, eps: float
    ) -> H:
        """The gradient of the weight from `g`, that of what `group_norm` gives.

        The sum of g y over all axes but that of the channels, where y is the norm
        without weight and bias. For 16-bit floats in float32.
        """
        (g, _), (x, _) = self.widened(g), self.widened(x)
        y = self.group_norm(x, None, None, num_groups=num_groups, eps=eps)
        return self.over_channels(self.multiply(g, y))

    def over_channels(self, x: H) -> H:
        """The sum over all axes but axis 1."""
        others = tuple(i for i in range(len(self.shape(x))) if i != 1)
        return self.sum(x, axis=others, dtype=None, keepdims=False)

    @derived(REAL_FLOATING)
    def instance_norm(
        self, x: H, weight: H | None, bias: H | None, /, *, eps: float
    ) -> H:
        """`layer_norm` of each channel of each sample: `group_norm` of one channel."""
        channels = self.shape(x)[1]
        return self.group_norm(x, weight, bias, num_groups=channels, eps=eps)
