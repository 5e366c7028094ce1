"""Closeness in as few passes as NumPy's own."""

from typing import Any

import numpy as np

from trivet.dtypes import Scalar
from trivet_ndarray.data import Array, Data

__all__ = ["Closeness"]


class Closeness(Data):
    """Infinities are compared for equality; their differences, NaN, are not close."""

    def isclose(
        self,
        x1: Array | Scalar,
        x2: Array | Scalar,
        /,
        *,
        rtol: float,
        atol: float,
        equal_nan: bool,
    ) -> Array:
        first, second = self.pair(x1, x2)
        a, b = self._as_floats(first), self._as_floats(second)
        with np.errstate(invalid="ignore"):
            near: Any = np.abs(a - b) <= atol + rtol * np.abs(b)
        near &= np.isfinite(b)
        near |= first == second
        if equal_nan:
            near |= np.isnan(a) & np.isnan(b)
        return near

    def nan_to_num(
        self, x: Array, /, *, nan: float, posinf: float, neginf: float
    ) -> Array:
        if x.dtype.kind not in "fc":  # NumPy takes bfloat16 for no float
            return super().nan_to_num(x, nan=nan, posinf=posinf, neginf=neginf)
        done = np.nan_to_num(x, nan=nan, posinf=posinf, neginf=neginf)
        return np.asarray(done, x.dtype)
