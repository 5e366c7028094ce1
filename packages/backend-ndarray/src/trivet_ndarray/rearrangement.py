"""Padding and diagonals by NumPy, triangles by rows, and windows without copies."""

from typing import Any

import numpy as np

from trivet.contract import Device
from trivet.contract.rearrangement import PadMode
from trivet.dtypes import Scalar
from trivet_ndarray.data import Array, Data

__all__ = ["Rearrangement"]

_LONG = 64  # elements of a row, on average, that are copied sooner than counted
_NAMES: Any = {"reflect": "reflect", "edge": "edge", "circular": "wrap"}


class Rearrangement(Data):
    """NumPy's padding is the contract's, with other names."""

    def pad(
        self,
        x: Array,
        /,
        *,
        width: tuple[tuple[int, int], ...],
        mode: PadMode,
        value: Scalar,
    ) -> Array:
        if not width:
            return x
        if mode == "constant":
            return np.pad(x, width, constant_values=value)
        return np.pad(x, width, _NAMES[mode])

    def repeat(self, x: Array, counts: Array, /, *, axis: int, total: int) -> Array:
        return x.repeat(counts, axis)

    def diag(self, x: Array, /, *, k: int) -> Array:
        return np.diag(x, k)

    def triangle_indices(
        self, *, n_rows: int, n_cols: int, k: int, upper: bool, device: Device
    ) -> tuple[Array, Array]:
        """The columns of a row are the first or the last of all columns."""
        edge = np.clip(np.arange(k, n_rows + k), 0, n_cols)
        counts = n_cols - edge if upper else edge
        if counts.sum() < _LONG * n_rows or not n_rows:
            return super().triangle_indices(
                n_rows=n_rows, n_cols=n_cols, k=k, upper=upper, device=device
            )
        line = np.arange(n_cols)
        parts = [line[i:] if upper else line[:i] for i in edge.tolist()]
        return np.arange(n_rows).repeat(counts), np.concatenate(parts)

    def unfold_axis(self, x: Array, /, *, axis: int, size: int, step: int) -> Array:
        if x.shape[axis] < size:
            return super().unfold_axis(x, axis=axis, size=size, step=step)
        windows = np.lib.stride_tricks.sliding_window_view(x, size, axis)
        return windows[(slice(None),) * axis + (slice(None, None, step),)]
