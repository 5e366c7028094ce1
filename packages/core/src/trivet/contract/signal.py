"""Windows and short-time Fourier transforms."""

from typing import TypeVar

from trivet.contract.nn import Nn

__all__ = ["Signal"]

H = TypeVar("H")


class Signal(Nn[H], family="signal"):
    """Windows and short-time Fourier transforms."""
