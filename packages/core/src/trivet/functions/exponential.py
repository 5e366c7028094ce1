"""Exponentials and logarithms, element by element.

A dtype that a function does not take raises `DTypeError`.
"""

from typing import Any, TypeVar

from trivet.contract import Backend
from trivet.dispatch import call, hot, method
from trivet.dtypes import Scalar
from trivet.tensor import Tensor

__all__ = [
    "exp",
    "exp2",
    "expm1",
    "log",
    "log1p",
    "log2",
    "log10",
    "logaddexp",
]

B = TypeVar("B", bound=Backend[Any])


@method
@hot
def exp(x: Tensor[B], /) -> Tensor[B]:
    """The exponential, e to the power of each element. Takes floating dtypes.

    >>> import trivet as tv
    >>> tv.exp(tv.asarray([0.0, float("-inf")])).tolist()
    [1.0, 0.0]
    """
    return call("exp", x)


@method
@hot
def exp2(x: Tensor[B], /) -> Tensor[B]:
    """2 to the power of each element. Takes floating dtypes.

    >>> import trivet as tv
    >>> tv.exp2(tv.asarray([3.0, -1.0])).tolist()
    [8.0, 0.5]
    """
    return call("exp2", x)


@method
@hot
def expm1(x: Tensor[B], /) -> Tensor[B]:
    """exp(x) - 1, accurate near 0. Takes floating dtypes.

    >>> import trivet as tv
    >>> tv.expm1(tv.asarray([0.0, float("-inf")])).tolist()
    [0.0, -1.0]
    """
    return call("expm1", x)


@method
@hot
def log(x: Tensor[B], /) -> Tensor[B]:
    """The natural logarithm: -inf at 0, NaN below. Takes floating dtypes.

    >>> import trivet as tv
    >>> tv.log(tv.asarray([1.0, float("inf")])).tolist()
    [0.0, inf]
    """
    return call("log", x)


@method
@hot
def log1p(x: Tensor[B], /) -> Tensor[B]:
    """log(1 + x), accurate near 0. Takes floating dtypes.

    >>> import trivet as tv
    >>> tv.log1p(tv.asarray([0.0, float("inf")])).tolist()
    [0.0, inf]
    """
    return call("log1p", x)


@method
@hot
def log2(x: Tensor[B], /) -> Tensor[B]:
    """The logarithm to base 2. Takes floating dtypes.

    >>> import trivet as tv
    >>> tv.log2(tv.asarray([8.0, 0.5])).tolist()
    [3.0, -1.0]
    """
    return call("log2", x)


@method
@hot
def log10(x: Tensor[B], /) -> Tensor[B]:
    """The logarithm to base 10. Takes floating dtypes.

    >>> import trivet as tv
    >>> tv.log10(tv.asarray([100.0, 1.0], dtype=tv.float64)).tolist()
    [2.0, 0.0]
    """
    return call("log10", x)


@method
@hot
def logaddexp(x1: Tensor[B] | Scalar, x2: Tensor[B] | Scalar, /) -> Tensor[B]:
    """log(exp(x1) + exp(x2)), without overflow on the way.

    Takes real floating dtypes.

    >>> import trivet as tv
    >>> tv.logaddexp(tv.asarray(1000.0), -1000.0).tolist()
    1000.0
    """
    return call("logaddexp", x1, x2)
