"""Products of vectors without copies of the operands."""

from typing import Any

import numpy as np

from trivet_ndarray.data import Array, Data
from trivet_ndarray.reduction import SUM

__all__ = ["VECDOT", "Linalg"]

_SMALL = 1 << 12  # elements
VECDOT: Any = np.vecdot  # NumPy's stubs do not know its axis


class Linalg(Data):
    """The products that NumPy alone has; the others are the adapter's."""

    def vecdot(self, x1: Array, x2: Array, /, *, axis: int) -> Array:
        along_last = axis in {-1, max(x1.ndim, x2.ndim) - 1}
        if along_last or x1.size < _SMALL or x1.dtype != x2.dtype or x1.itemsize == 2:
            return VECDOT(x1, x2, axis=axis)
        first = np.conj(x1) if x1.dtype.kind == "c" else x1
        products = np.multiply(first, x2)  # NumPy would walk in long steps
        return SUM(products, axis, x1.dtype)
