"""Linear layers and attention with few temporaries."""

import math
from collections.abc import Iterator

import numpy as np

from trivet.dtypes import float32
from trivet.shapes import broadcast
from trivet_ndarray.data import Array, Data
from trivet_ndarray.nn import soften

__all__ = ["Attention"]

_SCORES = 1 << 18  # elements that are made, softened and used while in the cache


class Attention(Data):
    """The results are those of the contract's bodies."""

    def linear(self, x: Array, weight: Array, bias: Array | None, /) -> Array:
        many = x.ndim > 2  # one matrix product is faster than one for each batch
        rows = x.reshape(math.prod(x.shape[:-1]), x.shape[-1]) if many else x
        out = np.matmul(rows, weight.T)
        if bias is not None:
            out = _raised(out, bias)
        return out.reshape(*x.shape[:-1], len(weight)) if many else out

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
        batch, *heads = _by_head(*(self.widened(x)[0] for x in (query, key, value)))
        query, key, value = heads
        if mask is not None:
            mask = _masks_by_head(mask, batch)
        out = np.empty((*query.shape[:2], value.shape[2]), query.dtype)
        for some, rows in _parts(len(query), query.shape[1], key.shape[1]):
            seen = slice(0, rows.stop if is_causal else None)
            keys = key[some, seen].mT
            scores = (query[some, rows] * query.dtype.type(scale)) @ keys
            if mask is not None:
                scores = _masked(scores, _cut(mask, some, rows, seen))
            if is_causal:
                corner = scores[:, :, rows.start :]
                earlier = np.tri(*corner.shape[1:], dtype=np.bool_)
                np.copyto(corner, -np.inf, where=~earlier)
            flat = scores.reshape(len(scores) * scores.shape[1], scores.shape[2])
            soften(flat, flat)
            np.matmul(scores, value[some, seen], out[some, rows])
        return self.cast(out.reshape(*batch, *out.shape[1:]), dtype)

    def dropout(self, x: Array, /, *, p: float, key: int) -> Array:
        if p == 1 or not np.isfinite(x).all():  # 0 * inf is NaN
            return super().dropout(x, p=p, key=key)
        draws = self.random_uniform(
            key=key, shape=x.shape, dtype=float32, device=self.device(x)
        )
        kept = np.multiply(x, np.asarray(draws) >= p)
        return np.multiply(kept, 1 / (1 - p))


def _raised(x: Array, bias: Array) -> Array:
    """The sum, in the memory of `x` where its dtype is that of both."""
    return np.add(x, bias, x if x.dtype == bias.dtype else None)


def _by_head(
    query: Array, key: Array, value: Array
) -> tuple[tuple[int, ...], Array, Array, Array]:
    """The shape of the batch, and each array with the batch as its first axis."""
    every = query, key, value
    batch = broadcast("attention", *(x.shape[:-2] for x in every))
    full = (np.broadcast_to(x, batch + x.shape[-2:]) for x in every)
    first, second, third = (x.reshape(math.prod(batch), *x.shape[-2:]) for x in full)
    return batch, first, second, third


def _masks_by_head(mask: Array, batch: tuple[int, ...]) -> Array:
    """The mask with the batch as its first axis; of size 1 where it is for all."""
    mask = mask.reshape((1,) * (2 - mask.ndim) + mask.shape)
    if all(n == 1 for n in mask.shape[:-2]):
        return mask.reshape(1, *mask.shape[-2:])
    full = np.broadcast_to(mask, batch + mask.shape[-2:])
    return full.reshape(math.prod(batch), *mask.shape[-2:])


def _parts(heads: int, rows: int, keys: int) -> Iterator[tuple[slice, slice]]:
    """Several heads together, or of one head some rows, of `_SCORES` in all."""
    together = max(_SCORES // max(rows * keys, 1), 1)
    step = max(_SCORES // max(keys, 1), 1) if together == 1 else max(rows, 1)
    for head in range(0, heads, together):
        for row in range(0, rows, step):
            yield slice(head, head + together), slice(row, row + step)


def _masked(scores: Array, mask: Array) -> Array:
    if mask.dtype == np.bool_:
        return np.where(mask, scores, scores.dtype.type(-np.inf))
    return np.add(scores, mask, scores, casting="same_kind")


def _cut(mask: Array, *parts: slice) -> Array:
    """The parts along each axis, but for axes of size 1, which are for all."""
    whole = slice(None)
    sizes = zip(mask.shape, parts, strict=True)
    return mask[tuple(whole if n == 1 else part for n, part in sizes)]
