"""Fourier transforms by `numpy.fft`, in the width of the input."""

from typing import Any

import numpy as np

from trivet.contract import Norm
from trivet_ndarray.data import Array, Data

__all__ = ["Fft"]


class Fft(Data):
    """16-bit floats are transformed as float32."""

    def _fit(self, x: Array) -> Any:
        return x.astype(np.float32) if x.dtype.itemsize == 2 else x

    def fft(self, x: Array, /, *, n: int, axis: int, norm: Norm) -> Array:
        return np.fft.fft(self._fit(x), n, axis, norm)

    def ifft(self, x: Array, /, *, n: int, axis: int, norm: Norm) -> Array:
        return np.fft.ifft(self._fit(x), n, axis, norm)

    def rfft(self, x: Array, /, *, n: int, axis: int, norm: Norm) -> Array:
        return np.fft.rfft(self._fit(x), n, axis, norm)

    def irfft(self, x: Array, /, *, n: int, axis: int, norm: Norm) -> Array:
        return np.fft.irfft(self._fit(x), n, axis, norm)

    def hfft(self, x: Array, /, *, n: int, axis: int, norm: Norm) -> Array:
        return np.fft.hfft(self._fit(x), n, axis, norm)

    def ihfft(self, x: Array, /, *, n: int, axis: int, norm: Norm) -> Array:
        return np.fft.ihfft(self._fit(x), n, axis, norm)

    def fftn(
        self, x: Array, /, *, s: tuple[int, ...], axes: tuple[int, ...], norm: Norm
    ) -> Array:
        return np.fft.fftn(self._fit(x), s, axes, norm)

    def ifftn(
        self, x: Array, /, *, s: tuple[int, ...], axes: tuple[int, ...], norm: Norm
    ) -> Array:
        return np.fft.ifftn(self._fit(x), s, axes, norm)

    def rfftn(
        self, x: Array, /, *, s: tuple[int, ...], axes: tuple[int, ...], norm: Norm
    ) -> Array:
        return np.fft.rfftn(self._fit(x), s, axes, norm)

    def irfftn(
        self, x: Array, /, *, s: tuple[int, ...], axes: tuple[int, ...], norm: Norm
    ) -> Array:
        return np.fft.irfftn(self._fit(x), s, axes, norm)
