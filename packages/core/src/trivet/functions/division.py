"""Division with what is left over.

Shapes broadcast and dtypes promote; Python numbers take the tensor's dtype where its
kind can hold them. Two shapes that do not broadcast raise `ShapeError`, a dtype that a
function does not take `DTypeError`. What an integer division by zero gives is the
backend's choice.
"""

from typing import Any, NamedTuple, TypeVar

from trivet.contract import Backend
from trivet.dispatch import call, hot, method
from trivet.dtypes import Scalar
from trivet.functions.decomposition import several
from trivet.tensor import Tensor

__all__ = ["divmod", "fmod"]

B = TypeVar("B", bound=Backend[Any])


class DivMod(NamedTuple):
    """What `divmod` gives."""

    quotient: Tensor[Any]
    remainder: Tensor[Any]


def divmod(x1: Tensor[B] | Scalar, x2: Tensor[B] | Scalar, /) -> DivMod:
    """The quotient rounded down, and what it leaves: `floor_divide` and `remainder`.

    >>> import trivet as tv
    >>> quotient, rest = tv.divmod(tv.asarray([7, -7]), 3)
    >>> quotient.tolist(), rest.tolist()
    ([2, -3], [1, 2])
    """
    return DivMod(*several("divmod", x1, x2))


@method
@hot
def fmod(x1: Tensor[B] | Scalar, x2: Tensor[B] | Scalar, /) -> Tensor[B]:
    """What the quotient rounded towards zero leaves, with the sign of the dividend.

    C's function; `remainder` has the sign of the divisor. Exact. Takes real dtypes.

    >>> import trivet as tv
    >>> tv.fmod(tv.asarray([7.5, -7.5]), 2.0).tolist()
    [1.5, -1.5]
    """
    return call("fmod", x1, x2)
