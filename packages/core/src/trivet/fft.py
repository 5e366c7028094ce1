"""`tv.fft`: discrete Fourier transforms, windows and short-time transforms."""

from trivet.functions import fft, signal
from trivet.functions.fft import *  # noqa: F403  # a sub-namespace is its families
from trivet.functions.signal import *  # noqa: F403  # a sub-namespace is its families

_FAMILIES = (fft, signal)
__all__ = [name for family in _FAMILIES for name in family.__all__]
