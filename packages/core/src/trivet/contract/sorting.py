"""Ops that order elements, or find where they are."""

import sys
from typing import Literal, TypeVar

from trivet.contract.reduction import Reduction
from trivet.contract.table import derived, required
from trivet.dtypes import ANY, REAL

__all__ = ["Sorting"]

H = TypeVar("H")


class Sorting(Reduction[H], family="sorting"):
    """NaN sorts last in ascending order."""

    @required(REAL, constant="integer result")
    def argsort(self, x: H, /, *, axis: int, descending: bool, stable: bool) -> H:
        """The positions, in the index dtype, that sort `x` along `axis`.

        A stable sort keeps equal elements in their order, descending too.
        """
        raise NotImplementedError

    @derived(REAL)
    def sort(self, x: H, /, *, axis: int, descending: bool, stable: bool) -> H:
        """The elements in order along `axis`."""
        order = self.argsort(x, axis=axis, descending=descending, stable=stable)
        return self.take_along_axis(x, order, axis=axis)

    @derived(REAL, constant="integer result")
    def searchsorted(self, x1: H, x2: H, /, *, side: Literal["left", "right"]) -> H:
        """Where each of `x2` belongs in the sorted 1-D `x1`, in the index dtype.

        Counts the elements of `x1` that come before: below for "left", not above for
        "right". NaN counts as the largest.
        """
        last = len(self.shape(x2))
        column = self.expand_dims(x2, axis=(last,))
        before = (self.less if side == "left" else self.less_equal)(x1, column)
        if self.is_floating(x2):  # NaN comes after the numbers
            nan = self.isnan(column)
            if side == "left":
                nan = self.logical_and(nan, self.logical_not(self.isnan(x1)))
            before = self.logical_or(before, nan)
        return self.count_nonzero(before, axis=(last,), keepdims=False)

    @derived(ANY, constant="integer result")
    def nonzero(self, x: H, /) -> tuple[H, ...]:
        """For each axis the positions of the elements that are not zero, in C order.

        The number of elements is read back to the host.
        """
        shape, size = self.shape(x), self.size(x)
        zero = self.logical_not(self.reshape(x, shape=(size,)))
        order = self.argsort(
            self.astype(zero, dtype=self.default_dtypes(self.device(x)).indexing),
            axis=0,
            descending=False,
            stable=True,
        )
        count = self.count_nonzero(x, axis=None, keepdims=False)
        flat = self.part(order, 0, 0, self.read_int(count))
        return self._unraveled(flat, shape)

    def read_int(self, x: H) -> int:
        """The one integer in a 0-d handle, read back to the host."""
        return int.from_bytes(
            bytes(self.to_host(x)), byteorder=sys.byteorder, signed=True
        )

    def _unraveled(self, flat: H, shape: tuple[int, ...]) -> tuple[H, ...]:
        places: list[H] = []
        for n in reversed(shape):
            places.append(self.remainder(flat, max(n, 1)))
            flat = self.floor_divide(flat, max(n, 1))
        return tuple(reversed(places))
