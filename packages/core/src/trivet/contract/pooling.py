"""Pooling over windows, in one to three dimensions."""

from typing import TypeVar

from trivet.contract.nn import Nn

__all__ = ["Pooling"]

H = TypeVar("H")


class Pooling(Nn[H], family="pooling"):
    """Pooling over windows, in one to three dimensions."""
