"""Arithmetic, element by element.

Shapes broadcast and dtypes promote; Python numbers take the tensor's dtype where its
kind can hold them. Two shapes that do not broadcast raise `ShapeError`, a dtype that a
function does not take `DTypeError`.
"""

from typing import Any, TypeVar

from trivet.contract import Backend
from trivet.dispatch import call, hot, method
from trivet.dtypes import Scalar
from trivet.tensor import Tensor

__all__ = [
    "add",
    "divide",
    "floor_divide",
    "hypot",
    "multiply",
    "negative",
    "positive",
    "pow",
    "reciprocal",
    "remainder",
    "rsqrt",
    "sqrt",
    "square",
    "subtract",
]

B = TypeVar("B", bound=Backend[Any])


@method
@hot
def add(x1: Tensor[B] | Scalar, x2: Tensor[B] | Scalar, /) -> Tensor[B]:
    """The sum of two tensors, or of a tensor and a number; `x1 + x2`.

    The shapes broadcast, the dtypes promote; integers wrap. Takes numeric dtypes.

    >>> import trivet as tv
    >>> tv.add(tv.asarray([1, 2]), tv.asarray([[10], [20]])).tolist()
    [[11, 12], [21, 22]]
    """
    return call("add", x1, x2)


@method
@hot
def subtract(x1: Tensor[B] | Scalar, x2: Tensor[B] | Scalar, /) -> Tensor[B]:
    """The difference; `x1 - x2`. Integers wrap. Takes numeric dtypes.

    >>> import trivet as tv
    >>> tv.subtract(tv.asarray([5, 6]), 2).tolist()
    [3, 4]
    """
    return call("subtract", x1, x2)


@method
@hot
def multiply(x1: Tensor[B] | Scalar, x2: Tensor[B] | Scalar, /) -> Tensor[B]:
    """The product; `x1 * x2`. Integers wrap. Takes numeric dtypes.

    >>> import trivet as tv
    >>> tv.multiply(2, tv.asarray([1.5, -1.0])).tolist()
    [3.0, -2.0]
    """
    return call("multiply", x1, x2)


@method
@hot
def divide(x1: Tensor[B] | Scalar, x2: Tensor[B] | Scalar, /) -> Tensor[B]:
    """The quotient; `x1 / x2`. Always floating: of two integer tensors, float64.

    Division by zero gives an infinity, or NaN for 0 / 0.

    >>> import trivet as tv
    >>> tv.divide(tv.asarray([1, 3]), 2).tolist()
    [0.5, 1.5]
    """
    return call("divide", x1, x2)


@method
@hot
def floor_divide(x1: Tensor[B] | Scalar, x2: Tensor[B] | Scalar, /) -> Tensor[B]:
    """The quotient rounded down; `x1 // x2`. Takes real dtypes.

    Exact for integers. What an integer division by zero gives is the backend's choice.

    >>> import trivet as tv
    >>> tv.floor_divide(tv.asarray([7, -7]), 2).tolist()
    [3, -4]
    """
    return call("floor_divide", x1, x2)


@method
@hot
def remainder(x1: Tensor[B] | Scalar, x2: Tensor[B] | Scalar, /) -> Tensor[B]:
    """What `floor_divide` leaves, with the sign of the divisor; `x1 % x2`.

    Takes real dtypes.

    >>> import trivet as tv
    >>> tv.remainder(tv.asarray([7, -7]), 3).tolist()
    [1, 2]
    """
    return call("remainder", x1, x2)


@method
@hot
def pow(x1: Tensor[B] | Scalar, x2: Tensor[B] | Scalar, /) -> Tensor[B]:
    """`x1` to the power `x2`; `x1**x2`. Takes numeric dtypes.

    Anything to the power 0 is 1, NaN included. The dtypes promote first, so a negative
    base with a fractional power is NaN, and integers have no negative powers.

    >>> import trivet as tv
    >>> tv.pow(tv.asarray([2, 3]), 2).tolist()
    [4, 9]
    """
    return call("pow", x1, x2)


@method
@hot
def negative(x: Tensor[B], /) -> Tensor[B]:
    """Each element with the other sign; `-x`. Takes numeric dtypes.

    Unsigned integers wrap.

    >>> import trivet as tv
    >>> tv.negative(tv.asarray([1, -2])).tolist()
    [-1, 2]
    """
    return call("negative", x)


@method
@hot
def positive(x: Tensor[B], /) -> Tensor[B]:
    """Each element as it is; `+x`. Takes numeric dtypes.

    >>> import trivet as tv
    >>> tv.positive(tv.asarray([1, -2])).tolist()
    [1, -2]
    """
    return call("positive", x)


@method
@hot
def reciprocal(x: Tensor[B], /) -> Tensor[B]:
    """One over each element: infinite at 0. Takes floating dtypes.

    >>> import trivet as tv
    >>> tv.reciprocal(tv.asarray([2.0, -4.0])).tolist()
    [0.5, -0.25]
    """
    return call("reciprocal", x)


@method
@hot
def square(x: Tensor[B], /) -> Tensor[B]:
    """Each element times itself. Takes numeric dtypes; integers wrap.

    >>> import trivet as tv
    >>> tv.square(tv.asarray([-3, 4])).tolist()
    [9, 16]
    """
    return call("square", x)


@method
@hot
def sqrt(x: Tensor[B], /) -> Tensor[B]:
    """The square root, correctly rounded; NaN below 0. Takes floating dtypes.

    >>> import trivet as tv
    >>> tv.sqrt(tv.asarray([4.0, 2.25])).tolist()
    [2.0, 1.5]
    """
    return call("sqrt", x)


@method
def rsqrt(x: Tensor[B], /) -> Tensor[B]:
    """One over the square root: infinite at 0, NaN below. Takes floating dtypes.

    >>> import trivet as tv
    >>> tv.rsqrt(tv.asarray([4.0, 0.25])).tolist()
    [0.5, 2.0]
    """
    return call("reciprocal", call("sqrt", x))


@method
@hot
def hypot(x1: Tensor[B] | Scalar, x2: Tensor[B] | Scalar, /) -> Tensor[B]:
    """The length sqrt(x1**2 + x2**2), without overflow on the way.

    Infinite if either is, even beside NaN. Takes real floating dtypes.

    >>> import trivet as tv
    >>> tv.hypot(tv.asarray([3.0, 1e30]), tv.asarray([4.0, 0.0])).tolist()[0]
    5.0
    """
    return call("hypot", x1, x2)
