"""`Grid`, the array type of this backend: Python numbers in a flat list.

Trivet asks one thing of an array type: a `shape`, which is a tuple of ints.
"""

from dataclasses import dataclass
from typing import Any

from trivet.contract import Device
from trivet.dtypes import DType

__all__ = ["Grid", "Values"]

Values = list[Any]  # of bool, int or float, as the dtype says


@dataclass(frozen=True, slots=True, eq=False)
class Grid:
    """An array: elements in C order and what they mean.

    Grids may share a list, so nobody ever writes into one.
    """

    data: Values
    shape: tuple[int, ...]
    dtype: DType
    device: Device
