"""Functions that combine elements along axes, and their running forms.

`axis` is an int, a tuple of ints, or `None` for all axes; with `keepdims=True` the
reduced axes stay, with size 1. Backends see what `contract.reduction` says.
"""

import math
from collections.abc import Sequence
from typing import Any, SupportsIndex, TypeVar

from trivet.arguments import integer
from trivet.contract import Backend
from trivet.dispatch import call, call_many, method, require_kind, require_tensor
from trivet.dtypes import DType, as_dtype
from trivet.errors import AxisError, DTypeError, ShapeError
from trivet.shapes import Axes, normalize_axes, normalize_axis
from trivet.tensor import Tensor

__all__ = [
    "all",
    "any",
    "argmax",
    "argmin",
    "count_nonzero",
    "cumulative_prod",
    "cumulative_sum",
    "diff",
    "max",
    "mean",
    "min",
    "prod",
    "std",
    "sum",
    "var",
]

B = TypeVar("B", bound=Backend[Any])
Axis = SupportsIndex | Sequence[SupportsIndex] | None


def _axes(op: str, x: Tensor[Any], axis: Axis) -> Axes:
    if axis is None:
        return None
    require_tensor(op, x)
    return normalize_axes(op, axis, x.ndim)


def _sum_dtype(op: str, x: Tensor[Any], dtype: Any) -> DType | None:
    if dtype is None:
        return None
    require_tensor(op, x)
    wanted, kind = as_dtype(dtype), "complex floating"
    if x.dtype.kind == kind and wanted.kind != kind:
        raise DTypeError(
            f"{op}: dtype={wanted} would drop the imaginary parts of {x.dtype}. Reduce "
            "the real part, or ask for a complex dtype."
        )
    return wanted


def _require_some(op: str, x: Tensor[Any], axes: Axes) -> None:
    sizes = x.shape if axes is None else [x.shape[i] for i in axes]
    if not math.prod(sizes):
        raise ShapeError(
            f"{op}: nothing has no {op.removeprefix('arg')}imum: the tensor of shape "
            f"{x.shape} has no elements along "
            + ("its axes." if axes is None else f"axis={axes}.")
        )


@method
def sum(
    x: Tensor[B], /, *, axis: Axis = None, dtype: Any = None, keepdims: bool = False
) -> Tensor[B]:
    """The sum along `axis`; of nothing, 0.

    Floats keep their dtype, small integers and booleans become the default integer.
    16-bit floats accumulate in float32. Raises `AxisError`, `DTypeError`.

    >>> import trivet as tv
    >>> tv.sum(tv.asarray([[1.0, 2.0], [3.0, 4.0]]), axis=0).tolist()
    [4.0, 6.0]
    """
    axes = None if axis is None else _axes("sum", x, axis)
    wanted = None if dtype is None else _sum_dtype("sum", x, dtype)
    return call("sum", x, axis=axes, dtype=wanted, keepdims=keepdims)


@method
def prod(
    x: Tensor[B], /, *, axis: Axis = None, dtype: Any = None, keepdims: bool = False
) -> Tensor[B]:
    """The product along `axis`; of nothing, 1. Dtypes and errors as for `sum`.

    >>> import trivet as tv
    >>> tv.prod(tv.asarray([2.0, 3.0])).item()
    6.0
    """
    axes = _axes("prod", x, axis)
    wanted = _sum_dtype("prod", x, dtype)
    return call("prod", x, axis=axes, dtype=wanted, keepdims=keepdims)


@method
def max(x: Tensor[B], /, *, axis: Axis = None, keepdims: bool = False) -> Tensor[B]:
    """The largest element along `axis`; NaN if there is one.

    Raises `ShapeError` over nothing, `DTypeError` for booleans and complex numbers,
    `AxisError`.

    >>> import trivet as tv
    >>> tv.max(tv.asarray([[1, 5], [3, 4]]), axis=1).tolist()
    [5, 4]
    """
    require_kind("max", x)
    axes = _axes("max", x, axis)
    _require_some("max", x, axes)
    return call("max", x, axis=axes, keepdims=keepdims)


@method
def min(x: Tensor[B], /, *, axis: Axis = None, keepdims: bool = False) -> Tensor[B]:
    """The smallest element along `axis`; NaN if there is one. Errors as for `max`.

    >>> import trivet as tv
    >>> tv.min(tv.asarray([[1, 5], [3, 4]]), axis=1).tolist()
    [1, 3]
    """
    require_kind("min", x)
    axes = _axes("min", x, axis)
    _require_some("min", x, axes)
    return call("min", x, axis=axes, keepdims=keepdims)


@method
def mean(x: Tensor[B], /, *, axis: Axis = None, keepdims: bool = False) -> Tensor[B]:
    """The arithmetic mean along `axis`; of nothing, NaN.

    Floats keep their dtype, integers and booleans give float64. 16-bit floats
    accumulate in float32. Raises `AxisError`.

    >>> import trivet as tv
    >>> tv.mean(tv.asarray([1.0, 2.0, 6.0])).item()
    3.0
    """
    return call("mean", x, axis=_axes("mean", x, axis), keepdims=keepdims)


@method
def var(
    x: Tensor[B],
    /,
    *,
    axis: Axis = None,
    correction: float = 0.0,
    keepdims: bool = False,
) -> Tensor[B]:
    """The variance along `axis`: squared distances from the mean over n - correction.

    With `correction=1` it is the unbiased estimate. NaN where n - correction is not
    positive. Dtypes as for `mean`. Raises `DTypeError` for complex, `AxisError`.

    >>> import trivet as tv
    >>> tv.var(tv.asarray([1.0, 2.0, 6.0]), correction=1).item()
    7.0
    """
    require_kind("var", x)
    axes = _axes("var", x, axis)
    return call("var", x, axis=axes, correction=correction, keepdims=keepdims)


@method
def std(
    x: Tensor[B],
    /,
    *,
    axis: Axis = None,
    correction: float = 0.0,
    keepdims: bool = False,
) -> Tensor[B]:
    """The standard deviation along `axis`: the square root of `var`.

    >>> import trivet as tv
    >>> tv.std(tv.asarray([1.0, 3.0])).item()
    1.0
    """
    require_kind("std", x)
    axes = _axes("std", x, axis)
    return call("std", x, axis=axes, correction=correction, keepdims=keepdims)


@method
def any(x: Tensor[B], /, *, axis: Axis = None, keepdims: bool = False) -> Tensor[B]:
    """Whether an element along `axis` is true, or not zero; of nothing, False.

    NaN counts as true. Raises `AxisError`.

    >>> import trivet as tv
    >>> tv.any(tv.asarray([[0, 1], [0, 0]]), axis=1).tolist()
    [True, False]
    """
    return call("any", x, axis=_axes("any", x, axis), keepdims=keepdims)


@method
def all(x: Tensor[B], /, *, axis: Axis = None, keepdims: bool = False) -> Tensor[B]:
    """Whether every element along `axis` is true, or not zero; of nothing, True.

    NaN counts as true. Raises `AxisError`.

    >>> import trivet as tv
    >>> tv.all(tv.asarray([[1, 1], [0, 1]]), axis=1).tolist()
    [True, False]
    """
    return call("all", x, axis=_axes("all", x, axis), keepdims=keepdims)


@method
def count_nonzero(
    x: Tensor[B], /, *, axis: Axis = None, keepdims: bool = False
) -> Tensor[B]:
    """How many elements along `axis` are not zero, in the index dtype.

    NaN is not zero. Raises `AxisError`.

    >>> import trivet as tv
    >>> tv.count_nonzero(tv.asarray([0.0, 2.0, -1.0])).item()
    2
    """
    axes = _axes("count_nonzero", x, axis)
    return call("count_nonzero", x, axis=axes, keepdims=keepdims)


@method
def argmax(
    x: Tensor[B], /, *, axis: SupportsIndex | None = None, keepdims: bool = False
) -> Tensor[B]:
    """The position of the first largest element along `axis`, or of the first NaN.

    With `axis=None` it counts in C order over the whole tensor. Raises `ShapeError`
    over nothing, `DTypeError` for booleans and complex numbers, `AxisError`.

    >>> import trivet as tv
    >>> tv.argmax(tv.asarray([[1, 5], [3, 2]]), axis=1).tolist()
    [1, 0]
    """
    return _position("argmax", x, axis, keepdims=keepdims)


@method
def argmin(
    x: Tensor[B], /, *, axis: SupportsIndex | None = None, keepdims: bool = False
) -> Tensor[B]:
    """The position of the first smallest element along `axis`; otherwise as `argmax`.

    >>> import trivet as tv
    >>> tv.argmin(tv.asarray([3, 1, 1])).item()
    1
    """
    return _position("argmin", x, axis, keepdims=keepdims)


def _position(
    op: str, x: Tensor[B], axis: SupportsIndex | None, *, keepdims: bool
) -> Tensor[B]:
    require_kind(op, x)
    along = None if axis is None else normalize_axis(op, axis, x.ndim)
    _require_some(op, x, None if along is None else (along,))
    return call(op, x, axis=along, keepdims=keepdims)


@method
def cumulative_sum(
    x: Tensor[B],
    /,
    *,
    axis: SupportsIndex | None = None,
    dtype: Any = None,
    include_initial: bool = False,
) -> Tensor[B]:
    """The sum of each element and all before it along `axis`.

    `axis` may be left out for one dimension only. `include_initial=True` puts a 0 in
    front, so the axis grows by one. Dtypes as for `sum`. Raises `AxisError`,
    `DTypeError`.

    >>> import trivet as tv
    >>> tv.cumulative_sum(tv.asarray([1, 2, 3]), include_initial=True).tolist()
    [0, 1, 3, 6]
    """
    return _cumulative("cumulative_sum", x, axis, dtype, initial=include_initial)


@method
def cumulative_prod(
    x: Tensor[B],
    /,
    *,
    axis: SupportsIndex | None = None,
    dtype: Any = None,
    include_initial: bool = False,
) -> Tensor[B]:
    """The product of each element and all before it along `axis`.

    `include_initial=True` puts a 1 in front; otherwise as `cumulative_sum`.

    >>> import trivet as tv
    >>> tv.cumulative_prod(tv.asarray([1, 2, 3])).tolist()
    [1, 2, 6]
    """
    return _cumulative("cumulative_prod", x, axis, dtype, initial=include_initial)


def _cumulative(
    op: str, x: Tensor[B], axis: SupportsIndex | None, dtype: Any, *, initial: bool
) -> Tensor[B]:
    require_tensor(op, x)
    if axis is None and x.ndim > 1:
        raise AxisError(
            f"{op}: a tensor with {x.ndim} dimensions needs an axis to run along; give "
            f"axis=0 to {x.ndim - 1}, or reshape it to one dimension."
        )
    along = normalize_axis(op, 0 if axis is None else axis, x.ndim)
    wanted = _sum_dtype(op, x, dtype)
    return call(op, x, axis=along, dtype=wanted, include_initial=initial)


@method
def diff(
    x: Tensor[B],
    /,
    n: int = 1,
    axis: SupportsIndex = -1,
    *,
    prepend: Tensor[Any] | None = None,
    append: Tensor[Any] | None = None,
) -> Tensor[B]:
    """The `n`-th difference of neighbours along `axis`.

    `n` and `axis` may be given by position, as NumPy's callers do. `prepend` and
    `append` are joined to `x` along `axis` first, unless `n` is 0; their other axes
    must have the sizes of `x`. Of booleans: whether neighbours differ. Raises
    `ShapeError`, `AxisError`.

    >>> import trivet as tv
    >>> tv.diff(tv.asarray([1, 4, 9])).tolist()
    [3, 5]
    """
    parts = [part for part in (prepend, x, append) if part is not None]
    require_tensor("diff", x, *parts)
    n = integer("diff", "n", n)
    along = normalize_axis("diff", axis, x.ndim)
    if n < 0:
        raise ShapeError(f"diff: n={n} is negative; take differences n >= 0 times.")
    for part in parts:
        _require_fits(x.shape, part.shape, along)
    joined = call_many("concat", parts, axis=along) if n and parts[1:] else x
    return call("diff", joined, axis=along, n=n)


def _require_fits(whole: tuple[int, ...], part: tuple[int, ...], axis: int) -> None:
    others = [shape[:axis] + shape[axis + 1 :] for shape in (whole, part)]
    if len(whole) != len(part) or others[0] != others[1]:
        raise ShapeError(
            f"diff: a tensor of shape {part} cannot be joined to one of shape {whole} "
            f"along axis {axis}: the other axes must have equal sizes."
        )
