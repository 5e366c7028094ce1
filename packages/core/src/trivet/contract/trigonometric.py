"""Trigonometric and hyperbolic functions and their inverses, in radians."""

import math
from typing import TypeVar

from trivet.contract.elementwise import Elementwise
from trivet.contract.table import derived, required
from trivet.dtypes import FLOATING, REAL_FLOATING, Scalar

__all__ = ["Trigonometric"]

H = TypeVar("H")


class Trigonometric(Elementwise[H], family="trigonometric"):
    """Angles are in radians.

    Bodies that call `only_real` refuse complex dtypes: a backend that has these
    overrides them.
    """

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
        self.only_real("asin", x)
        return self.atan2(x, self._other_leg(x))

    @derived(FLOATING)
    def acos(self, x: H, /) -> H:
        """The inverse cosine, from 0 to pi; NaN outside [-1, 1]."""
        self.only_real("acos", x)
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
        self.only_real("sinh", x)
        size = self.abs(x)
        e = self.expm1(self.minimum(size, 1))
        near = self.multiply(self.add(e, self.divide(e, self.add(e, 1))), 0.5)
        half = self._half_exp(size)
        far = self.subtract(half, self.divide(0.25, half))
        return self.copysign(self.where(self.less(size, 1), near, far), x)

    @derived(FLOATING)
    def cosh(self, x: H, /) -> H:
        """The hyperbolic cosine."""
        self.only_real("cosh", x)
        half = self._half_exp(self.abs(x))
        return self.add(half, self.divide(0.25, half))

    def _half_exp(self, x: H) -> H:
        """exp(x) / 2, which is finite for a little longer than exp(x)."""
        root = self.exp(self.multiply(x, 0.5))
        return self.multiply(self.multiply(root, 0.5), root)

    @derived(FLOATING)
    def tanh(self, x: H, /) -> H:
        """The hyperbolic tangent."""
        self.only_real("tanh", x)
        e = self.expm1(self.multiply(self.abs(x), -2))
        return self.copysign(self.divide(e, self.add(e, 2)), x)

    @derived(FLOATING)
    def asinh(self, x: H, /) -> H:
        """The inverse hyperbolic sine, log(x + sqrt(x**2 + 1)) without overflow."""
        self.only_real("asinh", x)
        size = self.abs(x)
        square = self.square(self.minimum(size, 1))
        root = self.sqrt(self.add(square, 1))
        near = self.log1p(self.add(size, self.divide(square, self.add(root, 1))))
        large = self.maximum(size, 1)
        root = self.sqrt(self.add(self.square(self.reciprocal(large)), 1))
        far = self.add(self.log(large), self.log1p(root))
        return self.copysign(self.where(self.less(size, 1), near, far), x)

    @derived(FLOATING)
    def acosh(self, x: H, /) -> H:
        """The inverse hyperbolic cosine, log(x + sqrt(x**2 - 1)); NaN below 1."""
        self.only_real("acosh", x)
        t = self.subtract(self.minimum(x, 2), 1)
        near = self.log1p(self.add(t, self.sqrt(self.multiply(t, self.add(t, 2)))))
        large = self.maximum(x, 2)
        far = self.add(
            self.log(large), self.log1p(self._other_leg(self.reciprocal(large)))
        )
        value = self.where(self.less(x, 2), near, far)
        return self.where(self.less(x, 1), math.nan, value)

    @derived(FLOATING)
    def atanh(self, x: H, /) -> H:
        """The inverse hyperbolic tangent; infinite at -1 and 1, NaN outside."""
        self.only_real("atanh", x)
        size = self.abs(x)
        ratio = self.divide(self.multiply(size, 2), self.subtract(1, size))
        return self.copysign(self.multiply(self.log1p(ratio), 0.5), x)
