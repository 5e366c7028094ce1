"""Trigonometric and hyperbolic functions and their inverses, in radians."""

import math
from typing import TypeVar

from trivet.contract.elementwise import Elementwise
from trivet.contract.table import derived, required
from trivet.dtypes import FLOATING, REAL_FLOATING, Scalar

__all__ = ["Trigonometric"]

H = TypeVar("H")
_LARGE = 20.0  # past it exp(-x) is below half a unit in the last place of exp(x)
_HUGE = 1e9  # past it x*x + 1 == x*x, and x*x does not overflow before


class Trigonometric(Elementwise[H], family="trigonometric"):
    """Angles are in radians. Bodies hold for real dtypes; complex ones override."""

    @required(FLOATING)
    def sin(self, x: H, /) -> H:
        """The sine."""
        raise NotImplementedError

    @required(FLOATING)
    def cos(self, x: H, /) -> H:
        """The cosine."""
        raise NotImplementedError

    @required(FLOATING)
    def atan(self, x: H, /) -> H:
        """The inverse tangent, from -pi/2 to pi/2."""
        raise NotImplementedError

    @derived(FLOATING)
    def tan(self, x: H, /) -> H:
        """The tangent."""
        return self.divide(self.sin(x), self.cos(x))

    @derived(FLOATING)
    def asin(self, x: H, /) -> H:
        """The inverse sine, from -pi/2 to pi/2; NaN outside [-1, 1]."""
        return self.atan2(x, self._other_leg(x))

    @derived(FLOATING)
    def acos(self, x: H, /) -> H:
        """The inverse cosine, from 0 to pi; NaN outside [-1, 1]."""
        return self.atan2(self._other_leg(x), x)

    def _other_leg(self, x: H) -> H:
        return self.sqrt(self.multiply(self.subtract(1, x), self.add(x, 1)))

    @derived(REAL_FLOATING)
    def atan2(self, x1: H | Scalar, x2: H | Scalar, /) -> H:
        """The angle of the point (x2, x1), from -pi to pi; signed zeros count."""
        y, x = self.pair(x1, x2)
        a, b = self.abs(y), self.abs(x)
        large, small = self.maximum(a, b), self.minimum(a, b)
        ratio = self.divide(small, self.where(self.equal(large, 0), 1, large))
        ratio = self.where(self.isinf(small), 1, ratio)
        angle = self.atan(ratio)
        angle = self.where(self.less(b, a), self.subtract(math.pi / 2, angle), angle)
        angle = self.where(self.signbit(x), self.subtract(math.pi, angle), angle)
        return self.copysign(angle, y)

    @derived(FLOATING)
    def sinh(self, x: H, /) -> H:
        """The hyperbolic sine."""
        size = self.abs(x)
        e = self.expm1(self.minimum(size, _LARGE))
        near = self.multiply(self.add(e, self.divide(e, self.add(e, 1))), 0.5)
        far = self._half_exp(size)
        return self.copysign(self.where(self.less(size, _LARGE), near, far), x)

    @derived(FLOATING)
    def cosh(self, x: H, /) -> H:
        """The hyperbolic cosine."""
        size = self.abs(x)
        e = self.exp(self.minimum(size, _LARGE))
        near = self.multiply(self.add(e, self.reciprocal(e)), 0.5)
        return self.where(self.less(size, _LARGE), near, self._half_exp(size))

    def _half_exp(self, x: H) -> H:
        root = self.exp(self.multiply(x, 0.5))  # exp(x) alone would overflow early
        return self.multiply(self.multiply(root, 0.5), root)

    @derived(FLOATING)
    def tanh(self, x: H, /) -> H:
        """The hyperbolic tangent."""
        e = self.expm1(self.multiply(self.minimum(self.abs(x), _LARGE), 2))
        return self.copysign(self.divide(e, self.add(e, 2)), x)

    @derived(FLOATING)
    def asinh(self, x: H, /) -> H:
        """The inverse hyperbolic sine."""
        size = self.abs(x)
        t = self.minimum(size, _HUGE)
        root = self.sqrt(self.add(self.square(t), 1))
        near = self.log1p(self.add(t, self.divide(self.square(t), self.add(root, 1))))
        far = self.add(self.log(size), math.log(2))
        return self.copysign(self.where(self.less(size, _HUGE), near, far), x)

    @derived(FLOATING)
    def acosh(self, x: H, /) -> H:
        """The inverse hyperbolic cosine; NaN below 1."""
        t = self.subtract(self.minimum(x, _HUGE), 1)
        near = self.log1p(self.add(t, self.sqrt(self.multiply(t, self.add(t, 2)))))
        far = self.add(self.log(x), math.log(2))
        value = self.where(self.less(x, _HUGE), near, far)
        return self.where(self.less(x, 1), math.nan, value)

    @derived(FLOATING)
    def atanh(self, x: H, /) -> H:
        """The inverse hyperbolic tangent; infinite at -1 and 1, NaN outside."""
        size = self.abs(x)
        ratio = self.divide(self.multiply(size, 2), self.subtract(1, size))
        return self.copysign(self.multiply(self.log1p(ratio), 0.5), x)
