"""Selection without branches: on a mixed mask `numpy.where` takes ten times as long."""

from math import copysign

import numpy as np

from trivet.dtypes import Scalar
from trivet_ndarray.data import Array, Data

__all__ = ["Comparison"]

_LEAST = 256  # elements; below, the passes cost more than the branches
_BITS = {"f": np.int32, "d": np.int64}


class Comparison(Data):
    """The commonest selection, of elements or 0, is one of bits."""

    def where(
        self, condition: Array, x1: Array | Scalar, x2: Array | Scalar, /
    ) -> Array:
        if _is_zero(x1) and _fits(condition, x2):
            return _masked(x2, np.subtract(condition.view(np.int8), 1))
        if _is_zero(x2) and _fits(condition, x1):
            return _masked(x1, np.negative(condition.view(np.int8)))
        return np.where(condition, x1, x2)


def _is_zero(x: Array | Scalar) -> bool:
    """Whether `x` is the number 0, whose bits are all 0; those of -0.0 are not."""
    return x.__class__ in (int, float) and x == 0 and copysign(1, x) == 1


def _fits(condition: Array, x: Array | Scalar) -> bool:
    return (
        x.__class__ is np.ndarray
        and condition.__class__ is np.ndarray
        and x.dtype.char in _BITS
        and x.size >= _LEAST
        and condition.shape == x.shape
        and condition.dtype.char == "?"
    )


def _masked(x: Array, keep: Array) -> Array:
    """The elements of `x` where `keep` is -1, and 0 where it is 0."""
    bits = keep.astype(_BITS[x.dtype.char])
    return np.bitwise_and(x.view(bits.dtype), bits, bits).view(x.dtype)
