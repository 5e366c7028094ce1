"""What this backend can hold, and how elements come from and go to host memory.

Every family's class derives from `Data`, for the helpers at its end.
"""

import math
import struct
from collections.abc import Callable, Mapping
from typing import Any

from trivet import dtypes
from trivet.contract import OPS, Backend, DefaultDTypes, Device, Usage
from trivet.dtypes import DType, Scalar
from trivet.errors import DTypeError
from trivet_example.grid import Grid
from trivet_example.numbers import cast, element, fit

__all__ = ["Data"]

CODES = {  # of the struct module
    dtypes.bool: "?",
    dtypes.int8: "b",
    dtypes.int16: "h",
    dtypes.int32: "i",
    dtypes.int64: "q",
    dtypes.uint8: "B",
    dtypes.uint16: "H",
    dtypes.uint32: "I",
    dtypes.uint64: "Q",
    dtypes.float32: "f",
    dtypes.float64: "d",
}
USAGE: Usage = frozenset({"storage", "arithmetic"})


class Data(Backend[Grid]):
    """Two devices, both of them host memory: enough to have them confused."""

    def devices(self) -> tuple[Device, ...]:
        """`example:0`, the default, and `example:1`."""
        return Device("example", 0), Device("example", 1)

    def dtypes(self, device: Device) -> Mapping[DType, Usage]:
        """All of the standard's dtypes but the complex ones."""
        return dict.fromkeys(CODES, USAGE)

    def default_dtypes(self, device: Device) -> DefaultDTypes:
        """float32 and int64, as most backends have it."""
        return DefaultDTypes(
            real_floating=dtypes.float32,
            complex_floating=dtypes.complex64,
            integral=dtypes.int64,
            indexing=dtypes.int64,
        )

    def dtype(self, x: Grid, /) -> DType:
        return x.dtype

    def device(self, x: Grid, /) -> Device:
        return x.device

    def from_host(
        self, data: Any, /, *, shape: tuple[int, ...], dtype: DType, device: Device
    ) -> Grid:
        elements = memoryview(bytes(data)).cast(self._code(dtype))  # type: ignore[call-overload]
        return Grid(elements.tolist(), shape, dtype, device)

    def to_host(self, x: Grid, /) -> bytes:
        return struct.pack(f"{len(x.data)}{CODES[x.dtype]}", *x.data)

    def full(
        self,
        *,
        shape: tuple[int, ...],
        fill_value: Scalar,
        dtype: DType,
        device: Device,
    ) -> Grid:
        self._code(dtype)
        value = element(fill_value, dtype)
        return Grid([value] * math.prod(shape), shape, dtype, device)

    def astype(self, x: Grid, /, *, dtype: DType) -> Grid:
        self._code(dtype)
        return Grid(cast(x.data, x.dtype, dtype), x.shape, dtype, x.device)

    def _code(self, dtype: DType) -> str:
        if dtype not in CODES:
            raise DTypeError(
                f"the backend {self.name} has no dtype {dtype}. It has "
                f"{', '.join(map(str, CODES))}."
            )
        return CODES[dtype]

    def take_kinds(self, op: str, dtype: DType) -> None:
        """Refuse a dtype that the contract does not give to `op`.

        Python would compute something: `True + True` is 2.
        """
        if dtype.kind not in OPS[op].kinds:
            raise DTypeError(f"{op}: the dtype {dtype} is not one that this op takes.")

    def each(self, op: str, function: Callable[[Any], Any], x: Grid) -> Grid:
        """`function` of every element, in the dtype of `x`."""
        self.take_kinds(op, x.dtype)
        values = fit(list(map(function, x.data)), x.dtype)
        return Grid(values, x.shape, x.dtype, x.device)
