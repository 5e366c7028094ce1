"""Rules for special functions, each derivative in closed form.

Those of the incomplete gamma and beta functions by a parameter have none: they are ops
of their own, which are differentiated through their bodies.
"""

import math
from typing import Any

from trivet.contract import Backend
from trivet_autodiff.recorders import unbroadcast
from trivet_autodiff.rules.registry import binary, rule, unary
from trivet_autodiff.tape import IN1, OUT, Binary, Pull

__all__: list[str] = []

_ROOT_PI, _ROOT_2PI = math.sqrt(math.pi), math.sqrt(2 * math.pi)


@unary("erf", saves=IN1)
def erf(b: Backend[Any]) -> Pull:
    """2 / sqrt(pi) exp(-x**2)."""
    return lambda g, x: b.multiply(g, _bell(b, x, -1.0, 2 / _ROOT_PI))


@unary("erfc", saves=IN1)
def erfc(b: Backend[Any]) -> Pull:
    """-2 / sqrt(pi) exp(-x**2)."""
    return lambda g, x: b.multiply(g, _bell(b, x, -1.0, -2 / _ROOT_PI))


@unary("erfinv", saves=OUT)
def erfinv(b: Backend[Any]) -> Pull:
    """sqrt(pi) / 2 exp(y**2)."""
    return lambda g, out: b.multiply(g, _bell(b, out, 1.0, _ROOT_PI / 2))


@unary("ndtr", saves=IN1)
def ndtr(b: Backend[Any]) -> Pull:
    """The normal density."""
    return lambda g, x: b.multiply(g, _bell(b, x, -0.5, 1 / _ROOT_2PI))


@unary("ndtri", saves=OUT)
def ndtri(b: Backend[Any]) -> Pull:
    """One over the normal density at the quantile."""
    return lambda g, out: b.multiply(g, _bell(b, out, 0.5, _ROOT_2PI))


def _bell(b: Backend[Any], x: Any, width: float, scale: float) -> Any:
    """`scale` exp(`width` x**2)."""
    return b.multiply(b.exp(b.multiply(b.square(x), width)), scale)


@rule("log_ndtr")
def log_ndtr(b: Backend[Any]) -> Any:
    """The density over the distribution function, both by their logarithms."""

    def pull(g: Any, saved: Any) -> Any:
        x, log_p = saved
        log_density = b.subtract(b.multiply(b.square(x), -0.5), math.log(_ROOT_2PI))
        return b.multiply(g, b.exp(b.subtract(log_density, log_p)))

    return lambda out, x: ((pull, (x, out)),)


@unary("gammaln", saves=IN1)
def gammaln(b: Backend[Any]) -> Pull:
    """digamma(x)."""
    return lambda g, x: b.multiply(g, b.digamma(x))


@unary("digamma", saves=IN1)
def digamma(b: Backend[Any]) -> Pull:
    """polygamma(1, x)."""
    return lambda g, x: b.multiply(g, b.polygamma(x, n=1))


@rule("polygamma")
def polygamma(b: Backend[Any]) -> Any:
    """polygamma(n + 1, x)."""

    def pull(g: Any, saved: Any) -> Any:
        x, n = saved
        return b.multiply(g, b.polygamma(x, n=n + 1))

    def record(out: Any, x: Any, *, n: int) -> Any:
        return ((pull, (x, n)),)

    return record


@binary("betaln")
def betaln(b: Backend[Any]) -> Binary:
    """digamma(x) - digamma(x + y), by either."""

    def slope(g: Any, own: Any, x: Any, y: Any) -> Any:
        own = own if hasattr(own, "shape") else b.filled_like(g, own, ())
        return b.multiply(g, b.subtract(b.digamma(own), b.digamma(b.add(x, y))))

    return (
        (lambda g, saved: slope(g, saved[0], *saved), "x1 x2"),
        (lambda g, saved: slope(g, saved[1], *saved), "x1 x2"),
    )


@unary("i0", saves=IN1)
def i0(b: Backend[Any]) -> Pull:
    """i1(x)."""
    return lambda g, x: b.multiply(g, b.i1(x))


@unary("i1", saves=IN1)
def i1(b: Backend[Any]) -> Pull:
    """i0(x) - i1(x) / x, which is 1/2 at 0."""
    return lambda g, x: b.multiply(g, b.subtract(b.i0(x), _over(b, b.i1(x), x, 1)))


@unary("i0e", saves=IN1)
def i0e(b: Backend[Any]) -> Pull:
    """i1e(x) - sign(x) i0e(x)."""

    def pull(g: Any, x: Any) -> Any:
        return b.multiply(g, b.subtract(b.i1e(x), b.multiply(b.sign(x), b.i0e(x))))

    return pull


@unary("i1e", saves=IN1)
def i1e(b: Backend[Any]) -> Pull:
    """i0e(x) - i1e(x) (sign(x) + 1 / x), which is 1/2 at 0."""

    def pull(g: Any, x: Any) -> Any:
        y, scale = b.i1e(x), b.exp(b.negative(b.abs(x)))
        less = b.add(b.multiply(b.sign(x), y), _over(b, y, x, scale))
        return b.multiply(g, b.subtract(b.i0e(x), less))

    return pull


# Of i1(x) / x = sum((x**2 / 4)**k / (2 k! (k + 1)!)): what follows is below 1e-17 for
# x up to 1.
_SERIES = [1 / (2 * math.factorial(k) * math.factorial(k + 1)) for k in range(10)]


def _over(b: Backend[Any], y: Any, x: Any, scale: Any) -> Any:
    """y / x for y = i1(x) scale; near 0 by its series, which has all derivatives."""
    near = b.less(b.abs(x), 1)
    quarter = b.multiply(b.square(b.where(near, x, 0)), 0.25)
    total = b.filled_like(quarter, _SERIES[-1], tuple(x.shape))
    for coefficient in _SERIES[-2::-1]:
        total = b.add(b.multiply(total, quarter), coefficient)
    far = b.divide(y, b.where(near, 1, x))
    return b.where(near, b.multiply(total, scale), far)


@unary("logit", saves=IN1)
def logit(b: Backend[Any]) -> Pull:
    """1 / (x (1 - x))."""
    return lambda g, x: b.divide(g, b.multiply(x, b.subtract(1, x)))


@binary("xlogy")
def xlogy(b: Backend[Any]) -> Binary:
    """log(y), and x / y, which is 0 where x is 0."""

    def pull1(g: Any, saved: Any) -> Any:
        x, y = saved
        void = _where_zero(b, g, x, y)
        return b.multiply(g, b.where(void, 0, b.log(b.where(void, 1, _like(b, g, y)))))

    def pull2(g: Any, saved: Any) -> Any:
        return b.multiply(g, _share(b, g, *saved))

    return (pull1, "x1 x2"), (pull2, "x1 x2")


@binary("xlog1py")
def xlog1py(b: Backend[Any]) -> Binary:
    """log(1 + y), and x / (1 + y), which is 0 where x is 0."""

    def pull1(g: Any, saved: Any) -> Any:
        x, y = saved
        void = _where_zero(b, g, x, _plus_one(b, y))
        return b.multiply(
            g, b.where(void, 0, b.log1p(b.where(void, 0, _like(b, g, y))))
        )

    def pull2(g: Any, saved: Any) -> Any:
        x, y = saved
        return b.multiply(g, _share(b, g, x, _plus_one(b, y)))

    return (pull1, "x1 x2"), (pull2, "x1 x2")


def _like(b: Backend[Any], g: Any, x: Any) -> Any:
    """An operand as an array: a Python number becomes one."""
    return x if hasattr(x, "shape") else b.filled_like(g, x, ())


def _plus_one(b: Backend[Any], y: Any) -> Any:
    return b.add(y, 1) if hasattr(y, "shape") else y + 1


def _where_zero(b: Backend[Any], g: Any, x: Any, y: Any) -> Any:
    """Where both are 0, as in 0 log(0)."""
    x, y = _like(b, g, x), _like(b, g, y)
    return b.logical_and(b.equal(x, 0), b.equal(y, 0))


def _share(b: Backend[Any], g: Any, x: Any, y: Any) -> Any:
    """x / y, and 0 where both are 0."""
    void = _where_zero(b, g, x, y)
    return b.divide(_like(b, g, x), b.where(void, 1, _like(b, g, y)))


@unary("entr", saves=IN1)
def entr(b: Backend[Any]) -> Pull:
    """-log(x) - 1, which is infinite at 0."""
    return lambda g, x: b.multiply(g, b.subtract(-1, b.log(x)))


@binary("rel_entr")
def rel_entr(b: Backend[Any]) -> Binary:
    """log(x / y) + 1, and -x / y."""

    def pull1(g: Any, saved: Any) -> Any:
        return b.multiply(g, b.add(_log_ratio(b, g, *saved), 1))

    def pull2(g: Any, saved: Any) -> Any:
        return b.negative(b.multiply(g, _share(b, g, *saved)))

    return (pull1, "x1 x2"), (pull2, "x1 x2")


@binary("kl_div")
def kl_div(b: Backend[Any]) -> Binary:
    """log(x / y), and 1 - x / y."""

    def pull1(g: Any, saved: Any) -> Any:
        return b.multiply(g, _log_ratio(b, g, *saved))

    def pull2(g: Any, saved: Any) -> Any:
        return b.multiply(g, b.subtract(1, _share(b, g, *saved)))

    return (pull1, "x1 x2"), (pull2, "x1 x2")


def _log_ratio(b: Backend[Any], g: Any, x: Any, y: Any) -> Any:
    return b.subtract(b.log(_like(b, g, x)), b.log(_like(b, g, y)))


@binary("gammainc")
def gammainc(b: Backend[Any]) -> Binary:
    """gammainc_slope(a, x), and x**(a - 1) exp(-x) / gamma(a)."""

    def pull1(g: Any, saved: Any) -> Any:
        return b.multiply(g, b.gammainc_slope(*saved))

    def pull2(g: Any, saved: Any) -> Any:
        return b.multiply(g, _gamma_density(b, *saved))

    return (pull1, "x1 x2"), (pull2, "x1 x2")


@binary("gammaincc")
def gammaincc(b: Backend[Any]) -> Binary:
    """Those of gammainc with the other sign."""
    (pull1, saves1), (pull2, saves2) = gammainc(b)
    assert pull1 is not None
    assert pull2 is not None
    return (
        (lambda g, saved: pull1(b.negative(g), saved), saves1),
        (lambda g, saved: pull2(b.negative(g), saved), saves2),
    )


def _gamma_density(b: Backend[Any], a: Any, x: Any) -> Any:
    """x**(a - 1) exp(-x) / gamma(a); in float64 if it can be, for a may be large."""
    (a, x), dtype = b.precise(a, x)
    power = b.subtract(b.xlogy(b.subtract(a, 1), x), x)
    return b.cast(b.exp(b.subtract(power, b.gammaln(a))), dtype)


@rule("betainc")
def betainc(b: Backend[Any]) -> Any:
    """Both of betainc_slope, and x**(a - 1) (1 - x)**(b - 1) / beta(a, b)."""

    def by_parameter(g: Any, saved: Any) -> Any:
        place, *operands = saved
        slope = b.betainc_slope(*operands, place=place)
        return unbroadcast(b, b.multiply(g, slope), tuple(operands[place].shape))

    def by_limit(g: Any, saved: Any) -> Any:
        slope = _beta_density(b, *saved)
        return unbroadcast(b, b.multiply(g, slope), tuple(saved[2].shape))

    def record(out: Any, p: Any, q: Any, x: Any) -> Any:
        return (
            (by_parameter, (0, p, q, x)),
            (by_parameter, (1, p, q, x)),
            (by_limit, (p, q, x)),
        )

    return record


def _beta_density(b: Backend[Any], p: Any, q: Any, x: Any) -> Any:
    (p, q, x), dtype = b.precise(p, q, x)
    left = b.xlogy(b.subtract(p, 1), x)
    right = b.xlog1py(b.subtract(q, 1), b.negative(x))
    density = b.exp(b.subtract(b.add(left, right), b.betaln(p, q)))
    return b.cast(density, dtype)
