"""Products of vectors without copies of the operands."""

from typing import Any

import numpy as np

from trivet_ndarray.data import Array, Data

__all__ = ["VECDOT", "Linalg"]

VECDOT: Any = np.vecdot  # NumPy's stubs do not know its axis


class Linalg(Data):
    """The products that NumPy alone has; the others are the adapter's."""

    def vecdot(self, x1: Array, x2: Array, /, *, axis: int) -> Array:
        return VECDOT(x1, x2, axis=axis)
