"""Comparisons, logic and selection: what gives or takes truth values."""

import math
from typing import TypeVar

from trivet.contract.data import Data
from trivet.contract.table import derived, required
from trivet.dtypes import ANY, NUMERIC, REAL, DType, Scalar
from trivet.errors import UnsupportedOpError

__all__ = ["Comparison"]

H = TypeVar("H")


class Comparison(Data[H], family="comparison"):
    """Ops with boolean results, and `where`, which consumes them."""

    @required(ANY, constant="boolean result")
    def equal(self, x1: H | Scalar, x2: H | Scalar, /) -> H:
        """Whether elements are equal; NaN equals nothing."""
        raise NotImplementedError

    @required(REAL, constant="boolean result")
    def less(self, x1: H | Scalar, x2: H | Scalar, /) -> H:
        """Whether `x1 < x2`; false where either is NaN."""
        raise NotImplementedError

    @required(ANY)
    def where(self, condition: H, x1: H | Scalar, x2: H | Scalar, /) -> H:
        """`x1` where `condition` holds, `x2` elsewhere; at least one is a handle."""
        raise NotImplementedError

    @derived(ANY, constant="boolean result")
    def not_equal(self, x1: H | Scalar, x2: H | Scalar, /) -> H:
        """Whether elements differ; NaN differs from everything."""
        return self.logical_not(self.equal(x1, x2))

    @derived(REAL, constant="boolean result")
    def greater(self, x1: H | Scalar, x2: H | Scalar, /) -> H:
        """Whether `x1 > x2`; false where either is NaN."""
        return self.less(x2, x1)

    @derived(REAL, constant="boolean result")
    def less_equal(self, x1: H | Scalar, x2: H | Scalar, /) -> H:
        """Whether `x1 <= x2`; false where either is NaN."""
        return self.logical_or(self.less(x1, x2), self.equal(x1, x2))

    @derived(REAL, constant="boolean result")
    def greater_equal(self, x1: H | Scalar, x2: H | Scalar, /) -> H:
        """Whether `x1 >= x2`; false where either is NaN."""
        return self.less_equal(x2, x1)

    def truth(self, x: H, /) -> H:
        """The handle as booleans: which elements are not zero."""
        if self.dtype(x).kind == "bool":
            return x
        return self.not_equal(x, 0)

    def only_real(self, op: str, x: H, /) -> DType:
        """The dtype of `x`, for a body that holds for real dtypes alone.

        Raises `UnsupportedOpError` if it is complex.
        """
        dtype = self.dtype(x)
        if dtype.kind == "complex floating":
            raise UnsupportedOpError(
                f"the backend {self.name} has no op {op} for complex dtypes."
            )
        return dtype

    @derived(ANY, constant="boolean result")
    def logical_not(self, x: H, /) -> H:
        """Which elements are false, or zero."""
        return self.equal(x, False if self.dtype(x).kind == "bool" else 0)

    @derived(ANY, constant="boolean result")
    def logical_and(self, x1: H | Scalar, x2: H | Scalar, /) -> H:
        """Whether both are true."""
        first, second = self.pair(x1, x2)
        return self.where(self.truth(first), self.truth(second), False)

    @derived(ANY, constant="boolean result")
    def logical_or(self, x1: H | Scalar, x2: H | Scalar, /) -> H:
        """Whether either is true."""
        first, second = self.pair(x1, x2)
        return self.where(self.truth(first), True, self.truth(second))

    @derived(ANY, constant="boolean result")
    def logical_xor(self, x1: H | Scalar, x2: H | Scalar, /) -> H:
        """Whether exactly one is true."""
        first, second = self.pair(x1, x2)
        return self.not_equal(self.truth(first), self.truth(second))

    @derived(NUMERIC, constant="boolean result")
    def isnan(self, x: H, /) -> H:
        """Which elements are NaN."""
        return self.not_equal(x, x)

    @derived(NUMERIC, constant="boolean result")
    def isinf(self, x: H, /) -> H:
        """Which elements are infinite, in either part if complex."""
        if self.only_real("isinf", x).kind != "real floating":
            return self.not_equal(x, x)
        return self.logical_or(self.equal(x, math.inf), self.equal(x, -math.inf))

    @derived(NUMERIC, constant="boolean result")
    def isfinite(self, x: H, /) -> H:
        """Which elements are neither NaN nor infinite."""
        return self.logical_not(self.logical_or(self.isnan(x), self.isinf(x)))
