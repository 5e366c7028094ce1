"""Padding, splitting, windows and diagonals."""

from typing import TypeVar

from trivet.contract.nn import Nn

__all__ = ["Rearrangement"]

H = TypeVar("H")


class Rearrangement(Nn[H], family="rearrangement"):
    """Padding, splitting, windows and diagonals."""
