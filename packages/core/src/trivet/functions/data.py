"""Casting, and what dtypes mixtures of tensors and numbers have."""

from typing import Any, TypeVar

from trivet import dtypes
from trivet.contract import Backend, Device
from trivet.convert import supported
from trivet.dispatch import call, method
from trivet.dtypes import DType, Scalar, as_dtype, promote_all, weak_dtype
from trivet.errors import DTypeError
from trivet.tensor import Tensor

__all__ = ["astype", "can_cast", "result_type"]

B = TypeVar("B", bound=Backend[Any])


@method
def astype(
    x: Tensor[B],
    dtype: Any,
    /,
    *,
    copy: bool = True,
    device: Device | str | None = None,
) -> Tensor[B]:
    """The elements as another dtype.

    Floats lose their fraction towards zero on the way to integers. With `copy=False`
    and nothing to change, the result is `x` itself. Raises `DTypeError` from complex to
    real, which would drop a part silently: take `tv.real(x)` first.

    >>> import trivet as tv
    >>> tv.asarray([1.7, -1.7]).astype(tv.int32).tolist()
    [1, -1]
    """
    wanted = supported(x.backend, x.device, as_dtype(dtype))
    if x.dtype.kind == "complex floating" and wanted.kind in dtypes.REAL:
        raise DTypeError(
            f"astype: {x.dtype} does not become {wanted}, which would drop the "
            "imaginary part. Take tv.real(x) first."
        )
    moved = x if device is None else x.to_device(device)
    if moved.dtype != wanted:
        return call("astype", moved, dtype=wanted)
    return call("copy", moved) if copy and moved is x else moved


def can_cast(from_: Any, to: Any, /) -> bool:
    """Whether every value of a dtype, or of a tensor's dtype, survives a cast to `to`.

    >>> import trivet as tv
    >>> tv.can_cast(tv.int8, tv.int16), tv.can_cast(tv.float64, tv.float32)
    (True, False)
    """
    return dtypes.can_cast(as_dtype(getattr(from_, "dtype", from_)), as_dtype(to))


def result_type(*arrays_and_dtypes: "Tensor[Any] | DType | Scalar") -> DType:
    """The dtype that an op on all of these has.

    Tensors and dtypes promote by the promotion table; Python numbers are weak. Raises
    `DTypeError` without a tensor or dtype.

    >>> import trivet as tv
    >>> tv.result_type(tv.int8, tv.zeros(2), 1.5)
    trivet.float32
    """
    numbers = [a for a in arrays_and_dtypes if isinstance(a, int | float | complex)]
    others = [a for a in arrays_and_dtypes if not isinstance(a, int | float | complex)]
    if not others:
        raise DTypeError("result_type needs at least one tensor or dtype.")
    result = promote_all(as_dtype(getattr(a, "dtype", a)) for a in others)
    for number in numbers:
        result = weak_dtype(result, number)
    return result
