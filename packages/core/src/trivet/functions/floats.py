"""Operands of functions that compute with floats, whatever dtypes they are given.

`interpolation`, `calculus`, `averages` and `quantiles` pass theirs through here.
"""

from typing import Any

from trivet import dtypes
from trivet.convert import asarray
from trivet.dispatch import as_number, call, require_tensor
from trivet.dtypes import DType
from trivet.errors import DTypeError
from trivet.tensor import Tensor

__all__ = ["as_floats", "as_real_floats", "widest_float"]


def as_floats(op: str, *operands: Any) -> list[Tensor[Any]]:
    """The operands as tensors of the floating dtype that all promote to.

    Integers and booleans alone come to the widest float of the backend. Numbers become
    0-d tensors beside the first tensor. Raises `ArgumentError`, `MismatchError`.
    """
    tensors = [x for x in operands if x.__class__ is Tensor] or operands
    require_tensor(op, *tensors)
    numbers = {
        place: as_number(op, place, x)
        for place, x in enumerate(operands)
        if x.__class__ is not Tensor
    }
    dtype = dtypes.promote_all(x.dtype for x in tensors)
    for number in numbers.values():
        dtype = dtypes.weak_dtype(dtype, number)
    if dtype.kind not in dtypes.FLOATING:
        dtype = widest_float(tensors[0])
    where = {"backend": tensors[0].backend, "device": tensors[0].device}
    return [
        asarray(numbers[place], dtype=dtype, **where)
        if place in numbers
        else x
        if x.dtype == dtype
        else call("astype", x, dtype=dtype)
        for place, x in enumerate(operands)
    ]


def as_real_floats(op: str, *operands: Any) -> list[Tensor[Any]]:
    """As `as_floats`. Raises `DTypeError` for complex numbers."""
    found = as_floats(op, *operands)
    if found[0].dtype.kind in dtypes.COMPLEX:
        raise DTypeError(
            f"{op}: an operand has the dtype {found[0].dtype}, and must be real. Cast "
            "with .astype(...), or take the real part or abs."
        )
    return found


def widest_float(x: Tensor[Any]) -> DType:
    """float64 where the backend has it on the tensor's device, or its default float."""
    if dtypes.float64 in x.backend.dtypes(x.device):
        return dtypes.float64
    default: DType = x.backend.default_dtypes(x.device).real_floating
    return default
