"""Signs: reading them, dropping them, copying them.

A dtype that a function does not take raises `DTypeError`.
"""

from typing import Any, TypeVar

from trivet.contract import Backend
from trivet.dispatch import call, hot, method
from trivet.dtypes import Scalar
from trivet.tensor import Tensor

__all__ = [
    "abs",
    "copysign",
    "sign",
    "signbit",
]

B = TypeVar("B", bound=Backend[Any])


@method
@hot
def abs(x: Tensor[B], /) -> Tensor[B]:
    """The absolute value; of complex numbers the magnitude, in a real dtype.

    Takes numeric dtypes. The smallest signed integer wraps to itself.

    >>> import trivet as tv
    >>> tv.abs(tv.asarray([-1.5, 2.0])).tolist()
    [1.5, 2.0]
    """
    return call("abs", x)


@method
@hot
def sign(x: Tensor[B], /) -> Tensor[B]:
    """-1, 0 or 1 by the sign of each element; NaN stays NaN.

    Takes numeric dtypes; of a complex number x / abs(x).

    >>> import trivet as tv
    >>> tv.sign(tv.asarray([-3, 0, 5])).tolist()
    [-1, 0, 1]
    """
    return call("sign", x)


@method
@hot
def signbit(x: Tensor[B], /) -> Tensor[B]:
    """Which elements are negative, -0.0 included. Takes real floating dtypes.

    >>> import trivet as tv
    >>> tv.signbit(tv.asarray([-0.0, 0.0, -1.0])).tolist()
    [True, False, True]
    """
    return call("signbit", x)


@method
@hot
def copysign(x1: Tensor[B] | Scalar, x2: Tensor[B] | Scalar, /) -> Tensor[B]:
    """The size of `x1` with the sign of `x2`, zeros' signs included.

    Takes real floating dtypes.

    >>> import trivet as tv
    >>> tv.copysign(tv.asarray([1.0, -2.0]), -0.0).tolist()
    [-1.0, -2.0]
    """
    return call("copysign", x1, x2)
