"""Operations on the bits of integers and on booleans."""

from typing import TypeVar

from trivet.contract.table import derived, required
from trivet.contract.trigonometric import Trigonometric
from trivet.dtypes import BITS, INTEGRAL, Scalar

__all__ = ["Bitwise"]

H = TypeVar("H")


class Bitwise(Trigonometric[H], family="bitwise"):
    """Ops on bits; booleans are one bit wide."""

    @required(BITS, constant="integer operands")
    def bitwise_and(self, x1: H | Scalar, x2: H | Scalar, /) -> H:
        """The bits set in both."""
        raise NotImplementedError

    @required(BITS, constant="integer operands")
    def bitwise_xor(self, x1: H | Scalar, x2: H | Scalar, /) -> H:
        """The bits set in exactly one."""
        raise NotImplementedError

    @derived(BITS, constant="integer operands")
    def bitwise_or(self, x1: H | Scalar, x2: H | Scalar, /) -> H:
        """The bits set in either."""
        both = self.bitwise_and(x1, x2)
        return self.bitwise_xor(self.bitwise_xor(x1, x2), both)

    @derived(BITS, constant="integer operands")
    def bitwise_invert(self, x: H, /) -> H:
        """Every bit flipped."""
        kind = self.dtype(x).kind
        if kind == "bool":
            return self.logical_not(x)
        if kind == "signed integer":
            return self.bitwise_xor(x, -1)
        return self.bitwise_xor(x, 2 ** self.dtype(x).bits - 1)

    @derived(INTEGRAL, constant="integer operands")
    def bitwise_left_shift(self, x1: H | Scalar, x2: H | Scalar, /) -> H:
        """`x1` shifted left by `x2` bits; bits pushed out are lost."""
        number, low, high = self._shift(x1, x2)
        return self.multiply(self.multiply(number, low), high)

    @derived(INTEGRAL, constant="integer operands")
    def bitwise_right_shift(self, x1: H | Scalar, x2: H | Scalar, /) -> H:
        """`x1` shifted right by `x2` bits; the sign is kept."""
        number, low, high = self._shift(x1, x2)
        return self.floor_divide(self.floor_divide(number, low), high)

    def _shift(self, x1: H | Scalar, x2: H | Scalar) -> tuple[H, H, H]:
        """The number to shift, and two powers of two that shift it when it meets both.

        In one piece 2**63 would not fit int64.
        """
        number, count = self._promoted(x1, x2)
        count = self.minimum(
            count, self.dtype(count).bits
        )  # a longer shift does no more
        half = self.floor_divide(count, 2)
        return number, self.pow(2, half), self.pow(2, self.subtract(count, half))
