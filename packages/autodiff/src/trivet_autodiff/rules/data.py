"""Rules for casting and moving."""

from typing import Any

from trivet.contract import Backend, Device
from trivet.dtypes import COMPLEX, REAL_FLOATING, DType
from trivet.errors import GradientError
from trivet_autodiff.rules.registry import rule, unary

__all__ = ["carries"]


@rule("astype", linear=True)
def astype(b: Backend[Any]) -> Any:
    """Cast back; integers and booleans carry no gradient."""

    def pull(g: Any, dtype: DType) -> Any:
        return b.astype(g, dtype=dtype)

    def record(out: Any, x: Any, *, dtype: DType) -> Any:
        return ((pull, b.dtype(x)) if carries("astype", dtype) else None,)

    return record


def carries(op: str, dtype: DType) -> bool:
    """Whether a result of this dtype has a gradient. Raises for a complex one."""
    if dtype.kind in COMPLEX:
        raise GradientError(
            f"{op}: a tracked tensor does not become {dtype}; gradients of complex "
            "tensors are not supported. Call .detach() first."
        )
    return dtype.kind in REAL_FLOATING


@unary("copy", "positive", "real", "conj")
def identity(b: Backend[Any]) -> Any:
    """The cotangent as it is: tracked tensors are real."""
    return None


@rule("to_device", linear=True)
def to_device(b: Backend[Any]) -> Any:
    """Move the cotangent back."""

    def pull(g: Any, device: Device) -> Any:
        return b.to_device(g, device=device)

    def record(out: Any, x: Any, *, device: Device) -> Any:
        return ((pull, b.device(x)),)

    return record
