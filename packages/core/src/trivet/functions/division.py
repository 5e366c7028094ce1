"""Division with what is left over.

Shapes broadcast and dtypes promote; Python numbers take the tensor's dtype where its
kind can hold them. Two shapes that do not broadcast raise `ShapeError`, a dtype that a
function does not take `DTypeError`. What an integer division by zero gives is the
backend's choice.
"""

from typing import Any, NamedTuple, TypeVar

from trivet.contract import Backend
from trivet.dispatch import call
from trivet.dtypes import INTEGRAL, Scalar
from trivet.functions.floats import as_floats
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
    return DivMod(call("floor_divide", x1, x2), call("remainder", x1, x2))


def fmod(x1: Tensor[B] | Scalar, x2: Tensor[B] | Scalar, /) -> Tensor[B]:
    """What the quotient rounded towards zero leaves, with the sign of the dividend.

    C's function; `remainder` has the sign of the divisor. Exact. Takes real dtypes.

    >>> import trivet as tv
    >>> tv.fmod(tv.asarray([7.5, -7.5]), 2.0).tolist()
    [1.5, -1.5]
    """
    rest = call("remainder", x1, x2)
    if rest.dtype.kind in INTEGRAL:
        apart = call("logical_xor", _below_zero(x1), _below_zero(x2))
        apart = call("logical_and", apart, call("not_equal", rest, 0))
        return call("where", apart, call("subtract", rest, x2), rest)
    # of operands of one sign, the remainder has that sign, and is exact
    first, second = as_floats("fmod", x1, x2)
    apart = call("logical_xor", call("signbit", first), call("signbit", second))
    turned = call("remainder", call("negative", first), second)
    return call("where", apart, call("negative", turned), rest)


def _below_zero(x: Tensor[Any] | Scalar) -> Any:
    return call("less", x, 0) if isinstance(x, Tensor) else x < 0  # type: ignore[operator]
