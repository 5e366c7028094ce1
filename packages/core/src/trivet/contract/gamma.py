"""The logarithm of the gamma function, its derivatives, and the beta function."""

import math
from typing import TypeVar

from trivet.contract.coefficients import (
    DIGAMMA,
    DIGAMMA_TAIL,
    LOG_GAMMA,
    ROOT,
    STIRLING,
    ZETA_TAIL,
)
from trivet.contract.normal import Normal
from trivet.contract.table import derived
from trivet.dtypes import REAL_FLOATING, Scalar

__all__ = ["Gamma"]

H = TypeVar("H")
_HALF_LOG_2PI = 0.5 * math.log(2 * math.pi)
_LARGE = 10  # where the asymptotic series are exact to the last digit


class Gamma(Normal[H], family="special"):
    """Polynomials near 1 and 2, recurrences up to 10, asymptotic series beyond.

    Negative arguments are reflected.
    """

    @derived(REAL_FLOATING)
    def gammaln(self, x: H, /) -> H:
        """log(|gamma(x)|); infinite at 0 and the negative integers.

        The relative error is below 2e-15 for positive x in float64, the zeros at 1 and
        2 included; the error is below 4e-15 (1 + |result|) for negative x.
        """
        (x,), dtype = self.precise(x)
        negative = self.less(x, 0)
        upper = self._log_gamma(self.where(negative, self.subtract(1, x), x))
        sine = self.abs(self._turn(x)[0])
        lower = self.subtract(math.log(math.pi), self.add(self.log(sine), upper))
        lower = self.where(self.isinf(x), math.inf, lower)
        return self.cast(self.where(negative, lower, upper), dtype)

    def _turn(self, x: H) -> tuple[H, H]:
        """sin(pi x) but for its sign, and cos(pi x) with the same change of sign.

        1 and 0 of positive x, whose reflection nobody looks at.
        """
        some = self.where(self.logical_and(self.less(x, 0), self.isfinite(x)), x, -0.5)
        rest = self.multiply(self.subtract(some, self.round(some)), math.pi)
        return self.sin(rest), self.cos(rest)

    def _log_gamma(self, x: H) -> H:
        """log(gamma(x)) of x >= 0."""
        tiny = self.less(x, 1)
        y, product = self._lowered(self.where(tiny, 2, x))
        below = self.where(tiny, self.subtract(x, 1), self.subtract(y, 2))
        above = self.where(tiny, x, self.subtract(y, 1))
        core = self.multiply(below, self.polynomial(below, LOG_GAMMA))
        core = self.multiply(core, above)
        shift = self.log(self.where(tiny, x, product))
        small = self.add(core, self.where(tiny, self.negative(shift), shift))
        large = self.maximum(x, _LARGE)
        main = self.multiply(
            self.subtract(large, 0.5), self.subtract(self.log(large), 1)
        )
        rest = self.add(self.stirling(large), _HALF_LOG_2PI - 0.5)
        return self.where(self.less(x, _LARGE), small, self.add(main, rest))

    def _log_gamma1p(self, x: H) -> H:
        """log(gamma(1 + x)) of 0 <= x < 2, with all its digits near 0."""
        below = self.subtract(x, 1)
        core = self.multiply(below, self.polynomial(below, LOG_GAMMA))
        return self.multiply(core, x)

    def _lowered(self, x: H) -> tuple[H, H]:
        """x - k between 2 and 3, at most 3, and (x - 1) ... (x - k), for x below 10."""
        y = self.minimum(x, _LARGE)
        product = self.filled_like(y, 1, ())
        for _ in range(_LARGE - 3):
            high = self.less(3, y)
            y = self.where(high, self.subtract(y, 1), y)
            product = self.where(high, self.multiply(product, y), product)
        return y, product

    def stirling(self, x: H) -> H:
        """What Stirling's formula lacks of log(gamma(x)), for x of 10 or more."""
        inverse = self.reciprocal(x)
        return self.multiply(inverse, self.polynomial(self.square(inverse), STIRLING))

    @derived(REAL_FLOATING)
    def digamma(self, x: H, /) -> H:
        """The derivative of log(gamma(x)); -inf at 0, NaN at the negative integers.

        The relative error is below 4e-15 for positive x in float64, near the zero
        included; the error is below 1e-14 (1 + |result|) for negative x.
        """
        (x,), dtype = self.precise(x)
        negative = self.less(x, 0)
        upper = self._digamma(self.where(negative, self.subtract(1, x), x))
        sine, cosine = self._turn(x)
        pole = self.equal(sine, 0)
        cotangent = self.divide(cosine, self.where(pole, math.nan, sine))
        lower = self.subtract(upper, self.multiply(cotangent, math.pi))
        lower = self.where(self.isinf(x), math.nan, lower)
        return self.cast(self.where(negative, lower, upper), dtype)

    def _digamma(self, x: H) -> H:
        """The same of x >= 0."""
        tiny = self.less(x, 1)
        y = self.clip(self.where(tiny, self.add(x, 1), x), 1, 2)
        away = self.subtract(self.subtract(y, ROOT[0]), ROOT[1])
        series = self.polynomial(self.subtract(self.multiply(y, 2), 3), DIGAMMA)
        core = self.multiply(away, series)
        core = self.subtract(core, self.where(tiny, self.reciprocal(x), 0))
        return self.where(self.less(x, 2), core, self._digamma_large(x))

    def _digamma_large(self, x: H) -> H:
        """The same of x >= 2."""
        large = self.maximum(x, 2)
        less = self.filled_like(x, 0, ())
        for _ in range(_LARGE - 2):
            low = self.less(large, _LARGE)
            step = self.where(low, self.reciprocal(large), 0)
            less, large = (
                self.add(less, step),
                self.where(low, self.add(large, 1), large),
            )
        inverse = self.reciprocal(large)
        square = self.square(inverse)
        tail = self.multiply(square, self.polynomial(square, DIGAMMA_TAIL))
        tail = self.add(tail, self.multiply(inverse, 0.5))
        return self.subtract(self.subtract(self.log(large), tail), less)

    @derived(REAL_FLOATING)
    def polygamma(self, x: H, /, *, n: int) -> H:
        """The `n`-th derivative of digamma, n from 0 to 100.

        Infinite at 0 and the negative integers. The relative error is below 1e-14 (1 +
        n) for positive x in float64.
        """
        if n == 0:
            return self.digamma(x)
        (x,), dtype = self.precise(x)
        negative = self.less(x, 0)
        factor = math.factorial(n) * (-1.0) ** (n + 1)
        size = self.where(negative, self.subtract(1, x), self.add(x, 0))
        zeta = self._zeta(n + 1, size)
        upper = self.multiply(zeta, factor)
        lower = self._reflected(x, self.multiply(upper, (-1.0) ** n), n)
        return self.cast(self.where(negative, lower, upper), dtype)

    def _reflected(self, x: H, upper: H, n: int) -> H:
        """`upper` less the n-th derivative of pi cot(pi x): DLMF 5.15.6."""
        sine, cosine = self._turn(x)
        pole = self.equal(sine, 0)
        cotangent = self.divide(cosine, self.where(pole, 1, sine))
        slope = self.polynomial(cotangent, _cotangent_slope(n))
        lower = self.subtract(upper, self.multiply(slope, math.pi ** (n + 1)))
        lower = self.where(pole, (-1.0) ** (n + 1) * math.inf, lower)
        return self.where(self.isinf(x), math.nan, lower)

    def _zeta(self, s: int, x: H) -> H:
        """The sum of (x + k)**-s over k >= 0, for x >= 0 (Euler and Maclaurin)."""
        total = self.pow(x, float(-s))
        for k in range(1, _LARGE):
            total = self.add(total, self.pow(self.add(x, k), float(-s)))
        w = self.add(x, _LARGE)
        total = self.add(total, self.divide(self.pow(w, float(1 - s)), s - 1))
        factor, coefficients = float(s), []
        for j, c in enumerate(ZETA_TAIL):
            coefficients.append(c * factor)
            factor *= (s + 2 * j + 1) * (s + 2 * j + 2)
        square = self.square(self.reciprocal(w))
        tail = self.divide(self.polynomial(square, tuple(coefficients[::-1])), w)
        more = self.multiply(self.add(tail, 0.5), self.pow(w, float(-s)))
        return self.add(total, more)

    @derived(REAL_FLOATING)
    def betaln(self, x1: H | Scalar, x2: H | Scalar, /) -> H:
        """log(|gamma(a) gamma(b) / gamma(a + b)|).

        The error is below 1e-14 (1 + |result|) for positive a and b in float64.
        """
        (a, b), dtype = self.precise(x1, x2)
        below = self.less(a, b)
        small, large = self.where(below, a, b), self.where(below, b, a)
        plain = self.subtract(
            self.add(self.gammaln(a), self.gammaln(b)), self.gammaln(self.add(a, b))
        )
        usable = self.logical_and(self.less(0, small), self.isfinite(large))
        s = self.where(usable, small, 1)
        far = self.logical_and(usable, self.less_equal(_LARGE, large))
        big = self.where(far, large, _LARGE)
        few = self.less(s, _LARGE)
        mixed = self._betaln_mixed(self.where(few, s, _LARGE), big)
        both = self._betaln_both(self.where(few, _LARGE, s), big)
        far = self.where(few, mixed, both)
        far = self.where(self.isinf(large), -math.inf, far)
        plainly = self.logical_not(
            self.logical_and(self.less_equal(_LARGE, large), self.less(0, small))
        )
        return self.cast(self.where(plainly, plain, far), dtype)

    def _betaln_mixed(self, s: H, big: H) -> H:
        """Stirling's formula for the large argument alone."""
        whole = self.add(big, s)
        slope = self.multiply(
            self.subtract(whole, 0.5), self.log1p(self.divide(s, big))
        )
        rest = self.subtract(self.stirling(big), self.stirling(whole))
        less = self.multiply(s, self.subtract(self.log(big), 1))
        return self.subtract(self.add(self.gammaln(s), rest), self.add(slope, less))

    def _betaln_both(self, s: H, big: H) -> H:
        """Stirling's formula for both arguments."""
        whole = self.add(big, s)
        rest = self.add(self.stirling(s), self.stirling(big))
        rest = self.add(self.subtract(rest, self.stirling(whole)), _HALF_LOG_2PI)
        first = self.multiply(self.subtract(s, 0.5), self.log1p(self.divide(big, s)))
        second = self.multiply(big, self.log1p(self.divide(s, big)))
        third = self.multiply(self.log(big), 0.5)
        return self.subtract(rest, self.add(self.add(first, second), third))

    @derived(REAL_FLOATING)
    def beta(self, x1: H | Scalar, x2: H | Scalar, /) -> H:
        """gamma(a) gamma(b) / gamma(a + b): `betaln`'s exponential with its sign.

        Neither a nor b is a negative integer.
        """
        (a, b), dtype = self.precise(x1, x2)
        size = self.exp(self.betaln(a, b))
        sign = self.multiply(self._gamma_sign(a), self._gamma_sign(b))
        sign = self.multiply(sign, self._gamma_sign(self.add(a, b)))
        return self.cast(self.multiply(size, sign), dtype)

    def _gamma_sign(self, x: H) -> H:
        """-1 where gamma(x) is negative, otherwise 1."""
        below = self.where(self.isfinite(x), self.minimum(x, 0), 0)
        odd = self.equal(self.remainder(self.floor(below), 2), 1)
        return self.where(odd, -1, self.filled_like(x, 1, ()))


def _cotangent_slope(n: int) -> tuple[float, ...]:
    """The n-th derivative of cot as a polynomial of cot, highest power first.

    >>> _cotangent_slope(1), _cotangent_slope(2)
    ((-1.0, 0.0, -1.0), (2.0, 0.0, 2.0, 0.0))
    """
    powers = [0, 1]  # lowest first
    for _ in range(n):
        slope = [-k * c for k, c in enumerate(powers)][1:]
        powers = [
            (slope[k] if k < len(slope) else 0) + (slope[k - 2] if k >= 2 else 0)
            for k in range(len(slope) + 2)
        ]
    return tuple(map(float, reversed(powers)))
