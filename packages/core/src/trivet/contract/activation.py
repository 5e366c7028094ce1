"""Activation functions of neural networks."""

from typing import TypeVar

from trivet.contract.nn import Nn

__all__ = ["Activation"]

H = TypeVar("H")


class Activation(Nn[H], family="activation"):
    """Activation functions of neural networks."""
