"""Linear layers and attention with few temporaries."""

import numpy as np

from trivet.dtypes import float32
from trivet.shapes import broadcast
from trivet_ndarray.data import Array, Data
from trivet_ndarray.nn import soften

__all__ = ["Attention"]

_SCORES = 1 << 18  # elements that are made, softened and used while in the cache


class Attention(Data):
    """The results are those of the contract's bodies."""

    def embedding(
        self, indices: Array, weight: Array, /, *, padding_idx: int | None
    ) -> Array:
        return weight.take(indices.astype(np.intp, copy=False), 0)

    def scaled_dot_product_attention(
        self,
        query: Array,
        key: Array,
        value: Array,
        mask: Array | None,
        /,
        *,
        is_causal: bool,
        scale: float,
    ) -> Array:
        dtype = self.dtype(query)
        query, key, value = (self.widened(x)[0] for x in (query, key, value))
        rows, keys = query.shape[-2], key.shape[-2]
        batch = broadcast(
            "attention", query.shape[:-2], key.shape[:-2], value.shape[:-2]
        )
        out = np.empty((*batch, rows, value.shape[-1]), query.dtype)
        query, key, value = (
            np.broadcast_to(x, batch + x.shape[-2:]) for x in (query, key, value)
        )
        if mask is not None:
            mask = np.broadcast_to(mask, (*batch, rows, keys))
        step = max(_SCORES // max(keys, 1), 1)
        for place in np.ndindex(*batch):
            turned = key[place].T
            for start in range(0, rows, step):
                part = slice(start, start + step)
                scores = (query[place][part] * query.dtype.type(scale)) @ turned
                if mask is not None:
                    scores = _masked(scores, mask[place][part])
                if is_causal:
                    scores[_after(start, *scores.shape)] = -np.inf
                soften(scores, scores)
                np.matmul(scores, value[place], out[place][part])
        return self.cast(out, dtype)

    def dropout(self, x: Array, /, *, p: float, key: int) -> Array:
        if p == 1 or not np.isfinite(x).all():  # 0 * inf is NaN
            return super().dropout(x, p=p, key=key)
        draws = self.random_uniform(
            key=key, shape=x.shape, dtype=float32, device=self.device(x)
        )
        kept = np.multiply(x, np.asarray(draws) >= p)
        return np.multiply(kept, 1 / (1 - p))


def _masked(scores: Array, mask: Array) -> Array:
    if mask.dtype == np.bool_:
        return np.where(mask, scores, scores.dtype.type(-np.inf))
    return np.add(scores, mask, scores, casting="same_kind")


def _after(start: int, rows: int, keys: int) -> Array:
    """Which keys come after the queries of the rows from `start`."""
    return np.arange(keys) > np.arange(start, start + rows)[:, None]
