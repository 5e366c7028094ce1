"""Norms over the last axes, some rows at a time."""

import math

import numpy as np

from trivet_ndarray.blocks import BLOCK, by_rows
from trivet_ndarray.data import Array, Data
from trivet_ndarray.linalg import VECDOT
from trivet_ndarray.reduction import SUM

__all__ = ["Normalization"]


class Normalization(Data):
    """Weights and biases are applied while the rows are in the cache."""

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
        def kernel(rows: Array, out: Array) -> None:
            np.subtract(rows, SUM(rows, 1, None, None, True) / rows.shape[1], out)
            _normalise(out, out, weight, bias, eps)

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
        if x.dtype != g.dtype or x.itemsize == 2 or not x.size:
            return super().layer_norm_pulled(g, x, weight, axis=axis, eps=eps)
        width = math.prod(x.shape[-len(axis) :])
        out = np.empty(x.shape, x.dtype)
        gs, xs, outs = (a.reshape(-1, width) for a in (g, x, out))
        if weight is not None:
            weight = weight.reshape(-1).astype(x.dtype, copy=False)
        step = max(BLOCK // width, 1)
        for start in range(0, len(xs), step):
            part = slice(start, start + step)
            _pull_rows(gs[part], xs[part], outs[part], weight, eps)
        return out

    def rms_norm(
        self, x: Array, weight: Array | None, /, *, axis: tuple[int, ...], eps: float
    ) -> Array:
        def kernel(rows: Array, out: Array) -> None:
            _normalise(rows, out, weight, None, eps)

        return by_rows(kernel, x, len(axis))


def _pull_rows(
    g: Array, x: Array, out: Array, weight: Array | None, eps: float
) -> None:
    """(h - mean(h) - y mean(h y)) / deviation, for h, the gradient times the weight."""
    n = x.shape[1]
    y = np.subtract(x, SUM(x, 1, None, None, True) / n)
    scale = 1 / np.sqrt(SUM(np.multiply(y, y, out), 1, None, None, True) / n + eps)
    np.multiply(y, scale, y)
    h = g if weight is None else np.multiply(g, weight, out)
    level, along = SUM(h, 1, None, None, True) / n, VECDOT(h, y)[:, None] / n
    np.subtract(h, np.add(np.multiply(y, along, y), level, y), out)
    np.multiply(out, scale, out)


def _normalise(
    rows: Array, out: Array, weight: Array | None, bias: Array | None, eps: float
) -> None:
    """Rows over the root of their mean square, scaled and moved."""
    square = SUM(rows * rows, 1, None, None, True) / rows.shape[1]
    np.divide(rows, np.sqrt(square + eps), out)
    if weight is not None:
        np.multiply(out, weight.reshape(-1), out, casting="same_kind")
    if bias is not None:
        np.add(out, bias.reshape(-1), out, casting="same_kind")
