"""Special functions by SciPy where it is installed, otherwise by the contract's bodies.

SciPy is not required, and imported when a special function is first called.
"""

from functools import cache
from types import ModuleType
from typing import Any

import numpy as np

from trivet.contract import OPS
from trivet.dtypes import Scalar, promote_all
from trivet_ndarray.data import Array, Data

__all__ = ["Special"]


@cache
def scipy_special() -> ModuleType | None:
    """The module `scipy.special`, or `None` where SciPy is not installed."""
    try:
        import scipy.special
    except ImportError:
        return None
    return scipy.special  # type: ignore[no-any-return]


class Special(Data):
    """One pass over memory instead of dozens; the results agree to SciPy's digits."""

    def _by_scipy(self, op: str, *operands: Array | Scalar) -> Array:
        found = scipy_special()
        if found is None:
            return self._by_body(op, *operands)
        known = [self.dtype(x) for x in operands if hasattr(x, "dtype")]
        fitting = [_fit(x) for x in operands]
        return self.cast(getattr(found, op)(*fitting), promote_all(known))

    def _by_body(self, op: str, *operands: Array | Scalar, **statics: int) -> Array:
        with np.errstate(all="ignore"):  # SciPy is silent too
            return OPS[op].function(self, *operands, **statics)

    def digamma(self, x: Array, /) -> Array:
        return self._by_scipy("digamma", x)

    def entr(self, x: Array, /) -> Array:
        return self._by_scipy("entr", x)

    def erf(self, x: Array, /) -> Array:
        return self._by_scipy("erf", x)

    def erfc(self, x: Array, /) -> Array:
        return self._by_scipy("erfc", x)

    def erfinv(self, x: Array, /) -> Array:
        return self._by_scipy("erfinv", x)

    def exprel(self, x: Array, /) -> Array:
        return self._by_scipy("exprel", x)

    def gammaln(self, x: Array, /) -> Array:
        return self._by_scipy("gammaln", x)

    def i0(self, x: Array, /) -> Array:
        # SciPy makes NaN of the infinities
        return np.where(np.isinf(x), np.abs(x), self._by_scipy("i0", x))

    def i0e(self, x: Array, /) -> Array:
        return self._by_scipy("i0e", x)

    def i1(self, x: Array, /) -> Array:
        # SciPy makes NaN of the infinities
        return np.where(np.isinf(x), x, self._by_scipy("i1", x))

    def i1e(self, x: Array, /) -> Array:
        return self._by_scipy("i1e", x)

    def log_ndtr(self, x: Array, /) -> Array:
        return self._by_scipy("log_ndtr", x)

    def logit(self, x: Array, /) -> Array:
        return self._by_scipy("logit", x)

    def ndtr(self, x: Array, /) -> Array:
        return self._by_scipy("ndtr", x)

    def ndtri(self, x: Array, /) -> Array:
        return self._by_scipy("ndtri", x)

    def sinc(self, x: Array, /) -> Array:
        x, dtype = self.widened(x)
        angle = np.asarray(x * self.scalar(x, np.pi))
        zero = angle == 0
        angle[zero] = 1
        ratio = np.asarray(np.sin(angle))
        ratio /= angle
        ratio[zero] = 1
        return self.cast(ratio, dtype)

    def beta(self, x1: Array | Scalar, x2: Array | Scalar, /) -> Array:
        return self._by_scipy("beta", x1, x2)

    def betaln(self, x1: Array | Scalar, x2: Array | Scalar, /) -> Array:
        # SciPy subtracts large logarithms: 1e-11 is lost beside an operand of 1e4
        return self._by_body("betaln", x1, x2)

    def gammainc(self, x1: Array | Scalar, x2: Array | Scalar, /) -> Array:
        return self._by_scipy("gammainc", x1, x2)

    def gammaincc(self, x1: Array | Scalar, x2: Array | Scalar, /) -> Array:
        return self._by_scipy("gammaincc", x1, x2)

    def kl_div(self, x1: Array | Scalar, x2: Array | Scalar, /) -> Array:
        return self._by_scipy("kl_div", x1, x2)

    def rel_entr(self, x1: Array | Scalar, x2: Array | Scalar, /) -> Array:
        return self._by_scipy("rel_entr", x1, x2)

    def xlog1py(self, x1: Array | Scalar, x2: Array | Scalar, /) -> Array:
        return self._by_scipy("xlog1py", x1, x2)

    def xlogy(self, x1: Array | Scalar, x2: Array | Scalar, /) -> Array:
        return self._by_scipy("xlogy", x1, x2)

    def betainc(
        self, x1: Array | Scalar, x2: Array | Scalar, x3: Array | Scalar, /
    ) -> Array:
        return self._by_scipy("betainc", x1, x2, x3)

    def polygamma(self, x: Array, /, *, n: int) -> Array:
        found = scipy_special()
        if found is None:
            return self._by_body("polygamma", x, n=n)
        return self.cast(found.polygamma(n, _fit(x)), self.dtype(x))


def _fit(x: Any) -> Any:
    """16-bit floats as float32: SciPy knows no others."""
    if hasattr(x, "dtype") and x.dtype.itemsize == 2:
        return x.astype(np.float32)
    return x
