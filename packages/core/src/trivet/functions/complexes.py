"""The parts of complex numbers, and their conjugates.

A dtype that a function does not take raises `DTypeError`.
"""

from typing import Any, TypeVar

from trivet.contract import Backend
from trivet.dispatch import call, hot, method
from trivet.tensor import Tensor

__all__ = [
    "conj",
    "imag",
    "real",
]

B = TypeVar("B", bound=Backend[Any])


@hot
def real(x: Tensor[B], /) -> Tensor[B]:
    """The real part, in a real dtype; a real element is its own.

    Takes numeric dtypes.

    >>> import trivet as tv
    >>> tv.real(tv.asarray([1 + 2j])).tolist()
    [1.0]
    """
    return call("real", x)


@hot
def imag(x: Tensor[B], /) -> Tensor[B]:
    """The imaginary part, in a real dtype. Takes complex dtypes.

    >>> import trivet as tv
    >>> tv.imag(tv.asarray([1 + 2j])).tolist()
    [2.0]
    """
    return call("imag", x)


@method
@hot
def conj(x: Tensor[B], /) -> Tensor[B]:
    """The complex conjugate; a real element is its own. Takes numeric dtypes.

    >>> import trivet as tv
    >>> tv.conj(tv.asarray([1 + 2j])).tolist()
    [(1-2j)]
    """
    return call("conj", x)
