"""Extremes and sums of exponentials that run along an axis.

Running sums and products of the elements themselves are reductions.
"""

from typing import Any, SupportsIndex, TypeVar

from trivet.contract import Backend
from trivet.dispatch import call, require_kind
from trivet.errors import AxisError
from trivet.shapes import normalize_axis
from trivet.tensor import Tensor

__all__ = ["cumulative_max", "cumulative_min", "logcumsumexp"]

B = TypeVar("B", bound=Backend[Any])


def cumulative_max(x: Tensor[B], /, *, axis: SupportsIndex | None = None) -> Tensor[B]:
    """The largest of each element and all before it along `axis`.

    NaN from the first NaN on. `axis` may be left out for one dimension only. Raises
    `DTypeError` unless real, `AxisError`.

    >>> import trivet as tv
    >>> tv.cumulative_max(tv.asarray([1, 3, 2])).tolist()
    [1, 3, 3]
    """
    return _running("cumulative_max", x, axis)


def cumulative_min(x: Tensor[B], /, *, axis: SupportsIndex | None = None) -> Tensor[B]:
    """The smallest of each element and all before it along `axis`.

    Otherwise as `cumulative_max`.

    >>> import trivet as tv
    >>> tv.cumulative_min(tv.asarray([2, 3, 1])).tolist()
    [2, 2, 1]
    """
    return _running("cumulative_min", x, axis)


def logcumsumexp(x: Tensor[B], /, *, axis: SupportsIndex | None = None) -> Tensor[B]:
    """The logarithm of the running sums of exp(x) along `axis`, without overflow.

    `axis` may be left out for one dimension only. Raises `DTypeError` unless real
    floating, `AxisError`.

    >>> import trivet as tv
    >>> tv.logcumsumexp(tv.asarray([1000.0, 0.0])).tolist()
    [1000.0, 1000.0]
    """
    return _running("logcumsumexp", x, axis)


def _running(op: str, x: Tensor[B], axis: SupportsIndex | None) -> Tensor[B]:
    require_kind(op, x)
    if axis is None and x.ndim > 1:
        raise AxisError(
            f"{op}: a tensor with {x.ndim} dimensions needs an axis to run along; give "
            f"axis=0 to {x.ndim - 1}, or reshape it to one dimension."
        )
    return call(op, x, axis=normalize_axis(op, 0 if axis is None else axis, x.ndim))
