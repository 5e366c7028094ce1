"""The error function, and the normal distribution that it gives."""

import math
from typing import Any, TypeVar

from trivet.contract.coefficients import (
    ERF_NEAR,
    ERFC_FAR,
    ERFC_MID,
    QUANTILE_CENTRE,
    QUANTILE_FAR,
    QUANTILE_TAIL,
)
from trivet.contract.device import Device
from trivet.contract.nn import Nn
from trivet.contract.table import derived
from trivet.dtypes import (
    REAL_FLOATING,
    DType,
    Scalar,
    float32,
    float64,
    promote_all,
)

__all__ = ["Normal"]

H = TypeVar("H")
Pair = tuple[tuple[float, ...], tuple[float, ...]]
_NEAR = 0.46875  # where Cody's approximations meet
_NUMBERS = {bool, int, float}
_ROOT2 = math.sqrt(2)


class Normal(Nn[H], family="special"):
    """Every body computes in float64 where the device has it, and rounds once."""

    def precise(self, *operands: H | Scalar) -> tuple[list[H], DType]:
        """The operands in the most precise dtype, and the dtype of the result."""
        # no subclass of a number: NumPy's float64 can be a handle
        given: list[Any] = [x for x in operands if x.__class__ not in _NUMBERS]
        dtype = promote_all(self.dtype(x) for x in given)
        device = self.device(given[0])
        wide = float64 if float64 in self.dtypes(device) else dtype
        wide = float32 if wide.bits == 16 else wide
        return [self._as_precise(x, wide, device) for x in operands], dtype

    def _as_precise(self, x: Any, dtype: DType, device: Device) -> H:
        is_number = x.__class__ in _NUMBERS
        if not is_number:
            return self.cast(x, dtype)
        return self.full(shape=(), fill_value=x, dtype=dtype, device=device)

    def polynomial(self, x: H, coefficients: tuple[float, ...]) -> H:
        """The polynomial of `x`, by Horner's rule, highest power first."""
        first, *others = coefficients
        total = self.filled_like(x, first, ())
        for c in others:
            total = self.add(self.multiply(total, x), c)
        return total

    def ratio(self, x: H, pair: Pair) -> H:
        """The quotient of two polynomials of `x`."""
        over, under = pair
        return self.divide(self.polynomial(x, over), self.polynomial(x, under))

    @derived(REAL_FLOATING)
    def erf(self, x: H, /) -> H:
        """The error function. The body's relative error is below 4e-16 in float64.

        Cody's rational approximations (Mathematics of Computation 23, 1969).
        """
        (x,), dtype = self.precise(x)
        size = self.abs(x)
        far = self.copysign(self.subtract(1, self._erfc_far(size)), x)
        near = self.less(size, _NEAR)
        return self.cast(self.where(near, self._erf_near(x), far), dtype)

    @derived(REAL_FLOATING)
    def erfc(self, x: H, /) -> H:
        """1 - erf(x), exact to the end: the relative error is below 2e-15."""
        (x,), dtype = self.precise(x)
        size = self.abs(x)
        tail = self._erfc_far(size)
        tail = self.where(self.less(x, 0), self.subtract(2, tail), tail)
        near = self.subtract(1, self._erf_near(x))
        return self.cast(self.where(self.less(size, _NEAR), near, tail), dtype)

    def _erf_near(self, x: H) -> H:
        small = self.clip(x, -_NEAR, _NEAR)
        return self.multiply(small, self.ratio(self.square(small), ERF_NEAR))

    def _erfc_far(self, size: H) -> H:
        """erfc of `size`, from 0.46875 on."""
        most = self.minimum(size, 30)  # past it the exponential is 0
        # a square of a multiple of 1/16 is exact, so its exponential is precise
        head = self.divide(self.floor(self.multiply(most, 16)), 16)
        rest = self.multiply(self.subtract(most, head), self.add(most, head))
        decay = self.multiply(
            self.exp(self.negative(self.square(head))), self.exp(self.negative(rest))
        )
        return self.multiply(decay, self._erfcx(size))

    def _erfcx(self, size: H) -> H:
        """exp(x**2) erfc(x), from 0.46875 on."""
        mid = self.ratio(self.clip(size, _NEAR, 4), ERFC_MID)
        large = self.maximum(size, 4)
        inverse = self.square(self.reciprocal(large))
        less = self.multiply(inverse, self.ratio(inverse, ERFC_FAR))
        far = self.divide(self.subtract(1 / math.sqrt(math.pi), less), large)
        return self.where(self.less(size, 4), mid, far)

    @derived(REAL_FLOATING)
    def erfinv(self, x: H, /) -> H:
        """The inverse of erf; infinite at -1 and 1, NaN outside.

        Wichura's AS 241 (Applied Statistics 37, 1988): the relative error is below
        1e-15.
        """
        (x,), dtype = self.precise(x)
        tail = self.multiply(self.subtract(1, self.abs(x)), 0.5)
        found = self._quantile(self.multiply(x, 0.5), tail)
        return self.cast(self.divide(found, _ROOT2), dtype)

    @derived(REAL_FLOATING)
    def ndtr(self, x: H, /) -> H:
        """The normal distribution function: erfc(-x / sqrt(2)) / 2.

        The relative error grows as x**2 eps towards the left end.
        """
        (x,), dtype = self.precise(x)
        whole = self.erfc(self.divide(x, -_ROOT2))
        return self.cast(self.multiply(whole, 0.5), dtype)

    @derived(REAL_FLOATING)
    def log_ndtr(self, x: H, /) -> H:
        """log(ndtr(x)), also where ndtr(x) is 0.

        The relative error is below 2e-15 up to x = 1, and below 1e-14 up to 10.
        """
        (x,), dtype = self.precise(x)
        away = self.divide(self.maximum(self.negative(x), 1), _ROOT2)
        left = self.subtract(
            self.log(self.multiply(self._erfcx(away), 0.5)), self.square(away)
        )
        upper = self.erfc(self.divide(self.maximum(x, -1), _ROOT2))
        right = self.log1p(self.multiply(upper, -0.5))
        return self.cast(self.where(self.less(x, -1), left, right), dtype)

    @derived(REAL_FLOATING)
    def ndtri(self, x: H, /) -> H:
        """The inverse of ndtr, the normal quantile; infinite at 0 and 1, NaN outside.

        Wichura's AS 241: the relative error is below 2e-15, beside that of p - 1/2.
        """
        (x,), dtype = self.precise(x)
        tail = self.minimum(x, self.subtract(1, x))
        return self.cast(self._quantile(self.subtract(x, 0.5), tail), dtype)

    def _quantile(self, q: H, tail: H) -> H:
        """The quantile of 1/2 + q, where `tail` is the smaller of it and its rest."""
        r = self.subtract(0.180625, self.square(self.clip(q, -0.425, 0.425)))
        centre = self.multiply(q, self.ratio(r, QUANTILE_CENTRE))
        inside = self.less(0, tail)
        r = self.sqrt(self.negative(self.log(self.where(inside, tail, 0.1))))
        mid = self.ratio(self.subtract(self.minimum(r, 5), 1.6), QUANTILE_TAIL)
        far = self.ratio(self.subtract(self.maximum(r, 5), 5), QUANTILE_FAR)
        outer = self.where(self.less(r, 5), mid, far)
        edge = self.where(
            self.equal(tail, 0), math.inf, self.filled_like(q, math.nan, ())
        )
        outer = self.copysign(self.where(inside, outer, edge), q)
        return self.where(self.less_equal(self.abs(q), 0.425), centre, outer)
