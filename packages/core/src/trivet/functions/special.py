"""Special functions: error, gamma, beta and Bessel functions.

Users reach them as `tv.special.<name>`; names and meanings are those of scipy.special,
and SciPy itself finds them there. All take real floating tensors; those of two operands
broadcast, and take a Python number for either. Another dtype raises `DTypeError`.
"""

from typing import Any, SupportsIndex, TypeVar

from trivet.arguments import integer
from trivet.contract import Backend
from trivet.dispatch import call, require_kind, require_tensor
from trivet.dtypes import REAL_FLOATING, promote_all
from trivet.errors import ArgumentError
from trivet.failures import wrong_dtype
from trivet.tensor import Tensor

__all__ = [
    "beta",
    "betainc",
    "betaln",
    "digamma",
    "erf",
    "erfc",
    "erfinv",
    "exprel",
    "gammainc",
    "gammaincc",
    "gammaln",
    "i0",
    "i0e",
    "i1",
    "i1e",
    "polygamma",
    "psi",
    "sinc",
    "xlog1py",
    "xlogy",
]

B = TypeVar("B", bound=Backend[Any])


def call_real(op: str, *operands: Any) -> Tensor[Any]:
    """The op on operands whose dtypes promote to a real floating one."""
    tensors = [x for x in operands if x.__class__ is Tensor] or operands
    require_tensor(op, *tensors)
    dtype = promote_all(x.dtype for x in tensors)
    if dtype.kind not in REAL_FLOATING:
        raise wrong_dtype(op, dtype)
    return call(op, *operands)


def beta(x1: Tensor[B] | float, x2: Tensor[B] | float, /) -> Tensor[B]:
    """gamma(x1) gamma(x2) / gamma(x1 + x2). DLMF 5.12.1.

    >>> import trivet as tv
    >>> tv.special.beta(tv.asarray([2.0]), 1.0).tolist()
    [0.5]
    """
    return call_real("beta", x1, x2)


def betainc(
    x1: Tensor[B] | float, x2: Tensor[B] | float, x3: Tensor[B] | float, /
) -> Tensor[B]:
    """The regularised incomplete beta function I(x1, x2; x3). DLMF 8.17.2.

    x1 and x2 are the parameters, x3 the upper limit. NaN outside the domain. It has
    gradients by all three.

    >>> import trivet as tv
    >>> tv.special.betainc(1.0, 1.0, tv.asarray([0.0, 0.5, 1.0])).tolist()
    [0.0, 0.5, 1.0]
    """
    return call_real("betainc", x1, x2, x3)


def betaln(x1: Tensor[B] | float, x2: Tensor[B] | float, /) -> Tensor[B]:
    """log(|beta(x1, x2)|), without overflow.

    >>> import trivet as tv
    >>> tv.special.betaln(tv.asarray([1.0]), 1.0).tolist()
    [0.0]
    """
    return call_real("betaln", x1, x2)


def digamma(x: Tensor[B], /) -> Tensor[B]:
    """The derivative of log(gamma(x)); -inf at 0, NaN at the negative integers.

    DLMF 5.2.2. The error is about that of one rounding, near the zero at 1.46 too.

    >>> import trivet as tv
    >>> tv.special.digamma(tv.asarray([1.0], dtype=tv.float64)).item()
    -0.5772156649015329
    """
    return call_real("digamma", x)


def erf(x: Tensor[B], /) -> Tensor[B]:
    """The error function: 2 / sqrt(pi) times the integral of exp(-t**2) from 0 to x.

    >>> import trivet as tv
    >>> tv.special.erf(tv.asarray([0.0, tv.inf])).tolist()
    [0.0, 1.0]
    """
    return call_real("erf", x)


def erfc(x: Tensor[B], /) -> Tensor[B]:
    """1 - erf(x), with all its digits where it is small.

    >>> import trivet as tv
    >>> tv.special.erfc(tv.asarray([0.0, tv.inf])).tolist()
    [1.0, 0.0]
    """
    return call_real("erfc", x)


def erfinv(x: Tensor[B], /) -> Tensor[B]:
    """The inverse of `erf`; infinite at -1 and 1, NaN outside.

    >>> import trivet as tv
    >>> tv.special.erfinv(tv.asarray([0.0, 1.0])).tolist()
    [0.0, inf]
    """
    return call_real("erfinv", x)


def exprel(x: Tensor[B], /) -> Tensor[B]:
    """(exp(x) - 1) / x, and 1 at 0.

    >>> import trivet as tv
    >>> tv.special.exprel(tv.asarray([0.0])).tolist()
    [1.0]
    """
    return call_real("exprel", x)


def gammainc(x1: Tensor[B] | float, x2: Tensor[B] | float, /) -> Tensor[B]:
    """The regularised lower incomplete gamma function P(x1, x2). DLMF 8.2.4.

    NaN where x1 or x2 is negative. It has gradients by both.

    >>> import trivet as tv
    >>> tv.special.gammainc(1.0, tv.asarray([0.0, tv.inf])).tolist()
    [0.0, 1.0]
    """
    return call_real("gammainc", x1, x2)


def gammaincc(x1: Tensor[B] | float, x2: Tensor[B] | float, /) -> Tensor[B]:
    """1 - gammainc(x1, x2), with all its digits where it is small.

    It has gradients by both.

    >>> import trivet as tv
    >>> tv.special.gammaincc(1.0, tv.asarray([0.0, tv.inf])).tolist()
    [1.0, 0.0]
    """
    return call_real("gammaincc", x1, x2)


def gammaln(x: Tensor[B], /) -> Tensor[B]:
    """log(|gamma(x)|); infinite at 0 and the negative integers. DLMF 5.2.1.

    The zeros at 1 and 2 keep their digits.

    >>> import trivet as tv
    >>> tv.special.gammaln(tv.asarray([1.0, 2.0, 0.0])).tolist()
    [0.0, 0.0, inf]
    """
    return call_real("gammaln", x)


def i0(x: Tensor[B], /) -> Tensor[B]:
    """The modified Bessel function of the first kind of order 0. DLMF 10.25.2.

    >>> import trivet as tv
    >>> tv.special.i0(tv.asarray([0.0])).tolist()
    [1.0]
    """
    return call_real("i0", x)


def i0e(x: Tensor[B], /) -> Tensor[B]:
    """exp(-|x|) i0(x), which does not overflow.

    >>> import trivet as tv
    >>> tv.special.i0e(tv.asarray([0.0, tv.inf])).tolist()
    [1.0, 0.0]
    """
    return call_real("i0e", x)


def i1(x: Tensor[B], /) -> Tensor[B]:
    """The modified Bessel function of the first kind of order 1. DLMF 10.25.2.

    >>> import trivet as tv
    >>> tv.special.i1(tv.asarray([0.0])).tolist()
    [0.0]
    """
    return call_real("i1", x)


def i1e(x: Tensor[B], /) -> Tensor[B]:
    """exp(-|x|) i1(x), which does not overflow.

    >>> import trivet as tv
    >>> tv.special.i1e(tv.asarray([0.0, tv.inf])).tolist()
    [0.0, 0.0]
    """
    return call_real("i1e", x)


def polygamma(n: SupportsIndex, x: Tensor[B], /) -> Tensor[B]:
    """The `n`-th derivative of `digamma`; `n` is an int from 0 to 100. DLMF 5.15.

    Raises `ValueError` for another `n`.

    >>> import trivet as tv
    >>> tv.special.polygamma(1, tv.asarray([tv.inf, 0.0])).tolist()
    [0.0, inf]
    """
    order = integer("polygamma", "n", n)
    if not 0 <= order <= 100:
        raise ArgumentError(f"polygamma: n={order} is not from 0 to 100.")
    require_kind("polygamma", x)
    return call("polygamma", x, n=order)


def psi(x: Tensor[B], /) -> Tensor[B]:
    """`digamma`, by the name of its letter.

    >>> import trivet as tv
    >>> tv.special.psi(tv.asarray([0.0])).tolist()
    [-inf]
    """
    return call_real("digamma", x)


def sinc(x: Tensor[B], /) -> Tensor[B]:
    """sin(pi x) / (pi x), and 1 at 0.

    >>> import trivet as tv
    >>> tv.special.sinc(tv.asarray([0.0])).tolist()
    [1.0]
    """
    return call_real("sinc", x)


def xlog1py(x1: Tensor[B] | float, x2: Tensor[B] | float, /) -> Tensor[B]:
    """x1 log(1 + x2), and 0 where x1 is 0, unless x2 is NaN.

    >>> import trivet as tv
    >>> tv.special.xlog1py(tv.asarray([0.0]), -1.0).tolist()
    [0.0]
    """
    return call_real("xlog1py", x1, x2)


def xlogy(x1: Tensor[B] | float, x2: Tensor[B] | float, /) -> Tensor[B]:
    """x1 log(x2), and 0 where x1 is 0, unless x2 is NaN.

    >>> import trivet as tv
    >>> tv.special.xlogy(tv.asarray([0.0]), 0.0).tolist()
    [0.0]
    """
    return call_real("xlogy", x1, x2)
