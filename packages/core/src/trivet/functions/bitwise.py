"""Operations on the bits of integers, and on booleans, which are one bit wide."""

from typing import Any, TypeVar

from trivet.contract import Backend
from trivet.dispatch import call, hot
from trivet.dtypes import Scalar
from trivet.tensor import Tensor

__all__ = [
    "bitwise_and",
    "bitwise_invert",
    "bitwise_left_shift",
    "bitwise_or",
    "bitwise_right_shift",
    "bitwise_xor",
]

B = TypeVar("B", bound=Backend[Any])


@hot
def bitwise_and(x1: Tensor[B] | Scalar, x2: Tensor[B] | Scalar, /) -> Tensor[B]:
    """The bits set in both; `x1 & x2`. Takes integers and booleans.

    >>> import trivet as tv
    >>> tv.bitwise_and(tv.asarray([12, 10]), 6).tolist()
    [4, 2]
    """
    return call("bitwise_and", x1, x2)


@hot
def bitwise_or(x1: Tensor[B] | Scalar, x2: Tensor[B] | Scalar, /) -> Tensor[B]:
    """The bits set in either; `x1 | x2`. Takes integers and booleans.

    >>> import trivet as tv
    >>> tv.bitwise_or(tv.asarray([12, 10]), 6).tolist()
    [14, 14]
    """
    return call("bitwise_or", x1, x2)


@hot
def bitwise_xor(x1: Tensor[B] | Scalar, x2: Tensor[B] | Scalar, /) -> Tensor[B]:
    """The bits set in exactly one; `x1 ^ x2`. Takes integers and booleans.

    >>> import trivet as tv
    >>> tv.bitwise_xor(tv.asarray([12, 10]), 6).tolist()
    [10, 12]
    """
    return call("bitwise_xor", x1, x2)


@hot
def bitwise_invert(x: Tensor[B], /) -> Tensor[B]:
    """Every bit flipped; `~x`. Takes integers and booleans.

    >>> import trivet as tv
    >>> tv.bitwise_invert(tv.asarray([0, 5])).tolist()
    [-1, -6]
    """
    return call("bitwise_invert", x)


@hot
def bitwise_left_shift(x1: Tensor[B] | Scalar, x2: Tensor[B] | Scalar, /) -> Tensor[B]:
    """`x1` shifted left by `x2` bits; `x1 << x2`. Bits pushed out are lost.

    Takes integers. What a negative `x2` gives is the backend's choice.

    >>> import trivet as tv
    >>> tv.bitwise_left_shift(tv.asarray([1, 3]), 2).tolist()
    [4, 12]
    """
    return call("bitwise_left_shift", x1, x2)


@hot
def bitwise_right_shift(x1: Tensor[B] | Scalar, x2: Tensor[B] | Scalar, /) -> Tensor[B]:
    """`x1` shifted right by `x2` bits; `x1 >> x2`. The sign is kept.

    Takes integers. What a negative `x2` gives is the backend's choice.

    >>> import trivet as tv
    >>> tv.bitwise_right_shift(tv.asarray([12, -12]), 2).tolist()
    [3, -3]
    """
    return call("bitwise_right_shift", x1, x2)
