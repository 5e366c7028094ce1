"""Medians, covariance and counts of values; `quantiles` has other parts.

`axis` is an int, a tuple of ints, or `None` for all axes; with `keepdims=True` the
reduced axes stay, with size 1. Integers and booleans are taken as float64.
"""

import math
from collections.abc import Sequence
from typing import Any, NamedTuple, SupportsIndex, TypeVar

from trivet import dtypes
from trivet.arguments import integer, items, real
from trivet.contract import Backend
from trivet.dispatch import call, require_kind, require_tensor
from trivet.dtypes import DType
from trivet.errors import ArgumentError, ShapeError
from trivet.failures import require_dynamic
from trivet.functions.floats import widest_float
from trivet.functions.ranges import linspace
from trivet.shapes import normalize_axes
from trivet.tensor import Tensor

__all__ = [
    "bincount",
    "corrcoef",
    "cov",
    "histogram",
    "median",
    "std_mean",
    "var_mean",
]

B = TypeVar("B", bound=Backend[Any])
Axis = SupportsIndex | Sequence[SupportsIndex] | None


class VarMean(NamedTuple):
    """What `var_mean` gives."""

    var: Tensor[Any]
    mean: Tensor[Any]


class StdMean(NamedTuple):
    """What `std_mean` gives."""

    std: Tensor[Any]
    mean: Tensor[Any]


class Histogram(NamedTuple):
    """What `histogram` gives: a number for each bin, and the bins' edges."""

    hist: Tensor[Any]
    bin_edges: Tensor[Any]


def median(x: Tensor[B], /, *, axis: Axis = None, keepdims: bool = False) -> Tensor[B]:
    """The middle element in order along `axis`, or the mean of the two in the middle.

    NaN where there is one, and of nothing. Floats keep their dtype. Raises
    `DTypeError` for complex, `AxisError`.

    >>> import trivet as tv
    >>> tv.median(tv.asarray([7.0, 1.0, 2.0, 4.0])).item()
    3.0
    """
    require_kind("median", x)
    axes = normalize_axes("median", axis, x.ndim)
    return call("median", x, axis=axes, keepdims=keepdims)


def var_mean(
    x: Tensor[Any],
    /,
    *,
    axis: Axis = None,
    correction: float = 0.0,
    keepdims: bool = False,
) -> VarMean:
    """The variance and the mean along `axis`, as `var` and `mean` give them.

    >>> import trivet as tv
    >>> var, mean = tv.var_mean(tv.asarray([1.0, 3.0]))
    >>> var.item(), mean.item()
    (1.0, 2.0)
    """
    require_kind("var", x)
    axes = normalize_axes("var_mean", axis, x.ndim)
    return VarMean(
        call("var", x, axis=axes, correction=correction, keepdims=keepdims),
        call("mean", x, axis=axes, keepdims=keepdims),
    )


def std_mean(
    x: Tensor[Any],
    /,
    *,
    axis: Axis = None,
    correction: float = 0.0,
    keepdims: bool = False,
) -> StdMean:
    """The standard deviation and the mean along `axis`, as `std` and `mean` give them.

    >>> import trivet as tv
    >>> std, mean = tv.std_mean(tv.asarray([1.0, 3.0]))
    >>> std.item(), mean.item()
    (1.0, 2.0)
    """
    require_kind("std", x)
    axes = normalize_axes("std_mean", axis, x.ndim)
    return StdMean(
        call("std", x, axis=axes, correction=correction, keepdims=keepdims),
        call("mean", x, axis=axes, keepdims=keepdims),
    )


def cov(x: Tensor[B], /, *, correction: float = 1.0) -> Tensor[B]:
    """The covariances of variables, which are the rows of `x`; columns are samples.

    The result is a matrix with variances on its diagonal; of a 1-D `x`, one variance,
    0-d. Sums are over samples - correction; NaN where that is not positive. Of complex
    rows, the second is conjugated. Raises `ShapeError` unless 1-D or 2-D.

    >>> import trivet as tv
    >>> tv.cov(tv.asarray([[1.0, 2.0, 3.0], [2.0, 4.0, 6.0]])).tolist()
    [[1.0, 2.0], [2.0, 4.0]]
    """
    _require_rows("cov", x)
    return call("cov", x, correction=correction)


def corrcoef(x: Tensor[B], /) -> Tensor[B]:
    """The correlations of variables, which are the rows of `x`; columns are samples.

    From -1 to 1, and NaN for a variable that does not vary. Raises `ShapeError`
    unless 1-D or 2-D.

    >>> import trivet as tv
    >>> found = tv.corrcoef(tv.asarray([[1.0, 2.0, 3.0], [4.0, 2.0, 0.0]]))
    >>> round(found[0, 1].item(), 6)
    -1.0
    """
    _require_rows("corrcoef", x)
    return call("corrcoef", x)


def _require_rows(op: str, x: Tensor[Any]) -> None:
    require_tensor(op, x)
    if x.ndim not in {1, 2}:
        raise ShapeError(
            f"{op}: a tensor of shape {x.shape} holds no rows of samples; it must be "
            "1-D or 2-D."
        )


def bincount(
    x: Tensor[B],
    /,
    *,
    weights: Tensor[Any] | None = None,
    minlength: SupportsIndex = 0,
) -> Tensor[B]:
    """How often each of 0, 1, 2, ... up to the largest is in the 1-D integer `x`.

    The result has at least `minlength` elements, in the index dtype; with `weights`,
    of the shape of `x`, it holds their sums, in the dtype that `sum` gives. The
    smallest and the largest element are read back to the host.

    Raises `ShapeError`, `DTypeError` unless `x` is integral, `TensorIndexError` for a
    negative element.

    >>> import trivet as tv
    >>> tv.bincount(tv.asarray([0, 3, 3])).tolist()
    [1, 0, 0, 2]
    >>> tv.bincount(tv.asarray([0, 1, 1]), weights=tv.asarray([2.0, 0.5, 1])).tolist()
    [2.0, 1.5]
    """
    require_kind("bincount", x)
    if x.ndim != 1:
        raise ShapeError(f"bincount: x has the shape {x.shape} and must be 1-D.")
    require_dynamic("bincount", x, "Sum tv.nn.one_hot(x, length) along axis 0")
    weighted = _checked_weights("bincount", x, weights)
    return call(
        "bincount", x, *weighted, minlength=integer("bincount", "minlength", minlength)
    )


def _checked_weights(
    op: str, x: Tensor[Any], weights: Tensor[Any] | None
) -> list[Tensor[Any]]:
    if weights is None:
        return []
    require_tensor(op, x, weights)
    if weights.shape != x.shape:
        raise ShapeError(
            f"{op}: weights of shape {weights.shape} do not fit x of shape {x.shape}. "
            "They must be the same."
        )
    return [weights]


def histogram(
    x: Tensor[Any],
    /,
    bins: SupportsIndex | Tensor[Any] = 10,
    *,
    range: tuple[float, float] | None = None,
    weights: Tensor[Any] | None = None,
    density: bool = False,
) -> Histogram:
    """How many elements are in each bin, and the bins' edges.

    `bins` is a number of equal bins over `range`, which is from the smallest to the
    largest element unless given (0 to 1 of nothing), or a 1-D tensor of edges in
    ascending order. A bin holds its left edge; the last one, both. What is outside, and
    NaN, is not counted. With `weights`, of the shape of `x`, their sums. With `density`
    the numbers are divided by their sum and by the widths of the bins.

    Raises `ValueError` for a range that is not finite or not ascending, or for less
    than one bin; `ShapeError`; `DTypeError` unless real.

    >>> import trivet as tv
    >>> hist, edges = tv.histogram(tv.asarray([0.0, 0.1, 0.6, 1.0]), 2)
    >>> hist.tolist(), edges.tolist()
    ([2, 2], [0.0, 0.5, 1.0])
    """
    require_kind("histogram", x)
    weighted = _checked_weights("histogram", x, weights)
    edges = (
        bins
        if isinstance(bins, Tensor)
        else _edges(x, integer("histogram", "bins", bins), range)
    )
    if edges.ndim != 1 or edges.size < 2:
        raise ShapeError(
            f"histogram: edges of shape {edges.shape} make no bins; give two or more, "
            "in one dimension."
        )
    flat = [call("reshape", part, shape=(part.size,)) for part in (x, *weighted)]
    counts = call("histogram", flat[0], edges, *flat[1:])
    return Histogram(_over_widths(counts, edges) if density else counts, edges)


def _limits(x: Tensor[Any], limits: Any) -> tuple[float, float]:
    if limits is None:
        return _least_and_most(x) if x.size else (0.0, 1.0)
    ends = [real("histogram", "range", n) for n in items("histogram", "range", limits)]
    if len(ends) != 2:
        raise ArgumentError(f"histogram: range={limits!r} is not a pair (low, high).")
    return ends[0], ends[1]


def _edges(
    x: Tensor[Any], bins: int, limits: tuple[float, float] | None
) -> Tensor[Any]:
    if bins < 1:
        raise ArgumentError(f"histogram: bins={bins} is less than one.")
    low, high = _limits(x, limits)
    if not (math.isfinite(low) and math.isfinite(high) and low <= high):
        raise ArgumentError(
            f"histogram: the range from {low} to {high} is not finite and ascending. "
            "Give range=(low, high)."
        )
    if low == high:
        low, high = low - 0.5, high + 0.5
    return linspace(
        float(low),
        float(high),
        bins + 1,
        dtype=_edge_dtype(x),
        backend=x.backend,
        device=x.device,
    )


def _least_and_most(x: Tensor[Any]) -> tuple[Any, Any]:
    least = call("min", x, axis=None, keepdims=False)
    return least.item(), call("max", x, axis=None, keepdims=False).item()


def _edge_dtype(x: Tensor[Any]) -> DType:
    if x.dtype.kind in dtypes.REAL_FLOATING:
        return x.dtype
    return widest_float(x)


def _over_widths(counts: Tensor[Any], edges: Tensor[Any]) -> Tensor[Any]:
    widths = call("diff", edges, axis=0, n=1)
    total = call("sum", counts, axis=None, dtype=None, keepdims=False)
    return call("divide", call("divide", counts, total), widths)
