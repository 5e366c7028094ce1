"""Random bits from one kernel; uniform, normal and integer draws derive from them.

So a key gives the same numbers on every device, with every release of CuPy.
"""

from typing import Any

from trivet.contract import Device
from trivet.dtypes import DType
from trivet_cuda.data import Array, Data
from trivet_cuda.kernels import SPLITMIX64
from trivet_cuda.library import Library

__all__ = ["Random"]

_MASK = 2**64 - 1


class Random(Data):
    """The bits are those of the contract's body, in one launch instead of ten."""

    def __init__(self, cupy: Library, cupyx: Library, *, default_float: DType) -> None:
        super().__init__(cupy, cupyx, default_float=default_float)
        self._splitmix64: Any = cupy.ElementwiseKernel(*SPLITMIX64)

    def random_bits(self, *, key: int, shape: tuple[int, ...], device: Device) -> Array:
        with self.on(device):
            bits = self.xp.empty(shape, dtype=self.xp.uint64)
            self._splitmix64(self.xp.uint64(key & _MASK), bits)
            return bits
