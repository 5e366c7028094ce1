"""Tensors as NumPy arrays and DLPack capsules: the one module that touches NumPy.

NumPy is imported when a user asks for an array of it, never before.
"""

from typing import TYPE_CHECKING, Any

from trivet.contract import tracker_of
from trivet.convert import untracked
from trivet.errors import ArgumentError, ConversionError, GradientError

if TYPE_CHECKING:
    from trivet.tensor import Tensor

__all__ = ["array_protocol", "to_buffer", "to_dlpack", "to_numpy"]


def to_numpy(x: "Tensor[Any]") -> Any:
    """The elements as an ndarray that cannot be used to write into the tensor."""
    try:
        import numpy as np
    except ImportError as error:
        raise ConversionError(
            "numpy: NumPy is not installed. Install it with pip install numpy, or use "
            ".tolist()."
        ) from error
    _refuse_tracked(x, "numpy")
    handle = untracked(x)
    if isinstance(handle, np.ndarray | np.generic):
        array = np.asarray(handle)[...]
        array.flags.writeable = False
        return array
    if x.dtype.name == "bfloat16":
        raise ConversionError(
            "numpy: NumPy has no bfloat16. Cast with .astype(tv.float32) first."
        )
    data = x.backend.to_host(x.handle)
    return np.frombuffer(data, x.dtype.name).reshape(x.shape)


def _refuse_tracked(x: "Tensor[Any]", what: str) -> None:
    if tracker_of(x.backend, x.handle):
        raise GradientError(
            f"{what}: the tensor is tracked, and the array would lose its gradient. "
            "Call .detach() first."
        )


def array_protocol(x: "Tensor[Any]", dtype: Any, *, copy: bool | None) -> Any:
    """NumPy's `__array__`: on the host only, so nothing is transferred silently."""
    if x.device.kind != "cpu":
        raise ArgumentError(
            f"a tensor on {x.device} does not become a NumPy array by itself, because "
            "that would copy it to the host silently. Call .numpy()."
        )
    import numpy as np

    array = to_numpy(x)
    return np.array(array, dtype=dtype, copy=copy)


def to_buffer(x: "Tensor[Any]") -> memoryview:
    """Python's buffer protocol: read-only, of a tensor on the host that is not tracked.

    Raises `BufferError` otherwise; NumPy then asks `__array__`, which says more.
    """
    if x.device.kind != "cpu":
        raise BufferError(f"a tensor on {x.device} is not in host memory")
    if tracker_of(x.backend, x.handle):
        raise BufferError("the tensor is tracked: call .detach() first")
    try:
        return memoryview(untracked(x)).toreadonly()
    except (TypeError, ValueError) as error:
        raise BufferError(
            f"the backend {x.backend.name} shares no buffer of dtype {x.dtype}"
        ) from error


def to_dlpack(x: "Tensor[Any]", **asked: Any) -> Any:
    """The standard's `__dlpack__`. Raises `BufferError` for a tracked tensor."""
    if tracker_of(x.backend, x.handle):
        raise BufferError(
            "__dlpack__: the tensor is tracked, and the consumer would lose its "
            "gradient. Call .detach() first."
        )
    return x.backend.to_dlpack(x.handle, **asked)
