"""Rules for arithmetic, exponentials, rounding, signs and selection.

Conventions: ties share evenly in maximum and minimum; the slope of abs and sign at 0 is
0; where selects and never multiplies; piecewise constant ops have slope 0 everywhere.
"""

import cmath
import math
from typing import Any

from trivet.contract import Backend
from trivet.dtypes import finfo
from trivet_autodiff.complexes import cast, is_complex, real_part
from trivet_autodiff.recorders import unbroadcast
from trivet_autodiff.rules.registry import binary, rule, unary
from trivet_autodiff.tape import IN1, IN2, NOTHING, OUT, Binary, Pull

__all__: list[str] = []


@binary("add")
def add(b: Backend[Any]) -> Binary:
    """Both operands get the cotangent."""
    return (None, NOTHING), (None, NOTHING)


@binary("subtract")
def subtract(b: Backend[Any]) -> Binary:
    """The second operand gets the negative."""
    return (None, NOTHING), (lambda g, _: b.negative(g), NOTHING)


@binary("multiply")
def multiply(b: Backend[Any]) -> Binary:
    """Each gets the cotangent times the other: the vjp is `multiply` itself."""
    return (b.multiply, IN2), (b.multiply, IN1)


@binary("divide")
def divide(b: Backend[Any]) -> Binary:
    """d(x/y) = dx / y - x/y * dy / y."""

    def pull2(g: Any, saved: Any) -> Any:
        y, out = saved
        return b.negative(b.divide(b.multiply(g, out), y))

    return (b.divide, IN2), (pull2, "x2 out")


@binary("floor_divide")
def floor_divide(b: Backend[Any]) -> Binary:
    """Constant between jumps."""
    return (_zero(b), NOTHING), (_zero(b), NOTHING)


@binary("remainder")
def remainder(b: Backend[Any]) -> Binary:
    """x - y * floor(x / y), with the floor constant between jumps."""

    def pull2(g: Any, saved: Any) -> Any:
        return b.negative(b.multiply(g, b.floor_divide(*saved)))

    return (None, NOTHING), (pull2, "x1 x2")


@binary("pow")
def pow_(b: Backend[Any]) -> Binary:
    """y * x**(y-1), which is 0 for y = 0 at any x; and x**y * log(x), 0 at x = 0."""

    def pull1(g: Any, saved: Any) -> Any:
        x, y = saved
        if isinstance(y, int | float | complex):
            less = 0 if y == 0 else y - 1
            return b.multiply(g, b.multiply(b.pow(x, less), y))
        less = b.where(void(x, y), 0, b.subtract(y, 1))
        return b.multiply(g, b.multiply(y, b.pow(x, less)))

    def void(x: Any, y: Any) -> Any:
        """Where y is 0 and x**-1 would be NaN or infinite; elsewhere y has a slope."""
        least = finfo(b.dtype(x)).smallest_normal
        there = b.less(least, b.abs(x))
        return b.logical_and(b.equal(y, 0), b.logical_not(there))

    def pull2(g: Any, saved: Any) -> Any:
        x, out = saved
        if isinstance(x, int | float | complex):
            base = complex(x) if is_complex(b, out) else x
            return b.multiply(b.multiply(g, out), _log(base))
        # a negative base has a logarithm where the exponent made the result complex
        base = cast(b, b.where(b.equal(x, 0), 1, x), b.dtype(out))
        return b.multiply(b.multiply(g, out), b.log(base))

    return (pull1, "x1 x2"), (pull2, "x1 out")


def _log(x: Any) -> complex:
    """The logarithm of the base of a power; NaN for a negative real one."""
    if x == 0:
        return 0.0
    if isinstance(x, complex):
        return cmath.log(x)
    return math.log(x) if x > 0 else math.nan


@unary("exp", saves=OUT)
def exp(b: Backend[Any]) -> Pull:
    """The exponential is its own derivative."""
    return b.multiply


@unary("expm1", saves=OUT)
def expm1(b: Backend[Any]) -> Pull:
    """exp(x), which is the result plus 1."""
    return lambda g, out: b.multiply(g, b.add(out, 1))


@unary("log", saves=IN1)
def log(b: Backend[Any]) -> Pull:
    """1 / x."""
    return b.divide


@unary("log1p", saves=IN1)
def log1p(b: Backend[Any]) -> Pull:
    """1 / (1 + x)."""
    return lambda g, x: b.divide(g, b.add(x, 1))


@unary("log2", saves=IN1)
def log2(b: Backend[Any]) -> Pull:
    """1 / (x log 2)."""
    return lambda g, x: b.divide(g, b.multiply(x, math.log(2)))


@unary("log10", saves=IN1)
def log10(b: Backend[Any]) -> Pull:
    """1 / (x log 10)."""
    return lambda g, x: b.divide(g, b.multiply(x, math.log(10)))


@unary("sqrt", saves=OUT)
def sqrt(b: Backend[Any]) -> Pull:
    """1 / (2 sqrt(x)), which is infinite at 0."""
    return lambda g, out: b.divide(g, b.multiply(out, 2))


@unary("negative")
def negative(b: Backend[Any]) -> Pull:
    """-1."""
    return lambda g, _: b.negative(g)


@unary("abs", saves=IN1, analytic=False)
def abs_(b: Backend[Any]) -> Pull:
    """The sign, which is 0 at 0; of a complex number, conj(x) / abs(x)."""

    def pull(g: Any, x: Any) -> Any:
        if is_complex(b, x):
            return b.multiply(real_part(b, g), b.conj(b.sign(x)))
        return b.multiply(g, b.sign(x))

    return pull


@unary("square", saves=IN1)
def square(b: Backend[Any]) -> Pull:
    """2 x."""
    return lambda g, x: b.multiply(g, b.multiply(x, 2))


@unary("reciprocal", saves=OUT)
def reciprocal(b: Backend[Any]) -> Pull:
    """-1 / x**2."""
    return lambda g, out: b.negative(b.multiply(g, b.square(out)))


@unary("sign", saves=IN1, analytic=False)
def sign(b: Backend[Any]) -> Pull:
    """0; of a complex number the part of the cotangent across it, over abs(x)."""

    def pull(g: Any, x: Any) -> Any:
        if not is_complex(b, x):
            return b.filled_like(g, 0, tuple(g.shape))
        size, turn = b.abs(x), b.conj(b.sign(x))
        zero = b.equal(size, 0)
        across = b.subtract(g, b.multiply(b.conj(g), b.square(turn)))
        return b.divide(b.where(zero, 0, across), b.where(zero, 1, b.multiply(size, 2)))

    return pull


@unary("floor", "ceil", "trunc", "round")
def constant(b: Backend[Any]) -> Pull:
    """Constant between jumps."""
    return _zero(b)


def _zero(b: Backend[Any]) -> Pull:
    # not g * 0, which is NaN for an infinite cotangent
    return lambda g, _: b.filled_like(g, 0, tuple(g.shape))


@binary("maximum")
def maximum(b: Backend[Any]) -> Binary:
    """The larger operand gets the cotangent; equal ones get half each."""

    def pull1(g: Any, saved: Any) -> Any:
        x, y = saved
        return _share(b, g, loses=b.less(x, y), ties=b.equal(x, y))

    def pull2(g: Any, saved: Any) -> Any:
        x, y = saved
        return _share(b, g, loses=b.less(y, x), ties=b.equal(x, y))

    return (pull1, "x1 x2"), (pull2, "x1 x2")


@binary("minimum")
def minimum(b: Backend[Any]) -> Binary:
    """The smaller operand gets the cotangent; equal ones get half each."""

    def pull1(g: Any, saved: Any) -> Any:
        x, y = saved
        return _share(b, g, loses=b.less(y, x), ties=b.equal(x, y))

    def pull2(g: Any, saved: Any) -> Any:
        x, y = saved
        return _share(b, g, loses=b.less(x, y), ties=b.equal(x, y))

    return (pull1, "x1 x2"), (pull2, "x1 x2")


def _share(b: Backend[Any], g: Any, *, loses: Any, ties: Any) -> Any:
    return b.where(ties, b.multiply(g, 0.5), b.where(loses, 0, g))


@rule("clip", keywords=("min", "max"))
def clip(b: Backend[Any]) -> Any:
    """The cotangent goes to x within the bounds, both included; outside, to the bound.

    Where the bounds cross, the upper one holds.
    """

    def record(out: Any, x: Any, low: Any, high: Any) -> Any:
        shape = tuple(out.shape)
        above = None if high is None else b.less(high, _raised(x, low))
        below = None if low is None else b.less(x, low)
        return (
            (pull_x, (below, above, tuple(x.shape))),
            (pull_low, (below, above, tuple(getattr(low, "shape", shape)))),
            (pull_high, (above, tuple(getattr(high, "shape", shape)))),
        )

    def _raised(x: Any, low: Any) -> Any:
        return x if low is None else b.maximum(x, low)

    def pull_x(g: Any, saved: Any) -> Any:
        below, above, shape = saved
        for outside in (below, above):
            if outside is not None:
                g = b.where(outside, 0, g)
        return unbroadcast(b, g, shape)

    def pull_low(g: Any, saved: Any) -> Any:
        below, above, shape = saved
        g = b.where(below, g, 0)
        return unbroadcast(b, g if above is None else b.where(above, 0, g), shape)

    def pull_high(g: Any, saved: Any) -> Any:
        above, shape = saved
        return unbroadcast(b, b.where(above, g, 0), shape)

    return record


@binary("copysign")
def copysign(b: Backend[Any]) -> Binary:
    """The sign of x times that of y, 0 at x = 0; constant in y between jumps."""

    def pull1(g: Any, saved: Any) -> Any:
        x, y = saved
        sign = b.copysign(b.filled_like(g, 1, ()), y)
        return b.multiply(g, b.multiply(b.sign(x), sign))

    return (pull1, "x1 x2"), (_zero(b), NOTHING)


@binary("hypot")
def hypot(b: Backend[Any]) -> Binary:
    """x / hypot(x, y), which is 0 at the origin."""

    def pull(g: Any, saved: Any) -> Any:
        x, out = saved
        zero = b.equal(out, 0)
        return b.multiply(g, b.where(zero, 0, b.divide(x, b.where(zero, 1, out))))

    return (pull, "x1 out"), (pull, "x2 out")


@binary("logaddexp")
def logaddexp(b: Backend[Any]) -> Binary:
    """exp(x - out), in which equal operands weigh half each, infinite ones too."""

    def weight(g: Any, x: Any, y: Any, out: Any) -> Any:
        # infinite operands have no difference, and finite ones keep their slopes
        endless = b.logical_and(b.isinf(x), b.equal(x, out))
        gap = b.subtract(b.where(endless, 0, x), b.where(endless, 0, out))
        tied = b.logical_and(endless, b.equal(x, y))
        return b.multiply(g, b.where(tied, 0.5, b.exp(gap)))

    def pull1(g: Any, saved: Any) -> Any:
        x, y, out = _arrays(b, saved)
        return weight(g, x, y, out)

    def pull2(g: Any, saved: Any) -> Any:
        x, y, out = _arrays(b, saved)
        return weight(g, y, x, out)

    return (pull1, "x1 x2 out"), (pull2, "x1 x2 out")


def _arrays(b: Backend[Any], saved: Any) -> tuple[Any, Any, Any]:
    """The operands and the result, with Python numbers made 0-d handles."""
    x, y, out = saved
    return b.pair(x, out)[0], b.pair(y, out)[0], out


@rule("where")
def where(b: Backend[Any]) -> Any:
    """Each side gets the cotangent where it was selected, and 0 elsewhere."""

    def pull1(g: Any, saved: Any) -> Any:
        condition, shape = saved
        return unbroadcast(b, b.where(condition, g, 0), shape)

    def pull2(g: Any, saved: Any) -> Any:
        condition, shape = saved
        return unbroadcast(b, b.where(condition, 0, g), shape)

    def record(out: Any, condition: Any, x1: Any, x2: Any) -> Any:
        shape1, shape2 = (tuple(getattr(x, "shape", ())) for x in (x1, x2))
        return None, (pull1, (condition, shape1)), (pull2, (condition, shape2))

    return record
