"""Products of vectors and matrices."""

from collections.abc import Sequence
from typing import TypeVar

from trivet.contract.sorting import Sorting
from trivet.contract.table import derived, required
from trivet.dtypes import NUMERIC, DType

__all__ = ["Linalg"]

H = TypeVar("H")


class Linalg(Sorting[H], family="linalg"):
    """Linear algebra on the last axes; the others are batches and broadcast."""

    @required(NUMERIC)
    def matmul(self, x1: H, x2: H, /) -> H:
        """The matrix product; an empty inner axis gives zeros.

        A 1-D operand is a row on the left and a column on the right.
        """
        raise NotImplementedError

    @derived(NUMERIC)
    def vecdot(self, x1: H, x2: H, /, *, axis: int) -> H:
        """The sum of conj(x1) * x2 along `axis`, counted from the end (negative)."""
        product = self.multiply(self.conj(x1), x2)
        last = len(self.shape(product)) + axis
        dtype = self.dtype(product)
        return self.sum(product, axis=(last,), dtype=dtype, keepdims=False)

    @derived(NUMERIC)
    def tensordot(
        self, x1: H, x2: H, /, *, axes: tuple[Sequence[int], Sequence[int]]
    ) -> H:
        """The sum of products over the paired, non-negative axes of both."""
        first, second = axes
        free1 = [i for i in range(len(self.shape(x1))) if i not in first]
        free2 = [i for i in range(len(self.shape(x2))) if i not in second]
        shape1 = [self.shape(x1)[i] for i in free1]
        shape2 = [self.shape(x2)[i] for i in free2]
        left = self._as_matrix(x1, [*free1, *first], len(free1))
        right = self._as_matrix(x2, [*second, *free2], len(second))
        return self.reshape(self.matmul(left, right), shape=(*shape1, *shape2))

    def _as_matrix(self, x: H, axes: list[int], split: int) -> H:
        """The array with `axes` in order, the first `split` of them as rows."""
        x = self.permute_dims(x, axes=tuple(axes))
        rows = cols = 1
        for i, n in enumerate(self.shape(x)):
            rows, cols = (rows * n, cols) if i < split else (rows, cols * n)
        return self.reshape(x, shape=(rows, cols))

    @derived(NUMERIC)
    def cross(self, x1: H, x2: H, /, *, axis: int) -> H:
        """The cross product of 3-vectors along `axis`, counted from the end."""
        first, second = self._promoted(x1, x2)
        a, b = self._thirds(first, axis), self._thirds(second, axis)
        parts = [
            self.subtract(self.multiply(a[i], b[j]), self.multiply(a[j], b[i]))
            for i, j in ((1, 2), (2, 0), (0, 1))
        ]
        return self.concat(parts, axis=len(self.shape(parts[0])) + axis)

    def _thirds(self, x: H, axis: int) -> list[H]:
        along = len(self.shape(x)) + axis
        return [self.part(x, along, i, i + 1) for i in range(3)]

    @derived(NUMERIC)
    def kron(self, x1: H, x2: H, /) -> H:
        """Each element of `x1` times the whole of `x2`, in its place, on every axis.

        The shorter of the two shapes is taken with axes of size 1 in front.
        """
        ndim = max(len(self.shape(x1)), len(self.shape(x2)))
        one, other = (
            (1,) * (ndim - len(shape)) + shape for shape in map(self.shape, (x1, x2))
        )
        left = self.reshape(x1, shape=tuple(n for size in one for n in (size, 1)))
        right = self.reshape(x2, shape=tuple(n for size in other for n in (1, size)))
        sizes = tuple(n * m for n, m in zip(one, other, strict=True))
        return self.reshape(self.multiply(left, right), shape=sizes)

    @derived()
    def diagonal(self, x: H, /, *, offset: int) -> H:
        """The `offset`-th diagonal of each matrix, above the main one if positive.

        Its neighbours are one row and one column apart in C order.
        """
        *batch, rows, cols = self.shape(x)
        count = max(min(rows, cols - offset, cols, rows + offset), 0)
        first = 0 if not count else offset if offset >= 0 else -offset * cols
        still = (0,) * len(batch)
        return self.strided_slice(
            self.reshape(x, shape=(*batch, rows * cols)),
            start=(*still, first),
            size=(*batch, count),
            step=(*(1 for _ in batch), cols + 1),
        )

    @derived(NUMERIC)
    def trace(self, x: H, /, *, offset: int, dtype: DType | None) -> H:
        """The sum of the `offset`-th diagonal of each matrix; dtypes as for `sum`."""
        line = self.diagonal(x, offset=offset)
        last = len(self.shape(line)) - 1
        return self.sum(line, axis=(last,), dtype=dtype, keepdims=False)
