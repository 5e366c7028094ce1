"""Ops that make arrays from numbers. dtype and device are always given."""

import math
from typing import TypeVar

from trivet.contract.device import Device
from trivet.contract.shape import Shape
from trivet.contract.table import derived, required
from trivet.dtypes import FLOATING, REAL, DType, Scalar, float64

__all__ = ["Creation"]

H = TypeVar("H")


class Creation(Shape[H], family="creation"):
    """New arrays; `full`, the simplest of them, is among the data ops."""

    @required(REAL, constant="no tensor operand")
    def arange(
        self,
        *,
        start: float,
        stop: float,
        step: float,
        dtype: DType,
        device: Device,
    ) -> H:
        """`start, start + step, ...` up to `stop`: as many as `arange_size` says."""
        raise NotImplementedError

    @derived(constant="no tensor operand")
    def empty(self, *, shape: tuple[int, ...], dtype: DType, device: Device) -> H:
        """An array of any content."""
        return self.zeros(shape=shape, dtype=dtype, device=device)

    @derived(constant="no tensor operand")
    def zeros(self, *, shape: tuple[int, ...], dtype: DType, device: Device) -> H:
        """An array of zeros."""
        return self.full(shape=shape, fill_value=0, dtype=dtype, device=device)

    @derived(constant="no tensor operand")
    def ones(self, *, shape: tuple[int, ...], dtype: DType, device: Device) -> H:
        """An array of ones."""
        return self.full(shape=shape, fill_value=1, dtype=dtype, device=device)

    def filled_like(self, x: H, fill_value: Scalar, shape: tuple[int, ...]) -> H:
        """An array of `shape` with the dtype and device of `x`."""
        dtype, device = self.dtype(x), self.device(x)
        return self.full(shape=shape, fill_value=fill_value, dtype=dtype, device=device)

    def counting(self, x: H, n: int) -> H:
        """`0, 1, ..., n - 1` in the index dtype, on the device of `x`."""
        device = self.device(x)
        dtype = self.default_dtypes(device).indexing
        return self.arange(start=0, stop=n, step=1, dtype=dtype, device=device)

    @derived(constant="no tensor operand")
    def eye(
        self, *, n_rows: int, n_cols: int, k: int, dtype: DType, device: Device
    ) -> H:
        """Ones on the `k`-th diagonal, zeros elsewhere."""
        blank = self.empty(shape=(n_rows, n_cols), dtype=dtype, device=device)
        return self.astype(self.equal(self._gap(blank), k), dtype=dtype)

    def _gap(self, x: H) -> H:
        """For each place of the last two axes, its column minus its row."""
        rows, cols = self.shape(x)[-2:]
        row = self.reshape(self.counting(x, rows), shape=(rows, 1))
        return self.subtract(self.counting(x, cols), row)

    @derived()
    def tril(self, x: H, /, *, k: int) -> H:
        """Zeros above the `k`-th diagonal of each matrix."""
        below = self.less_equal(self._gap(x), k)
        return self.where(below, x, self.filled_like(x, 0, ()))

    @derived()
    def triu(self, x: H, /, *, k: int) -> H:
        """Zeros below the `k`-th diagonal of each matrix."""
        above = self.greater_equal(self._gap(x), k)
        return self.where(above, x, self.filled_like(x, 0, ()))

    @derived(REAL | FLOATING, constant="no tensor operand")
    def linspace(
        self,
        *,
        start: float,
        stop: float,
        num: int,
        dtype: DType,
        device: Device,
        endpoint: bool,
    ) -> H:
        """`num` evenly spaced numbers; for an integer dtype, rounded down."""
        wide = self._widest_float(dtype, device)
        count = self.arange(start=0, stop=num, step=1, dtype=wide, device=device)
        steps = num - 1 if endpoint else num
        line = self.add(self.multiply(count, (stop - start) / max(steps, 1)), start)
        if endpoint and steps > 0:  # rounding must not move the last point
            line = self.where(self.equal(count, steps), stop, line)
        if dtype.kind in {"signed integer", "unsigned integer"}:
            line = self.floor(line)
        return self.astype(line, dtype=dtype)

    def _widest_float(self, dtype: DType, device: Device) -> DType:
        if float64 in self.dtypes(device):
            return float64
        if dtype.kind == "real floating":
            return dtype
        return self.default_dtypes(device).real_floating

    @staticmethod
    def arange_size(start: float, stop: float, step: float) -> int:
        """How many elements `arange` gives.

        >>> Creation.arange_size(0, 1, 0.25)
        4
        """
        return max(math.ceil((stop - start) / step), 0)
