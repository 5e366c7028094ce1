"""Rules for casting and moving."""

from typing import Any

from trivet.contract import Backend, Device
from trivet.dtypes import FLOATING, DType
from trivet_autodiff.complexes import cast, conjugate, real_part
from trivet_autodiff.rules.registry import rule, unary

__all__ = ["carries", "over_counts"]


@rule("astype", linear=True)
def astype(b: Backend[Any]) -> Any:
    """Cast back; integers and booleans carry no gradient."""

    def pull(g: Any, saved: tuple[DType, DType]) -> Any:
        dtype, own = saved
        return cast(b, cast(b, g, dtype), own)

    def record(out: Any, x: Any, *, dtype: DType) -> Any:
        return ((pull, (dtype, b.dtype(x))) if carries(dtype) else None,)

    return record


def carries(dtype: DType) -> bool:
    """Whether a result of this dtype has a gradient."""
    return dtype.kind in FLOATING


def over_counts(b: Backend[Any], g: Any, counts: Any) -> Any:
    """A real cotangent over integers, which may be past the largest 16-bit float.

    Not every library divides floats by them.
    """
    wide, dtype = b.widened(g)
    return b.cast(b.divide(wide, b.astype(counts, dtype=b.dtype(wide))), dtype)


@unary("copy", "positive")
def identity(b: Backend[Any]) -> Any:
    """The cotangent as it is."""
    return None


@unary("conj", analytic=False)
def conj(b: Backend[Any]) -> Any:
    """The conjugate."""
    return lambda g, _: conjugate(b, g)


@unary("real", analytic=False)
def real(b: Backend[Any]) -> Any:
    """The cotangent of the real part has none itself."""
    return lambda g, _: real_part(b, g)


@unary("imag", analytic=False)
def imag(b: Backend[Any]) -> Any:
    """-i."""
    return lambda g, _: b.multiply(real_part(b, g), -1j)


@rule("to_device", linear=True)
def to_device(b: Backend[Any]) -> Any:
    """Move the cotangent back."""

    def pull(g: Any, device: Device) -> Any:
        return b.to_device(g, device=device)

    def record(out: Any, x: Any, *, device: Device) -> Any:
        return ((pull, b.device(x)),)

    return record
