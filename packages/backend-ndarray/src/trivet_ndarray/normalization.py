"""Norms over the last axes, some rows at a time."""

import numpy as np

from trivet_ndarray.blocks import by_rows
from trivet_ndarray.data import Array, Data
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

    def rms_norm(
        self, x: Array, weight: Array | None, /, *, axis: tuple[int, ...], eps: float
    ) -> Array:
        def kernel(rows: Array, out: Array) -> None:
            _normalise(rows, out, weight, None, eps)

        return by_rows(kernel, x, len(axis))


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
