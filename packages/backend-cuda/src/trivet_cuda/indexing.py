"""Reading by CuPy's own indexing, writing without its races.

CuPy lets any of several writes to one place win, and adds to the dtypes that CUDA has
atomic additions for.
"""

from collections.abc import Sequence

from trivet.contract import BasicKey, UpdateMode
from trivet_cuda.data import Array, Data

__all__ = ["Indexing"]

# Dtypes without an atomic addition: the wider dtype in which they are added.
_WIDER = {"?": "i", "b": "i", "h": "i", "B": "I", "H": "I"}


class Indexing(Data):
    """Writes go to a copy, except in `write`. An index outside the array wraps."""

    def take(self, x: Array, indices: Array, /, *, axis: int) -> Array:
        return x.take(indices, axis)

    def index_update(
        self, x: Array, indices: Array, values: Array, /, *, mode: UpdateMode
    ) -> Array:
        """Float sums of repeated indices are added in no fixed order.

        CUDA multiplies nothing atomically, and its atomic minimum loses NaN: these
        modes combine equal indices after sorting, in an order that is always the same.
        """
        if mode == "add":
            return self._added(x, indices, values)
        if mode != "set":
            return self.combined_rows(x, indices, values, mode=mode)
        done = x.copy()
        done[indices] = values[self._last(x.shape[0], indices)]
        return done

    def _added(self, x: Array, indices: Array, values: Array) -> Array:
        wider = _WIDER.get(x.dtype.char)
        if wider:
            total = self._added(x.astype(wider), indices, values.astype(wider))
            return total.astype(x.dtype)
        done = x.copy()
        if x.dtype.kind == "i" and x.dtype.itemsize == 8:
            # as unsigned: CUDA adds no int64, and in two's complement that is the same
            target, addends = (array.view(self.xp.uint64) for array in (done, values))
        else:
            target, addends = done, values
        self.cupyx.scatter_add(target, indices, addends)
        return done

    def _last(self, rows: int, indices: Array) -> Array:
        """For each position the last one with the same index.

        All of them then write one value, and it doesn't matter which wins.
        """
        order = self.xp.arange(len(indices), dtype=self.xp.uint64)
        latest = self.xp.zeros(rows, dtype=self.xp.uint64)
        self.cupyx.scatter_max(latest, indices, order)
        return latest[indices].astype(self.xp.int64)

    def getitem(self, x: Array, /, *, key: BasicKey) -> Array:
        return x[key]

    def setitem(self, x: Array, value: Array, /, *, key: BasicKey) -> Array:
        done = x.copy()
        done[key] = value
        return done

    def write(self, x: Array, value: Array, /, *, key: BasicKey) -> bool:
        if x.base is not None:
            return False
        x[key] = value
        return True

    def getitem_arrays(self, x: Array, indices: Sequence[Array], /) -> Array:
        return x[tuple(indices)]

    def take_along_axis(self, x: Array, indices: Array, /, *, axis: int) -> Array:
        return self.xp.take_along_axis(x, indices, axis)
