"""Ops that read and write elements by position.

All writes but `write` are functional: they give a new array. Indices may be negative;
what lies outside is the caller's mistake.
"""

import math
from collections.abc import Sequence
from typing import Literal, TypeVar

from trivet.contract.creation import Creation
from trivet.contract.table import derived, optional, required
from trivet.errors import UnsupportedOpError
from trivet.shapes import BasicKey, basic_region, broadcast, strides

__all__ = ["Indexing", "UpdateMode"]

H = TypeVar("H")
UpdateMode = Literal["set", "add", "multiply", "minimum", "maximum"]


class Indexing(Creation[H], family="indexing"):
    """`take` and `index_update` are all that a backend must bring."""

    @required()
    def take(self, x: H, indices: H, /, *, axis: int) -> H:
        """The slices of `x` at 1-D integer `indices` along `axis`."""
        raise NotImplementedError

    @required()
    def index_update(self, x: H, indices: H, values: H, /, *, mode: UpdateMode) -> H:
        """A copy of `x` in which row `indices[k]` is set to, or joined by, `values[k]`.

        Rows run along the first axis; `indices` is 1-D, `values` has its length and
        otherwise the shape of a row, and the dtype of `x`. The other modes are the
        ops of their names, and take repeated indices one after the other; setting
        keeps the last. 16-bit floats are added and multiplied as float32, and rounded
        once. A backend that can only set and add rows may leave the others to
        `combined_rows`.
        """
        raise NotImplementedError

    @derived()
    def getitem(self, x: H, /, *, key: BasicKey) -> H:
        """`x[key]` for a key of ints, slices, `None` and an ellipsis."""
        region = basic_region(self.shape(x), key)
        part = self.strided_slice(
            x, start=region.start, size=region.size, step=region.step
        )
        return self.reshape(part, shape=region.shape)

    @derived()
    def setitem(self, x: H, value: H, /, *, key: BasicKey) -> H:
        """A copy of `x` in which `x[key]` is `value`, which broadcasts."""
        shape = self.shape(x)
        places = self.reshape(self.counting(x, math.prod(shape)), shape=shape)
        chosen = self.getitem(places, key=key)
        values = self.broadcast_to(value, shape=self.shape(chosen))
        return self._update_flat(x, chosen, values, "set")

    @optional(constant="writes in place")
    def write(self, x: H, value: H, /, *, key: BasicKey) -> bool:
        """Write into the memory of `x` if nothing else can see it; whether it was done.

        The caller holds the only reference to `x`. False means that the memory is
        shared or read-only, and that nothing was changed.
        """
        raise UnsupportedOpError(f"the backend {self.name} does not write in place.")

    @optional(constant="writes in place")
    def write_arrays(
        self, x: H, indices: Sequence[H], value: H, /, *, key: BasicKey
    ) -> bool:
        """As `write`, into `x[key]` with integer arrays in the places of its numbers.

        The numbers of `key` say which of `indices` is for the axis; the rest are
        slices and `None`. The indices' axes are in front of the place, or where the
        indices are if they follow one another: NumPy's rule. `value` broadcasts to the
        place and is not read from `x`. Setting keeps the last of repeated indices.
        Nothing is changed if an index is out of bounds.
        """
        raise UnsupportedOpError(f"the backend {self.name} does not write in place.")

    @derived()
    def getitem_arrays(self, x: H, indices: Sequence[H], /) -> H:
        """`x[indices]`: integer arrays for the leading axes, broadcast together."""
        lead = self.shape(x)[: len(indices)]
        rest = self.shape(x)[len(indices) :]
        places = self._row_numbers(lead, indices)
        rows = self.reshape(x, shape=(math.prod(lead), *rest))
        flat = self.reshape(places, shape=(self.size(places),))
        taken = self.take(rows, flat, axis=0)
        return self.reshape(taken, shape=(*self.shape(places), *rest))

    @derived()
    def setitem_arrays(
        self, x: H, indices: Sequence[H], value: H, /, *, mode: UpdateMode
    ) -> H:
        """A copy of `x` in which `x[indices]` is set to, or joined by, `value`."""
        lead = self.shape(x)[: len(indices)]
        rest = self.shape(x)[len(indices) :]
        places = self._row_numbers(lead, indices)
        count = self.size(places)
        rows = self.reshape(x, shape=(math.prod(lead), *rest))
        flat = self.reshape(places, shape=(count,))
        whole = self.broadcast_to(value, shape=(*self.shape(places), *rest))
        values = self.reshape(whole, shape=(count, *rest))
        done = self.index_update(rows, flat, values, mode=mode)
        return self.reshape(done, shape=self.shape(x))

    @derived()
    def take_along_axis(self, x: H, indices: H, /, *, axis: int) -> H:
        """The elements at `indices` along `axis`; the other axes broadcast."""
        shape, chosen = self.shape(x), self.shape(indices)
        others = broadcast("take_along_axis", _but(shape, axis), _but(chosen, axis))
        x = self.broadcast_to(x, shape=_with(others, axis, shape[axis]))
        indices = self.broadcast_to(indices, shape=_with(others, axis, chosen[axis]))
        keys = [self._along(indices, i) for i in range(len(shape))]
        keys[axis] = indices
        return self.getitem_arrays(x, keys)

    def _along(self, x: H, axis: int) -> H:
        """The position along `axis`, shaped to broadcast against `x`."""
        shape = self.shape(x)
        ones = tuple(n if i == axis else 1 for i, n in enumerate(shape))
        return self.reshape(self.counting(x, shape[axis]), shape=ones)

    def _row_numbers(self, lead: tuple[int, ...], indices: Sequence[H]) -> H:
        """Positions in the flattened leading axes."""
        total: H | None = None
        for index, size, stride in zip(indices, lead, strides(lead), strict=True):
            # the sizes may not fit a small index dtype
            wide = self.default_dtypes(self.device(index)).indexing
            index = self.astype(index, dtype=wide)  # noqa: PLW2901
            inside = self.where(self.less(index, 0), self.add(index, size), index)
            term = self.multiply(inside, stride)
            total = term if total is None else self.add(total, term)
        if total is None:
            raise ValueError("an index needs at least one integer array")
        return total

    def _update_flat(self, x: H, places: H, values: H, mode: UpdateMode) -> H:
        count = self.size(places)
        done = self.index_update(
            self.reshape(x, shape=(self.size(x),)),
            self.reshape(places, shape=(count,)),
            self.reshape(values, shape=(count,)),
            mode=mode,
        )
        return self.reshape(done, shape=self.shape(x))


def _but(shape: tuple[int, ...], axis: int) -> tuple[int, ...]:
    return shape[:axis] + shape[axis + 1 :]


def _with(shape: tuple[int, ...], axis: int, size: int) -> tuple[int, ...]:
    return (*shape[:axis], size, *shape[axis:])
