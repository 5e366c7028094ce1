"""Discrete Fourier transforms."""

from typing import TypeVar

from trivet.contract.nn import Nn

__all__ = ["Fft"]

H = TypeVar("H")


class Fft(Nn[H], family="fft"):
    """Discrete Fourier transforms."""
