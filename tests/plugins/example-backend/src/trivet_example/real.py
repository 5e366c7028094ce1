"""Functions of floats as IEEE 754 has them, where Python raises instead.

All take and give plain floats; none raises for any of them.
"""

import math

__all__ = [
    "cos",
    "divide",
    "exp",
    "floor",
    "floor_divide",
    "log",
    "power",
    "remainder",
    "sin",
    "sqrt",
]


def divide(a: float, b: float) -> float:
    """The quotient; over zero it is infinite, or NaN for 0 / 0.

    >>> divide(-1.0, 0.0)
    -inf
    """
    try:
        return a / b
    except ZeroDivisionError:
        infinite = a * math.inf  # NaN if a is 0 or NaN
        return infinite * math.copysign(1.0, b)


def floor_divide(a: float, b: float) -> float:
    """The quotient rounded down."""
    return a // b if b else divide(a, b)


def remainder(a: float, b: float) -> float:
    """What `floor_divide` leaves; NaN over zero."""
    return a % b if b else math.nan


def power(a: float, b: float) -> float:
    """`a` to the power `b`; infinite past the largest float, NaN if not real."""
    try:
        return math.pow(a, b)
    except OverflowError:
        return -math.inf if a < 0 and b % 2 == 1 else math.inf
    except ValueError:
        if a:  # a negative number to a fractional power
            return math.nan
        return math.copysign(math.inf, a) if b % 2 == 1 else math.inf


def exp(a: float) -> float:
    """e to the power `a`."""
    try:
        return math.exp(a)
    except OverflowError:
        return math.inf


def log(a: float) -> float:
    """The natural logarithm; -inf at 0, NaN below."""
    if a > 0:
        return math.log(a)
    return math.nan if a else -math.inf


def sqrt(a: float) -> float:
    """The square root; NaN below 0."""
    return math.sqrt(a) if a >= 0 else math.nan


def floor(a: float) -> float:
    """The largest whole number not above `a`; zeros keep their sign."""
    return math.copysign(math.floor(a), a) if math.isfinite(a) else a


def sin(a: float) -> float:
    """The sine; NaN at the infinities."""
    return math.sin(a) if math.isfinite(a) else math.nan


def cos(a: float) -> float:
    """The cosine; NaN at the infinities."""
    return math.cos(a) if math.isfinite(a) else math.nan
