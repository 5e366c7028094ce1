"""Rules for trigonometric and hyperbolic functions."""

from typing import Any

from trivet.contract import Backend
from trivet_autodiff.complexes import is_complex
from trivet_autodiff.rules.registry import binary, unary
from trivet_autodiff.tape import IN1, OUT, Binary, Pull

__all__: list[str] = []


@unary("sin", saves=IN1)
def sin(b: Backend[Any]) -> Pull:
    """cos(x)."""
    return lambda g, x: b.multiply(g, b.cos(x))


@unary("cos", saves=IN1)
def cos(b: Backend[Any]) -> Pull:
    """-sin(x)."""
    return lambda g, x: b.negative(b.multiply(g, b.sin(x)))


@unary("tan", saves=OUT)
def tan(b: Backend[Any]) -> Pull:
    """1 + tan(x)**2."""
    return lambda g, out: b.multiply(g, b.add(b.square(out), 1))


@unary("asin", saves=IN1)
def asin(b: Backend[Any]) -> Pull:
    """1 / sqrt(1 - x**2)."""
    return lambda g, x: b.divide(g, b.sqrt(_one_less_square(b, x)))


@unary("acos", saves=IN1)
def acos(b: Backend[Any]) -> Pull:
    """-1 / sqrt(1 - x**2)."""
    return lambda g, x: b.negative(b.divide(g, b.sqrt(_one_less_square(b, x))))


def _one_less_square(b: Backend[Any], x: Any) -> Any:
    # the product keeps its digits where x is near 1
    return b.multiply(b.subtract(1, x), b.add(x, 1))


@unary("atan", saves=IN1)
def atan(b: Backend[Any]) -> Pull:
    """1 / (1 + x**2)."""
    return lambda g, x: b.divide(g, b.add(b.square(x), 1))


@binary("atan2")
def atan2(b: Backend[Any]) -> Binary:
    """x / r**2 and -y / r**2 for atan2(y, x), both 0 at the origin."""

    def over_square(g: Any, part: Any, y: Any, x: Any) -> Any:
        r = b.hypot(y, x)  # r * r would overflow for large parts
        r = b.where(b.equal(r, 0), 1, r)
        return b.multiply(g, b.divide(b.divide(part, r), r))

    def pull1(g: Any, saved: Any) -> Any:
        y, x = saved
        return over_square(g, x, y, x)

    def pull2(g: Any, saved: Any) -> Any:
        y, x = saved
        return b.negative(over_square(g, y, y, x))

    return (pull1, "x1 x2"), (pull2, "x1 x2")


@unary("sinh", saves=IN1)
def sinh(b: Backend[Any]) -> Pull:
    """cosh(x)."""
    return lambda g, x: b.multiply(g, b.cosh(x))


@unary("cosh", saves=IN1)
def cosh(b: Backend[Any]) -> Pull:
    """sinh(x)."""
    return lambda g, x: b.multiply(g, b.sinh(x))


@unary("tanh", saves=OUT)
def tanh(b: Backend[Any]) -> Pull:
    """1 - tanh(x)**2, without a Python number in the way."""
    multiply, subtract = b.multiply, b.subtract
    return lambda g, out: subtract(g, multiply(multiply(g, out), out))


@unary("asinh", saves=IN1)
def asinh(b: Backend[Any]) -> Pull:
    """1 / sqrt(x**2 + 1)."""

    def pull(g: Any, x: Any) -> Any:
        if is_complex(b, x):
            return b.divide(g, b.sqrt(b.add(b.square(x), 1)))
        return b.divide(g, b.hypot(x, 1))

    return pull


@unary("acosh", saves=IN1)
def acosh(b: Backend[Any]) -> Pull:
    """1 / sqrt((x - 1) (x + 1))."""

    def pull(g: Any, x: Any) -> Any:
        return b.divide(b.divide(g, b.sqrt(b.subtract(x, 1))), b.sqrt(b.add(x, 1)))

    return pull


@unary("atanh", saves=IN1)
def atanh(b: Backend[Any]) -> Pull:
    """1 / (1 - x**2)."""
    return lambda g, x: b.divide(g, _one_less_square(b, x))
