"""Logic on complex numbers, for which CuPy has no loops."""

from trivet.dtypes import Scalar
from trivet_cuda.data import Array, Data

__all__ = ["Comparison"]


class Comparison(Data):
    """A complex element is true when it is not zero, as in the contract's bodies."""

    def logical_not(self, x: Array, /) -> Array:
        return self.xp.logical_not(self._loops(x))

    def logical_and(self, x1: Array | Scalar, x2: Array | Scalar, /) -> Array:
        return self.xp.logical_and(self._loops(x1), self._loops(x2))

    def logical_or(self, x1: Array | Scalar, x2: Array | Scalar, /) -> Array:
        return self.xp.logical_or(self._loops(x1), self._loops(x2))

    def logical_xor(self, x1: Array | Scalar, x2: Array | Scalar, /) -> Array:
        return self.xp.logical_xor(self._loops(x1), self._loops(x2))

    def _loops(self, x: Array | Scalar) -> Array | Scalar:
        """The operand itself, or its truth where CuPy has no loop for its dtype."""
        if isinstance(x, complex):
            return x != 0
        complex_array = hasattr(x, "dtype") and x.dtype.kind == "c"
        return self.truth(x) if complex_array else x
