"""Rules for linear layers and embeddings; attention is differentiated by its body."""

import math
from typing import Any

from trivet.contract import Backend
from trivet_autodiff.rules.registry import rule

__all__: list[str] = []


@rule("linear")
def linear(b: Backend[Any]) -> Any:
    """g @ weight, g.mT @ x over all rows, and the sum of g over them."""

    def rows(x: Any) -> Any:
        shape = tuple(x.shape)
        if len(shape) == 2:
            return x
        return b.reshape(x, shape=(math.prod(shape[:-1]), shape[-1]))

    def pull_x(g: Any, weight: Any) -> Any:
        if len(g.shape) < 3:
            return b.matmul(g, weight)
        flat = b.matmul(rows(g), weight)
        return b.reshape(flat, shape=(*g.shape[:-1], weight.shape[1]))

    def pull_weight(g: Any, x: Any) -> Any:
        return b.matmul(b.matrix_transpose(rows(g)), rows(x))

    def pull_bias(g: Any, saved: None) -> Any:
        return b.sum(rows(g), axis=(0,), dtype=None, keepdims=False)

    def record(out: Any, x: Any, weight: Any, bias: Any) -> Any:
        return (pull_x, weight), (pull_weight, x), (pull_bias, None)

    return record


@rule("embedding")
def embedding(b: Backend[Any]) -> Any:
    """Each cotangent is added to the row that was read, but not to the padding."""

    def pull(g: Any, saved: Any) -> Any:
        indices, shape, padding = saved
        count, n = math.prod(indices.shape), shape[0]
        flat = b.reshape(indices, shape=(count,))
        rows = b.reshape(g, shape=(count, *shape[1:]))
        if padding is None:
            zeros = b.filled_like(g, 0, shape)
            return b.index_update(zeros, flat, rows, mode="add")
        # one more row takes what the padding gets: to look for it among the
        # cotangents would be a pass over all of them
        zeros = b.filled_like(g, 0, (n + 1, *shape[1:]))
        places = apart(flat, padding, n)
        return b.part(b.index_update(zeros, places, rows, mode="add"), 0, 0, n)

    def apart(flat: Any, padding: int, n: int) -> Any:
        # small integers have no room for one more
        wide = b.cast(flat, b.default_dtypes(b.device(flat)).indexing)
        places = b.remainder(wide, n)  # negative ones count from the end
        return b.where(b.equal(places, padding), n, places)

    def record(out: Any, indices: Any, weight: Any, *, padding_idx: int | None) -> Any:
        return None, (pull, (indices, tuple(weight.shape), padding_idx))

    return record
