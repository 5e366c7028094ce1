"""How data enters and leaves NumPy arrays, and quick operands for Python numbers."""

from typing import Any

import numpy as np

from trivet.contract import CPU, ArrayApiBackend, Device
from trivet.dtypes import DType, Scalar, bfloat16
from trivet_ndarray.bfloat import NATIVE as BFLOAT16

__all__ = ["Data"]

Array = Any  # numpy.ndarray, or numpy.generic where NumPy gives a scalar
_MOST_SCALARS = 4096
_CPU_DLPACK = (1, 0)  # device type kDLCPU, id 0


def _is_reversed_or_repeated(array: np.ndarray[Any, Any]) -> bool:
    steps = zip(array.strides, array.shape, strict=True)
    repeats = array.size > 0  # NumPy's empty arrays have strides of 0
    return any(step < 0 or (step == 0 and n > 1 and repeats) for step, n in steps)


class _Operands(dict[Any, Any]):
    """For one dtype, the 0-d arrays that stand for Python numbers.

    NumPy takes twice as long to add a Python number as a 0-d array. What is missing is
    made and kept, up to a number of entries.
    """

    def __init__(self, dtype: np.dtype[Any], kinds: str) -> None:
        self._dtype = dtype
        self._keeps_dtype = dtype.kind in kinds or dtype == BFLOAT16

    def __missing__(self, number: float) -> Any:
        if not self._keeps_dtype:
            return number
        if number == 0 and number.__class__ is float:  # -0.0 would share its key
            return np.asarray(number, self._dtype)
        try:
            array = np.asarray(number, self._dtype)
        except OverflowError:  # NumPy's op decides what that means
            return number
        if len(self) >= _MOST_SCALARS:
            self.clear()
        self[number] = array
        return array


class Data(ArrayApiBackend):
    """A handle is an ndarray, or a NumPy scalar where NumPy gives one for rank 0."""

    def __init__(self, xp: Any, *, default_float: DType) -> None:
        super().__init__(xp, default_float=default_float)
        if BFLOAT16 is not None:
            self._natives[bfloat16], self._known[BFLOAT16] = BFLOAT16, bfloat16
        self.floats = {dtype: _Operands(dtype, "fc") for dtype in self._known}
        self.ints = {dtype: _Operands(dtype, "iufc") for dtype in self._known}

    def scalar(self, x: Array, value: Scalar, /) -> Array:
        """The quick operand for a number next to `x`."""
        quick = self.floats if value.__class__ is float else self.ints
        return quick[x.dtype][value]  # type: ignore[index]  # set by __init__

    def adopt(self, obj: Any, /) -> Array | None:
        if isinstance(obj, np.ndarray | np.generic) and obj.dtype in self._known:
            return obj
        return None

    def full(
        self,
        *,
        shape: tuple[int, ...],
        fill_value: Scalar,
        dtype: DType,
        device: Device,
    ) -> Array:
        out = np.empty(shape, self.native(dtype))
        np.copyto(out, fill_value, casting="unsafe")
        return out

    def filled_like(
        self, x: Array, fill_value: Scalar, shape: tuple[int, ...]
    ) -> Array:
        out = np.empty(shape, x.dtype)
        out[...] = fill_value
        return out

    def from_host(
        self, data: Any, /, *, shape: tuple[int, ...], dtype: DType, device: Device
    ) -> Array:
        return np.frombuffer(data, self.native(dtype)).reshape(shape).copy()

    def to_host(self, x: Array, /) -> bytes:
        return x.tobytes()  # type: ignore[no-any-return]

    def astype(self, x: Array, /, *, dtype: DType) -> Array:
        return x.astype(self.native(dtype), copy=False)

    def to_dlpack(
        self,
        x: Array,
        /,
        *,
        stream: Any,
        max_version: tuple[int, int] | None,
        dl_device: tuple[int, int] | None,
        copy: bool | None,
    ) -> Any:
        """NumPy's capsule; of a copy where a consumer could crash or write through.

        Some consumers abort on a negative stride and ignore the read-only flag; a
        write to a repeated element would change it everywhere.
        """
        array = np.asarray(x)
        if not array.flags.writeable or _is_reversed_or_repeated(array):
            if copy is False:
                raise BufferError(
                    "this tensor's memory is read-only, reversed or repeated and "
                    "cannot be exported by DLPack without a copy; pass copy=None or "
                    "copy=True."
                )
            array = array.copy()
        return array.__dlpack__(
            stream=stream, max_version=max_version, dl_device=dl_device, copy=copy
        )

    def dlpack_device(self, x: Array, /) -> tuple[int, int]:
        return _CPU_DLPACK

    def from_dlpack(
        self, source: Any, /, *, device: Device | None, copy: bool | None
    ) -> Array:
        return np.from_dlpack(
            source, device=None if device is None else "cpu", copy=copy
        )

    def device(self, x: Array, /) -> Device:
        return CPU
