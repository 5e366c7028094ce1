"""The matrix product."""

import math
from operator import mul

from trivet.dtypes import FLOATING, promote
from trivet.shapes import broadcast
from trivet_example.grid import Grid, Values
from trivet_example.numbers import fit
from trivet_example.shape import Shape

__all__ = ["Linalg"]


class Linalg(Shape):
    """Every element is the sum of a row times a column."""

    def matmul(self, x1: Grid, x2: Grid, /) -> Grid:
        dtype = promote(x1.dtype, x2.dtype)
        self.take_kinds("matmul", dtype)
        left, right = self.astype(x1, dtype=dtype), self.astype(x2, dtype=dtype)
        if len(x1.shape) == 1:
            left = self.reshape(left, shape=(1, *x1.shape))
        if len(x2.shape) == 1:
            right = self.reshape(right, shape=(*x2.shape, 1))
        product = self._matrices(left, right)
        rows = product.shape[-2:-1] if len(x1.shape) > 1 else ()
        cols = product.shape[-1:] if len(x2.shape) > 1 else ()
        return self.reshape(product, shape=(*product.shape[:-2], *rows, *cols))

    def _matrices(self, left: Grid, right: Grid) -> Grid:
        *first, rows, inner = left.shape
        *second, also_inner, cols = right.shape
        if inner != also_inner:  # Trivet's matmul says which shapes and why
            raise ValueError(f"inner sizes {inner} and {also_inner}")
        batch = broadcast("matmul", tuple(first), tuple(second))
        left = self.broadcast_to(left, shape=(*batch, rows, inner))
        right = self.broadcast_to(right, shape=(*batch, inner, cols))
        zero = 0.0 if left.dtype.kind in FLOATING else 0
        data: Values = []
        for i in range(math.prod(batch)):
            a = left.data[i * rows * inner : (i + 1) * rows * inner]
            b = right.data[i * inner * cols : (i + 1) * inner * cols]
            lines = [a[k * inner : (k + 1) * inner] for k in range(rows)]
            columns = [b[k::cols] for k in range(cols)]
            data += [sum(map(mul, r, c), zero) for r in lines for c in columns]
        shape = (*batch, rows, cols)
        return Grid(fit(data, left.dtype), shape, left.dtype, left.device)
