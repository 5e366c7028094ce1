"""Short-time Fourier transforms over views of the signal: no piece is copied twice."""

import numpy as np

from trivet.contract import Norm
from trivet_ndarray.data import Array, Data

__all__ = ["Signal"]


class Signal(Data):
    """Pieces along the last axis."""

    def stft(
        self, x: Array, window: Array, /, *, hop_length: int, onesided: bool, norm: Norm
    ) -> Array:
        n = window.shape[0]
        pieces = np.lib.stride_tricks.sliding_window_view(x, n, -1)
        frames = pieces[..., ::hop_length, :] * window
        transform = self.rfft if onesided else self.fft
        return transform(frames, n=n, axis=x.ndim, norm=norm).swapaxes(-1, -2)

    def overlap_add(self, x: Array, /, *, hop_length: int) -> Array:
        *lead, count, n = x.shape
        times = -(-n // hop_length)
        total = np.zeros((*lead, count + times - 1, hop_length), x.dtype)
        for k in range(times):
            block = x[..., k * hop_length : (k + 1) * hop_length]
            total[..., k : k + count, : block.shape[-1]] += block
        flat = total.reshape((*lead, (count + times - 1) * hop_length))
        return flat[..., : n + hop_length * (count - 1)]
