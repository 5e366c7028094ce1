"""Random numbers, each draw a pure function of its key.

There is no hidden state: the same key gives the same numbers on the same backend, in
any thread, and again when a computation is repeated. `trivet.random.Generator` deals
the keys.
"""

import math
from typing import TypeVar

from trivet.contract.device import Device
from trivet.contract.linalg import Linalg
from trivet.contract.table import derived
from trivet.dtypes import INTEGRAL, REAL_FLOATING, DType, float64, uint64

__all__ = ["Random"]

H = TypeVar("H")
_MASK = 2**64 - 1
_GOLDEN = 0x9E3779B97F4A7C15


class Random(Linalg[H], family="random"):
    """The bodies need uint64 arithmetic; a backend without it overrides them."""

    @derived(INTEGRAL, differentiable=False)
    def random_bits(self, *, key: int, shape: tuple[int, ...], device: Device) -> H:
        """Independent uniform uint64 values.

        SplitMix64 (Steele, Lea and Flood, OOPSLA 2014): the finalizer of key + i *
        golden ratio, for the i-th element in C order.
        """
        n = math.prod(shape)
        i = self.arange(start=0, stop=n, step=1, dtype=uint64, device=device)
        z = self.add(self.multiply(i, _GOLDEN), (key + _GOLDEN) & _MASK)
        z = self.multiply(self._shift_xor(z, 30), 0xBF58476D1CE4E5B9)
        z = self.multiply(self._shift_xor(z, 27), 0x94D049BB133111EB)
        return self.reshape(self._shift_xor(z, 31), shape=shape)

    def _shift_xor(self, z: H, count: int) -> H:
        return self.bitwise_xor(z, self.floor_divide(z, 2**count))

    @derived(REAL_FLOATING, differentiable=False)
    def random_uniform(
        self, *, key: int, shape: tuple[int, ...], dtype: DType, device: Device
    ) -> H:
        """Uniform over [0, 1): the top 24 or 53 random bits, scaled exactly."""
        bits = self.random_bits(key=key, shape=shape, device=device)
        keep = 53 if dtype == float64 else 24 if dtype.bits == 32 else 8
        top = self.astype(self.floor_divide(bits, 2 ** (64 - keep)), dtype=dtype)
        return self.multiply(top, 2.0**-keep)

    @derived(REAL_FLOATING, differentiable=False)
    def random_normal(
        self, *, key: int, shape: tuple[int, ...], dtype: DType, device: Device
    ) -> H:
        """Standard normal numbers (Box and Muller, 1958)."""
        pair = self.random_uniform(
            key=key, shape=(2, *shape), dtype=dtype, device=device
        )
        u, v = self.getitem(pair, key=(0,)), self.getitem(pair, key=(1,))
        radius = self.sqrt(self.multiply(self.log(self.subtract(1, u)), -2))
        return self.multiply(radius, self.cos(self.multiply(v, 2 * math.pi)))

    @derived(INTEGRAL, differentiable=False)
    def random_integers(
        self,
        *,
        key: int,
        low: int,
        high: int,
        shape: tuple[int, ...],
        dtype: DType,
        device: Device,
    ) -> H:
        """Uniform integers from `low` up to, not including, `high`.

        64 random bits modulo the range: the bias is below range / 2**64.
        """
        within = self.random_bits(key=key, shape=shape, device=device)
        if high - low < 2**64:
            within = self.remainder(within, high - low)
        return self.add(self.astype(within, dtype=dtype), low)

    @derived(INTEGRAL, differentiable=False)
    def random_permutation(self, *, key: int, n: int, device: Device) -> H:
        """The integers below `n` in random order, in the index dtype."""
        bits = self.random_bits(key=key, shape=(n,), device=device)
        return self.argsort(bits, axis=0, descending=False, stable=True)
