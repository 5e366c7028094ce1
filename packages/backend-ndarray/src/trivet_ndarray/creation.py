"""Parts of matrices and even steps, by NumPy's own functions."""

import numpy as np

from trivet.contract import Device
from trivet.dtypes import DType
from trivet_ndarray.data import Array, Data

__all__ = ["Creation"]


class Creation(Data):
    """The results are those of the contract's bodies, in fewer passes."""

    def eye(
        self, *, n_rows: int, n_cols: int, k: int, dtype: DType, device: Device
    ) -> Array:
        return np.eye(n_rows, n_cols, k, self.native(dtype))

    def tril(self, x: Array, /, *, k: int) -> Array:
        return np.tril(x, k)

    def triu(self, x: Array, /, *, k: int) -> Array:
        return np.triu(x, k)

    def linspace(
        self,
        *,
        start: float,
        stop: float,
        num: int,
        dtype: DType,
        device: Device,
        endpoint: bool,
    ) -> Array:
        return np.linspace(start, stop, num, endpoint, dtype=self.native(dtype))
