"""Checks that losses share: of reductions, dtypes and class numbers."""

from typing import Any

from trivet.arguments import option
from trivet.dtypes import INTEGRAL, REAL_FLOATING
from trivet.errors import DTypeError, TensorIndexError
from trivet.tensor import Tensor

__all__ = [
    "check_classes",
    "check_floating",
    "check_integers",
    "check_reduction",
    "extremes",
]


def check_reduction(op: str, reduction: str) -> None:
    """Refuse a reduction that there is not. Raises `ValueError`."""
    option(op, "reduction", reduction, ("mean", "sum", "none"))


def check_floating(op: str, x: Tensor[Any]) -> None:
    """Refuse what is not real floating. Raises `DTypeError`."""
    dtype = x.backend.dtype(x.handle)
    if dtype.kind not in REAL_FLOATING:
        raise DTypeError(
            f"{op}: the dtype {dtype} is not one that this op takes; it takes real "
            "floating. Cast with .astype(...)."
        )


def check_integers(op: str, name: str, x: Tensor[Any], what: str) -> None:
    """Refuse what are not integers; `what` says what they are. Raises `DTypeError`."""
    if x.dtype.kind not in INTEGRAL:
        raise DTypeError(
            f"{op}: the {name} have the dtype {x.dtype}, and {what} are integers. Cast "
            "with .astype(...)."
        )


def check_classes(op: str, targets: Tensor[Any], count: int) -> None:
    """Refuse classes outside 0 to count - 1. Raises `TensorIndexError`."""
    for number in extremes(targets):
        if not 0 <= number < count:
            known = f"the classes 0 to {count - 1}" if count else "no classes"
            raise TensorIndexError(
                f"{op}: the targets hold the class {number}, and the logits have "
                f"{known}."
            )


def extremes(x: Tensor[Any]) -> tuple[int, ...]:
    """The smallest and the largest integer, or nothing of nothing."""
    return () if 0 in x.shape else x.backend.extremes(x.handle)
