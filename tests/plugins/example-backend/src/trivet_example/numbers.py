"""What a dtype makes of Python numbers: integers wrap and float32 rounds."""

import math
from array import array

from trivet.dtypes import BOOLEAN, FLOATING, DType, Scalar, float32, iinfo
from trivet_example.grid import Values

__all__ = ["cast", "element", "fit"]


def fit(values: Values, dtype: DType) -> Values:
    """Results of arithmetic, brought into the range and precision of their dtype.

    >>> from trivet.dtypes import uint8
    >>> fit([-1, 256], uint8)
    [255, 0]
    """
    if dtype.kind in FLOATING:
        return array("f", values).tolist() if dtype == float32 else values
    if dtype.kind in BOOLEAN:
        return values
    low, mask = iinfo(dtype).min, 2**dtype.bits - 1
    return [(value - low & mask) + low for value in values]


def cast(values: Values, old: DType, new: DType) -> Values:
    """The elements in another dtype; NaN and the infinities become the integer 0.

    >>> from trivet.dtypes import float64, int8
    >>> cast([-1.5, 200.0, math.inf], float64, int8)
    [-1, -56, 0]
    """
    if old == new:
        return values
    if new.kind in BOOLEAN:
        return list(map(bool, values))
    if new.kind in FLOATING:
        return fit(list(map(float, values)), new)
    whole = _towards_zero if old.kind in FLOATING else int
    return fit(list(map(whole, values)), new)


def _towards_zero(value: float) -> int:
    return int(value) if math.isfinite(value) else 0


def element(value: Scalar, dtype: DType) -> Scalar:
    """One number of the user's as an element.

    Raises `OverflowError` if an integer does not fit: Trivet's function that called
    the op tells the user which one, and what to do.
    """
    if isinstance(value, complex):
        raise TypeError(f"the complex number {value} cannot be {dtype}")
    if dtype.kind in BOOLEAN:
        return bool(value)
    if dtype.kind in FLOATING:
        return fit([float(value)], dtype)[0]  # type: ignore[no-any-return]
    whole, limits = int(value), iinfo(dtype)
    if not limits.min <= whole <= limits.max:
        raise OverflowError(f"{whole} does not fit {dtype}")
    return whole
