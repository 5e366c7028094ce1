"""Sums of products by index letters."""

from typing import TypeVar

from trivet.contract.nn import Nn

__all__ = ["Einsum"]

H = TypeVar("H")


class Einsum(Nn[H], family="einsum"):
    """Sums of products by index letters."""
