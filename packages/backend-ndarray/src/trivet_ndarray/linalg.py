"""Products and parts of matrices without copies of the operands."""

from typing import Any

import numpy as np

from trivet_ndarray.data import Array, Data

__all__ = ["VECDOT", "Linalg"]

VECDOT: Any = np.vecdot  # NumPy's stubs do not know its axis


class Linalg(Data):
    """Diagonals are views."""

    def diagonal(self, x: Array, /, *, offset: int) -> Array:
        return np.diagonal(x, offset, -2, -1)

    def cross(self, x1: Array, x2: Array, /, *, axis: int) -> Array:
        return np.cross(x1, x2, axis=axis)

    def vecdot(self, x1: Array, x2: Array, /, *, axis: int) -> Array:
        return VECDOT(x1, x2, axis=axis)
