"""Norms over the last axes, some rows at a time."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from trivet_ndarray.blocks import BLOCK, are_alike, by_rows, in_parts, row_loops
from trivet_ndarray.data import Array, Data
from trivet_ndarray.linalg import VECDOT
from trivet_ndarray.reduction import SUM

__all__ = ["Normalization"]


class Normalization(Data):
    """Weights and biases are applied while the rows are in the cache."""

    def channel_affine(
        self, x: Array, mean: Array, factor: Array, bias: Array | None, /
    ) -> Array:
        if not _is_plain(x, mean, factor, *([] if bias is None else [bias])):
            return super().channel_affine(x, mean, factor, bias)
        out = np.empty(x.shape, x.dtype)

        def kernel(x: Array, out: Array, _: Array, channel: Any) -> None:
            np.subtract(x, mean[channel], out)
            np.multiply(out, factor[channel], out)
            if bias is not None:
                np.add(out, bias[channel], out)

        _by_channels(kernel, x, out)
        return out

    def channel_products(self, g: Array, x: Array, mean: Array, /) -> Array:
        if not are_alike(g, x) or not _is_plain(x, mean):
            return super().channel_products(g, x, mean)
        total = np.zeros(x.shape[1], x.dtype)

        def kernel(g: Array, x: Array, lines: Array, channel: Any) -> None:
            away = np.subtract(x, mean[channel], lines)
            if channel is _EVERY:
                np.add(total, SUM(np.multiply(g, away, away), 0), total)
            else:
                np.add.at(total, channel[0], VECDOT(g, away))

        _by_channels(kernel, g, x)
        return total

    def layer_norm(
        self,
        x: Array,
        weight: Array | None,
        bias: Array | None,
        /,
        *,
        axis: tuple[int, ...],
        eps: float,
    ) -> Array:
        scale, shift = _flat(weight, x), _flat(bias, x)

        def kernel(rows: Array, out: Array) -> None:
            _normalise(_centred(rows, out), out, scale, shift, eps)

        return by_rows(kernel, x, len(axis))

    def layer_norm_pulled(
        self,
        g: Array,
        x: Array,
        weight: Array | None,
        /,
        *,
        axis: tuple[int, ...],
        eps: float,
    ) -> Array:
        if not are_alike(g, x):
            return super().layer_norm_pulled(g, x, weight, axis=axis, eps=eps)
        weighed = _weighing(weight, x, len(axis))

        def kernel(g: Array, x: Array, out: Array) -> None:
            h, total = weighed(g)
            _pull(h, _centred(x, out), out, eps, total)

        return in_parts(kernel, g, x, ndim=len(axis))

    def layer_norm_weight_pulled(
        self, g: Array, x: Array, /, *, axis: tuple[int, ...], eps: float
    ) -> Array:
        if not are_alike(g, x):
            return super().layer_norm_weight_pulled(g, x, axis=axis, eps=eps)
        return _along_rows(g, x, axis, eps, centred=True)

    def rms_norm(
        self, x: Array, weight: Array | None, /, *, axis: tuple[int, ...], eps: float
    ) -> Array:
        scale = _flat(weight, x)

        def kernel(rows: Array, out: Array) -> None:
            _normalise(rows, out, scale, None, eps)

        return by_rows(kernel, x, len(axis))

    def rms_norm_pulled(
        self,
        g: Array,
        x: Array,
        weight: Array | None,
        /,
        *,
        axis: tuple[int, ...],
        eps: float,
    ) -> Array:
        if not are_alike(g, x):
            return super().rms_norm_pulled(g, x, weight, axis=axis, eps=eps)
        weighed = _weighing(weight, x, len(axis))

        def kernel(g: Array, x: Array, out: Array) -> None:
            _pull(weighed(g)[0], x, out, eps, None)

        return in_parts(kernel, g, x, ndim=len(axis))

    def rms_norm_weight_pulled(
        self, g: Array, x: Array, /, *, axis: tuple[int, ...], eps: float
    ) -> Array:
        if not are_alike(g, x):
            return super().rms_norm_weight_pulled(g, x, axis=axis, eps=eps)
        return _along_rows(g, x, axis, eps, centred=False)

    def group_norm(
        self,
        x: Array,
        weight: Array | None,
        bias: Array | None,
        /,
        *,
        num_groups: int,
        eps: float,
    ) -> Array:
        if not are_alike(x) or not _is_wide(x):
            return super().group_norm(x, weight, bias, num_groups=num_groups, eps=eps)
        factor, shift = _by_group(weight, x, num_groups), None
        if bias is not None:
            shift = _by_group(bias, x, num_groups)

        out = np.empty(x.shape, x.dtype)

        def kernel(x: Array, out: Array, lines: Array, group: Array) -> None:
            root = _root(_centred(x, out), eps)
            own = out.reshape(lines.shape)
            np.multiply(own, (factor[group] / root[:, None]).reshape(-1, 1), own)
            if shift is not None:
                np.add(own, shift[group].reshape(-1, 1), own)

        _by_groups(kernel, num_groups, x, out)
        return out

    def group_norm_pulled(
        self,
        g: Array,
        x: Array,
        weight: Array | None,
        /,
        *,
        num_groups: int,
        eps: float,
    ) -> Array:
        if not are_alike(g, x) or not _is_wide(x):
            return super().group_norm_pulled(
                g, x, weight, num_groups=num_groups, eps=eps
            )
        factor = _by_group(weight, x, num_groups)
        ones = np.ones(math.prod(x.shape[1:]) // num_groups, x.dtype)

        out = np.empty(x.shape, x.dtype)

        def kernel(g: Array, x: Array, out: Array, lines: Array, group: Array) -> None:
            own = factor[group].reshape(-1, 1)
            h = np.multiply(g.reshape(lines.shape), own, lines).reshape(g.shape)
            _pull(h, _centred(x, out), out, eps, (h @ ones)[:, None])

        _by_groups(kernel, num_groups, g, x, out)
        return out

    def group_norm_weight_pulled(
        self, g: Array, x: Array, /, *, num_groups: int, eps: float
    ) -> Array:
        if not are_alike(g, x) or not _is_wide(x):
            return super().group_norm_weight_pulled(
                g, x, num_groups=num_groups, eps=eps
            )
        total = np.zeros((num_groups, x.shape[1] // num_groups), x.dtype)
        ones = np.ones(math.prod(x.shape[2:]), x.dtype)

        def kernel(g: Array, x: Array, lines: Array, group: Array) -> None:
            own = lines.reshape(x.shape)
            root = _root(_centred(x, own), eps)
            np.multiply(g, own, own)
            sums = (lines @ ones).reshape(len(x), -1)
            np.add.at(total, group, sums / root[:, None])

        _by_groups(kernel, num_groups, g, x)
        return total.reshape(-1)


_EVERY = slice(None)
_LINE = 16  # elements of a channel; below, one step for each costs too much


def _is_wide(x: Array) -> bool:
    return bool(x.size) and math.prod(x.shape[2:]) >= _LINE


def _by_group(parameter: Array | None, x: Array, groups: int) -> Array:
    """The channels of each group as a row, in the dtype of `x`."""
    if parameter is None:
        return np.ones((groups, x.shape[1] // groups), x.dtype)
    return parameter.reshape(groups, -1).astype(x.dtype, copy=False)


def _is_plain(x: Array, *parameters: Array) -> bool:
    """Whether `x` is computed as it is, line by line or row by row."""
    alike = all(one.dtype == x.dtype for one in parameters)
    return alike and are_alike(x) and (_is_wide(x) or (x.ndim == 2 and x.size > 0))


def _by_channels(kernel: Callable[..., None], *arrays: Array) -> None:
    """`kernel(*rows, memory, channel)`: `channel` indexes what each channel has one of.

    A row is a channel of a sample, or where that is one number, a sample.
    """
    shape = arrays[0].shape
    if len(shape) > 2:
        _by_groups(
            lambda *parts: kernel(*parts[:-1], (parts[-1], None)), shape[1], *arrays
        )
        return
    step = max(BLOCK // shape[1], 1)
    memory = np.empty((min(step, shape[0]), shape[1]), arrays[0].dtype)
    for start in range(0, shape[0], step):
        parts = [a[start : start + step] for a in arrays]
        kernel(*parts, memory[: len(parts[0])], _EVERY)


def _by_groups(kernel: Callable[..., None], groups: int, *arrays: Array) -> None:
    """`kernel(*rows, lines, group)` for some rows, each of them a group of channels.

    `lines` is memory for as many elements, a channel in each line.
    """
    shape = arrays[0].shape
    count, width = shape[0] * groups, math.prod(shape[2:])
    rows = [a.reshape(count, -1) for a in arrays]
    step, channels = max(BLOCK // rows[0].shape[1], 1), shape[1] // groups
    memory = np.empty((min(step, count) * channels, width), arrays[0].dtype)
    with row_loops(width):
        for start in range(0, count, step):
            parts = [a[start : start + step] for a in rows]
            group = np.arange(start, start + len(parts[0])) % groups
            kernel(*parts, memory[: len(group) * channels], group)


def _flat(parameter: Array | None, x: Array) -> Array | None:
    """One row, in the dtype in which the rows of `x` are computed."""
    if parameter is None:
        return None
    wide = np.float32 if x.itemsize == 2 else x.dtype
    return parameter.reshape(-1).astype(wide, copy=False)


def _centred(x: Array, out: Array) -> Array:
    return np.subtract(x, SUM(x, 1, None, None, True) / x.shape[1], out)


def _root(x: Array, eps: float) -> Array:
    """The root of the mean square of each row."""
    return np.sqrt(VECDOT(x, x) / x.shape[1] + eps)


def _normalise(
    x: Array, out: Array, scale: Array | None, shift: Array | None, eps: float
) -> None:
    """Rows over the root of their mean square, scaled and moved."""
    np.divide(x, _root(x, eps)[:, None], out)
    if scale is not None:
        np.multiply(out, scale, out)
    if shift is not None:
        np.add(out, shift, out)


def _weighing(
    weight: Array | None, x: Array, ndim: int
) -> Callable[[Array], tuple[Array, Array]]:
    """The function from rows to them times the weight, and the sum of each."""
    scale = _flat(weight, x)
    if scale is None:
        ones = np.ones(math.prod(x.shape[x.ndim - ndim :]), x.dtype)
        return lambda g: (g, (g @ ones)[:, None])
    buffer = np.empty(min(max(BLOCK, scale.size), x.size), x.dtype)

    def weighed(g: Array) -> tuple[Array, Array]:
        part = buffer[: g.size].reshape(g.shape)
        return np.multiply(g, scale, part), (g @ scale)[:, None]

    return weighed


def _pull(h: Array, x: Array, out: Array, eps: float, total: Array | None) -> None:
    """(h - mean(h) - y mean(h y)) / root for y = x / root; 0 for no `total` of h.

    `x` may be `out` itself.
    """
    n, scale = x.shape[1], 1 / _root(x, eps)
    np.multiply(x, (VECDOT(h, x) * scale * scale / n)[:, None], out)
    if total is not None:
        np.add(out, total / n, out)
    np.multiply(np.subtract(h, out, out), scale[:, None], out)


def _along_rows(
    g: Array, x: Array, axis: tuple[int, ...], eps: float, *, centred: bool
) -> Array:
    """The sum of g y over the rows, for y = x / root."""
    shape = x.shape[x.ndim - len(axis) :]
    width = math.prod(shape)
    total = np.zeros(width, x.dtype)
    if not x.size:
        return total.reshape(shape)
    gs, xs = g.reshape(-1, width), x.reshape(-1, width)
    step = max(BLOCK // width, 1)
    buffer = np.empty((min(step, len(xs)), width), x.dtype)
    with row_loops(width):
        for start in range(0, len(xs), step):
            rows, own = gs[start : start + step], xs[start : start + step]
            goal = buffer[: len(own)]
            if centred:
                own = _centred(own, goal)
            scale = 1 / _root(own, eps)
            total += scale @ np.multiply(own, rows, goal)
    return total.reshape(shape)
