"""`NumPyFft`: Fourier transforms by a namespace `xp.fft` that is NumPy's or like it.

A backend derives from it next to `ArrayApiBackend`. What else it takes is not in the
standard: real input, and lengths longer or shorter than the axis.
"""

from typing import Any

from trivet.contract.adapter import ArrayApiBackend
from trivet.contract.fft import Norm

__all__ = ["NumPyFft"]


class NumPyFft(ArrayApiBackend):
    """In the width of the input; 16-bit floats are transformed as float32."""

    def _by_fft(self, op: str, x: Any, *given: Any) -> Any:
        """The function of that name, with what is given in NumPy's order."""
        if x.dtype.itemsize == 2:
            x = x.astype(self.xp.float32)
        return getattr(self.xp.fft, op)(x, *given)

    def fft(self, x: Any, /, *, n: int, axis: int, norm: Norm) -> Any:
        return self._by_fft("fft", x, n, axis, norm)

    def ifft(self, x: Any, /, *, n: int, axis: int, norm: Norm) -> Any:
        return self._by_fft("ifft", x, n, axis, norm)

    def rfft(self, x: Any, /, *, n: int, axis: int, norm: Norm) -> Any:
        return self._by_fft("rfft", x, n, axis, norm)

    def irfft(self, x: Any, /, *, n: int, axis: int, norm: Norm) -> Any:
        return self._by_fft("irfft", x, n, axis, norm)

    def hfft(self, x: Any, /, *, n: int, axis: int, norm: Norm) -> Any:
        return self._by_fft("hfft", x, n, axis, norm)

    def ihfft(self, x: Any, /, *, n: int, axis: int, norm: Norm) -> Any:
        return self._by_fft("ihfft", x, n, axis, norm)

    def fftn(
        self, x: Any, /, *, s: tuple[int, ...], axes: tuple[int, ...], norm: Norm
    ) -> Any:
        return self._by_fft("fftn", x, s, axes, norm)

    def ifftn(
        self, x: Any, /, *, s: tuple[int, ...], axes: tuple[int, ...], norm: Norm
    ) -> Any:
        return self._by_fft("ifftn", x, s, axes, norm)

    def rfftn(
        self, x: Any, /, *, s: tuple[int, ...], axes: tuple[int, ...], norm: Norm
    ) -> Any:
        return self._by_fft("rfftn", x, s, axes, norm)

    def irfftn(
        self, x: Any, /, *, s: tuple[int, ...], axes: tuple[int, ...], norm: Norm
    ) -> Any:
        return self._by_fft("irfftn", x, s, axes, norm)
