"""The matrix exponential by scaling, a Pade quotient, and squaring, over ops.

Higham, The scaling and squaring method for the matrix exponential revisited, SIAM J.
Matrix Anal. Appl. 26 (2005): the quotient of degree 13.
"""

import math
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from trivet.contract.decomposition import Decomposition

__all__ = ["exponential"]

H = TypeVar("H")
_LARGEST = 5.371920351148152  # the 1-norm up to which the quotient is exact
_MOST_SQUARINGS = 1100  # more than the exponents of float64 need
_COEFFICIENTS = [
    float(math.factorial(26 - k) // (math.factorial(13 - k) * math.factorial(k)))
    for k in range(14)
]


def exponential(b: "Decomposition[H]", x: H) -> H:
    """The exponential of each matrix; NaN where an element is not finite."""
    if not b.size(x):
        return x
    squarings = _squarings(b, x)
    most = b.read_int(b.max(squarings, axis=None, keepdims=False))
    scale = b.pow(b.filled_like(x, 2, ()), b.negative(b.cast(squarings, b.dtype(x))))
    result = _quotient(b, b.multiply(x, scale))
    for k in range(most):
        squared = b.matmul(result, result)
        result = b.where(b.less(k, squarings), squared, result)
    return result


def _squarings(b: "Decomposition[H]", x: H) -> H:
    """How often each matrix must be halved, in the index dtype."""
    last = len(b.shape(x)) - 1
    sums = b.sum(b.abs(x), axis=(last - 1,), dtype=None, keepdims=True)
    norm = b.max(sums, axis=(last,), keepdims=True)
    large = b.logical_and(b.isfinite(norm), b.less(_LARGEST, norm))
    halvings = b.ceil(b.log2(b.divide(b.where(large, norm, _LARGEST), _LARGEST)))
    few = b.minimum(halvings, _MOST_SQUARINGS)
    return b.astype(few, dtype=b.default_dtypes(b.device(x)).indexing)


def _quotient(b: "Decomposition[H]", x: H) -> H:
    n = b.shape(x)[-1]
    eye = b.eye(n_rows=n, n_cols=n, k=0, dtype=b.dtype(x), device=b.device(x))
    x2 = b.matmul(x, x)
    x4 = b.matmul(x2, x2)
    powers = (eye, x2, x4, b.matmul(x2, x4))
    odd = b.matmul(x, _even(b, powers, _COEFFICIENTS[1::2]))
    even = _even(b, powers, _COEFFICIENTS[0::2])
    return b.solve(b.subtract(even, odd), b.add(even, odd))


def _even(b: "Decomposition[H]", powers: tuple[H, ...], coefficients: list[float]) -> H:
    """The polynomial in x2 with these seven coefficients, from x2, x4 and x6."""
    low = _sum(b, powers, coefficients[:4])
    high = _sum(b, powers[1:], coefficients[4:])
    return b.add(b.matmul(powers[3], high), low)


def _sum(b: "Decomposition[H]", terms: Any, coefficients: list[float]) -> H:
    total: H | None = None
    for term, c in zip(terms, coefficients, strict=True):
        part = b.multiply(term, c)
        total = part if total is None else b.add(total, part)
    assert total is not None
    return total
