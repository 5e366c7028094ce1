"""Padding into new memory, and windows without copies."""

import numpy as np

from trivet.contract.rearrangement import PadMode
from trivet.dtypes import Scalar
from trivet_ndarray.data import Array, Data

__all__ = ["Rearrangement"]


class Rearrangement(Data):
    """The contract's positions serve all modes of padding but the constant one."""

    def pad(
        self,
        x: Array,
        /,
        *,
        width: tuple[tuple[int, int], ...],
        mode: PadMode,
        value: Scalar,
    ) -> Array:
        if mode != "constant":
            return super().pad(x, width=width, mode=mode, value=value)
        sizes = zip(x.shape, width, strict=True)
        shape = tuple(n + sum(ends) for n, ends in sizes)
        done = np.full(shape, value, x.dtype)
        starts = zip(x.shape, width, strict=True)
        done[tuple(slice(low, low + n) for n, (low, _) in starts)] = x
        return done

    def unfold_axis(self, x: Array, /, *, axis: int, size: int, step: int) -> Array:
        if x.shape[axis] < size:
            return super().unfold_axis(x, axis=axis, size=size, step=step)
        windows = np.lib.stride_tricks.sliding_window_view(x, size, axis)
        return windows[(slice(None),) * axis + (slice(None, None, step),)]
