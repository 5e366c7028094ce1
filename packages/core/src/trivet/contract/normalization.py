"""Normalisation over batches, layers, groups and instances."""

from typing import TypeVar

from trivet.contract.nn import Nn

__all__ = ["Normalization"]

H = TypeVar("H")


class Normalization(Nn[H], family="normalization"):
    """Normalisation over batches, layers, groups and instances."""
