"""Rearranging elements by ndarray's methods, which are quicker than the functions."""

from typing import Any

import numpy as np

from trivet_ndarray.data import Array, Data

__all__ = ["Shape"]


class Shape(Data):
    """Views where NumPy can give them."""

    def reshape(self, x: Array, /, *, shape: tuple[int, ...]) -> Array:
        return x.reshape(shape)

    def reshape_is_view(self, x: Array, /, *, shape: tuple[int, ...]) -> bool:
        array = np.asarray(x)  # `copy=False` comes with NumPy 2.1
        return not x.size or np.may_share_memory(array, array.reshape(shape))

    def permute_dims(self, x: Array, /, *, axes: tuple[int, ...]) -> Array:
        return x.transpose(axes)

    def expand_dims(self, x: Array, /, *, axis: tuple[int, ...]) -> Array:
        ndim = x.ndim + len(axis)
        return x[tuple(None if i in axis else slice(None) for i in range(ndim))]

    def broadcast_to(self, x: Array, /, *, shape: tuple[int, ...]) -> Array:
        if x.ndim == 0:  # eight times as quick as np.broadcast_to
            return np.ndarray(shape, x.dtype, x, 0, (0,) * len(shape))
        return np.broadcast_to(x, shape)

    def roll(self, x: Array, /, *, shift: tuple[int, ...], axis: Any) -> Array:
        return np.roll(x, shift, axis) if shift else x  # NumPy needs an axis

    def flip(self, x: Array, /, *, axis: Any) -> Array:
        return np.flip(x, axis)
