"""Gathering and scattering along an axis, in every way to combine."""

from typing import TypeVar

from trivet.contract.nn import Nn

__all__ = ["Scatter"]

H = TypeVar("H")


class Scatter(Nn[H], family="scatter"):
    """Gathering and scattering along an axis, in every way to combine."""
