"""Sorting by CuPy, whose sorts are stable and ascending."""

from typing import Literal

from trivet_cuda.data import Array, Data

__all__ = ["Sorting"]


class Sorting(Data):
    """A descending stable sort is an ascending one, read and written backwards."""

    def argsort(
        self, x: Array, /, *, axis: int, descending: bool, stable: bool
    ) -> Array:
        if x.size == 0:  # some releases of CuPy refuse to sort nothing
            return self.xp.empty(x.shape, dtype=self.xp.int64)
        if not descending:
            return self.xp.argsort(x, axis=axis)
        turned = self.xp.argsort(self.xp.flip(x, axis), axis=axis)
        return x.shape[axis] - 1 - self.xp.flip(turned, axis)

    def sort(self, x: Array, /, *, axis: int, descending: bool, stable: bool) -> Array:
        if x.size == 0:
            return x.copy()
        if not descending:
            return self.xp.sort(x, axis=axis)
        return self.xp.flip(self.xp.sort(self.xp.flip(x, axis), axis=axis), axis)

    def searchsorted(
        self, x1: Array, x2: Array, /, *, side: Literal["left", "right"]
    ) -> Array:
        return self.xp.searchsorted(x1, x2, side=side)
