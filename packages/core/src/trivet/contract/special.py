"""Special functions of mathematics and statistics that need no table of their own."""

import math
from typing import TypeVar

from trivet.contract.bessel import Bessel
from trivet.contract.table import derived
from trivet.dtypes import REAL_FLOATING, Scalar

__all__ = ["Special"]

H = TypeVar("H")
_SMALL = 0.5  # below it, quotients of the kind 0 / 0 are summed as series
_SINC = tuple((-1) ** k / math.factorial(2 * k + 1) for k in range(9, -1, -1))
_EXPREL = tuple(1 / math.factorial(k + 1) for k in range(16, -1, -1))


class Special(Bessel[H], family="special"):
    """Names and meanings are those of scipy.special."""

    @derived(REAL_FLOATING)
    def logit(self, x: H, /) -> H:
        """log(x / (1 - x)), exact near 1/2; infinite at 0 and 1, NaN outside."""
        (x,), dtype = self.precise(x)
        middle = self.less(self.abs(self.subtract(x, 0.5)), 0.25)
        twice = self.subtract(self.multiply(self.where(middle, x, 0.5), 2), 1)
        near = self.subtract(self.log1p(twice), self.log1p(self.negative(twice)))
        outer = self.where(middle, 0.5, x)
        far = self.subtract(self.log(outer), self.log1p(self.negative(outer)))
        return self.cast(self.where(middle, near, far), dtype)

    @derived(REAL_FLOATING)
    def xlogy(self, x1: H | Scalar, x2: H | Scalar, /) -> H:
        """x log(y), and 0 where x is 0, unless y is NaN."""
        (x, y), dtype = self.precise(x1, x2)
        void = self.logical_and(self.equal(x, 0), self.equal(y, y))
        product = self.multiply(x, self.log(self.where(void, 1, y)))
        return self.cast(self.where(void, 0, product), dtype)

    @derived(REAL_FLOATING)
    def xlog1py(self, x1: H | Scalar, x2: H | Scalar, /) -> H:
        """x log(1 + y), and 0 where x is 0, unless y is NaN."""
        (x, y), dtype = self.precise(x1, x2)
        void = self.logical_and(self.equal(x, 0), self.equal(y, y))
        product = self.multiply(x, self.log1p(self.where(void, 0, y)))
        return self.cast(self.where(void, 0, product), dtype)

    @derived(REAL_FLOATING)
    def entr(self, x: H, /) -> H:
        """-x log(x); 0 at 0 and -inf below."""
        (x,), dtype = self.precise(x)
        value = self.negative(self.xlogy(x, self.maximum(x, 0)))
        value = self.add(value, 0)  # -0.0 becomes 0.0
        return self.cast(self.where(self.less(x, 0), -math.inf, value), dtype)

    @derived(REAL_FLOATING)
    def rel_entr(self, x1: H | Scalar, x2: H | Scalar, /) -> H:
        """x log(x / y) of positive x and y; 0 for x = 0 and y >= 0; otherwise inf."""
        (x, y), dtype = self.precise(x1, x2)
        return self.cast(self._divergence(x, y), dtype)

    def _divergence(self, x: H, y: H) -> H:
        positive = self.logical_and(self.less(0, x), self.less(0, y))
        void = self.logical_and(self.equal(x, 0), self.less_equal(0, y))
        a, b = self.where(positive, x, 1), self.where(positive, y, 1)
        product = self.multiply(a, self._log_ratio(a, b))
        other = self.where(void, 0, self.filled_like(x, math.inf, ()))
        value = self.where(positive, product, other)
        unknown = self.logical_or(self.isnan(x), self.isnan(y))
        return self.where(unknown, math.nan, value)

    def _log_ratio(self, a: H, b: H) -> H:
        """log(a / b): exact near 1, and where the ratio overflows."""
        ratio = self.divide(a, b)
        near = self.logical_and(self.less(0.5, ratio), self.less(ratio, 2))
        gap = self.where(near, self.divide(self.subtract(a, b), b), 0)
        usual = self.logical_and(self.less(1e-30, ratio), self.less(ratio, 1e30))
        apart = self.subtract(self.log(a), self.log(b))
        apart = self.where(usual, self.log(self.where(usual, ratio, 1)), apart)
        return self.where(near, self.log1p(gap), apart)

    @derived(REAL_FLOATING)
    def kl_div(self, x1: H | Scalar, x2: H | Scalar, /) -> H:
        """rel_entr(x, y) - x + y of x >= 0 and y >= 0; otherwise inf."""
        (x, y), dtype = self.precise(x1, x2)
        gap = self.where(self.less(0, y), self.subtract(y, x), 0)  # not inf - inf
        return self.cast(self.add(self.rel_entr(x, y), gap), dtype)

    @derived(REAL_FLOATING)
    def sinc(self, x: H, /) -> H:
        """sin(pi x) / (pi x), and 1 at 0."""
        (x,), dtype = self.precise(x)
        angle = self.multiply(x, math.pi)
        small = self.less(self.abs(angle), _SMALL)
        inner = self.where(small, angle, 0)
        near = self.polynomial(self.square(inner), _SINC)
        outer = self.where(small, 1, angle)
        far = self.divide(self.sin(outer), outer)
        return self.cast(self.where(small, near, far), dtype)

    @derived(REAL_FLOATING)
    def exprel(self, x: H, /) -> H:
        """(exp(x) - 1) / x, and 1 at 0."""
        (x,), dtype = self.precise(x)
        small = self.less(self.abs(x), _SMALL)
        near = self.polynomial(self.where(small, x, 0), _EXPREL)
        outer = self.where(small, 1, x)
        far = self.divide(self.expm1(outer), outer)
        far = self.where(self.equal(x, math.inf), math.inf, far)
        return self.cast(self.where(small, near, far), dtype)
