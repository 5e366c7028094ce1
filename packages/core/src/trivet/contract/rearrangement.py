"""Padding, diagonals, triangles and windows."""

from typing import Any, Literal, TypeVar

from trivet.contract.device import Device
from trivet.contract.nn import Nn
from trivet.contract.table import derived
from trivet.dtypes import ANY, Scalar

__all__ = ["PadMode", "Rearrangement"]

H = TypeVar("H")
PadMode = Literal["constant", "reflect", "edge", "circular"]


class Rearrangement(Nn[H], family="rearrangement"):
    """Results hold elements of the array, and constants, in its dtype."""

    @derived()
    def repeat(self, x: H, counts: H, /, *, axis: int, total: int) -> H:
        """Each element along `axis` as often as `counts` says, `total` in all.

        `counts` is 1-D and holds non-negative integers: one for each element, or one
        for all.
        """
        n = self.shape(x)[axis]
        if self.size(counts) == 1:
            return self._evenly_repeated(x, total // n if n else 0, axis)
        dtype = self.default_dtypes(self.device(counts)).indexing
        ends = self.cumulative_sum(counts, axis=0, dtype=dtype, include_initial=False)
        places = self.searchsorted(ends, self.counting(ends, total), side="right")
        return self.take(x, places, axis=axis)

    def _evenly_repeated(self, x: H, count: int, axis: int) -> H:
        """Each element along `axis`, `count` times."""
        shape = self.shape(x)
        before, after = shape[: axis + 1], shape[axis + 1 :]
        apart = self.expand_dims(x, axis=(axis + 1,))
        many = self.broadcast_to(apart, shape=(*before, count, *after))
        return self.reshape(many, shape=(*before[:-1], before[-1] * count, *after))

    @derived(ANY)
    def pad(
        self,
        x: H,
        /,
        *,
        width: tuple[tuple[int, int], ...],
        mode: PadMode,
        value: Scalar,
    ) -> H:
        """The array with more elements in front and behind, as many as `width` says.

        "constant" repeats `value`; "edge" the first and last element; "reflect" mirrors
        at these, again and again if it must; "circular" starts again at the other end.
        But for "constant", axes that grow are not empty.
        """
        for axis, (before, behind) in enumerate(width):
            if not (before or behind):
                continue
            if mode == "constant":
                x = self._between_constants(x, axis, before, behind, value)
            else:
                places = self._padded_places(x, axis, before, behind, mode)
                x = self.take(x, places, axis=axis)
        return x

    def _between_constants(
        self, x: H, axis: int, before: int, behind: int, value: Scalar
    ) -> H:
        shape = self.shape(x)
        sizes = [(*shape[:axis], n, *shape[axis + 1 :]) for n in (before, behind)]
        front, back = (self.filled_like(x, value, size) for size in sizes)
        return self.concat((front, x, back), axis=axis)

    def _padded_places(
        self, x: H, axis: int, before: int, behind: int, mode: PadMode
    ) -> H:
        """Along the grown axis, which element of `x` is there."""
        n = self.shape(x)[axis]
        places = self.subtract(self.counting(x, before + n + behind), before)
        if mode == "edge":
            return self.clip(places, 0, n - 1)
        if mode == "circular":
            return self.remainder(places, n)
        if n == 1:
            return self.multiply(places, 0)
        turn = self.remainder(places, 2 * n - 2)  # there and back
        return self.minimum(turn, self.subtract(2 * n - 2, turn))

    @derived(ANY)
    def diag(self, x: H, /, *, k: int) -> H:
        """The `k`-th diagonal of a matrix, or the matrix that has a vector there."""
        if len(self.shape(x)) == 1:
            return self._with_diagonal(x, k)
        return self.diagonal(x, offset=k)

    def _with_diagonal(self, x: H, k: int) -> H:
        before, behind = max(k, 0), max(-k, 0)
        width = ((before, behind),)
        row = self.pad(x, width=width, mode="constant", value=0)
        n = self.size(row)
        blank = self.filled_like(x, 0, (n, n))
        on = self.equal(self._gap(blank), k)
        return self.where(on, row, blank)

    @derived(constant="no tensor operand")
    def triangle_indices(
        self, *, n_rows: int, n_cols: int, k: int, upper: bool, device: Device
    ) -> tuple[H, H]:
        """The rows and columns of the places left of column row + k, in C order.

        With `upper`, of those from there on. In the index dtype. How many there are is
        known beforehand: no value is read back.
        """
        like: Any = {"dtype": self.default_dtypes(device).indexing, "device": device}
        left = sum(min(max(row + k, 0), n_cols) for row in range(n_rows))
        total = n_rows * n_cols - left if upper else left
        line = self.arange(start=k, stop=n_rows + k, step=1, **like)
        edge = self.clip(line, 0, n_cols)
        counts = self.subtract(n_cols, edge) if upper else edge
        behind = self.cumulative_sum(counts, axis=0, dtype=None, include_initial=False)
        each = self.arange(start=0, stop=n_rows, step=1, **like)
        ahead = self.subtract(behind, n_cols if upper else edge)
        rows, starts = (
            self.repeat(one, counts, axis=0, total=total) for one in (each, ahead)
        )
        places = self.arange(start=0, stop=total, step=1, **like)
        return rows, self.subtract(places, starts)

    @derived(ANY)
    def unfold_axis(self, x: H, /, *, axis: int, size: int, step: int) -> H:
        """Windows of `size` elements along `axis`, each `step` behind the one before.

        `axis` counts the windows, and a new last axis their elements. There is room
        for all of them.
        """
        shape = self.shape(x)
        count = max((shape[axis] - size) // step + 1, 0)
        first = self.multiply(self.counting(x, count), step)
        column = self.reshape(first, shape=(count, 1))
        places = self.add(column, self.counting(x, size))
        flat = self.reshape(places, shape=(count * size,))
        taken = self.take(x, flat, axis=axis)
        apart = (*shape[:axis], count, size, *shape[axis + 1 :])
        windows = self.reshape(taken, shape=apart)
        order = [i for i in range(len(apart)) if i != axis + 1]
        return self.permute_dims(windows, axes=(*order, axis + 1))
