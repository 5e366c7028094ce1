"""Linear maps, embeddings, attention and dropout."""

from typing import TypeVar

from trivet.contract.nn import Nn

__all__ = ["Attention"]

H = TypeVar("H")


class Attention(Nn[H], family="attention"):
    """Linear maps, embeddings, attention and dropout."""
