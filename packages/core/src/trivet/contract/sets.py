"""Sets of values: what is unique, and what is in another set."""

from typing import TypeVar

from trivet.contract.nn import Nn

__all__ = ["Sets"]

H = TypeVar("H")


class Sets(Nn[H], family="sets"):
    """Sets of values: what is unique, and what is in another set."""
