"""Values between values: on the way from one to another, and between samples."""

from typing import Any, TypeVar

from trivet.arguments import real
from trivet.contract import Backend
from trivet.dispatch import call, require_tensor
from trivet.dtypes import (
    COMPLEX,
    Scalar,
    complex64,
    complex128,
    float32,
    float64,
    promote,
)
from trivet.errors import ArgumentError, ShapeError
from trivet.functions.floats import as_floats, as_real_floats
from trivet.functions.joining import concat
from trivet.tensor import Tensor

__all__ = ["interp", "lerp"]

B = TypeVar("B", bound=Backend[Any])
_OF_PARTS = {complex64: float32, complex128: float64}


def lerp(
    x1: Tensor[B] | Scalar, x2: Tensor[B] | Scalar, weight: Tensor[B] | Scalar, /
) -> Tensor[B]:
    """The values a part `weight` of the way from `x1` to `x2`, which are met exactly.

    That is x1 + weight * (x2 - x1); a weight outside 0 to 1 goes on beyond the ends.
    The operands are real, broadcast and promote, integers to float64. Raises
    `ShapeError`, `DTypeError`.

    >>> import trivet as tv
    >>> tv.lerp(tv.asarray([0.0, 10.0]), tv.asarray([4.0, 20.0]), 0.25).tolist()
    [1.0, 12.5]
    """
    first, second, part = as_real_floats("lerp", x1, x2, weight)
    gap = second - first
    if isinstance(weight, int | float):
        return first + weight * gap if weight < 0.5 else second - (1 - weight) * gap
    return call("where", part < 0.5, first + part * gap, second - (1 - part) * gap)


def interp(
    x: Tensor[B] | Scalar,
    xp: Tensor[B],
    fp: Tensor[B],
    /,
    *,
    left: Scalar | None = None,
    right: Scalar | None = None,
    period: float | None = None,
) -> Tensor[B]:
    """The values at `x` of the line through the samples `fp` at `xp`, which rises.

    Before the first and behind the last sample it is `left` and `right`, or the first
    and the last value. With `period`, the samples may be in any order and repeat, and
    `left` and `right` are of no account. NaN at NaN. What `xp` that does not rise gives
    is left open. The operands are taken as floats; only `fp` may be complex. Gradients
    flow to all three.

    Raises `ShapeError` unless `xp` and `fp` are 1-D, of one size and not empty;
    `DTypeError`; `ValueError` for a period of 0.

    >>> import trivet as tv
    >>> places, values = tv.asarray([1.0, 2.0, 4.0]), tv.asarray([3.0, 2.0, 0.0])
    >>> tv.interp(tv.asarray([0.0, 1.5, 3.0]), places, values).tolist()
    [3.0, 2.5, 1.0]
    >>> tv.interp(5.0, places, values, right=-1.0).item()
    -1.0
    """
    require_tensor("interp", xp, fp)
    at, places, values = _in_one_precision(x, xp, fp)
    if xp.ndim != 1 or xp.shape != fp.shape or not xp.size:
        raise ShapeError(
            f"interp: samples at xp of shape {xp.shape} with fp of shape {fp.shape}. "
            "Both must be 1-D, of one size, and hold at least one sample."
        )
    if period is not None:
        length = abs(real("interp", "period", period))
        return _line(*_repeated(at, places, values, length))
    found = _line(at, places, values)
    if left is not None:
        found = call("where", at < places[0], left, found)
    return found if right is None else call("where", at > places[-1], right, found)


def _line(at: Tensor[Any], places: Tensor[Any], values: Tensor[Any]) -> Tensor[Any]:
    if values.dtype.kind not in COMPLEX:
        return call("interp", at, places, values)
    parts = [call("interp", at, places, call(op, values)) for op in ("real", "imag")]
    return parts[0] + 1j * parts[1]


def _in_one_precision(x: Any, xp: Any, fp: Any) -> list[Tensor[Any]]:
    """The operands as floats of as many bits; of complex values, each part has them."""
    at, places = as_real_floats("interp", x, xp)
    (values,) = as_floats("interp", fp)
    dtype = promote(at.dtype, values.dtype)
    own = _OF_PARTS.get(dtype, dtype)
    wanted = ((at, own), (places, own), (values, dtype))
    return [
        x if x.dtype == dtype else call("astype", x, dtype=dtype) for x, dtype in wanted
    ]


def _repeated(
    at: Tensor[Any], places: Tensor[Any], values: Tensor[Any], length: float
) -> tuple[Tensor[Any], Tensor[Any], Tensor[Any]]:
    """All within one period, the samples in order and with a neighbour on each side."""
    if not length:
        raise ArgumentError("interp: period=0 repeats nothing; give another.")
    at, places = at % length, places % length
    order = call("argsort", places, axis=0, descending=False, stable=True)
    places, values = (call("take", x, order, axis=0) for x in (places, values))
    places = concat([places[-1:] - length, places, places[:1] + length])
    return at, places, concat([values[-1:], values, values[:1]])
