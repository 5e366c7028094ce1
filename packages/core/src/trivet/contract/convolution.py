"""Convolutions and their transposes, in one to three dimensions."""

from typing import TypeVar

from trivet.contract.nn import Nn

__all__ = ["Convolution"]

H = TypeVar("H")


class Convolution(Nn[H], family="convolution"):
    """Convolutions and their transposes, in one to three dimensions."""
