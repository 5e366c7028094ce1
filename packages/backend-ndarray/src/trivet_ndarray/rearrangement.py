"""Padding and diagonals by NumPy, and windows without copies."""

from typing import Any

import numpy as np

from trivet.contract.rearrangement import PadMode
from trivet.dtypes import Scalar
from trivet_ndarray.data import Array, Data

__all__ = ["Rearrangement"]

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

    def unfold_axis(self, x: Array, /, *, axis: int, size: int, step: int) -> Array:
        if x.shape[axis] < size:
            return super().unfold_axis(x, axis=axis, size=size, step=step)
        windows = np.lib.stride_tricks.sliding_window_view(x, size, axis)
        return windows[(slice(None),) * axis + (slice(None, None, step),)]
