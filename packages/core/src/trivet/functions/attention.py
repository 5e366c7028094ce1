"""Linear layers, embeddings, attention and dropout; users reach them as `tv.nn`."""

import math
from typing import Any, Protocol, SupportsIndex, TypeVar

from trivet.arguments import integer, real
from trivet.contract import Backend
from trivet.dispatch import call, call_given, require_kind, require_tensor
from trivet.dtypes import INTEGRAL, REAL_FLOATING
from trivet.errors import ArgumentError, DTypeError, ShapeError, TensorIndexError
from trivet.failures import wrong_dtype
from trivet.shapes import broadcast
from trivet.tensor import Tensor

__all__ = ["dropout", "embedding", "linear", "scaled_dot_product_attention"]

B = TypeVar("B", bound=Backend[Any])


class Keys(Protocol):
    """What deals the keys of random draws: `tv.random.Generator`."""

    def key(self) -> int:
        """The next key."""
        ...


def linear(
    x: Tensor[B], weight: Tensor[Any], bias: Tensor[Any] | None = None
) -> Tensor[B]:
    """x times the transpose of `weight`, plus `bias`.

    `x` has the shape (..., inputs), `weight` (outputs, inputs), `bias` (outputs,), and
    the result (..., outputs). Raises `ShapeError`, `DTypeError`.

    >>> import trivet as tv
    >>> weight, bias = tv.asarray([[1.0, 0.0], [1.0, 1.0]]), tv.asarray([0.0, 9.0])
    >>> tv.nn.linear(tv.asarray([3.0, 4.0]), weight, bias).tolist()
    [3.0, 16.0]
    """
    given = (x, weight) if bias is None else (x, weight, bias)
    require_kind("linear", *given)
    shape, sizes = x.shape, weight.shape
    if len(sizes) != 2 or shape[-1:] != sizes[1:]:
        raise ShapeError(
            f"linear: a tensor of shape {shape} and a weight of shape {sizes} do not "
            "fit. The weight has the shape (outputs, inputs), and the last axis of the "
            "tensor the inputs."
        )
    if bias is not None and bias.shape != sizes[:1]:
        raise ShapeError(
            f"linear: the bias has the shape {bias.shape}, and for a weight of shape "
            f"{sizes} it must be {sizes[:1]}."
        )
    return call_given("linear", x, weight, bias)


def embedding(
    indices: Tensor[Any],
    weight: Tensor[B],
    *,
    padding_idx: SupportsIndex | None = None,
) -> Tensor[B]:
    """The rows of `weight`, of shape (rows, width), at the integer `indices`.

    The result has the shape of `indices` and then the width. Negative indices count
    from the end. The row `padding_idx` gets no gradient. Raises `ShapeError`,
    `DTypeError`, and `TensorIndexError` where the backend checks bounds.

    >>> import trivet as tv
    >>> weight = tv.asarray([[0.0, 0.0], [1.0, 2.0]])
    >>> tv.nn.embedding(tv.asarray([[1], [0]]), weight).tolist()
    [[[1.0, 2.0]], [[0.0, 0.0]]]
    """
    require_tensor("embedding", indices, weight)
    if indices.dtype.kind not in INTEGRAL:
        raise DTypeError(
            f"embedding: the indices have the dtype {indices.dtype} and must be "
            "integers. Cast with .astype(...)."
        )
    if weight.ndim != 2:
        raise ShapeError(
            f"embedding: the weight has the shape {weight.shape} and must be "
            "(rows, width)."
        )
    row = (
        None
        if padding_idx is None
        else _row(integer("embedding", "padding_idx", padding_idx), weight)
    )
    return call("embedding", indices, weight, padding_idx=row)


def _row(number: int, weight: Tensor[Any]) -> int:
    rows = weight.shape[0]
    if not -rows <= number < rows:
        raise TensorIndexError(
            f"embedding: padding_idx={number} is no row of the weight, which has "
            f"{rows}."
        )
    return number % rows


def scaled_dot_product_attention(
    query: Tensor[B],
    key: Tensor[Any],
    value: Tensor[Any],
    mask: Tensor[Any] | None = None,
    *,
    is_causal: bool = False,
    scale: float | None = None,
) -> Tensor[B]:
    """softmax(scale * query @ key.mT + mask) @ value (Vaswani et al., 2017).

    The shapes are (..., L, E) for the query, (..., S, E) for the key and (..., S, V)
    for the value; the result has (..., L, V), and the axes in front broadcast. `mask`
    broadcasts to (..., L, S): boolean, true where a key takes part, or floating, added
    to the scores. With `is_causal`, the query `i` sees the keys 0 to i, and `mask`
    applies too. A query without any key gives zeros. `scale` is 1 / sqrt(E) unless
    given. 16-bit floats are computed in float32. Raises `ShapeError`, `DTypeError`.

    >>> import trivet as tv
    >>> query = tv.zeros((2, 1))
    >>> value = tv.asarray([[2.0], [4.0]])
    >>> tv.nn.scaled_dot_product_attention(query, query, value, is_causal=True).tolist()
    [[2.0], [3.0]]
    """
    op = "scaled_dot_product_attention"
    _check_kinds(op, query, key, value, mask)
    _check_sizes(op, query, key, value, mask)
    if scale is None:
        scale = 1 / math.sqrt(query.shape[-1] or 1)
    return call_given(op, query, key, value, mask, is_causal=is_causal, scale=scale)


def _check_kinds(
    op: str,
    query: Tensor[Any],
    key: Tensor[Any],
    value: Tensor[Any],
    mask: Tensor[Any] | None,
) -> None:
    require_tensor(op, query, key, value)
    if query.dtype.kind not in REAL_FLOATING:
        raise wrong_dtype(op, query.dtype)
    if len({query.dtype, key.dtype, value.dtype}) > 1:
        raise DTypeError(
            f"{op}: query, key and value have the dtypes {query.dtype}, {key.dtype} "
            f"and {value.dtype}, and must have one. Cast with .astype(...)."
        )
    if mask is not None:
        require_tensor(op, query, key, value, mask)
        require_kind(op, mask)


def _check_sizes(
    op: str,
    query: Tensor[Any],
    key: Tensor[Any],
    value: Tensor[Any],
    mask: Tensor[Any] | None,
) -> None:
    shapes = query.shape, key.shape, value.shape
    if (
        min(map(len, shapes)) < 2
        or query.shape[-1] != key.shape[-1]
        or key.shape[-2] != value.shape[-2]
    ):
        raise ShapeError(
            f"{op}: the query has the shape {shapes[0]}, the key {shapes[1]} and the "
            f"value {shapes[2]}. They must be (..., L, E), (..., S, E) and (..., S, V)."
        )
    batch = broadcast(op, *(shape[:-2] for shape in shapes))
    scores = (*batch, query.shape[-2], key.shape[-2])
    if mask is not None and broadcast(op, scores, mask.shape) != scores:
        raise ShapeError(
            f"{op}: the mask has the shape {mask.shape}, which does not broadcast to "
            f"the scores, {scores}."
        )


def dropout(x: Tensor[B], p: float = 0.5, *, generator: Keys) -> Tensor[B]:
    """Zeros with the probability `p`, and x / (1 - p) elsewhere.

    For training; the mean stays what it is, so there is nothing to do afterwards. The
    `generator`, a `tv.random.Generator`, decides which: the same seed drops the same.
    Raises `ValueError` unless `p` is within 0 to 1, `TypeError` for another generator.

    >>> import trivet as tv
    >>> dropped = tv.nn.dropout(tv.ones(1000), 0.5, generator=tv.random.Generator(0))
    >>> sorted(set(dropped.tolist()))
    [0.0, 2.0]
    """
    require_kind("dropout", x)
    if not 0 <= real("dropout", "p", p) <= 1:
        raise ArgumentError(f"dropout: p={p} is not a probability, within 0 to 1.")
    if not hasattr(generator, "key"):
        raise ArgumentError(
            f"dropout: generator={generator!r} deals no random keys. Pass "
            "tv.random.Generator(seed)."
        )
    return call("dropout", x, p=p, key=generator.key())
