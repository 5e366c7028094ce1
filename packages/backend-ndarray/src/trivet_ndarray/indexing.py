"""Reading and writing elements by NumPy's own indexing."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from trivet.contract import BasicKey, UpdateMode
from trivet_ndarray.accumulation import accumulate_at
from trivet_ndarray.data import Array
from trivet_ndarray.shape import Shape

__all__ = ["Indexing"]

_UFUNCS = {
    "add": np.add,
    "multiply": np.multiply,
    "minimum": np.minimum,
    "maximum": np.maximum,
}


class Indexing(Shape):
    """Writes go to a copy, except in `write`."""

    def take(self, x: Array, indices: Array, /, *, axis: int) -> Array:
        # NumPy takes every integer dtype but uint64 here
        return x.take(indices.astype(np.intp, copy=False), axis)

    def index_update(
        self, x: Array, indices: Array, values: Array, /, *, mode: UpdateMode
    ) -> Array:
        return self._joined_at(x, (indices,), values, mode)

    def getitem(self, x: Array, /, *, key: BasicKey) -> Array:
        return x[key]

    def setitem(self, x: Array, value: Array, /, *, key: BasicKey) -> Array:
        done = np.array(x)
        done[key] = value
        return done

    def write(self, x: Array, value: Array, /, *, key: BasicKey) -> bool:
        if not _is_its_own(x):
            return False
        x[key] = value
        return True

    def write_arrays(
        self, x: Array, indices: Sequence[Array], value: Array, /, *, key: BasicKey
    ) -> bool:
        if not _is_its_own(x):
            return False
        x[_joined(indices, key)] = value
        return True

    def getitem_arrays(self, x: Array, indices: Sequence[Array], /) -> Array:
        return x[tuple(indices)]

    def setitem_arrays(
        self, x: Array, indices: Sequence[Array], value: Array, /, *, mode: UpdateMode
    ) -> Array:
        return self._joined_at(x, tuple(indices), value, mode)

    def _joined_at(
        self, x: Array, key: tuple[Array, ...], value: Array, mode: UpdateMode
    ) -> Array:
        if mode not in {"add", "multiply"}:
            return _updated(x, key, value, mode)
        wide, dtype = self.widened(x)
        return self.cast(_updated(wide, key, value, mode), dtype)

    def take_along_axis(self, x: Array, indices: Array, /, *, axis: int) -> Array:
        return np.take_along_axis(x, indices, axis)


def _joined(indices: Sequence[Array], key: BasicKey) -> tuple[Any, ...]:
    """The key with the arrays in the places of their numbers.

    NumPy takes a 0-d array for an array, and its rule is the contract's.
    """
    return tuple(indices[part] if isinstance(part, int) else part for part in key)


def _is_its_own(x: Array) -> bool:
    """Whether writing into the memory of `x` is allowed, and no other array has it."""
    return isinstance(x, np.ndarray) and x.flags.owndata and x.flags.writeable


def _updated(x: Array, key: tuple[Array, ...], value: Array, mode: UpdateMode) -> Array:
    done = np.array(x, order="C")
    if mode == "set":
        done[key] = value
        return done
    if mode in {"add", "multiply"}:
        accumulate_at(_UFUNCS[mode], done, key, value)
        return done
    # NumPy warns of NaN in `maximum.at`, though not in `maximum`
    with np.errstate(invalid="ignore"):
        accumulate_at(_UFUNCS[mode], done, key, value)
    return done
