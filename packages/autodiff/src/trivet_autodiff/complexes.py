"""Complex numbers in the backward pass; the rules and its two ends use this.

Inside, a cotangent of a complex z is dL/dRe(z) - i dL/dIm(z). So a rule that multiplies
by the derivative is right for real and for complex numbers alike, and only the few ops
that are not analytic look at the dtype. Outside, cotangents and gradients are the
conjugates: dL/dRe(z) + i dL/dIm(z), the direction of steepest ascent. What a real
variable gets is real; on the way there its cotangent may still be complex, since real
rules keep the parts apart.
"""

from typing import Any

from trivet.contract import Backend
from trivet.dtypes import COMPLEX, DType

__all__ = ["cast", "conjugate", "is_complex", "real_part"]


def is_complex(b: Backend[Any], x: Any) -> bool:
    """Whether the handle has a complex dtype."""
    return b.dtype(x).kind in COMPLEX


def conjugate(b: Backend[Any], x: Any) -> Any:
    """The conjugate; of a real handle the handle itself."""
    return b.conj(x) if is_complex(b, x) else x


def real_part(b: Backend[Any], x: Any) -> Any:
    """The real part; of a real handle the handle itself."""
    return b.real(x) if is_complex(b, x) else x


def cast(b: Backend[Any], g: Any, dtype: DType) -> Any:
    """A cotangent in the dtype of its operand: the real part if that is real."""
    if dtype.kind not in COMPLEX:
        g = real_part(b, g)
    return g if b.dtype(g) == dtype else b.astype(g, dtype=dtype)
