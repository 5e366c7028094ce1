"""Different elements and membership by NumPy."""

import numpy as np

from trivet.dtypes import INTEGRAL
from trivet_ndarray.data import Array, Data

__all__ = ["Sets"]


class Sets(Data):
    """NumPy's inverse has had several shapes; it gets that of `x`."""

    def unique_all(self, x: Array, /) -> tuple[Array, Array, Array, Array]:
        values, first, inverse, counts = np.unique(
            x,
            return_index=True,
            return_inverse=True,
            return_counts=True,
            equal_nan=False,
        )
        return values, first, inverse.reshape(x.shape), counts

    def unique_counts(self, x: Array, /) -> tuple[Array, Array]:
        values, counts = np.unique(x, return_counts=True, equal_nan=False)
        return values, counts

    def unique_inverse(self, x: Array, /) -> tuple[Array, Array]:
        values, inverse = np.unique(x, return_inverse=True, equal_nan=False)
        return values, inverse.reshape(x.shape)

    def unique_values(self, x: Array, /) -> Array:
        return np.unique(x, equal_nan=False)

    def isin(self, x1: Array, x2: Array, /, *, invert: bool) -> Array:
        kinds = {self.dtype(x).kind for x in (x1, x2)}
        if len(kinds) > 1 and kinds <= INTEGRAL:  # NumPy would compare them as floats
            return super().isin(x1, x2, invert=invert)
        return np.isin(x1, x2, invert=invert)
