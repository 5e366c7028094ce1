"""`assert_close`: whether two arrays are equal up to rounding, and if not, where.

It computes with Python's numbers on the host, not with the ops that it may be testing.
"""

import math
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from trivet.convert import asarray, elements, holds_tensors
from trivet.dtypes import DType, Scalar, float64
from trivet.nesting import flattened
from trivet.shapes import strides
from trivet.tensor import Tensor

__all__ = ["assert_close"]

# rtol and atol: about ten roundings of the dtype; dtypes that are not here are exact
_TOLERANCES = {
    "float16": (1e-3, 1e-5),
    "bfloat16": (1.6e-2, 1e-5),
    "float32": (1.3e-6, 1e-5),
    "float64": (1e-7, 1e-7),
    "complex64": (1.3e-6, 1e-5),
    "complex128": (1e-7, 1e-7),
}
_MOST = 5  # elements listed


class _Values(NamedTuple):
    shape: tuple[int, ...]
    numbers: Sequence[Scalar]
    dtype: DType | None


class _Miss(NamedTuple):
    place: int
    actual: Scalar
    expected: Scalar
    difference: float
    allowed: float


def assert_close(
    actual: Any,
    expected: Any,
    *,
    rtol: float | None = None,
    atol: float | None = None,
    equal_nan: bool = True,
) -> None:
    """Assert that the elements are equal up to `atol + rtol * abs(expected)`.

    Takes tensors, arrays, nested lists and numbers; the shapes must be the same, the
    dtypes need not be. Infinities must be equal; so must NaN, unless `equal_nan` is
    false, when it differs from everything. Without `rtol` and `atol` the tolerances
    are those of the less precise dtype; integers and booleans must be equal.

    Raises `AssertionError`, which counts the elements that differ and lists the worst.

    >>> import trivet as tv
    >>> from trivet.testing import assert_close
    >>> assert_close(tv.asarray([1.0, 2.0]) / 3, [1 / 3, 2 / 3])
    """
    left, right = _read(actual), _read(expected)
    if left.shape != right.shape:
        raise AssertionError(
            f"assert_close: the actual shape is {left.shape}, and {right.shape} was "
            "expected."
        )
    relative, absolute = _tolerances((left.dtype, right.dtype), rtol, atol)
    misses = list(_misses(left, right, relative, absolute, equal_nan=equal_nan))
    if misses:
        raise AssertionError(_report(misses, left, relative, absolute))


def _read(obj: Any) -> _Values:
    if isinstance(obj, Tensor):
        return _Values(obj.shape, elements(obj), obj.dtype)
    numbers = isinstance(obj, bool | int | float | complex)
    if numbers or (isinstance(obj, list | tuple) and not holds_tensors(obj)):
        shape, flat = flattened(obj)
        exact = all(isinstance(number, int) for number in flat)
        return _Values(shape, flat, None if exact else float64)
    return _read(asarray(obj))


def _tolerances(
    dtypes: Iterable[DType | None], rtol: float | None, atol: float | None
) -> tuple[float, float]:
    """Those of the less precise dtype, where they are not given."""
    known = [_TOLERANCES.get(str(dtype), (0.0, 0.0)) for dtype in dtypes]
    relative, absolute = max(known)
    return (
        relative if rtol is None else rtol,
        absolute if atol is None else atol,
    )


def _misses(
    left: _Values, right: _Values, rtol: float, atol: float, *, equal_nan: bool
) -> Iterator[_Miss]:
    pairs = zip(left.numbers, right.numbers, strict=True)
    for place, (actual, expected) in enumerate(pairs):
        if actual == expected or (equal_nan and _is_nan(actual) and _is_nan(expected)):
            continue
        difference = abs(actual - expected)
        allowed = atol + rtol * abs(expected)
        # not <=: a difference of NaN or from an infinity is no match
        if not difference <= allowed or math.isinf(allowed):
            yield _Miss(place, actual, expected, difference, allowed)


def _is_nan(number: Scalar) -> bool:
    return number != number  # noqa: PLR0124  # what NaN alone does


def _report(misses: list[_Miss], left: _Values, rtol: float, atol: float) -> str:
    total = len(left.numbers)
    worst = sorted(misses, key=_badness, reverse=True)[:_MOST]
    rows = [("index", "actual", "expected", "difference", "allowed")]
    rows += [
        (
            _index(miss.place, left.shape),
            _number(miss.actual),
            _number(miss.expected),
            f"{miss.difference:.3g}",
            f"{miss.allowed:.3g}",
        )
        for miss in worst
    ]
    verb = "differs" if len(misses) == 1 else "differ"
    beyond = f" by more than {atol:g} + {rtol:g} * abs(expected)"
    return (
        f"assert_close: {len(misses)} of {total} element{'s' * (total != 1)} "
        f"({100 * len(misses) / total:.3g} %) {verb}{beyond if atol or rtol else ''}. "
        f"The worst:\n{_table(rows)}"
    )


def _number(value: Scalar) -> str:
    return str(value) if isinstance(value, int) else f"{value:.12g}"


def _badness(miss: _Miss) -> float:
    """How many times the allowed difference; infinite for NaN and infinities."""
    if math.isnan(miss.difference) or not miss.allowed:
        return math.inf if math.isnan(miss.difference) else miss.difference
    return miss.difference / miss.allowed


def _index(place: int, shape: tuple[int, ...]) -> str:
    index = [
        place // step % size for step, size in zip(strides(shape), shape, strict=True)
    ]
    return f"[{', '.join(map(str, index))}]"


def _table(rows: Sequence[tuple[str, ...]]) -> str:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = [
        "  ".join(text.rjust(width) for text, width in zip(row, widths, strict=True))
        for row in rows
    ]
    return "\n".join(f"  {line}" for line in lines)
