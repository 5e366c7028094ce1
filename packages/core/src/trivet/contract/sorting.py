"""Ops that order elements, or find where they are."""

from collections.abc import Callable
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
        shape, count = self.shape(x2), self.size(x2)
        below = self.less if side == "left" else self.less_equal
        nan = self.isnan(x2) if self.is_floating(x2) else None

        def is_before(places: H) -> H:
            flat = self.reshape(places, shape=(count,))
            found = self.reshape(self.take(x1, flat, axis=0), shape=shape)
            before = below(found, x2)
            if nan is None:  # which comes after the numbers
                return before
            if side == "left" and self.is_floating(found):
                return self.logical_or(
                    before, self.logical_and(nan, self.logical_not(self.isnan(found)))
                )
            return self.logical_or(before, nan)

        return self.bisected(is_before, x2, self.size(x1))

    def bisected(self, is_before: Callable[[H], H], x: H, n: int) -> H:
        """For each element of `x` how many of `n` in order come before it: by halving.

        `is_before` tells it of a place for each element. In the index dtype.
        """
        device, shape = self.device(x), self.shape(x)
        dtype = self.default_dtypes(device).indexing
        found = self.full(shape=shape, fill_value=0, dtype=dtype, device=device)
        step = 2 ** (n.bit_length() - 1) if n else 0
        while step:
            further = self.add(found, step)
            passed = is_before(self.subtract(self.minimum(further, n), 1))
            passed = self.logical_and(passed, self.less_equal(further, n))
            found = self.where(passed, further, found)
            step //= 2
        return found

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

    def _unraveled(self, flat: H, shape: tuple[int, ...]) -> tuple[H, ...]:
        places: list[H] = []
        for n in reversed(shape):
            places.append(self.remainder(flat, max(n, 1)))
            flat = self.floor_divide(flat, max(n, 1))
        return tuple(reversed(places))
