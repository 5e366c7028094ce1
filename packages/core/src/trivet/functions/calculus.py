"""Derivatives and integrals of functions that are known at some places.

Integers are taken as float64.
"""

from typing import Any, Literal, SupportsIndex, TypeVar

from trivet.arguments import integer
from trivet.contract import Backend
from trivet.dispatch import call, require_tensor
from trivet.dtypes import Scalar
from trivet.errors import ArgumentError, ShapeError
from trivet.functions.floats import as_floats
from trivet.functions.joining import concat
from trivet.shapes import normalize_axes, normalize_axis
from trivet.tensor import Tensor

__all__ = ["gradient", "trapezoid"]

B = TypeVar("B", bound=Backend[Any])


def gradient(
    x: Tensor[B],
    /,
    *spacing: Tensor[Any] | Scalar,
    axis: SupportsIndex | tuple[SupportsIndex, ...] | None = None,
    edge_order: Literal[1, 2] = 1,
) -> Any:
    """The slopes of samples `x` along an axis, from the neighbours on both sides.

    These are exact for parabolas; at the edges, for lines, or with `edge_order=2` for
    parabolas too. `spacing` is the distance of neighbours, 1 unless given, or the 1-D
    places of the samples: one for all axes, or one for each. Of several axes, all
    unless `axis` says which, the result is a tuple of tensors; of one, a tensor.

    For derivatives of functions see `trivet_autodiff.grad`. Raises `ShapeError` for
    less than edge_order + 1 samples, or places that do not fit; `ValueError` for
    another edge order or number of spacings; `AxisError`.

    >>> import trivet as tv
    >>> tv.gradient(tv.asarray([1.0, 2.0, 4.0, 7.0])).tolist()
    [1.0, 1.5, 2.5, 3.0]
    >>> tv.gradient(tv.asarray([0.0, 1.0, 9.0]), tv.asarray([0.0, 1.0, 3.0])).tolist()
    [1.0, 2.0, 4.0]
    """
    require_tensor("gradient", x)
    axes = normalize_axes("gradient", axis, x.ndim)
    axes = tuple(range(x.ndim)) if axes is None else axes
    order = integer("gradient", "edge_order", edge_order)
    if order not in {1, 2}:
        raise ArgumentError(f"gradient: edge_order={order} is neither 1 nor 2.")
    steps = spacing or (1.0,)
    if len(steps) not in {1, len(axes)}:
        raise ArgumentError(
            f"gradient: there are {len(steps)} spacings for {len(axes)} axes; give one "
            "for all, or one for each."
        )
    steps = steps * len(axes) if len(steps) == 1 else steps
    found = tuple(
        _slopes(x, step, one, order) for one, step in zip(axes, steps, strict=True)
    )
    return found[0] if len(found) == 1 else found


def _slopes(x: Tensor[Any], step: Any, axis: int, order: int) -> Tensor[Any]:
    size = x.shape[axis]
    if size <= order:
        raise ShapeError(
            f"gradient: axis {axis} has {size} samples, and edge_order={order} needs "
            f"{order + 1}."
        )
    samples, spaced = as_floats("gradient", x, step)
    if spaced.ndim and spaced.shape != (size,):
        raise ShapeError(
            f"gradient: places of shape {spaced.shape} for the {size} samples of axis "
            f"{axis}. Give a number, or 1-D places, one for each sample."
        )
    if not spaced.ndim:
        across = _part(samples, axis, 2, size) - _part(samples, axis, 0, size - 2)
        ends = _part(samples, axis, 0, 2), _part(samples, axis, size - 2, size)
        edges = [call("diff", end, axis=axis, n=1) / spaced for end in ends]
        return _with_edges(edges, across / (2 * spaced), axis, order)
    ones = tuple(size - 1 if i == axis else 1 for i in range(x.ndim))
    gaps = call("reshape", call("diff", spaced, axis=0, n=1), shape=ones)
    rises = call("diff", samples, axis=axis, n=1) / gaps
    one, two = _part(gaps, axis, 0, size - 2), _part(gaps, axis, 1, size - 1)
    before, after = _part(rises, axis, 0, size - 2), _part(rises, axis, 1, size - 1)
    near = two / (one + two)  # the nearer gap weighs more
    edges = [_part(rises, axis, 0, 1), _part(rises, axis, size - 2, size - 1)]
    return _with_edges(edges, near * before + (1 - near) * after, axis, order)


def _with_edges(
    edges: list[Tensor[Any]], inner: Tensor[Any], axis: int, order: int
) -> Tensor[Any]:
    """The slopes between the edges, and there: of the line, or of the parabola."""
    if order == 2:  # a gap's rise is half way between its ends' slopes
        n = inner.shape[axis]
        ends = _part(inner, axis, 0, 1), _part(inner, axis, n - 1, n)
        edges = [2 * edge - end for edge, end in zip(edges, ends, strict=True)]
    return concat([edges[0], inner, edges[1]], axis=axis)


def _part(x: Tensor[Any], axis: int, start: int, stop: int) -> Tensor[Any]:
    return call("getitem", x, key=(*(slice(None),) * axis, slice(start, stop)))


def trapezoid(
    y: Tensor[B],
    x: Tensor[B] | None = None,
    /,
    *,
    dx: Tensor[B] | Scalar = 1.0,
    axis: SupportsIndex = -1,
) -> Tensor[B]:
    """The integral of samples `y` along `axis`, by the trapezoidal rule.

    `dx` is the distance of neighbours; in its place `x` gives the samples' places, 1-D
    or of a shape that broadcasts to that of `y`. Of less than two samples, 0. Raises
    `ShapeError`, `AxisError`.

    >>> import trivet as tv
    >>> tv.trapezoid(tv.asarray([1.0, 2.0, 3.0])).item()
    4.0
    >>> tv.trapezoid(tv.asarray([1.0, 3.0]), tv.asarray([0.0, 4.0])).item()
    8.0
    """
    require_tensor("trapezoid", y)
    along = normalize_axis("trapezoid", axis, y.ndim)
    n = y.shape[along]
    samples, width = as_floats("trapezoid", y, dx if x is None else x)
    if x is not None:
        width = _widths(width, y.shape, along)
    both = _part(samples, along, 1, n) + _part(samples, along, 0, max(n - 1, 0))
    return call("sum", width * both * 0.5, axis=(along,), dtype=None, keepdims=False)


def _widths(x: Tensor[Any], shape: tuple[int, ...], axis: int) -> Tensor[Any]:
    n = shape[axis]
    if x.ndim == 1:
        x = call("reshape", x, shape=(x.size, *(1,) * (len(shape) - axis - 1)))
    place = axis - len(shape)
    fits = x.ndim <= len(shape) and x.ndim >= -place and x.shape[place] == n
    others = zip(reversed(x.shape), reversed(shape), strict=False)
    if not fits or any(one not in {1, size} for one, size in others):
        raise ShapeError(
            f"trapezoid: places of shape {x.shape} do not fit the {n} samples along "
            f"axis {axis} of y, of shape {shape}."
        )
    return call("diff", x, axis=x.ndim + place, n=1)
