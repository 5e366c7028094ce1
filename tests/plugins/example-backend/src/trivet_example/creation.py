"""New arrays. `full` is in `data`, and everything else is derived from the two."""

from trivet.contract import Device
from trivet.dtypes import FLOATING, DType
from trivet_example.data import Data
from trivet_example.grid import Grid
from trivet_example.numbers import fit

__all__ = ["Creation"]


class Creation(Data):
    """`arange_size` is the contract's, so that all backends count alike."""

    def arange(
        self, *, start: float, stop: float, step: float, dtype: DType, device: Device
    ) -> Grid:
        self._code(dtype)
        number = float if dtype.kind in FLOATING else int
        count = self.arange_size(start, stop, step)
        values = [number(start + i * step) for i in range(count)]
        return Grid(fit(values, dtype), (count,), dtype, device)
