"""Arithmetic on elements. A Python number arrives as it is; `pair` makes it a grid."""

import operator
from collections.abc import Callable
from typing import Any

from trivet.dtypes import INTEGRAL, DType, Scalar, float64, promote
from trivet.shapes import broadcast
from trivet_example import real
from trivet_example.data import Data
from trivet_example.grid import Grid, Values
from trivet_example.numbers import cast, fit
from trivet_example.shape import spread

__all__ = ["Elementwise", "aligned"]

Operand = Grid | Scalar


class Elementwise(Data):
    """Integers are computed exactly and wrapped, floats in double precision."""

    def add(self, x1: Operand, x2: Operand, /) -> Grid:
        return self.combine("add", operator.add, x1, x2)

    def subtract(self, x1: Operand, x2: Operand, /) -> Grid:
        return self.combine("subtract", operator.sub, x1, x2)

    def multiply(self, x1: Operand, x2: Operand, /) -> Grid:
        return self.combine("multiply", operator.mul, x1, x2)

    def divide(self, x1: Operand, x2: Operand, /) -> Grid:
        first, second = self.pair(x1, x2)
        if promote(first.dtype, second.dtype).kind in INTEGRAL:
            first = self.astype(first, dtype=float64)
        return self.combine("divide", real.divide, first, second)

    def floor_divide(self, x1: Operand, x2: Operand, /) -> Grid:
        return self.combine(
            "floor_divide", real.floor_divide, x1, x2, integers=_whole_quotient
        )

    def remainder(self, x1: Operand, x2: Operand, /) -> Grid:
        return self.combine(
            "remainder", real.remainder, x1, x2, integers=_whole_remainder
        )

    def pow(self, x1: Operand, x2: Operand, /) -> Grid:
        return self.combine("pow", real.power, x1, x2, integers=_whole_power)

    def exp(self, x: Grid, /) -> Grid:
        return self.each("exp", real.exp, x)

    def log(self, x: Grid, /) -> Grid:
        return self.each("log", real.log, x)

    def sqrt(self, x: Grid, /) -> Grid:
        return self.each("sqrt", real.sqrt, x)

    def floor(self, x: Grid, /) -> Grid:
        return x if x.dtype.kind in INTEGRAL else self.each("floor", real.floor, x)

    def combine(
        self,
        op: str,
        function: Callable[[Any, Any], Any],
        x1: Operand,
        x2: Operand,
        *,
        integers: Callable[[int, int], int] | None = None,
    ) -> Grid:
        """`function` of the elements at each place, or `integers` for integers."""
        first, second = self.pair(x1, x2)
        dtype = promote(first.dtype, second.dtype)
        self.take_kinds(op, dtype)
        if integers and dtype.kind in INTEGRAL:
            function = integers
        shape, a, b = aligned(op, dtype, first, second)
        return Grid(fit(list(map(function, a, b)), dtype), shape, dtype, first.device)


def aligned(
    op: str, dtype: DType, first: Grid, second: Grid
) -> tuple[tuple[int, ...], Values, Values]:
    """The shape that both broadcast to, and both operands' elements in it."""
    shape = broadcast(op, first.shape, second.shape)
    a = spread(cast(first.data, first.dtype, dtype), first.shape, shape)
    b = spread(cast(second.data, second.dtype, dtype), second.shape, shape)
    return shape, a, b


def _whole_quotient(a: int, b: int) -> int:
    return a // b if b else 0  # hardware leaves it open; NumPy gives 0


def _whole_remainder(a: int, b: int) -> int:
    return a % b if b else 0


def _whole_power(a: int, b: int) -> int:
    if b < 0:
        raise ValueError("an integer to a negative power is not an integer")
    return pow(a, b, 2**64)  # the lowest 64 bits: all that any dtype keeps
