"""Random numbers from NumPy's PCG64, seeded by the key of each draw.

The same key gives the same numbers for one version of NumPy.
"""

import math

import numpy as np

from trivet.contract import Device
from trivet.dtypes import DType
from trivet_ndarray.data import Array, Data

__all__ = ["Random"]

_FEW = 64  # classes that are compared sooner than halved


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

    def random_choice(self, *, key: int, n: int, count: int, device: Device) -> Array:
        return _generator(key).choice(n, count, replace=False)

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

    def random_categorical(
        self, x: Array, /, *, key: int, shape: tuple[int, ...]
    ) -> Array:
        *lead, classes = x.shape
        rows, draws = math.prod(lead), math.prod(shape)
        steps = x.reshape(rows, classes)
        unit = _generator(key).random((rows, draws), x.dtype)
        if rows == 1:
            found = np.searchsorted(steps[0], unit, "right")
        elif draws < rows and classes > _FEW:
            return super().random_categorical(x, key=key, shape=shape)
        else:
            found = np.empty((draws, rows), np.intp)
            _find(steps, unit, found)
        return found.reshape(*shape, *lead)

    def random_poisson(
        self, x: Array, /, *, key: int, shape: tuple[int, ...], dtype: DType
    ) -> Array:
        numbers = _generator(key).poisson(x.astype(np.float64), shape)
        return np.asarray(numbers).astype(self.native(dtype), copy=False)


def _find(steps: Array, unit: Array, found: Array) -> None:
    """Write how many steps of its row each number passes.

    A loop over the rows, or over the draws where these are fewer.
    """
    if len(found) < len(steps):
        for draw, numbers in enumerate(unit.T):
            found[draw] = np.count_nonzero(steps <= numbers[:, np.newaxis], axis=1)
        return
    for row, numbers in enumerate(unit):
        found[:, row] = np.searchsorted(steps[row], numbers, "right")
