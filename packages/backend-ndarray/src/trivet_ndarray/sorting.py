"""Sorting by NumPy, with the descending order that it lacks."""

from typing import Literal

import numpy as np

from trivet_ndarray.data import Array, Data

__all__ = ["Sorting"]

_FEW = 512  # elements that are sorted sooner than looked at


class Sorting(Data):
    """A descending stable sort is an ascending one read from the other end."""

    def argsort(
        self, x: Array, /, *, axis: int, descending: bool, stable: bool
    ) -> Array:
        kind: Literal["stable"] | None = "stable" if stable else None
        if not descending:
            return np.argsort(x, axis, kind)
        turned = np.argsort(np.flip(x, axis), axis, kind)
        np.subtract(x.shape[axis] - 1, turned, out=turned)
        return np.flip(turned, axis)

    def sort(self, x: Array, /, *, axis: int, descending: bool, stable: bool) -> Array:
        kind: Literal["stable"] | None = (
            "stable" if stable and _order_shows(x) else None
        )
        if descending:
            turned = np.sort(np.flip(x, axis), axis, kind)
            return np.flip(turned, axis)
        return np.sort(x, axis, kind)

    def searchsorted(
        self, x1: Array, x2: Array, /, *, side: Literal["left", "right"]
    ) -> Array:
        return np.searchsorted(x1, x2, side)


def _order_shows(x: Array) -> bool:
    """Whether sorted values can tell a stable sort, which is slow, from another one.

    Equal integers are one number. So are equal floats, but for zeros of two signs.
    """
    if x.dtype.kind in "iub":
        return False
    if x.dtype.kind != "f" or x.size < _FEW:
        return True
    return bool(np.any(np.signbit(x) & (x == 0)))
