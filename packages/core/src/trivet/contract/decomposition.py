"""Factorisations of matrices, and what is solved by them."""

from typing import TypeVar

from trivet.contract.nn import Nn

__all__ = ["Decomposition"]

H = TypeVar("H")


class Decomposition(Nn[H], family="decomposition"):
    """Factorisations of matrices, and what is solved by them."""
