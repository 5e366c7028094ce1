"""The layers of a transformer that are not norms or activations."""

import math
from typing import TypeVar

from trivet.contract.nn import Nn
from trivet.contract.table import derived
from trivet.dtypes import ANY, BOOLEAN, NUMERIC, REAL_FLOATING, float32

__all__ = ["Attention"]

H = TypeVar("H")


class Attention(Nn[H], family="attention"):
    """Masked elements count as -inf before a softmax, in which they weigh 0."""

    @derived(NUMERIC)
    def linear(self, x: H, weight: H, bias: H | None, /) -> H:
        """x times the transpose of `weight`, along the last axis of `x`, plus `bias`.

        `weight` has the shape (outputs, inputs), `bias` (outputs,).
        """
        *batch, inputs = self.shape(x)
        if len(batch) > 1:  # one matrix product is faster than one for each batch
            x = self.reshape(x, shape=(math.prod(batch), inputs))
        product = self.matmul(x, self.matrix_transpose(weight))
        if bias is not None:
            product = self.add(product, bias)
        if len(batch) > 1:
            product = self.reshape(product, shape=(*batch, self.shape(weight)[0]))
        return product

    @derived(ANY)
    def embedding(self, indices: H, weight: H, /, *, padding_idx: int | None) -> H:
        """The rows of `weight` at integer `indices`.

        The row `padding_idx` gets no gradient; the values do not depend on it.
        """
        flat = self.reshape(indices, shape=(self.size(indices),))
        rows = self.take(weight, flat, axis=0)
        return self.reshape(rows, shape=(*self.shape(indices), *self.shape(weight)[1:]))

    @derived(REAL_FLOATING | BOOLEAN)
    def scaled_dot_product_attention(
        self,
        query: H,
        key: H,
        value: H,
        mask: H | None,
        /,
        *,
        is_causal: bool,
        scale: float,
    ) -> H:
        """softmax(scale * query key^T + mask) value; rows without any key give zeros.

        The shapes are (..., L, E), (..., S, E) and (..., S, V), and the mask broadcasts
        to (..., L, S): boolean, true where a key takes part, or added. With `is_causal`
        the key `j` takes part for the query `i` if j <= i.
        """
        query, dtype = self.widened(query)
        key, value = self.widened(key)[0], self.widened(value)[0]
        scores = self.matmul(self.multiply(query, scale), self.matrix_transpose(key))
        if mask is not None:
            scores = self._masked(scores, mask)
        if is_causal:
            scores = self._masked(scores, self.less_equal(self._gap(scores), 0))
        weights = self.softmax(scores, axis=len(self.shape(scores)) - 1)
        return self.cast(self.matmul(weights, value), dtype)

    def _masked(self, scores: H, mask: H) -> H:
        if self.dtype(mask).kind == "bool":
            return self.where(mask, scores, -math.inf)
        return self.add(scores, self.cast(mask, self.dtype(scores)))

    @derived(REAL_FLOATING)
    def dropout(self, x: H, /, *, p: float, key: int) -> H:
        """Zeros with the probability `p`, and x / (1 - p) elsewhere."""
        draws = self.random_uniform(
            key=key, shape=self.shape(x), dtype=float32, device=self.device(x)
        )
        scale = 1 / (1 - p) if p < 1 else 1
        return self.where(self.less(draws, p), 0, self.multiply(x, scale))
