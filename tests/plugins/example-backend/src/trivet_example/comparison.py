"""Comparisons and selection."""

import operator
from collections.abc import Callable
from typing import Any

from trivet.dtypes import bool as boolean
from trivet.dtypes import promote
from trivet.shapes import broadcast
from trivet_example.data import Data
from trivet_example.elementwise import Operand
from trivet_example.grid import Grid
from trivet_example.numbers import cast
from trivet_example.shape import spread

__all__ = ["Comparison"]


class Comparison(Data):
    """Python compares numbers of different types exactly: nothing is cast first."""

    def equal(self, x1: Operand, x2: Operand, /) -> Grid:
        return self._compare("equal", operator.eq, x1, x2)

    def less(self, x1: Operand, x2: Operand, /) -> Grid:
        return self._compare("less", operator.lt, x1, x2)

    def _compare(
        self, op: str, function: Callable[[Any, Any], bool], x1: Operand, x2: Operand
    ) -> Grid:
        first, second = self.pair(x1, x2)
        self.take_kinds(op, promote(first.dtype, second.dtype))
        shape = broadcast(op, first.shape, second.shape)
        a = spread(first.data, first.shape, shape)
        b = spread(second.data, second.shape, shape)
        return Grid(list(map(function, a, b)), shape, boolean, first.device)

    def where(self, condition: Grid, x1: Operand, x2: Operand, /) -> Grid:
        first, second = self.pair(x1, x2)
        dtype = promote(first.dtype, second.dtype)
        shape = broadcast("where", condition.shape, first.shape, second.shape)
        chosen = spread(condition.data, condition.shape, shape)
        a = spread(cast(first.data, first.dtype, dtype), first.shape, shape)
        b = spread(cast(second.data, second.dtype, dtype), second.shape, shape)
        data = [y if c else z for c, y, z in zip(chosen, a, b, strict=True)]
        return Grid(data, shape, dtype, condition.device)
