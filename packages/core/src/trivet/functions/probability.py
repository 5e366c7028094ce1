"""Functions of probabilities: the normal distribution, log-odds, entropies, softmax.

Users reach them as `tv.special.<name>`, as those of `special`: names, meanings and
defaults are those of scipy.special. Another dtype than real floating raises
`DTypeError`.
"""

import math
from collections.abc import Callable, Sequence
from typing import Any, SupportsIndex, TypeVar

from trivet.contract import Backend
from trivet.dispatch import call, require_kind
from trivet.functions import nn
from trivet.functions.creation import full_like
from trivet.functions.special import call_real
from trivet.shapes import normalize_axes, reduced
from trivet.tensor import Tensor

__all__ = [
    "entr",
    "expit",
    "kl_div",
    "log_expit",
    "log_ndtr",
    "log_softmax",
    "logit",
    "logsumexp",
    "ndtr",
    "ndtri",
    "rel_entr",
    "softmax",
]

B = TypeVar("B", bound=Backend[Any])


def entr(x: Tensor[B], /) -> Tensor[B]:
    """The entropy -x log(x) of each element; 0 at 0, -inf below.

    >>> import trivet as tv
    >>> tv.special.entr(tv.asarray([0.0, -1.0])).tolist()
    [0.0, -inf]
    """
    return call_real("entr", x)


def expit(x: Tensor[B], /) -> Tensor[B]:
    """1 / (1 + exp(-x)), the inverse of `logit`; `tv.nn.sigmoid` by its other name.

    >>> import trivet as tv
    >>> tv.special.expit(tv.asarray([0.0, tv.inf])).tolist()
    [0.5, 1.0]
    """
    return call_real("sigmoid", x)


def kl_div(x1: Tensor[B] | float, x2: Tensor[B] | float, /) -> Tensor[B]:
    """x1 log(x1 / x2) - x1 + x2 of numbers from 0 on; inf otherwise.

    >>> import trivet as tv
    >>> tv.special.kl_div(tv.asarray([0.0, 1.0]), tv.asarray([2.0, 1.0])).tolist()
    [2.0, 0.0]
    """
    return call_real("kl_div", x1, x2)


def log_expit(x: Tensor[B], /) -> Tensor[B]:
    """log(expit(x)), also where expit(x) itself is 0.

    >>> import trivet as tv
    >>> tv.special.log_expit(tv.asarray([-1000.0])).tolist()
    [-1000.0]
    """
    return call_real("log_sigmoid", x)


def log_ndtr(x: Tensor[B], /) -> Tensor[B]:
    """log(ndtr(x)), also where ndtr(x) itself is 0.

    >>> import trivet as tv
    >>> tv.special.log_ndtr(tv.asarray([-tv.inf])).tolist()
    [-inf]
    """
    return call_real("log_ndtr", x)


def log_softmax(x: Tensor[B], /, axis: SupportsIndex | None = None) -> Tensor[B]:
    """log(softmax(x)) along `axis`, over all elements by default.

    >>> import trivet as tv
    >>> tv.special.log_softmax(tv.asarray([0.0, -1000.0])).tolist()
    [0.0, -1000.0]
    """
    return _over(nn.log_softmax, "log_softmax", x, axis)


def logit(x: Tensor[B], /) -> Tensor[B]:
    """log(x / (1 - x)), the inverse of `expit`; NaN outside [0, 1].

    >>> import trivet as tv
    >>> tv.special.logit(tv.asarray([0.0, 0.5, 1.0])).tolist()
    [-inf, 0.0, inf]
    """
    return call_real("logit", x)


def logsumexp(
    a: Tensor[B],
    /,
    axis: SupportsIndex | Sequence[SupportsIndex] | None = None,
    b: Tensor[B] | float | None = None,
    *,
    keepdims: bool = False,
) -> Tensor[B]:
    """log(sum(b exp(a))) along `axis`, without overflow; `b` is 1 by default.

    NaN where the sum is negative. An element whose `b` is 0 counts for nothing.

    >>> import trivet as tv
    >>> tv.special.logsumexp(tv.asarray([1000.0, 1000.0]), b=0.5).item()
    1000.0
    """
    if b is None:
        return nn.logsumexp(a, axis=axis, keepdims=keepdims)
    require_kind("logsumexp", a)
    weights = b if isinstance(b, Tensor) else full_like(a, b)
    counted = call("where", call("equal", weights, 0), -math.inf, a)
    top = nn.logsumexp(counted, axis=axis, keepdims=True)
    top = call("where", call("isfinite", top), top, 0)
    e = call("exp", call("subtract", counted, top))
    axes = normalize_axes("logsumexp", axis, e.ndim)
    parts = call("multiply", weights, e)
    total = call("sum", parts, axis=axes, dtype=None, keepdims=True)
    whole = call("add", call("log", total), top)
    return call("reshape", whole, shape=reduced(e.shape, axes, keepdims=keepdims))


def ndtr(x: Tensor[B], /) -> Tensor[B]:
    """The normal distribution function: the probability of a value below x.

    >>> import trivet as tv
    >>> tv.special.ndtr(tv.asarray([0.0, tv.inf])).tolist()
    [0.5, 1.0]
    """
    return call_real("ndtr", x)


def ndtri(x: Tensor[B], /) -> Tensor[B]:
    """The inverse of `ndtr`, the normal quantile; NaN outside [0, 1].

    >>> import trivet as tv
    >>> tv.special.ndtri(tv.asarray([0.0, 0.5])).tolist()
    [-inf, 0.0]
    """
    return call_real("ndtri", x)


def rel_entr(x1: Tensor[B] | float, x2: Tensor[B] | float, /) -> Tensor[B]:
    """x1 log(x1 / x2) of positive numbers; 0 where x1 is 0 and x2 is not below.

    inf otherwise.

    >>> import trivet as tv
    >>> tv.special.rel_entr(tv.asarray([0.0, 1.0]), tv.asarray([2.0, 1.0])).tolist()
    [0.0, 0.0]
    """
    return call_real("rel_entr", x1, x2)


def softmax(x: Tensor[B], /, axis: SupportsIndex | None = None) -> Tensor[B]:
    """exp(x) / sum(exp(x)) along `axis`, over all elements by default.

    Otherwise as `tv.nn.softmax`, whose `axis` is the last one by default.

    >>> import trivet as tv
    >>> tv.special.softmax(tv.zeros((2, 2))).tolist()
    [[0.25, 0.25], [0.25, 0.25]]
    """
    return _over(nn.softmax, "softmax", x, axis)


def _over(
    function: Callable[..., Tensor[Any]],
    op: str,
    x: Tensor[B],
    axis: SupportsIndex | None,
) -> Tensor[B]:
    """The function along `axis`, or over all elements as one row."""
    require_kind(op, x)
    if axis is not None:
        return function(x, axis=axis)
    row = call("reshape", x, shape=(x.size,))
    return call("reshape", function(row, axis=0), shape=x.shape)
