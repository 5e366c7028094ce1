"""Random numbers from NumPy's PCG64, seeded by the key of each draw.

The same key gives the same numbers for one version of NumPy.
"""

import numpy as np

from trivet.contract import Device
from trivet.dtypes import DType
from trivet_ndarray.data import Array, Data

__all__ = ["Random"]


def _generator(key: int) -> np.random.Generator:
    return np.random.Generator(np.random.PCG64(key))


class Random(Data):
    """Every draw makes its own generator: no state is kept."""

    def random_bits(self, *, key: int, shape: tuple[int, ...], device: Device) -> Array:
        top = 2**64 - 1
        return _generator(key).integers(0, top, shape, np.uint64, endpoint=True)

    def random_uniform(
        self, *, key: int, shape: tuple[int, ...], dtype: DType, device: Device
    ) -> Array:
        if dtype.bits == 16:
            return super().random_uniform(
                key=key, shape=shape, dtype=dtype, device=device
            )
        return _generator(key).random(shape, self.native(dtype))

    def random_normal(
        self, *, key: int, shape: tuple[int, ...], dtype: DType, device: Device
    ) -> Array:
        wide = np.float64 if dtype.bits == 64 else np.float32
        numbers = _generator(key).standard_normal(shape, wide)
        return np.asarray(numbers).astype(self.native(dtype), copy=False)

    def random_integers(
        self,
        *,
        key: int,
        low: int,
        high: int,
        shape: tuple[int, ...],
        dtype: DType,
        device: Device,
    ) -> Array:
        return _generator(key).integers(low, high, shape, self.native(dtype))

    def random_permutation(self, *, key: int, n: int, device: Device) -> Array:
        return _generator(key).permutation(n)

    def random_gamma(self, x: Array, /, *, key: int, shape: tuple[int, ...]) -> Array:
        with np.errstate(invalid="ignore"):
            valid = x > 0
        numbers = _generator(key).standard_gamma(np.where(valid, x, 1), shape)
        return np.where(valid, numbers, np.nan).astype(x.dtype, copy=False)

    def random_beta(
        self, x1: Array, x2: Array, /, *, key: int, shape: tuple[int, ...]
    ) -> Array:
        with np.errstate(invalid="ignore"):
            valid = (x1 > 0) & (x2 > 0)
        safe = np.where(valid, x1, 1), np.where(valid, x2, 1)
        numbers = _generator(key).beta(*safe, shape)
        return np.where(valid, numbers, np.nan).astype(x1.dtype, copy=False)

    def random_poisson(
        self, x: Array, /, *, key: int, shape: tuple[int, ...], dtype: DType
    ) -> Array:
        numbers = _generator(key).poisson(x.astype(np.float64), shape)
        return np.asarray(numbers).astype(self.native(dtype), copy=False)
