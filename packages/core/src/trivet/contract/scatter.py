"""Writing at positions along an axis, in every way to combine old values and new.

Reading at such positions is `take_along_axis`, among the ops of `indexing`.
"""

from collections.abc import Callable
from typing import TypeVar

from trivet.contract.indexing import UpdateMode
from trivet.contract.nn import Nn
from trivet.contract.table import derived
from trivet.dtypes import ANY

__all__ = ["Scatter"]

H = TypeVar("H")


class Scatter(Nn[H], family="scatter"):
    """`scatter`, and what combines rows for backends that can only set them."""

    @derived(ANY)
    def scatter(
        self, x: H, indices: H, updates: H, /, *, axis: int, mode: UpdateMode
    ) -> H:
        """A copy of `x` in which the elements at `indices` along `axis` are changed.

        The other axes of `indices` broadcast to those of `x`, and `updates`, in the
        dtype of `x`, to that shape. Modes are those of `index_update`.
        """
        shape, count = self.shape(x), self.shape(indices)[axis]
        whole = (*shape[:axis], count, *shape[axis + 1 :])
        places = self._spread(indices, whole)
        keys = [
            places if i == axis else self._along(places, i) for i in range(len(shape))
        ]
        return self.setitem_arrays(x, keys, self._spread(updates, whole), mode=mode)

    def _spread(self, x: H, shape: tuple[int, ...]) -> H:
        """`x` broadcast, or itself: libraries are quicker on no view."""
        return x if self.shape(x) == shape else self.broadcast_to(x, shape=shape)

    def combined_rows(self, x: H, indices: H, values: H, /, *, mode: UpdateMode) -> H:
        """`index_update` in any mode but "set", by that mode alone.

        Sorted by index, runs of one index are combined first.
        """
        op: Callable[[H, H], H] = getattr(self, mode)
        order, places = self.in_order(indices, self.shape(x)[0])
        wide, dtype = self.widened(self.take(values, order, axis=0))
        totals = self.running_within(op, wide, places)
        # the last row of a run holds its total, and setting keeps the last
        rows = self.cast(op(self.take(x, places, axis=0), totals), dtype)
        return self.index_update(x, places, rows, mode="set")

    def in_order(self, indices: H, size: int) -> tuple[H, H]:
        """What sorts `indices` of an axis of `size`, stably, and them, sorted.

        Negative ones are counted from the front.
        """
        places = self._row_numbers((size,), (indices,))
        order = self.argsort(places, axis=0, descending=False, stable=True)
        return order, self.take(places, order, axis=0)

    def running_within(self, op: Callable[[H, H], H], x: H, places: H) -> H:
        """Each row combined with all before it that have the same place.

        `places` is sorted. In log2(n) steps, as all running ops of the contract.
        """
        shape, distance = self.shape(x), 1
        n, ones = shape[0], (1,) * (len(shape) - 1)
        while distance < n:
            first = self.part(places, 0, 0, n - distance)
            same = self.equal(first, self.part(places, 0, distance, n))
            earlier = self.part(x, 0, 0, n - distance)
            later = self.part(x, 0, distance, n)
            joined = self.where(
                self.reshape(same, shape=(n - distance, *ones)),
                op(earlier, later),
                later,
            )
            x = self.concat((self.part(x, 0, 0, distance), joined), axis=0)
            distance *= 2
        return x
