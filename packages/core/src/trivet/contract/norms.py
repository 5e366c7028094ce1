"""Norms of vectors and matrices, and what is measured by them."""

import math
from typing import Literal, TypeVar

from trivet.contract.decomposition import Decomposition
from trivet.contract.table import derived
from trivet.dtypes import FLOATING, REAL_FLOATING
from trivet.shapes import Axes, reduced

__all__ = ["MatrixOrd", "Norms"]

H = TypeVar("H")
MatrixOrd = float | Literal["fro", "nuc"]


class Norms(Decomposition[H], family="norms"):
    """Results are real. Sums do not overflow where their roots would not."""

    @derived(FLOATING)
    def vector_norm(self, x: H, /, *, axis: Axes, keepdims: bool, ord: float) -> H:
        """sum(abs(x) ** ord) ** (1 / ord) over all `axis` together.

        inf and -inf give the largest and smallest size, 0 the number of elements that
        are not zero. Of nothing it is 0, or inf for a negative `ord`.
        """
        wide, _ = self.widened(x)
        axis = tuple(range(len(self.shape(x)))) if axis is None else axis
        shape = reduced(self.shape(x), axis, keepdims=keepdims)
        real = self.dtype(self.real(x))
        if math.prod(self.shape(x)[i] for i in axis) == 0:
            empty = self.filled_like(x, math.inf if ord < 0 else 0, shape)
            return self.real(empty)
        norm = self._size_norm(self.abs(wide), axis, ord)
        return self.cast(self.reshape(norm, shape=shape), real)

    def _size_norm(self, size: H, axis: Axes, ord: float) -> H:
        """The norm of sizes, none of them negative, with the axes kept."""
        if ord == 0:
            count = self.count_nonzero(size, axis=axis, keepdims=True)
            return self.astype(count, dtype=self.dtype(size))
        if math.isinf(ord):
            extreme = self.max if ord > 0 else self.min
            return extreme(size, axis=axis, keepdims=True)
        if ord == 1:
            return self.sum(size, axis=axis, dtype=None, keepdims=True)
        scale = (self.max if ord > 0 else self.min)(size, axis=axis, keepdims=True)
        bad = self.logical_or(self.equal(scale, 0), self.isinf(scale))
        whole = self.where(bad, 1, scale)
        ratio = self.where(bad, 1, self.divide(size, whole))
        terms = self.pow(ratio, ord)
        total = self.sum(terms, axis=axis, dtype=None, keepdims=True)
        root = self.sqrt(total) if ord == 2 else self.pow(total, 1 / ord)
        return self.where(bad, scale, self.multiply(root, whole))

    @derived(FLOATING)
    def matrix_norm(self, x: H, /, *, keepdims: bool, ord: MatrixOrd) -> H:
        """A norm of each matrix.

        "fro": the root of the sum of squares. "nuc": the sum of the singular values; 2
        and -2: the largest and smallest of them. 1 and -1: the largest and smallest
        sum of sizes in a column; inf and -inf: in a row. Of nothing it is 0.
        """
        *batch, rows, cols = self.shape(x)
        shape = (*batch, 1, 1) if keepdims else tuple(batch)
        last = len(batch) + 1
        if not rows * cols:
            return self.real(self.filled_like(x, 0, shape))
        if ord == "fro":
            return self.vector_norm(x, axis=(last - 1, last), keepdims=keepdims, ord=2)
        wide, _ = self.widened(x)
        if ord in {"nuc", 2, -2}:
            parts, axis = self.svdvals(wide), last - 1
        else:
            along = last if math.isinf(float(ord)) else last - 1
            size = self.abs(wide)
            parts = self.sum(size, axis=(along,), dtype=None, keepdims=False)
            axis = last - 1
        real = self.dtype(self.real(x))
        return self.cast(
            self.reshape(self._chosen_norm(parts, axis, ord), shape=shape), real
        )

    def _chosen_norm(self, parts: H, axis: int, ord: MatrixOrd) -> H:
        if ord == "nuc":
            return self.sum(parts, axis=(axis,), dtype=None, keepdims=False)
        extreme = self.max if float(ord) > 0 else self.min
        return extreme(parts, axis=(axis,), keepdims=False)

    @derived(FLOATING)
    def cond(self, x: H, /, *, p: MatrixOrd) -> H:
        """The norm of each matrix times that of its inverse; inf if it is singular.

        For 2, the largest over the smallest singular value; for -2 the other way.
        Only these two take matrices that are not square.
        """
        if p in {2, -2}:
            return self._cond_by_svd(x, inverse=p == -2)
        packed = self.lu(x)[2]
        pivots = self.diagonal(packed, offset=0)
        zeros = self.count_nonzero(
            self.equal(pivots, 0), axis=(len(self.shape(pivots)) - 1,), keepdims=True
        )
        singular = self.greater(
            self.expand_dims(zeros, axis=(len(self.shape(zeros)),)), 0
        )
        safe = self.where(singular, self._identity_like(x), x)
        both = self.multiply(
            self.matrix_norm(safe, keepdims=True, ord=p),
            self.matrix_norm(self.inv(safe), keepdims=True, ord=p),
        )
        last = len(self.shape(both)) - 1
        return self.squeeze(self.where(singular, math.inf, both), axis=(last - 1, last))

    def _cond_by_svd(self, x: H, *, inverse: bool) -> H:
        s = self.svdvals(x)
        last = len(self.shape(s)) - 1
        first = self.squeeze(self.part(s, last, 0, 1), axis=(last,))
        end = self.shape(s)[last]
        least = self.squeeze(self.part(s, last, end - 1, end), axis=(last,))
        if inverse:
            return self.divide(least, first)
        singular = self.equal(least, 0)
        ratio = self.divide(first, self.where(singular, 1, least))
        return self.where(singular, math.inf, ratio)

    @derived(REAL_FLOATING)
    def cosine_similarity(self, x1: H, x2: H, /, *, axis: int, eps: float) -> H:
        """The cosine of the angle between vectors along `axis`, counted from the end.

        Norms below `eps` count as `eps`, so that of a vector of zeros it is 0.
        """
        first, second = self._promoted(x1, x2)
        (first, dtype), (second, _) = self.widened(first), self.widened(second)
        units = [self._unit_vectors(x, axis, eps) for x in (first, second)]
        return self.cast(self.vecdot(*units, axis=axis), dtype)

    def _unit_vectors(self, x: H, axis: int, eps: float) -> H:
        along = (len(self.shape(x)) + axis,)
        norm = self.vector_norm(x, axis=along, keepdims=True, ord=2)
        return self.divide(x, self.maximum(norm, eps))
