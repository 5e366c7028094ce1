"""Special functions of mathematics and statistics."""

from typing import TypeVar

from trivet.contract.nn import Nn

__all__ = ["Special"]

H = TypeVar("H")


class Special(Nn[H], family="special"):
    """Special functions of mathematics and statistics."""
