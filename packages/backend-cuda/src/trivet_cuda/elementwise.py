"""Floating-point division with remainder, where CuPy rounds the quotient first.

CuPy has `floor(x1 / x2)` and `x1 - floor(x1 / x2) * x2`: off by one where the quotient
rounds up to an integer, and NaN for an infinite divisor.
"""

from trivet.dtypes import Scalar
from trivet_cuda.data import Array, Data

__all__ = ["Elementwise"]


class Elementwise(Data):
    """Both stand on `fmod`, which is exact. Integers take CuPy's own loops."""

    def remainder(self, x1: Array | Scalar, x2: Array | Scalar, /) -> Array:
        if not self._floats(x1, x2):
            return self.xp.remainder(x1, x2)
        first, second = self.pair(x1, x2)
        rest, borrow = self._fmod(first, second)
        rest = self.xp.where(borrow, rest + second, rest)
        zero = self.xp.copysign(0 * rest, second)
        return self.xp.where(rest == 0, zero, rest)

    def floor_divide(self, x1: Array | Scalar, x2: Array | Scalar, /) -> Array:
        if not self._floats(x1, x2):
            return self.xp.floor_divide(x1, x2)
        first, second = self.pair(x1, x2)
        rest, borrow = self._fmod(first, second)
        exact = (first - rest) / second  # a whole number, but for its last bit
        whole = self.xp.rint(self.xp.where(borrow, exact - 1, exact))
        quotient = first / second
        zero = self.xp.copysign(0 * whole, quotient)
        whole = self.xp.where(whole == 0, zero, whole)
        return self.xp.where(second == 0, quotient, whole)

    def divmod(self, x1: Array | Scalar, x2: Array | Scalar, /) -> tuple[Array, Array]:
        return self.floor_divide(x1, x2), self.remainder(x1, x2)

    def _floats(self, x1: Array | Scalar, x2: Array | Scalar) -> bool:
        return any(
            isinstance(x, float) or (hasattr(x, "dtype") and x.dtype.kind == "f")
            for x in (x1, x2)
        )

    def _fmod(self, x1: Array, x2: Array) -> tuple[Array, Array]:
        """C's remainder, with the sign of `x1`, and where `x2` has the other sign."""
        rest = self.xp.fmod(x1, x2)
        return rest, (rest != 0) & ((rest < 0) != (x2 < 0))
