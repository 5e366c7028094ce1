"""Bits. Python's integers are two's complement of any width, so nothing overflows."""

import operator

from trivet_example.elementwise import Elementwise, Operand
from trivet_example.grid import Grid

__all__ = ["Bitwise"]


class Bitwise(Elementwise):
    """Python's `&` and `^` give a bool for two bools, as the contract wants it."""

    def bitwise_and(self, x1: Operand, x2: Operand, /) -> Grid:
        return self.combine("bitwise_and", operator.and_, x1, x2)

    def bitwise_xor(self, x1: Operand, x2: Operand, /) -> Grid:
        return self.combine("bitwise_xor", operator.xor, x1, x2)
