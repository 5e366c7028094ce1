"""How data enters and leaves GPU memory, and which device holds it."""

from contextlib import AbstractContextManager
from typing import Any

from trivet.contract import ArrayApiBackend, Device
from trivet.dtypes import DType
from trivet_cuda.library import Library

__all__ = ["Array", "Data"]

Array = Any  # cupy.ndarray
_ON_GPU = {2, 13}  # DLPack's device types kDLCUDA and kDLCUDAManaged


class Data(ArrayApiBackend):
    """A handle is a `cupy.ndarray`, of rank 0 too: no op reads values back."""

    def __init__(self, cupy: Library, cupyx: Library, *, default_float: DType) -> None:
        count = cupy.cuda.runtime.getDeviceCount()
        self._devices = tuple(Device("cuda", index) for index in range(count))
        self.cupyx = cupyx
        super().__init__(cupy, default_float=default_float)

    def devices(self) -> tuple[Device, ...]:
        """`cuda:0` and on: the GPUs that CUDA_VISIBLE_DEVICES leaves, in its order."""
        return self._devices

    def on(self, device: Device) -> AbstractContextManager[Any]:
        """A context in which `device` is CuPy's current device."""
        return self.xp.cuda.Device(device.index)  # type: ignore[no-any-return]

    def device(self, x: Array, /) -> Device:
        index: int = x.device.id
        return self._devices[index]

    def from_host(
        self, data: Any, /, *, shape: tuple[int, ...], dtype: DType, device: Device
    ) -> Array:
        with self.on(device):
            return self.xp.frombuffer(data, dtype=self.native(dtype)).reshape(shape)

    def to_host(self, x: Array, /) -> bytes:
        return x.tobytes()  # type: ignore[no-any-return]

    def astype(self, x: Array, /, *, dtype: DType) -> Array:
        return x.astype(self.native(dtype), copy=False)

    def copy(self, x: Array, /) -> Array:
        return x.copy()

    def to_device(self, x: Array, /, *, device: Device) -> Array:
        source = self.device(x)
        if source == device:
            return x
        self.synchronize(source)  # a stream of one device doesn't wait for another's
        with self.on(device):
            return x.copy()

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
        """CuPy's capsule, which waits for `stream`; `dl_device=(1, 0)` is a host copy.

        Of a copy where a stride is negative: some consumers abort on it.
        """
        if min(x.strides, default=0) < 0:
            if copy is False:
                raise BufferError(
                    "this tensor's memory is reversed and cannot be exported by DLPack "
                    "without a copy; pass copy=None or copy=True."
                )
            x = x.copy()
        return x.__dlpack__(
            stream=stream, max_version=max_version, dl_device=dl_device, copy=copy
        )

    def dlpack_device(self, x: Array, /) -> tuple[int, int]:
        return x.__dlpack_device__()  # type: ignore[no-any-return]

    def from_dlpack(
        self, source: Any, /, *, device: Device | None, copy: bool | None
    ) -> Array:
        kind = int(source.__dlpack_device__()[0])
        if kind not in _ON_GPU:
            raise BufferError(
                f"from_dlpack: the source is not in GPU memory (its DLPack device type "
                f"is {kind}). Nothing is moved silently: pass it through tv.asarray."
            )
        # a view, so that `write` sees memory that isn't its own
        array = self.xp.from_dlpack(source).view()
        held = self.device(array)
        if device is None or device == held:
            return self.copy(array) if copy else array
        if copy is False:
            raise BufferError(
                f"from_dlpack: the source is on {held} and cannot be on {device} "
                "without a copy; pass copy=None or copy=True."
            )
        return self.to_device(array, device=device)
