"""Three functions of angles; the contract derives the other ones from them."""

import math

from trivet_example import real
from trivet_example.data import Data
from trivet_example.grid import Grid

__all__ = ["Trigonometric"]


class Trigonometric(Data):
    """Angles in radians."""

    def sin(self, x: Grid, /) -> Grid:
        return self.each("sin", real.sin, x)

    def cos(self, x: Grid, /) -> Grid:
        return self.each("cos", real.cos, x)

    def atan(self, x: Grid, /) -> Grid:
        return self.each("atan", math.atan, x)
