"""Products of vectors and matrices."""

from collections.abc import Sequence
from typing import TypeVar

from trivet.contract.sorting import Sorting
from trivet.contract.table import derived, required
from trivet.dtypes import NUMERIC

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
