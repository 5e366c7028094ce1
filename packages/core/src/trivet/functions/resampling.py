"""Tensors at other sizes, and at given points.

The layout is (batch, channel, *size). Users reach them as `tv.nn.<name>`.
"""

import math
from collections.abc import Sequence
from typing import Any, Literal, TypeVar

from trivet.arguments import option, real
from trivet.contract import Backend
from trivet.dispatch import call, require_kind
from trivet.errors import ArgumentError, DTypeError, ShapeError
from trivet.functions.window import Each, check_layout, for_each
from trivet.tensor import Tensor

__all__ = ["grid_sample", "interpolate"]

B = TypeVar("B", bound=Backend[Any])
Mode = Literal["nearest", "nearest-exact", "linear", "bilinear", "trilinear", "bicubic"]
# the contract's mode, and with how many axes a user names it so
_MODES = {
    "nearest": ("nearest", (1, 2, 3)),
    "nearest-exact": ("nearest-exact", (1, 2, 3)),
    "linear": ("linear", (1,)),
    "bilinear": ("linear", (2,)),
    "trilinear": ("linear", (3,)),
    "bicubic": ("cubic", (2,)),
}


def interpolate(
    x: Tensor[B],
    size: Each | None = None,
    *,
    scale_factor: float | Sequence[float] | None = None,
    mode: Mode = "nearest",
    align_corners: bool = False,
) -> Tensor[B]:
    """(batch, channel, *old sizes) at another `size`, or `scale_factor` times as large.

    Sizes and factors are one number or one for each axis; a scaled size is rounded
    down. "nearest" takes element floor(i n / m) for n elements at m places,
    "nearest-exact" floor((i + 0.5) n / m). "linear" (one axis), "bilinear" (two),
    "trilinear" (three) and "bicubic" (two; Keys 1981, a = -0.75) are evaluated at
    (i + 0.5) n / m - 0.5, or with `align_corners` at i (n - 1) / (m - 1); the outermost
    elements go on outside. With a `scale_factor`, it stands for m / n. Raises
    `ShapeError`, `DTypeError` unless real floating, `ValueError` for another mode.

    >>> import trivet as tv
    >>> x = tv.asarray([[[0.0, 10.0]]])
    >>> tv.nn.interpolate(x, 4, mode="linear").tolist()
    [[[0.0, 2.5, 7.5, 10.0]]]
    >>> tv.nn.interpolate(x, scale_factor=2).tolist()
    [[[0.0, 0.0, 10.0, 10.0]]]
    """
    require_kind("interpolate", x)
    ndim = _check_mode(x, mode, align_corners=align_corners)
    old = check_layout("interpolate", x, ndim, "interpolate")
    if 0 in old:
        raise ShapeError(
            f"interpolate: the tensor has the shape {x.shape}, and an empty axis has "
            "nothing to interpolate."
        )
    new, factors = _new_size(old, size, scale_factor)
    ratio = _ratios(old, new, factors, align_corners=align_corners)
    statics = {"mode": _MODES[mode][0], "align_corners": align_corners}
    return call("interpolate", x, size=new, ratio=ratio, **statics)


def _check_mode(x: Tensor[Any], mode: str, *, align_corners: bool) -> int:
    """The number of axes after the channel, which the mode must be for."""
    option("interpolate", "mode", mode, _MODES)
    if align_corners and mode.startswith("nearest"):
        raise ArgumentError(
            f"interpolate: mode={mode!r} has no corners to align; leave align_corners "
            "out."
        )
    ndim, axes = x.ndim - 2, _MODES[mode][1]
    if ndim not in axes:
        wanted = " or ".join(str(n + 2) for n in axes)
        raise ShapeError(
            f"interpolate: the tensor has the shape {x.shape}, and mode={mode!r} is "
            f"for {wanted} axes: batch, channel and the sizes."
        )
    return ndim


def _new_size(
    old: tuple[int, ...],
    size: Each | None,
    scale_factor: float | Sequence[float] | None,
) -> tuple[tuple[int, ...], tuple[float, ...] | None]:
    """The new size, and the factors if it comes from them."""
    if size is not None and scale_factor is None:
        return for_each("interpolate", "size", size, len(old), 1), None
    if size is not None or scale_factor is None:
        raise ArgumentError("interpolate: give either size or scale_factor.")
    factors = _factors(scale_factor, old)
    return tuple(math.floor(n * f) for n, f in zip(old, factors, strict=True)), factors


def _factors(
    scale_factor: float | Sequence[float], old: tuple[int, ...]
) -> tuple[float, ...]:
    given = scale_factor if isinstance(scale_factor, Sequence) else (scale_factor,)
    factors = tuple(given) * (len(old) if len(given) == 1 else 1)
    fits = len(factors) == len(old) and all(
        0 < real("interpolate", "scale_factor", f) < math.inf for f in factors
    )
    if not fits or any(n * f < 1 for n, f in zip(old, factors, strict=True)):
        raise ShapeError(
            f"interpolate: scale_factor={scale_factor!r} does not fit the sizes {old}; "
            "give one number, or one for each axis, that leave at least one element."
        )
    return factors


def _ratios(
    old: tuple[int, ...],
    new: tuple[int, ...],
    factors: tuple[float, ...] | None,
    *,
    align_corners: bool,
) -> tuple[tuple[float, float], ...]:
    """How far apart in `old` the places of `new` are, as two numbers to divide."""
    if align_corners:
        pairs = zip(old, new, strict=True)
        return tuple((n - 1, m - 1) if m > 1 else (0, 1) for n, m in pairs)
    if factors is None:
        return tuple(zip(old, new, strict=True))
    return tuple((1, factor) for factor in factors)


def grid_sample(
    x: Tensor[B],
    grid: Tensor[B],
    *,
    mode: Literal["bilinear", "nearest"] = "bilinear",
    padding_mode: Literal["zeros", "border", "reflection"] = "zeros",
    align_corners: bool = False,
) -> Tensor[B]:
    """(batch, channel, height, width) at the points of a grid.

    `grid` is (batch, rows, columns, 2) of points (x, y), from -1 on the left or top end
    to 1 on the other; the ends are the centres of the outermost elements with
    `align_corners`, and their outer edges without. The result is (batch, channel, rows,
    columns). Outside stand zeros, the nearest element ("border"), or the mirror image.
    NaN counts as -1. "nearest" rounds halves to even, and is flat in the grid.
    Raises `ShapeError`, `DTypeError` unless both are of one real floating dtype,
    `ValueError` for another mode.

    >>> import trivet as tv
    >>> x = tv.asarray([[[[1.0, 2.0], [3.0, 4.0]]]])
    >>> grid = tv.asarray([[[[0.0, 0.0], [-0.5, 0.5]]]])
    >>> tv.nn.grid_sample(x, grid).tolist()
    [[[[2.5, 3.0]]]]
    """
    check_layout("grid_sample", x, 2, "grid_sample")
    require_kind("grid_sample", grid)
    _check_grid(x, grid)
    option("grid_sample", "mode", mode, ("bilinear", "nearest"))
    option(
        "grid_sample", "padding_mode", padding_mode, ("zeros", "border", "reflection")
    )
    return call(
        "grid_sample",
        x,
        grid,
        mode=mode,
        padding_mode=padding_mode,
        align_corners=align_corners,
    )


def _check_grid(x: Tensor[Any], grid: Tensor[Any]) -> None:
    if x.dtype != grid.dtype:
        raise DTypeError(
            f"grid_sample: the tensor is {x.dtype} and the grid {grid.dtype}; cast one "
            "with .astype(...)."
        )
    if grid.ndim != 4 or grid.shape[0] != x.shape[0] or grid.shape[3] != 2:
        raise ShapeError(
            f"grid_sample: the grid has the shape {grid.shape}, and ({x.shape[0]}, "
            f"rows, columns, 2) is needed for a tensor of shape {x.shape}."
        )
    if 0 in x.shape[2:]:
        raise ShapeError(
            f"grid_sample: the tensor has the shape {x.shape}, and an empty axis has "
            "nothing to sample."
        )
