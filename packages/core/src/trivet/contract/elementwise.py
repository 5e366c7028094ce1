"""Arithmetic, exponentials, rounding and signs, element by element."""

import math
from typing import TypeVar

from trivet.contract.comparison import Comparison
from trivet.contract.table import derived, optional, required
from trivet.dtypes import (
    COMPLEX,
    FLOATING,
    NUMERIC,
    REAL,
    REAL_FLOATING,
    Scalar,
    promote,
)
from trivet.errors import UnsupportedOpError

__all__ = ["Elementwise"]

H = TypeVar("H")


class Elementwise(Comparison[H], family="elementwise"):
    """Ops that compute each element from the elements at the same place.

    Bodies that call `only_real` refuse complex dtypes: a backend that has these
    overrides them.
    """

    @required(NUMERIC)
    def add(self, x1: H | Scalar, x2: H | Scalar, /) -> H:
        """The sum; integers wrap."""
        raise NotImplementedError

    @derived(NUMERIC)
    def accumulate(self, total: H, x: H, /) -> H:
        """The sum of two arrays of one shape, perhaps in the memory of `total`.

        `total` is a result of `add` or of this op, and its caller has it alone and
        uses it no more. The sum may keep the dtype of `total`; where that is real and
        `x` complex, a `TypeError` will do.
        """
        return self.add(total, x)

    @required(NUMERIC)
    def subtract(self, x1: H | Scalar, x2: H | Scalar, /) -> H:
        """The difference; integers wrap."""
        raise NotImplementedError

    @required(NUMERIC)
    def multiply(self, x1: H | Scalar, x2: H | Scalar, /) -> H:
        """The product; integers wrap."""
        raise NotImplementedError

    @required(NUMERIC)
    def divide(self, x1: H | Scalar, x2: H | Scalar, /) -> H:
        """The quotient, always floating: of two integers, float64."""
        raise NotImplementedError

    @required(REAL)
    def floor_divide(self, x1: H | Scalar, x2: H | Scalar, /) -> H:
        """The quotient rounded down; exact for integers of any size."""
        raise NotImplementedError

    @required(REAL)
    def remainder(self, x1: H | Scalar, x2: H | Scalar, /) -> H:
        """What `floor_divide` leaves; it has the divisor's sign."""
        raise NotImplementedError

    @required(NUMERIC)
    def pow(self, x1: H | Scalar, x2: H | Scalar, /) -> H:
        """`x1` to the power `x2`; anything to the power 0 is 1, NaN included."""
        raise NotImplementedError

    @required(FLOATING)
    def exp(self, x: H, /) -> H:
        """The exponential, e to the power of each element."""
        raise NotImplementedError

    @required(FLOATING)
    def log(self, x: H, /) -> H:
        """The natural logarithm; -inf at 0, NaN below."""
        raise NotImplementedError

    @required(FLOATING)
    def sqrt(self, x: H, /) -> H:
        """The square root, correctly rounded; NaN below 0."""
        raise NotImplementedError

    @required(REAL)
    def floor(self, x: H, /) -> H:
        """The largest integer not above each element, in the same dtype."""
        raise NotImplementedError

    @derived(NUMERIC)
    def negative(self, x: H, /) -> H:
        """Each element with the other sign; unsigned integers wrap."""
        kind = self.dtype(x).kind
        zeros = {"real floating": -0.0, "complex floating": complex(-0.0, -0.0)}
        return self.subtract(zeros.get(kind, 0), x)  # 0.0 - 0.0 would not be -0.0

    @derived(NUMERIC)
    def positive(self, x: H, /) -> H:
        """Each element as it is."""
        return x

    @derived(NUMERIC)
    def abs(self, x: H, /) -> H:
        """The absolute value; the smallest integer of a dtype wraps to itself."""
        if self.only_real("abs", x).kind == "unsigned integer":
            return x
        # adding zero turns -0.0 into 0.0
        return self.add(self.where(self.less(x, 0), self.negative(x), x), 0)

    @derived(NUMERIC)
    def sign(self, x: H, /) -> H:
        """-1, 0 or 1 by the sign of each element; NaN stays NaN.

        Of a complex element, x / abs(x), or 0.
        """
        if self.only_real("sign", x).kind == "unsigned integer":
            return self.where(self.less(0, x), 1, x)
        zero = self.add(x, 0)  # of -0.0 it is 0.0
        return self.where(self.less(0, x), 1, self.where(self.less(x, 0), -1, zero))

    @derived(NUMERIC)
    def square(self, x: H, /) -> H:
        """Each element times itself."""
        return self.multiply(x, x)

    @derived(FLOATING)
    def reciprocal(self, x: H, /) -> H:
        """One over each element."""
        return self.divide(1, x)

    @derived(REAL)
    def maximum(self, x1: H | Scalar, x2: H | Scalar, /) -> H:
        """The larger of two elements; NaN if either is."""
        first, second = self.pair(x1, x2)
        keep = self.logical_or(self.less(second, first), self.isnan(first))
        return self.where(keep, first, second)

    @derived(REAL)
    def minimum(self, x1: H | Scalar, x2: H | Scalar, /) -> H:
        """The smaller of two elements; NaN if either is."""
        first, second = self.pair(x1, x2)
        keep = self.logical_or(self.less(first, second), self.isnan(first))
        return self.where(keep, first, second)

    @derived(REAL)
    def clip(
        self, x: H, /, min: H | Scalar | None = None, max: H | Scalar | None = None
    ) -> H:
        """`minimum(max, maximum(x, min))` in the dtype of `x`; NaN stays NaN."""
        dtype = self.dtype(x)
        if min is not None:
            x = self.maximum(x, min)
        if max is not None:
            x = self.minimum(x, max)
        return x if self.dtype(x) == dtype else self.astype(x, dtype=dtype)

    @derived(REAL)
    def ceil(self, x: H, /) -> H:
        """The smallest integer not below each element, in the same dtype."""
        if not self.is_floating(x):
            return x
        return self.negative(self.floor(self.negative(x)))

    @derived(REAL)
    def trunc(self, x: H, /) -> H:
        """The integer next to each element towards zero, in the same dtype."""
        if not self.is_floating(x):
            return x
        return self.where(self.less(x, 0), self.ceil(x), self.floor(x))

    @derived(NUMERIC)
    def round(self, x: H, /) -> H:
        """The nearest integer, halves to even; the sign of zero is kept.

        Of a complex element, both parts are rounded.
        """
        if self.only_real("round", x).kind != "real floating":
            return x
        low = self.floor(x)
        rest = self.subtract(x, low)
        odd_half = self.logical_and(
            self.equal(rest, 0.5), self.equal(self.remainder(low, 2), 1)
        )
        up = self.logical_or(self.less(0.5, rest), odd_half)
        near = self.where(up, self.add(low, 1), low)
        return self.where(self.equal(near, 0), self.multiply(x, 0), near)

    @derived(REAL_FLOATING, constant="boolean result")
    def signbit(self, x: H, /) -> H:
        """Which elements are negative, -0.0 included.

        The body sees no sign in NaN; a backend that can read bits overrides it.
        """
        negative_zero = self.less(self.divide(1, x), 0)
        return self.where(self.equal(x, 0), negative_zero, self.less(x, 0))

    @derived(REAL_FLOATING)
    def copysign(self, x1: H | Scalar, x2: H | Scalar, /) -> H:
        """The size of `x1` with the sign of `x2`."""
        size, sign = self._promoted(x1, x2)
        size = self.abs(size)
        return self.where(self.signbit(sign), self.negative(size), size)

    @optional(REAL_FLOATING, constant="steps between floats")
    def nextafter(self, x1: H | Scalar, x2: H | Scalar, /) -> H:
        """The next representable number after `x1` towards `x2`."""
        raise UnsupportedOpError(f"the backend {self.name} has no op nextafter.")

    @derived(REAL_FLOATING)
    def hypot(self, x1: H | Scalar, x2: H | Scalar, /) -> H:
        """sqrt(x1**2 + x2**2) without overflow; infinite if either is."""
        first, second = self.pair(x1, x2)
        a, b = self.abs(first), self.abs(second)
        large, small = self.maximum(a, b), self.minimum(a, b)
        by = self.where(self.equal(large, 0), 1, large)
        ratio = self.divide(small, by)
        length = self.multiply(large, self.sqrt(self.add(self.square(ratio), 1)))
        infinite = self.logical_or(self.isinf(a), self.isinf(b))
        return self.where(infinite, math.inf, length)

    @derived(REAL)
    def fmod(self, x1: H | Scalar, x2: H | Scalar, /) -> H:
        """What a quotient rounded towards zero leaves; it has the sign of `x1`."""
        first, second = self._promoted(x1, x2)
        rest = self.remainder(first, second)
        if not self.is_floating(rest):
            apart = self.logical_xor(self.less(first, 0), self.less(second, 0))
            apart = self.logical_and(apart, self.not_equal(rest, 0))
            return self.where(apart, self.subtract(rest, second), rest)
        # of operands of one sign, the remainder has that sign, and is exact
        apart = self.logical_xor(self.signbit(first), self.signbit(second))
        turned = self.negative(self.remainder(self.negative(first), second))
        return self.where(apart, turned, rest)

    @derived(REAL)
    def divmod(self, x1: H | Scalar, x2: H | Scalar, /) -> tuple[H, H]:
        """`floor_divide` and `remainder`."""
        return self.floor_divide(x1, x2), self.remainder(x1, x2)

    @derived(FLOATING)
    def exp2(self, x: H, /) -> H:
        """2 to the power of each element."""
        return self.pow(2.0, x)

    @derived(FLOATING)
    def expm1(self, x: H, /) -> H:
        """exp(x) - 1, accurate near 0.

        By Kahan's correction, (u - 1) * x / log(u) with u = exp(x): Higham, Accuracy
        and Stability of Numerical Algorithms, section 1.14.1.
        """
        self.only_real("expm1", x)  # the logarithm would lose turns of the angle
        u = self.exp(x)
        less_one = self.subtract(u, 1)
        exact = self.multiply(less_one, self.divide(x, self.log(u)))
        plain = self.logical_or(self.equal(less_one, -1), self.isinf(u))
        value = self.where(plain, less_one, exact)
        return self.where(self.equal(u, 1), x, value)

    @derived(FLOATING)
    def log1p(self, x: H, /) -> H:
        """log(1 + x), accurate near 0; log(u) * x / (u - 1) with u = 1 + x."""
        self.only_real("log1p", x)
        u = self.add(x, 1)
        log = self.log(u)
        exact = self.multiply(log, self.divide(x, self.subtract(u, 1)))
        value = self.where(self.isinf(u), log, exact)
        return self.where(self.equal(u, 1), x, value)

    @derived(FLOATING)
    def log2(self, x: H, /) -> H:
        """The logarithm to base 2."""
        return self.divide(self.log(x), math.log(2))

    @derived(FLOATING)
    def log10(self, x: H, /) -> H:
        """The logarithm to base 10."""
        return self.divide(self.log(x), math.log(10))

    @derived(REAL_FLOATING)
    def logaddexp(self, x1: H | Scalar, x2: H | Scalar, /) -> H:
        """log(exp(x1) + exp(x2)) without overflow."""
        first, second = self.pair(x1, x2)
        large = self.maximum(first, second)
        gap = self.negative(self.abs(self.subtract(first, second)))
        apart = self.add(large, self.log1p(self.exp(gap)))
        same = self.equal(first, second)  # also two equal infinities
        return self.where(same, self.add(large, math.log(2)), apart)

    @derived(NUMERIC)
    def conj(self, x: H, /) -> H:
        """The complex conjugate; a real element is its own."""
        self.only_real("conj", x)
        return x

    @derived(NUMERIC)
    def real(self, x: H, /) -> H:
        """The real part; a real element is its own."""
        self.only_real("real", x)
        return x

    @derived(COMPLEX)
    def imag(self, x: H, /) -> H:
        """The imaginary part of a complex element."""
        raise UnsupportedOpError(f"the backend {self.name} has no complex dtypes.")

    def _promoted(self, x1: H | Scalar, x2: H | Scalar) -> tuple[H, H]:
        """Both operands as handles of the dtype that they promote to."""
        first, second = self.pair(x1, x2)
        dtype = promote(self.dtype(first), self.dtype(second))
        return self.astype(first, dtype=dtype), self.astype(second, dtype=dtype)
