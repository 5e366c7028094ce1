"""Products and parts of matrices without copies."""

import numpy as np

from trivet_ndarray.data import Array, Data

__all__ = ["Linalg"]


class Linalg(Data):
    """What the bodies copy, NumPy gives as a view."""

    def diagonal(self, x: Array, /, *, offset: int) -> Array:
        return np.diagonal(x, offset, -2, -1)
