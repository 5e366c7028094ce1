"""Interpolation to other sizes and sampling on grids."""

from typing import TypeVar

from trivet.contract.nn import Nn

__all__ = ["Resampling"]

H = TypeVar("H")


class Resampling(Nn[H], family="resampling"):
    """Interpolation to other sizes and sampling on grids."""
