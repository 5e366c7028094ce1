"""Special functions by `cupyx.scipy.special`, where it keeps the contract's promises.

Where it does not, the contract's bodies stay. `i0e` and `i1e` overflow with the
function that they scale; `logit`, `kl_div` and `rel_entr` lose the digits of numbers
that are near each other; `xlog1py` loses a NaN next to 0; `polygamma` counts up to 9
from large negative numbers, one by one.
"""

import math
from functools import cached_property

from trivet.dtypes import Scalar, promote_all
from trivet_cuda.data import Array, Data
from trivet_cuda.library import Library, special

__all__ = ["Special"]


class Special(Data):
    """One kernel instead of dozens, and no test on the host of what has converged.

    16-bit floats are computed in float32.
    """

    @cached_property
    def _special(self) -> Library:
        return special()

    def _by_cupyx(self, op: str, *operands: Array | Scalar) -> Array:
        known = [self.dtype(x) for x in operands if hasattr(x, "dtype")]
        fitting = [self._fitted(x) for x in operands]
        return self.cast(getattr(self._special, op)(*fitting), promote_all(known))

    def _fitted(self, x: Array) -> Array:
        half = hasattr(x, "dtype") and x.dtype.itemsize == 2
        return x.astype(self.xp.float32) if half else x

    def digamma(self, x: Array, /) -> Array:
        return self._by_cupyx("digamma", x)

    def entr(self, x: Array, /) -> Array:
        return self._by_cupyx("entr", x)

    def erf(self, x: Array, /) -> Array:
        return self._by_cupyx("erf", x)

    def erfc(self, x: Array, /) -> Array:
        return self._by_cupyx("erfc", x)

    def erfinv(self, x: Array, /) -> Array:
        return self._by_cupyx("erfinv", x)

    def exprel(self, x: Array, /) -> Array:
        # CuPy divides one infinity by the other
        return self.xp.where(x == math.inf, x, self._by_cupyx("exprel", x))

    def gammaln(self, x: Array, /) -> Array:
        # CuPy has -inf at -inf, where C's lgamma is infinite
        return self.xp.where(
            x == -math.inf, self.xp.abs(x), self._by_cupyx("gammaln", x)
        )

    def i0(self, x: Array, /) -> Array:
        return self._by_cupyx("i0", x)

    def i1(self, x: Array, /) -> Array:
        return self._by_cupyx("i1", x)

    def log_ndtr(self, x: Array, /) -> Array:
        return self._by_cupyx("log_ndtr", x)

    def ndtr(self, x: Array, /) -> Array:
        return self._by_cupyx("ndtr", x)

    def ndtri(self, x: Array, /) -> Array:
        return self._by_cupyx("ndtri", x)

    def sinc(self, x: Array, /) -> Array:
        return self._by_cupyx("sinc", x)

    def beta(self, x1: Array | Scalar, x2: Array | Scalar, /) -> Array:
        return self._by_cupyx("beta", x1, x2)

    def betaln(self, x1: Array | Scalar, x2: Array | Scalar, /) -> Array:
        return self._by_cupyx("betaln", x1, x2)

    def gammainc(self, x1: Array | Scalar, x2: Array | Scalar, /) -> Array:
        return self._by_cupyx("gammainc", x1, x2)

    def gammaincc(self, x1: Array | Scalar, x2: Array | Scalar, /) -> Array:
        return self._by_cupyx("gammaincc", x1, x2)

    def xlogy(self, x1: Array | Scalar, x2: Array | Scalar, /) -> Array:
        return self._by_cupyx("xlogy", x1, x2)

    def betainc(
        self, x1: Array | Scalar, x2: Array | Scalar, x3: Array | Scalar, /
    ) -> Array:
        return self._by_cupyx("betainc", x1, x2, x3)
