"""`ArrayApiBackend`: a backend over a library that follows the array API standard.

`trivet_ndarray` and `trivet_cuda` stand on it, and so can any library with a
conforming namespace: its author adds the host transfer, the devices and what is
quicker natively.
"""

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from types import ModuleType
from typing import Any

from trivet.contract.backend import Backend
from trivet.contract.data import DefaultDTypes, Usage
from trivet.contract.device import CPU, Device
from trivet.contract.indexing import UpdateMode
from trivet.contract.table import OPS
from trivet.dtypes import (
    DTYPES,
    STANDARD,
    DType,
    Scalar,
    complex64,
    complex128,
    float32,
    float64,
    int64,
)
from trivet.shapes import Axes

__all__ = ["ArrayApiBackend"]

_DIRECT = {"comparison", "elementwise", "trigonometric", "bitwise"}
_ARITHMETIC: Usage = frozenset({"storage", "arithmetic"})


class ArrayApiBackend(Backend[Any]):
    """Adapts the namespace `xp`.

    `default_float` is the dtype of new floating tensors, float32 unless told
    otherwise. Derive, set `name`, and implement `from_host` and `to_host`.
    """

    def __init__(self, xp: ModuleType | Any, *, default_float: DType = float32) -> None:
        self.xp = xp
        self.default_float = default_float
        self._natives = {
            dtype: getattr(xp, name)
            for name, dtype in DTYPES.items()
            if hasattr(xp, name)
        }
        self.usage: dict[DType, Usage] = {
            dtype: _ARITHMETIC for dtype in STANDARD if dtype in self._natives
        }
        self._known = {
            xp.zeros((), dtype=native).dtype: dtype
            for dtype, native in self._natives.items()
        }
        self.bind(**self._direct())

    def _direct(self) -> dict[str, Any]:
        """The functions of `xp` that do just what the contract's ops do."""
        names = [op.name for op in OPS.values() if op.family in _DIRECT]
        names += ["matmul", "matrix_transpose"]
        names.remove("clip")  # it keeps its first argument's dtype; libraries promote
        return {
            n: getattr(self.xp, n)
            for n in names
            if hasattr(self.xp, n) and not self._overrides(n)
        }

    def _overrides(self, op: str) -> bool:
        """Whether a derived class has a method of its own for `op`."""
        return getattr(type(self), op) is not OPS[op].function

    def native(self, dtype: DType) -> Any:
        """The library's own object for a dtype."""
        return self._natives[dtype]

    def on(self, device: Device) -> AbstractContextManager[Any]:
        """A context in which the library creates arrays on `device`."""
        return nullcontext()

    def devices(self) -> tuple[Device, ...]:
        """The host; override this for a library that computes elsewhere."""
        return (CPU,)

    def dtypes(self, device: Device) -> Mapping[DType, Usage]:
        """The standard's dtypes that the library has."""
        return self.usage

    def default_dtypes(self, device: Device) -> DefaultDTypes:
        """`default_float`, its complex twin, int64, and int64 for indices."""
        twin = complex128 if self.default_float == float64 else complex64
        return DefaultDTypes(self.default_float, twin, int64, int64)

    def dtype(self, x: Any, /) -> DType:
        return self._known[x.dtype]

    def device(self, x: Any, /) -> Device:
        return CPU

    def full(
        self,
        *,
        shape: tuple[int, ...],
        fill_value: Scalar,
        dtype: DType,
        device: Device,
    ) -> Any:
        with self.on(device):
            return self.xp.full(shape, fill_value, dtype=self.native(dtype))

    def arange(
        self,
        *,
        start: float,
        stop: float,
        step: float,
        dtype: DType,
        device: Device,
    ) -> Any:
        with self.on(device):
            return self.xp.arange(start, stop, step, dtype=self.native(dtype))

    def empty(self, *, shape: tuple[int, ...], dtype: DType, device: Device) -> Any:
        with self.on(device):
            return self.xp.empty(shape, dtype=self.native(dtype))

    def zeros(self, *, shape: tuple[int, ...], dtype: DType, device: Device) -> Any:
        with self.on(device):
            return self.xp.zeros(shape, dtype=self.native(dtype))

    def ones(self, *, shape: tuple[int, ...], dtype: DType, device: Device) -> Any:
        with self.on(device):
            return self.xp.ones(shape, dtype=self.native(dtype))

    def astype(self, x: Any, /, *, dtype: DType) -> Any:
        return self.xp.astype(x, self.native(dtype), copy=False)

    def copy(self, x: Any, /) -> Any:
        return self.xp.asarray(x, copy=True)

    def reshape(self, x: Any, /, *, shape: tuple[int, ...]) -> Any:
        return self.xp.reshape(x, shape)

    def reshape_is_view(self, x: Any, /, *, shape: tuple[int, ...]) -> bool:
        try:
            self.xp.reshape(x, shape, copy=False)
        except (AttributeError, TypeError, ValueError):  # libraries differ in the error
            return False
        return True

    def permute_dims(self, x: Any, /, *, axes: tuple[int, ...]) -> Any:
        return self.xp.permute_dims(x, axes)

    def broadcast_to(self, x: Any, /, *, shape: tuple[int, ...]) -> Any:
        return self.xp.broadcast_to(x, shape)

    def concat(self, arrays: Sequence[Any], /, *, axis: int) -> Any:
        return self.xp.concat(list(arrays), axis=axis)

    def strided_slice(
        self,
        x: Any,
        /,
        *,
        start: tuple[int, ...],
        size: tuple[int, ...],
        step: tuple[int, ...],
    ) -> Any:
        parts = zip(start, size, step, strict=True)
        return x[tuple(_slice(*part) for part in parts)]

    def take(self, x: Any, indices: Any, /, *, axis: int) -> Any:
        return self.xp.take(x, indices, axis=axis)

    def index_update(
        self, x: Any, indices: Any, values: Any, /, *, mode: UpdateMode
    ) -> Any:
        """Row by row: the standard has no scatter. Override it with the library's."""
        wide, dtype = self.widened(x)
        done, values = self.copy(wide), self.cast(values, self.dtype(wide))
        for k in range(indices.shape[0]):
            row, value = int(indices[k]), values[k, ...]
            if mode != "set":
                value = getattr(self, mode)(done[row, ...], value)
            done[row, ...] = value
        return self.cast(done, dtype)

    def sum(self, x: Any, /, *, axis: Axes, dtype: DType | None, keepdims: bool) -> Any:
        return self._accumulated(self.xp.sum, x, axis, dtype, keepdims=keepdims)

    def prod(
        self, x: Any, /, *, axis: Axes, dtype: DType | None, keepdims: bool
    ) -> Any:
        return self._accumulated(self.xp.prod, x, axis, dtype, keepdims=keepdims)

    def _accumulated(
        self, reduce: Any, x: Any, axis: Axes, dtype: DType | None, *, keepdims: bool
    ) -> Any:
        own = self.dtype(x)
        result = dtype or self.sum_dtype(own)
        wide = (
            float32 if result.kind == "real floating" and result.bits == 16 else result
        )
        if own.kind == "bool":  # the standard's sums take numbers alone
            x = self.astype(x, dtype=wide)
        total = reduce(x, axis=axis, dtype=self.native(wide), keepdims=keepdims)
        return total if wide == result else self.astype(total, dtype=result)

    def max(self, x: Any, /, *, axis: Axes, keepdims: bool) -> Any:
        return self.xp.max(x, axis=axis, keepdims=keepdims)

    def min(self, x: Any, /, *, axis: Axes, keepdims: bool) -> Any:
        return self.xp.min(x, axis=axis, keepdims=keepdims)

    def any(self, x: Any, /, *, axis: Axes, keepdims: bool) -> Any:
        return self.xp.any(x, axis=axis, keepdims=keepdims)

    def all(self, x: Any, /, *, axis: Axes, keepdims: bool) -> Any:
        return self.xp.all(x, axis=axis, keepdims=keepdims)

    def argmax(self, x: Any, /, *, axis: int | None, keepdims: bool) -> Any:
        return self.xp.argmax(x, axis=axis, keepdims=keepdims)

    def argmin(self, x: Any, /, *, axis: int | None, keepdims: bool) -> Any:
        return self.xp.argmin(x, axis=axis, keepdims=keepdims)

    def argsort(self, x: Any, /, *, axis: int, descending: bool, stable: bool) -> Any:
        return self.xp.argsort(x, axis=axis, descending=descending, stable=stable)

    def nonzero(self, x: Any, /) -> tuple[Any, ...]:
        return tuple(self.xp.nonzero(x))


def _slice(start: int, size: int, step: int) -> slice:
    # the standard leaves open what a stop further out than the end means
    stop = start + (size - 1) * step + (1 if step > 0 else -1) if size else start
    return slice(start, stop if stop >= 0 else None, step)
