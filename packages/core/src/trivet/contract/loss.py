"""Losses: how far predictions are from targets."""

from typing import TypeVar

from trivet.contract.nn import Nn

__all__ = ["Loss"]

H = TypeVar("H")


class Loss(Nn[H], family="loss"):
    """Losses: how far predictions are from targets."""
