"""What parts of the elements do not exceed: quantiles and percentiles.

`axis` is an int, a tuple of ints, or `None` for all axes; with `keepdims=True` the
reduced axes stay, with size 1. Integers and booleans are taken as float64.
"""

from collections.abc import Sequence
from typing import Any, SupportsIndex, TypeVar

from trivet import dtypes
from trivet.arguments import option, real
from trivet.contract import Backend
from trivet.contract.statistics import QuantileMethod
from trivet.convert import asarray
from trivet.dispatch import call, require_kind
from trivet.dtypes import Scalar
from trivet.errors import ArgumentError, DTypeError
from trivet.functions.floats import widest_float
from trivet.shapes import normalize_axes
from trivet.tensor import Tensor

__all__ = ["nanpercentile", "nanquantile", "percentile", "quantile"]

B = TypeVar("B", bound=Backend[Any])
Axis = SupportsIndex | Sequence[SupportsIndex] | None
Parts = Tensor[Any] | Scalar | Sequence[float]
_METHODS = ("linear", "lower", "higher", "midpoint", "nearest")


def quantile(
    x: Tensor[B],
    q: Parts,
    /,
    *,
    axis: Axis = None,
    keepdims: bool = False,
    method: QuantileMethod = "linear",
) -> Tensor[B]:
    """What a part `q`, from 0 to 1, of the elements along `axis` does not exceed.

    It is at position q * (n - 1) of the n elements in order. Between two positions
    `method` takes "lower", "higher", the "midpoint", the "nearest" (of two equally
    near, the even position), or "linear": as much of the way between the elements.
    The result has the shape of `q`, then that of the reduced `x`; NaN where there is
    NaN or nothing, and where a tensor `q` is outside 0 to 1. Floats keep their dtype.

    Raises `ValueError` for another method, or numbers `q` outside 0 to 1; `DTypeError`
    for complex `x` or a `q` that is not floating; `AxisError`.

    >>> import trivet as tv
    >>> x = tv.asarray([1.0, 2.0, 4.0])
    >>> tv.quantile(x, [0.0, 0.75]).tolist()
    [1.0, 3.0]
    >>> tv.quantile(x, 0.75, method="lower").item()
    2.0
    """
    return _cut("quantile", x, q, 1, axis, keepdims, method)


def percentile(
    x: Tensor[B],
    q: Parts,
    /,
    *,
    axis: Axis = None,
    keepdims: bool = False,
    method: QuantileMethod = "linear",
) -> Tensor[B]:
    """What `q` per cent, from 0 to 100, of the elements along `axis` do not exceed.

    Otherwise as `quantile`, with its errors.

    >>> import trivet as tv
    >>> tv.percentile(tv.asarray([1.0, 2.0, 4.0]), [0, 75]).tolist()
    [1.0, 3.0]
    """
    return _cut("percentile", x, q, 100, axis, keepdims, method)


def nanquantile(
    x: Tensor[B],
    q: Parts,
    /,
    *,
    axis: Axis = None,
    keepdims: bool = False,
    method: QuantileMethod = "linear",
) -> Tensor[B]:
    """What a part `q` of the elements that are not NaN does not exceed.

    NaN if all are. Otherwise as `quantile`, with its errors.

    >>> import trivet as tv
    >>> tv.nanquantile(tv.asarray([1.0, float("nan"), 2.0, 4.0]), 0.75).item()
    3.0
    """
    return _cut("nanquantile", x, q, 1, axis, keepdims, method)


def nanpercentile(
    x: Tensor[B],
    q: Parts,
    /,
    *,
    axis: Axis = None,
    keepdims: bool = False,
    method: QuantileMethod = "linear",
) -> Tensor[B]:
    """What `q` per cent of the elements that are not NaN do not exceed.

    NaN if all are. Otherwise as `quantile`, with its errors.

    >>> import trivet as tv
    >>> tv.nanpercentile(tv.asarray([1.0, float("nan"), 2.0, 4.0]), 75).item()
    3.0
    """
    return _cut("nanpercentile", x, q, 100, axis, keepdims, method)


def _cut(
    name: str,
    x: Tensor[B],
    q: Parts,
    whole: int,
    axis: Axis,
    keepdims: bool,  # noqa: FBT001  # passed on as it came
    method: QuantileMethod,
) -> Tensor[B]:
    op = "nanquantile" if name.startswith("nan") else "quantile"
    require_kind(op, x)
    option(name, "method", method, _METHODS)
    axes = normalize_axes(name, axis, x.ndim)
    parts = q if isinstance(q, Tensor) else _as_parts(name, x, q, whole)
    if parts.dtype.kind not in dtypes.REAL_FLOATING:
        raise DTypeError(
            f"{name}: q has the dtype {parts.dtype} and must be real floating. Cast "
            "with .astype(...)."
        )
    if whole != 1:  # in the dtype in which positions are computed
        parts = call("divide", call("astype", parts, dtype=widest_float(x)), whole)
    return call(op, x, parts, axis=axes, keepdims=keepdims, method=method)


def _as_parts(name: str, x: Tensor[Any], q: Any, whole: int) -> Tensor[Any]:
    if not all(0 <= real(name, "q", number) <= whole for number in _numbers(q)):
        raise ArgumentError(f"{name}: q={q!r} is not from 0 to {whole}.")
    return asarray(q, dtype=widest_float(x), backend=x.backend, device=x.device)


def _numbers(q: Any) -> list[Any]:
    """The numbers in nested lists, or the only one."""
    if isinstance(q, str | bytes) or not getattr(q, "shape", True):
        return [q]
    if not hasattr(q, "__len__"):
        return [q]
    return [number for part in q for number in _numbers(part)]
