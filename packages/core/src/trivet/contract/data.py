"""What a backend says about its handles, devices and dtypes, and how data moves.

A *handle* is the backend's own array object. The contract asks one thing of it: a
`shape` attribute that is a tuple of ints.
"""

import math
import sys
from collections.abc import Mapping
from typing import Any, NamedTuple, TypeVar

from trivet.contract.device import Device
from trivet.contract.table import Family, derived, optional, required
from trivet.dtypes import DType, Scalar, weak_dtype
from trivet.errors import UnsupportedOpError

__all__ = ["Data", "DefaultDTypes", "Usage"]

H = TypeVar("H")
Usage = frozenset[str]  # of "storage", "arithmetic", "accelerated"
_NUMBERS = {bool, int, float, complex}  # no subclass: NumPy's float64 can be a handle


class DefaultDTypes(NamedTuple):
    """The dtypes a backend uses on a device when none is given."""

    real_floating: DType
    complex_floating: DType
    integral: DType
    indexing: DType


class Data(Family[H], family="data"):
    """Facts about handles, and their way to and from the host."""

    name: str
    max_dimensions: int | None = None  # of an array, where the library has a limit
    data_dependent_shapes = True  # False where a shape may not depend on values

    # Operands that are quicker than Python numbers: floats[handle.dtype][2.5] and
    # ints[handle.dtype][2]. They must promote as the number would. The hot path looks
    # here for every number next to a tensor; None leaves numbers as they are.
    floats: Mapping[Any, Mapping[float, Any]] | None = None
    ints: Mapping[Any, Mapping[int, Any]] | None = None

    def devices(self) -> tuple[Device, ...]:
        """The devices that this backend can compute on; the first is the default."""
        raise NotImplementedError

    @property
    def default_device(self) -> Device:
        """The device of tensors that are created without naming one."""
        return self.devices()[0]

    def dtypes(self, device: Device) -> Mapping[DType, Usage]:
        """The dtypes that `device` can hold, each with what it can do with them."""
        raise NotImplementedError

    def default_dtypes(self, device: Device) -> DefaultDTypes:
        """The dtypes used on `device` when none is given."""
        raise NotImplementedError

    def synchronize(self, device: Device) -> None:
        """Wait until all work that was queued on `device` is done."""

    def memory_stats(self, device: Device) -> Mapping[str, int]:
        """Bytes in use and reserved on `device`, where the backend can tell."""
        return {}

    def free_unused_memory(self, device: Device) -> None:
        """Give memory that is cached but unused back to `device`."""

    def adopt(self, obj: Any, /) -> H | None:
        """A handle over another library's host array without a copy, if that is safe.

        `None` where it cannot be done; the values are then copied.
        """
        return None

    def pair(self, x1: H | Scalar, x2: H | Scalar, /) -> tuple[H, H]:
        """Both operands as handles; a Python number becomes a 0-d one by its weak rule.

        For backends whose library does not take Python numbers.
        """
        if x1.__class__ in _NUMBERS:
            return self._lifted(x1, x2), x2  # type: ignore[arg-type,return-value]
        if x2.__class__ in _NUMBERS:
            return x1, self._lifted(x2, x1)  # type: ignore[arg-type,return-value]
        return x1, x2  # type: ignore[return-value]

    def _lifted(self, value: Scalar, x: H) -> H:
        dtype = weak_dtype(self.dtype(x), value)
        return self.full(shape=(), fill_value=value, dtype=dtype, device=self.device(x))

    @required(constant="facts about a handle")
    def dtype(self, x: H, /) -> DType:
        """The dtype of a handle."""
        raise NotImplementedError

    @required(constant="facts about a handle")
    def device(self, x: H, /) -> Device:
        """The device that holds a handle."""
        raise NotImplementedError

    @required(constant="copied from host memory")
    def from_host(
        self, data: Any, /, *, shape: tuple[int, ...], dtype: DType, device: Device
    ) -> H:
        """A handle with a copy of `data`: a buffer of elements in C order."""
        raise NotImplementedError

    @required(constant="leaves the backend")
    def to_host(self, x: H, /) -> Any:
        """The elements in C order, as a buffer in host memory (`bytes` will do)."""
        raise NotImplementedError

    def read_int(self, x: H) -> int:
        """The one integer, or truth value, in a 0-d handle, read back to the host."""
        signed = self.dtype(x).kind == "signed integer"
        return int.from_bytes(self.to_host(x), byteorder=sys.byteorder, signed=signed)

    @required(constant="no tensor operand")
    def full(
        self,
        *,
        shape: tuple[int, ...],
        fill_value: Scalar,
        dtype: DType,
        device: Device,
    ) -> H:
        """A handle of `shape` in which every element is `fill_value`."""
        raise NotImplementedError

    @required()
    def astype(self, x: H, /, *, dtype: DType) -> H:
        """The elements as `dtype`; floats lose their fraction towards zero."""
        raise NotImplementedError

    @derived()
    def to_device(self, x: H, /, *, device: Device) -> H:
        """The handle itself if it is on `device`, otherwise a copy there."""
        if self.device(x) == device:
            return x
        return self.from_host(
            self.to_host(x), shape=self.shape(x), dtype=self.dtype(x), device=device
        )

    @derived()
    def copy(self, x: H, /) -> H:
        """A handle that shares no memory with `x`."""
        return self.from_host(
            self.to_host(x),
            shape=self.shape(x),
            dtype=self.dtype(x),
            device=self.device(x),
        )

    @derived(constant="leaves the backend")
    def to_dlpack(
        self,
        x: H,
        /,
        *,
        stream: Any,
        max_version: tuple[int, int] | None,
        dl_device: tuple[int, int] | None,
        copy: bool | None,
    ) -> Any:
        """A DLPack capsule, as the standard's `__dlpack__` asks, or `BufferError`."""
        raise BufferError(
            f"the backend {self.name} does not export DLPack; use .numpy() or .tolist()"
        )

    @derived(constant="facts about a handle")
    def dlpack_device(self, x: H, /) -> tuple[int, int]:
        """DLPack's device type and id of a handle."""
        raise BufferError(
            f"the backend {self.name} does not export DLPack; use .numpy() or .tolist()"
        )

    @optional(constant="comes from another library")
    def from_dlpack(
        self, source: Any, /, *, device: Device | None, copy: bool | None
    ) -> H:
        """A handle over an object that offers `__dlpack__`. `BufferError` if not."""
        raise UnsupportedOpError(
            f"the backend {self.name} does not import DLPack; pass the values through "
            "tv.asarray instead."
        )

    @staticmethod
    def shape(x: Any, /) -> tuple[int, ...]:
        """The shape of a handle."""
        return x.shape  # type: ignore[no-any-return]

    @staticmethod
    def size(x: Any, /) -> int:
        """The number of elements of a handle."""
        return math.prod(x.shape)

    def is_floating(self, x: H, /) -> bool:
        """Whether the handle holds real or complex floating elements."""
        return self.dtype(x).kind in {"real floating", "complex floating"}
