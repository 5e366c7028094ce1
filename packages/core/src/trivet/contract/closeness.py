"""Whether numbers are close, and numbers in place of what is none."""

import math
from typing import TypeVar

from trivet.contract.nanreduction import NanReduction
from trivet.contract.table import derived
from trivet.dtypes import ANY, COMPLEX, Scalar, float32, float64, promote

__all__ = ["Closeness"]

H = TypeVar("H")


class Closeness(NanReduction[H], family="closeness"):
    """Integers are compared as floats, so that differences do not wrap."""

    @derived(ANY, constant="boolean result")
    def isclose(
        self,
        x1: H | Scalar,
        x2: H | Scalar,
        /,
        *,
        rtol: float,
        atol: float,
        equal_nan: bool,
    ) -> H:
        """Whether abs(x1 - x2) <= atol + rtol * abs(x2), or the two are equal."""
        first, second = self.pair(x1, x2)
        same = self.equal(first, second)
        if equal_nan and self.is_floating(first) and self.is_floating(second):
            same = self.logical_or(
                same, self.logical_and(self.isnan(first), self.isnan(second))
            )
        a, b = self._as_floats(first), self._as_floats(second)
        finite = self.logical_and(self.isfinite(a), self.isfinite(b))
        a, b = self.where(finite, a, 0), self.where(finite, b, 0)
        bound = self.add(self.multiply(self.abs(b), rtol), atol)
        near = self.less_equal(self.abs(self.subtract(a, b)), bound)
        return self.logical_or(same, self.logical_and(finite, near))

    def _as_floats(self, x: H) -> H:
        """Fit for a bound: float32 at least, and not integers, which may wrap."""
        dtype, device = self.dtype(x), self.device(x)
        if dtype.kind in COMPLEX:
            return x
        wide = float64 if float64 in self.dtypes(device) else float32
        return self.cast(x, promote(dtype, float32) if self.is_floating(x) else wide)

    @derived(ANY)
    def nan_to_num(self, x: H, /, *, nan: float, posinf: float, neginf: float) -> H:
        """The elements with these numbers for NaN and the infinities.

        Of a complex element, in both parts.
        """
        if not self.is_floating(x):
            return x
        if self.dtype(x).kind in COMPLEX:
            parts = [
                self.nan_to_num(part, nan=nan, posinf=posinf, neginf=neginf)
                for part in (self.real(x), self.imag(x))
            ]
            return self.add(parts[0], self.multiply(parts[1], 1j))
        low, lost = self.equal(x, -math.inf), self.isnan(x)
        x = self.where(self.equal(x, math.inf), posinf, x)
        return self.where(lost, nan, self.where(low, neginf, x))
