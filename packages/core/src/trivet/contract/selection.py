"""The largest elements, and elements chosen by a mask."""

from typing import TypeVar

from trivet.contract.nn import Nn

__all__ = ["Selection"]

H = TypeVar("H")


class Selection(Nn[H], family="selection"):
    """The largest elements, and elements chosen by a mask."""
