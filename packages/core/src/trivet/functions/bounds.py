"""The larger, the smaller, and what is kept between bounds, element by element.

Shapes broadcast and dtypes promote; Python numbers take the tensor's dtype where its
kind can hold them. Two shapes that do not broadcast raise `ShapeError`, a dtype that a
function does not take `DTypeError`.
"""

from typing import Any, TypeVar

from trivet.contract import Backend
from trivet.dispatch import call, common, hot, method, require_tensor, wrap
from trivet.dtypes import Scalar
from trivet.failures import fail
from trivet.tensor import Tensor

__all__ = [
    "clip",
    "maximum",
    "minimum",
]

B = TypeVar("B", bound=Backend[Any])


@method
@hot
def maximum(x1: Tensor[B] | Scalar, x2: Tensor[B] | Scalar, /) -> Tensor[B]:
    """The larger of two elements; NaN if either is. Takes real dtypes.

    >>> import trivet as tv
    >>> tv.maximum(tv.asarray([1.0, float("nan")]), 2.0).tolist()
    [2.0, nan]
    """
    return call("maximum", x1, x2)


@method
@hot
def minimum(x1: Tensor[B] | Scalar, x2: Tensor[B] | Scalar, /) -> Tensor[B]:
    """The smaller of two elements; NaN if either is. Takes real dtypes.

    >>> import trivet as tv
    >>> tv.minimum(tv.asarray([1, 5]), tv.asarray([3, 3])).tolist()
    [1, 3]
    """
    return call("minimum", x1, x2)


@method
def clip(
    x: Tensor[B],
    /,
    min: Tensor[B] | Scalar | None = None,
    max: Tensor[B] | Scalar | None = None,
) -> Tensor[B]:
    """The elements kept between `min` and `max`, in the dtype of `x`.

    The bounds are tensors that broadcast or numbers; `None` is no bound. Where `min` is
    above `max` the result is `max`; NaN stays NaN. Takes real dtypes.

    >>> import trivet as tv
    >>> tv.clip(tv.asarray([-2, 0, 9]), 0, 5).tolist()
    [0, 0, 5]
    """
    require_tensor("clip", x)
    given = [bound for bound in (min, max) if bound is not None]
    backend, (handle, *found) = common("clip", (x, *given))
    low = None if min is None else found.pop(0)
    high = None if max is None else found.pop(0)
    try:
        clipped = backend.clip(handle, low, high)
    except Exception as error:  # noqa: BLE001  # `fail` raises it again, explained
        fail("clip", error, (x, *given), {})
    return wrap(clipped, backend)
