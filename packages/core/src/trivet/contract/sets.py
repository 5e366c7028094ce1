"""What is different among an array's elements, and what of one is in another."""

from typing import TypeVar

from trivet.contract.nn import Nn
from trivet.contract.table import derived
from trivet.dtypes import ANY, BOOLEAN, COMPLEX, INTEGRAL, int64, promote, uint64
from trivet.dtypes import bool as boolean

__all__ = ["Sets"]

H = TypeVar("H")


class Sets(Nn[H], family="sets"):
    """NaN equals nothing, itself included; 0.0 and -0.0 are one value.

    How many values there are is read back to the host.
    """

    @derived(ANY)
    def unique_all(self, x: H, /) -> tuple[H, H, H, H]:
        """The different values, where each is first, where elements are, counts.

        Values, first positions in C order, for each element of `x` the position of
        its value, in the shape of `x`, and how often each value is there. All but the
        values have the index dtype.
        """
        order, ordered = self._in_order(x)
        new = self._starts(ordered)
        (starts,) = self.nonzero(new)
        dtype = self.default_dtypes(self.device(x)).indexing
        group = self.cumulative_sum(new, axis=0, dtype=dtype, include_initial=False)
        group = self.subtract(group, 1)
        inverse = self.index_update(group, order, group, mode="set")
        return (
            self.take(ordered, starts, axis=0),
            self.take(order, starts, axis=0),
            self.reshape(inverse, shape=self.shape(x)),
            self._lengths(starts, self.size(x)),
        )

    @derived(ANY)
    def unique_counts(self, x: H, /) -> tuple[H, H]:
        """The different values and how often each is there, as in `unique_all`."""
        _, ordered = self._in_order(x)
        (starts,) = self.nonzero(self._starts(ordered))
        values = self.take(ordered, starts, axis=0)
        return values, self._lengths(starts, self.size(x))

    @derived(ANY)
    def unique_inverse(self, x: H, /) -> tuple[H, H]:
        """The different values and which one each element is, as in `unique_all`."""
        values, _, inverse, _ = self.unique_all(x)
        return values, inverse

    @derived(ANY)
    def unique_values(self, x: H, /) -> H:
        """The different values, as in `unique_all`."""
        _, ordered = self._in_order(x)
        (starts,) = self.nonzero(self._starts(ordered))
        return self.take(ordered, starts, axis=0)

    def _in_order(self, x: H) -> tuple[H, H]:
        """What sorts the flattened elements, and them, sorted: equal ones together."""
        flat = self.reshape(x, shape=(self.size(x),))
        kind = self.dtype(x).kind
        if kind in COMPLEX:
            by_imag = self._rising(self.imag(flat))
            by_real = self._rising(self.take(self.real(flat), by_imag, axis=0))
            order = self.take(by_imag, by_real, axis=0)
        else:
            dtype = self.default_dtypes(self.device(x)).indexing
            key = self.astype(flat, dtype=dtype) if kind in BOOLEAN else flat
            order = self._rising(key)
        return order, self.take(flat, order, axis=0)

    def _rising(self, x: H) -> H:
        return self.argsort(x, axis=0, descending=False, stable=True)

    def _starts(self, ordered: H) -> H:
        """Which elements differ from the one before."""
        n, device = self.size(ordered), self.device(ordered)
        if not n:
            return self.astype(ordered, dtype=boolean)
        first = self.full(shape=(1,), fill_value=True, dtype=boolean, device=device)
        earlier, later = self.part(ordered, 0, 0, n - 1), self.part(ordered, 0, 1, n)
        return self.concat((first, self.not_equal(earlier, later)), axis=0)

    def _lengths(self, starts: H, n: int) -> H:
        """How long the runs that begin at `starts` are, up to `n` in all."""
        count = self.size(starts)
        if not count:
            return starts
        end = self.filled_like(starts, n, (1,))
        ends = self.concat((self.part(starts, 0, 1, count), end), axis=0)
        return self.subtract(ends, starts)

    @derived(ANY, constant="boolean result")
    def isin(self, x1: H, x2: H, /, *, invert: bool) -> H:
        """Which elements of `x1` are among those of `x2`; with `invert`, are not."""
        found = self._among(x1, self.reshape(x2, shape=(self.size(x2),)))
        return self.logical_not(found) if invert else found

    def _among(self, x1: H, x2: H) -> H:
        first, second = self.dtype(x1), self.dtype(x2)
        wide = promote(first, second)
        if wide.kind not in INTEGRAL and {first.kind, second.kind} <= INTEGRAL:
            return self._among_other_sign(x1, x2)
        x1, x2 = self.cast(x1, wide), self.cast(x2, wide)
        if wide.kind in BOOLEAN | COMPLEX:  # the backend need not order these
            axis = len(self.shape(x1))
            column = self.expand_dims(x1, axis=(axis,))
            return self.any(self.equal(column, x2), axis=(axis,), keepdims=False)
        return self._among_ordered(x1, x2)

    def _among_other_sign(self, x1: H, x2: H) -> H:
        """Signed integers and uint64, of which no integer dtype holds both.

        In 64 bits of the second's kind; what changes its sign there is in no set.
        """
        unsigned = self.dtype(x2).kind == "unsigned integer"
        wide = uint64 if unsigned else int64
        found = self._among_ordered(self.cast(x1, wide), self.cast(x2, wide))
        changed = self.less(self.cast(x1, int64), 0)
        return self.logical_and(found, self.logical_not(changed))

    def _among_ordered(self, x1: H, x2: H) -> H:
        n, device = self.size(x2), self.device(x2)
        if not n:
            shape = self.shape(x1)
            return self.full(
                shape=shape, fill_value=False, dtype=boolean, device=device
            )
        ordered = self.sort(x2, axis=0, descending=False, stable=False)
        place = self.searchsorted(ordered, x1, side="left")
        place = self.minimum(place, n - 1)
        return self.equal(self.getitem_arrays(ordered, (place,)), x1)
