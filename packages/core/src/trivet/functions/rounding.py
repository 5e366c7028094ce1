"""Rounding, to an integer or to the next number of the dtype.

A dtype that a function does not take raises `DTypeError`.
"""

from typing import Any, TypeVar

from trivet.contract import Backend
from trivet.dispatch import call, hot, method
from trivet.dtypes import Scalar
from trivet.tensor import Tensor

__all__ = [
    "ceil",
    "floor",
    "nextafter",
    "round",
    "trunc",
]

B = TypeVar("B", bound=Backend[Any])


@method
@hot
def ceil(x: Tensor[B], /) -> Tensor[B]:
    """The smallest integer not below each element, in the same dtype.

    Takes real dtypes.

    >>> import trivet as tv
    >>> tv.ceil(tv.asarray([1.2, -1.2])).tolist()
    [2.0, -1.0]
    """
    return call("ceil", x)


@method
@hot
def floor(x: Tensor[B], /) -> Tensor[B]:
    """The largest integer not above each element, in the same dtype.

    Takes real dtypes.

    >>> import trivet as tv
    >>> tv.floor(tv.asarray([1.7, -1.2])).tolist()
    [1.0, -2.0]
    """
    return call("floor", x)


@method
@hot
def round(x: Tensor[B], /) -> Tensor[B]:
    """The nearest integer, halves to the even one, in the same dtype.

    Takes numeric dtypes; of complex numbers both parts are rounded.

    >>> import trivet as tv
    >>> tv.round(tv.asarray([0.5, 1.5, 2.5, -1.2])).tolist()
    [0.0, 2.0, 2.0, -1.0]
    """
    return call("round", x)


@method
@hot
def trunc(x: Tensor[B], /) -> Tensor[B]:
    """The integer next to each element towards zero, in the same dtype.

    Takes real dtypes.

    >>> import trivet as tv
    >>> tv.trunc(tv.asarray([1.7, -1.7])).tolist()
    [1.0, -1.0]
    """
    return call("trunc", x)


@method
@hot
def nextafter(x1: Tensor[B] | Scalar, x2: Tensor[B] | Scalar, /) -> Tensor[B]:
    """The next number of the dtype after `x1` towards `x2`.

    Takes real floating dtypes. Raises `UnsupportedOpError` on a backend without it.

    >>> import trivet as tv
    >>> float(tv.nextafter(tv.asarray(1.0), 2.0)) - 1 == tv.finfo(tv.float32).eps
    True
    """
    return call("nextafter", x1, x2)
