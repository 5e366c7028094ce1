"""The parameters of distributions, as tensors where a generator draws.

`random` passes each through here; numbers become tensors, and tensors stay where they
are or are refused.
"""

from collections.abc import Sequence
from typing import Any, SupportsIndex

from trivet import dtypes
from trivet.contract import Backend, Device
from trivet.dispatch import call, call_many, common, wrap
from trivet.dtypes import DType
from trivet.errors import ArgumentError, DeviceMismatchError, DTypeError, ShapeError
from trivet.shapes import as_shape, broadcast
from trivet.tensor import Tensor

__all__ = ["Parameter", "Parameters", "ShapeLike", "require_within"]

Parameter = float | Tensor[Any]
ShapeLike = SupportsIndex | Sequence[SupportsIndex]


class Parameters:
    """Makes tensors of parameters on one device of a backend."""

    def __init__(self, backend: Backend[Any], device: Device) -> None:
        self.backend = backend
        self.device = device

    def together(
        self, name: str, shape: ShapeLike | None, *values: Parameter
    ) -> tuple[list[Tensor[Any]], tuple[int, ...]]:
        """The parameters as tensors of one dtype, and the shape of the draw.

        Raises `DTypeError`, `ShapeError`, `MismatchError`.
        """
        tensors = [value for value in values if isinstance(value, Tensor)]
        for tensor in tensors:
            self._check_place(name, tensor)
        default = self.backend.default_dtypes(self.device).real_floating
        dtype = dtypes.promote_all(x.dtype for x in tensors) if tensors else default
        if dtype.kind not in dtypes.REAL_FLOATING:
            raise DTypeError(f"{name}: dtype={dtype} is not a real floating dtype.")
        own = [self.tensor(value, dtype) for value in values]
        joined = broadcast(name, *(x.shape for x in own))
        sizes = joined if shape is None else as_shape(name, shape)
        if broadcast(name, joined, sizes) != sizes:
            raise ShapeError(
                f"{name}: parameters of shape {joined} do not fit shape={sizes}."
            )
        return own, sizes

    def tensor(self, value: Parameter, dtype: DType) -> Tensor[Any]:
        """One parameter as a tensor of `dtype`."""
        if isinstance(value, Tensor):
            return value if value.dtype == dtype else call("astype", value, dtype=dtype)
        handle = self.backend.full(
            shape=(), fill_value=float(value), dtype=dtype, device=self.device
        )
        return wrap(handle, self.backend)

    def _check_place(self, name: str, x: Tensor[Any]) -> None:
        common(name, (self.tensor(0, dtypes.float32), x))
        if x.device != self.device:
            raise DeviceMismatchError(
                f"{name}: the generator is on {self.device} and a parameter on "
                f"{x.device}. Nothing is moved silently: call "
                f'.to_device("{self.device}") on it.'
            )


def require_within(
    name: str, what: str, x: Tensor[Any], low: float, high: float
) -> None:
    """Check that all elements are within the limits: read back to the host.

    Raises `ArgumentError`.
    """
    if not x.size:
        return
    ends = [call(op, x, axis=None, keepdims=False) for op in ("min", "max")]
    least, most = call_many("stack", ends, axis=0).tolist()  # in one reading
    if low <= least and most <= high:  # neither holds of NaN
        return
    raise ArgumentError(
        f"{name}: {what} lies between {least} and {most}, and must be from {low} "
        f"to {high}."
    )
