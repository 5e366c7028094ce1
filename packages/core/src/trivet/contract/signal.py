"""Windows and short-time Fourier transforms."""

import math
from typing import TypeVar

from trivet.contract.device import Device
from trivet.contract.fft import Fft, Norm
from trivet.contract.special import Special
from trivet.contract.table import derived
from trivet.dtypes import FLOATING, REAL_FLOATING, DType

__all__ = ["Signal"]

H = TypeVar("H")


class Signal(Fft[H], Special[H], family="signal"):
    """A symmetric window ends as it begins; the others leave out that last element."""

    @derived(REAL_FLOATING, constant="no tensor operand")
    def general_cosine(
        self,
        *,
        n: int,
        coefficients: tuple[float, ...],
        symmetric: bool,
        dtype: DType,
        device: Device,
    ) -> H:
        """The sum of (-1)**k c[k] cos(2 pi k i / (n - 1)), over n if not symmetric."""
        place = self._places(n, dtype, device, symmetric=symmetric)
        total = self.filled_like(place, coefficients[0], (n,))
        for k, c in enumerate(coefficients[1:], 1):
            turn = self.cos(self.multiply(place, math.pi * k))
            total = self.add(total, self.multiply(turn, c))  # cos(a + k pi): the sign
        return self.cast(total, dtype)

    @derived(REAL_FLOATING, constant="no tensor operand")
    def bartlett(self, *, n: int, symmetric: bool, dtype: DType, device: Device) -> H:
        """A triangle from 0 to 1 and back."""
        place = self._places(n, dtype, device, symmetric=symmetric)
        return self.cast(self.subtract(1, self.abs(place)), dtype)

    @derived(REAL_FLOATING, constant="no tensor operand")
    def kaiser(
        self, *, n: int, beta: float, symmetric: bool, dtype: DType, device: Device
    ) -> H:
        """i0(beta sqrt(1 - t**2)) / i0(beta) for t from -1 to 1 (Kaiser, 1974)."""
        place = self._places(n, dtype, device, symmetric=symmetric)
        height = self.sqrt(self.subtract(1, self.square(place)))
        # exp(-x) i0(x) does not overflow for a large beta
        inner = self.multiply(height, beta)
        scaled = self.divide(self.i0e(inner), self.i0e(self._number(place, beta)))
        decay = self.exp(self.subtract(self.abs(inner), abs(beta)))
        return self.cast(self.multiply(scaled, decay), dtype)

    def _number(self, x: H, value: float) -> H:
        return self.filled_like(x, value, ())

    def _places(self, n: int, dtype: DType, device: Device, *, symmetric: bool) -> H:
        """The places of a window's elements, from -1 at its start to 1 at its end."""
        wide = self._widest_float(dtype, device)
        count = self.arange(start=0, stop=n, step=1, dtype=wide, device=device)
        steps = n - 1 if symmetric else n
        if n == 1:  # the one element is the middle
            return self.multiply(count, 0)
        return self.divide(self.subtract(self.multiply(count, 2), steps), max(steps, 1))

    @derived(FLOATING)
    def stft(
        self, x: H, window: H, /, *, hop_length: int, onesided: bool, norm: Norm
    ) -> H:
        """The transforms of windows every `hop_length` elements along the last axis.

        Frequencies along the last axis but one, windows along the last.
        """
        *lead, length = self.shape(x)
        (n,) = self.shape(window)
        count = 1 + (length - n) // hop_length
        start = self.multiply(self.counting(x, count), hop_length)
        column = self.reshape(start, shape=(count, 1))
        places = self.reshape(self.add(column, self.counting(x, n)), shape=(count * n,))
        taken = self.take(x, places, axis=len(lead))
        frames = self.multiply(self.reshape(taken, shape=(*lead, count, n)), window)
        transform = self.rfft if onesided else self.fft
        whole = transform(frames, n=n, axis=len(lead) + 1, norm=norm)
        return self.matrix_transpose(whole)

    @derived(FLOATING)
    def overlap_add(self, x: H, /, *, hop_length: int) -> H:
        """The sum of windows, each `hop_length` elements after the one before.

        Windows run along the last axis but one, their elements along the last.
        """
        *lead, count, n = self.shape(x)
        times = -(-n // hop_length)
        x = self._resized(x, times * hop_length, len(lead) + 1)
        blocks = self.reshape(x, shape=(*lead, count, times, hop_length))
        total = self.filled_like(x, 0, (*lead, count + times - 1, hop_length))
        for k in range(times):
            block = self.squeeze(
                self.part(blocks, len(lead) + 1, k, k + 1), axis=(len(lead) + 1,)
            )
            before = self.filled_like(x, 0, (*lead, k, hop_length))
            after = self.filled_like(x, 0, (*lead, times - 1 - k, hop_length))
            row = self.concat((before, block, after), axis=len(lead))
            total = self.add(total, row)
        size = (count + times - 1) * hop_length
        flat = self.reshape(total, shape=(*lead, size))
        return self.part(flat, len(lead), 0, n + hop_length * (count - 1))
