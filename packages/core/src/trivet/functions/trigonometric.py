"""Trigonometric and hyperbolic functions and their inverses, in radians."""

import math
from typing import Any, TypeVar

from trivet.contract import Backend
from trivet.dispatch import call, hot, method
from trivet.dtypes import Scalar
from trivet.functions.floats import as_real_floats
from trivet.tensor import Tensor

__all__ = [
    "acos",
    "acosh",
    "asin",
    "asinh",
    "atan",
    "atan2",
    "atanh",
    "cos",
    "cosh",
    "deg2rad",
    "rad2deg",
    "sin",
    "sinh",
    "tan",
    "tanh",
]

B = TypeVar("B", bound=Backend[Any])


@method
@hot
def sin(x: Tensor[B], /) -> Tensor[B]:
    """The sine of an angle in radians; NaN at infinity. Takes floating dtypes.

    >>> import trivet as tv
    >>> tv.sin(tv.asarray(0.0)).item()
    0.0
    """
    return call("sin", x)


@method
@hot
def cos(x: Tensor[B], /) -> Tensor[B]:
    """The cosine of an angle in radians; NaN at infinity. Takes floating dtypes.

    >>> import trivet as tv
    >>> tv.cos(tv.asarray(0.0)).item()
    1.0
    """
    return call("cos", x)


@method
@hot
def tan(x: Tensor[B], /) -> Tensor[B]:
    """The tangent of an angle in radians; NaN at infinity. Takes floating dtypes.

    >>> import trivet as tv
    >>> tv.tan(tv.asarray(0.0)).item()
    0.0
    """
    return call("tan", x)


@method
@hot
def asin(x: Tensor[B], /) -> Tensor[B]:
    """The inverse sine, from -pi/2 to pi/2; NaN outside [-1, 1].

    Takes floating dtypes.

    >>> import trivet as tv
    >>> tv.asin(tv.asarray(0.0)).item()
    0.0
    """
    return call("asin", x)


@method
@hot
def acos(x: Tensor[B], /) -> Tensor[B]:
    """The inverse cosine, from 0 to pi; NaN outside [-1, 1].

    Takes floating dtypes.

    >>> import trivet as tv
    >>> tv.acos(tv.asarray(1.0)).item()
    0.0
    """
    return call("acos", x)


@method
@hot
def atan(x: Tensor[B], /) -> Tensor[B]:
    """The inverse tangent, from -pi/2 to pi/2. Takes floating dtypes.

    >>> import trivet as tv
    >>> tv.atan(tv.asarray(0.0)).item()
    0.0
    """
    return call("atan", x)


@method
@hot
def atan2(x1: Tensor[B] | Scalar, x2: Tensor[B] | Scalar, /) -> Tensor[B]:
    """The angle of the point (x2, x1), from -pi to pi; the signs of zeros count.

    Takes real floating dtypes.

    >>> import trivet as tv
    >>> tv.atan2(tv.asarray([0.0, -0.0]), 1.0).tolist()
    [0.0, -0.0]
    """
    return call("atan2", x1, x2)


@method
@hot
def sinh(x: Tensor[B], /) -> Tensor[B]:
    """The hyperbolic sine, (exp(x) - exp(-x)) / 2. Takes floating dtypes.

    >>> import trivet as tv
    >>> tv.sinh(tv.asarray(0.0)).item()
    0.0
    """
    return call("sinh", x)


@method
@hot
def cosh(x: Tensor[B], /) -> Tensor[B]:
    """The hyperbolic cosine, (exp(x) + exp(-x)) / 2. Takes floating dtypes.

    >>> import trivet as tv
    >>> tv.cosh(tv.asarray(0.0)).item()
    1.0
    """
    return call("cosh", x)


@method
@hot
def tanh(x: Tensor[B], /) -> Tensor[B]:
    """The hyperbolic tangent, sinh(x) / cosh(x). Takes floating dtypes.

    >>> import trivet as tv
    >>> tv.tanh(tv.asarray([0.0, float("inf")])).tolist()
    [0.0, 1.0]
    """
    return call("tanh", x)


@method
@hot
def asinh(x: Tensor[B], /) -> Tensor[B]:
    """The inverse hyperbolic sine. Takes floating dtypes.

    >>> import trivet as tv
    >>> tv.asinh(tv.asarray(0.0)).item()
    0.0
    """
    return call("asinh", x)


@method
@hot
def acosh(x: Tensor[B], /) -> Tensor[B]:
    """The inverse hyperbolic cosine; NaN below 1. Takes floating dtypes.

    >>> import trivet as tv
    >>> tv.acosh(tv.asarray(1.0)).item()
    0.0
    """
    return call("acosh", x)


@method
@hot
def atanh(x: Tensor[B], /) -> Tensor[B]:
    """The inverse hyperbolic tangent; infinite at -1 and 1, NaN outside.

    Takes floating dtypes.

    >>> import trivet as tv
    >>> tv.atanh(tv.asarray(0.0)).item()
    0.0
    """
    return call("atanh", x)


def deg2rad(x: Tensor[B], /) -> Tensor[B]:
    """Angles in degrees as radians. Takes real dtypes; integers give float64.

    >>> import trivet as tv
    >>> tv.deg2rad(tv.asarray([0, 180])).tolist()
    [0.0, 3.141592653589793]
    """
    return _scaled("deg2rad", x, math.pi / 180)


def rad2deg(x: Tensor[B], /) -> Tensor[B]:
    """Angles in radians as degrees. Takes real dtypes; integers give float64.

    >>> import trivet as tv
    >>> tv.rad2deg(tv.asarray([0.0, tv.pi], dtype=tv.float64)).tolist()
    [0.0, 180.0]
    """
    return _scaled("rad2deg", x, 180 / math.pi)


def _scaled(op: str, x: Tensor[B], factor: float) -> Tensor[B]:
    (angle,) = as_real_floats(op, x)
    return call("multiply", angle, factor)
