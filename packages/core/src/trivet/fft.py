"""`tv.fft`: discrete Fourier transforms, windows and short-time transforms."""

from typing import TYPE_CHECKING

from trivet.functions import fft as _fft  # the family has a function of its name
from trivet.functions import signal as _signal
from trivet.functions.fft import *  # noqa: F403
from trivet.functions.signal import *  # noqa: F403

if not TYPE_CHECKING:  # type checkers read the lists of the families
    __all__ = [name for family in (_fft, _signal) for name in family.__all__]

    def __dir__() -> list[str]:
        return __all__
