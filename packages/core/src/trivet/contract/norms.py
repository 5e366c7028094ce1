"""Norms of vectors and matrices, and what is measured by them."""

from typing import TypeVar

from trivet.contract.nn import Nn

__all__ = ["Norms"]

H = TypeVar("H")


class Norms(Nn[H], family="norms"):
    """Norms of vectors and matrices, and what is measured by them."""
