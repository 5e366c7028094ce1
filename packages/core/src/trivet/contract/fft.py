"""Discrete Fourier transforms.

The bodies stand on complex arithmetic alone: mixed radix, with a matrix for each small
prime factor, and Bluestein's convolution for a large one.
"""

import math
from typing import Literal, TypeVar

from trivet.contract.device import Device
from trivet.contract.nn import Nn
from trivet.contract.table import derived
from trivet.dtypes import (
    ANY,
    FLOATING,
    REAL_FLOATING,
    DType,
    complex64,
    complex128,
    float32,
    float64,
)
from trivet.errors import UnsupportedOpError

__all__ = ["Fft", "Norm"]

H = TypeVar("H")
Norm = Literal["backward", "ortho", "forward"]
_OTHER_WAY: dict[Norm, Norm] = {
    "backward": "forward",
    "forward": "backward",
    "ortho": "ortho",
}
_LARGEST_MATRIX = 64  # a longer prime goes through Bluestein's convolution


class Fft(Nn[H], family="fft"):
    """Transforms of length `n` along `axis`, or of the lengths `s` along `axes`.

    Longer input is cut, shorter filled up with zeros. A backend without complex dtypes
    has none of the transforms, and says so.
    """

    @derived(FLOATING)
    def fft(self, x: H, /, *, n: int, axis: int, norm: Norm) -> H:
        """The sum of x[j] exp(-2 pi i j k / n), complex of the width of `x`."""
        return self._transformed("fft", x, n, axis, norm, -1)

    @derived(FLOATING)
    def ifft(self, x: H, /, *, n: int, axis: int, norm: Norm) -> H:
        """The inverse of `fft`: the sum of x[j] exp(2 pi i j k / n), over n."""
        return self._transformed("ifft", x, n, axis, _OTHER_WAY[norm], 1)

    @derived(FLOATING)
    def fftn(
        self, x: H, /, *, s: tuple[int, ...], axes: tuple[int, ...], norm: Norm
    ) -> H:
        """`fft` along each of the axes."""
        x = self._complex("fftn", x)
        for n, axis in zip(s, axes, strict=True):
            x = self.fft(x, n=n, axis=axis, norm=norm)
        return x

    @derived(FLOATING)
    def ifftn(
        self, x: H, /, *, s: tuple[int, ...], axes: tuple[int, ...], norm: Norm
    ) -> H:
        """`ifft` along each of the axes."""
        x = self._complex("ifftn", x)
        for n, axis in zip(s, axes, strict=True):
            x = self.ifft(x, n=n, axis=axis, norm=norm)
        return x

    @derived(REAL_FLOATING)
    def rfft(self, x: H, /, *, n: int, axis: int, norm: Norm) -> H:
        """The first n // 2 + 1 elements of `fft`; the others mirror them."""
        whole = self._transformed("rfft", x, n, axis, norm, -1)
        return self.part(whole, axis, 0, n // 2 + 1)

    @derived(FLOATING)
    def irfft(self, x: H, /, *, n: int, axis: int, norm: Norm) -> H:
        """The `n` real numbers of which `rfft` gives `x`.

        The imaginary parts that such a transform cannot have are not looked at.
        """
        half = self._resized(self._complex("irfft", x), n // 2 + 1, axis)
        mirrored = self.part(half, axis, 1, (n + 1) // 2)
        tail = self.conj(self.flip(mirrored, axis=(axis,)))
        whole = self.concat((half, tail), axis=axis)
        return self.real(
            self._transformed("irfft", whole, n, axis, _OTHER_WAY[norm], 1)
        )

    @derived(REAL_FLOATING)
    def rfftn(
        self, x: H, /, *, s: tuple[int, ...], axes: tuple[int, ...], norm: Norm
    ) -> H:
        """`rfft` along the last of the axes, then `fft` along the others."""
        x = self.rfft(x, n=s[-1], axis=axes[-1], norm=norm)
        return self.fftn(x, s=s[:-1], axes=axes[:-1], norm=norm)

    @derived(FLOATING)
    def irfftn(
        self, x: H, /, *, s: tuple[int, ...], axes: tuple[int, ...], norm: Norm
    ) -> H:
        """`ifft` along all of the axes but the last, then `irfft` along that."""
        x = self.ifftn(x, s=s[:-1], axes=axes[:-1], norm=norm)
        return self.irfft(x, n=s[-1], axis=axes[-1], norm=norm)

    @derived(FLOATING)
    def hfft(self, x: H, /, *, n: int, axis: int, norm: Norm) -> H:
        """The `n` real elements of `fft` of a signal whose first half is `x`.

        The other half are its conjugates, backwards.
        """
        turned = self.conj(self._complex("hfft", x))
        return self.irfft(turned, n=n, axis=axis, norm=_OTHER_WAY[norm])

    @derived(REAL_FLOATING)
    def ihfft(self, x: H, /, *, n: int, axis: int, norm: Norm) -> H:
        """The inverse of `hfft`: the first n // 2 + 1 elements of `ifft`."""
        return self.conj(self.rfft(x, n=n, axis=axis, norm=_OTHER_WAY[norm]))

    @derived(REAL_FLOATING, constant="no tensor operand")
    def fftfreq(self, *, n: int, d: float, dtype: DType, device: Device) -> H:
        """The frequencies of `fft`'s elements: 0, 1, ..., -2, -1 over n d."""
        count = self.arange(start=0, stop=n, step=1, dtype=dtype, device=device)
        negative = self.subtract(count, n)
        turned = self.where(self.less(count, (n + 1) // 2), count, negative)
        return self.divide(turned, n * d)

    @derived(REAL_FLOATING, constant="no tensor operand")
    def rfftfreq(self, *, n: int, d: float, dtype: DType, device: Device) -> H:
        """The frequencies of `rfft`'s elements: 0, 1, ..., n // 2 over n d."""
        count = self.arange(
            start=0, stop=n // 2 + 1, step=1, dtype=dtype, device=device
        )
        return self.divide(count, n * d)

    @derived(ANY)
    def fftshift(self, x: H, /, *, axes: tuple[int, ...]) -> H:
        """Rolled so that the zero frequency comes to the middle of each axis."""
        shift = tuple(self.shape(x)[i] // 2 for i in axes)
        return self.roll(x, shift=shift, axis=axes) if axes else x

    @derived(ANY)
    def ifftshift(self, x: H, /, *, axes: tuple[int, ...]) -> H:
        """The inverse of `fftshift`, which differs for odd lengths."""
        shift = tuple(-(self.shape(x)[i] // 2) for i in axes)
        return self.roll(x, shift=shift, axis=axes) if axes else x

    def _complex(self, op: str, x: H) -> H:
        """The elements as complex numbers of the same width, at least complex64."""
        dtype = self.dtype(x)
        if dtype.kind == "complex floating":
            return x
        twin = complex128 if dtype == float64 else complex64
        if twin not in self.dtypes(self.device(x)):
            raise UnsupportedOpError(
                f"the backend {self.name} has no dtype {twin}, which {op} needs."
            )
        return self.astype(x, dtype=twin)

    def _resized(self, x: H, n: int, axis: int) -> H:
        """The first `n` elements along an axis, with zeros for those that miss."""
        shape = self.shape(x)
        if shape[axis] >= n:
            return self.part(x, axis, 0, n)
        missing = (*shape[:axis], n - shape[axis], *shape[axis + 1 :])
        return self.concat((x, self.filled_like(x, 0, missing)), axis=axis)

    def _transformed(
        self, op: str, x: H, n: int, axis: int, norm: Norm, sign: int
    ) -> H:
        """The transform along `axis`, scaled as `norm` has it for this direction."""
        x = self._resized(self._complex(op, x), n, axis)
        ndim = len(self.shape(x))
        axes = [i for i in range(ndim) if i != axis] + [axis]
        last = self._dft(self.permute_dims(x, axes=tuple(axes)), sign)
        back = tuple(axes.index(i) for i in range(ndim))
        done = self.permute_dims(last, axes=back)
        scale = {"backward": 1.0, "ortho": 1 / math.sqrt(n), "forward": 1 / n}[norm]
        return done if scale == 1 else self.multiply(done, scale)

    def _dft(self, x: H, sign: int) -> H:
        """The unscaled transform along the last axis (Cooley and Tukey, 1965)."""
        *lead, n = self.shape(x)
        p = _factor(n)
        if p == n:
            return self._dft_of_prime(x, sign)
        m = n // p
        rows = self.matrix_transpose(self.reshape(x, shape=(*lead, m, p)))
        rows = self._dft(rows, sign)  # of every p-th element
        turned = self.multiply(rows, self._roots(x, p, m, n, sign))
        matrix = self._roots(x, p, p, p, sign)
        return self.reshape(self.matmul(matrix, turned), shape=(*lead, n))

    def _dft_of_prime(self, x: H, sign: int) -> H:
        n = self.shape(x)[-1]
        if n > _LARGEST_MATRIX:
            return self._bluestein(x, sign)
        if n == 1:
            return x
        row = self.expand_dims(x, axis=(len(self.shape(x)) - 1,))
        product = self.matmul(row, self._roots(x, n, n, n, sign))
        return self.reshape(product, shape=self.shape(x))

    def _roots(self, x: H, rows: int, cols: int, n: int, sign: int) -> H:
        """exp(sign 2 pi i j k / n) for row j and column k, in the dtype of `x`."""
        row = self.reshape(self.counting(x, rows), shape=(rows, 1))
        return self._turns(x, self.multiply(row, self.counting(x, cols)), n, sign)

    def _turns(self, x: H, count: H, n: int, sign: int) -> H:
        """exp(sign 2 pi i count / n); whole turns are taken off exactly."""
        real = float64 if self.dtype(x) == complex128 else float32
        wide = float64 if float64 in self.dtypes(self.device(x)) else float32
        part = self.astype(self.remainder(count, n), dtype=wide)
        angle = self.multiply(part, sign * 2 * math.pi / n)
        cos, sin = self.cast(self.cos(angle), real), self.cast(self.sin(angle), real)
        return self.add(cos, self.multiply(sin, 1j))

    def _bluestein(self, x: H, sign: int) -> H:
        """A transform as a convolution: j k = (j**2 + k**2 - (k - j)**2) / 2.

        Bluestein, A linear filtering approach to the computation of the discrete
        Fourier transform (1970). The convolution is one of a power of two.
        """
        n = self.shape(x)[-1]
        size = 1 << (2 * n - 2).bit_length()
        count = self.counting(x, n)
        chirp = self._turns(x, self.multiply(count, count), 2 * n, sign)
        against = self.conj(chirp)
        gap = self.filled_like(chirp, 0, (size - 2 * n + 1,))
        tail = self.flip(self.part(against, 0, 1, n), axis=(0,))
        kernel = self._dft(self.concat((against, gap, tail), axis=0), -1)
        last = len(self.shape(x)) - 1
        signal = self._resized(self.multiply(x, chirp), size, last)
        product = self.multiply(self._dft(signal, -1), kernel)
        whole = self.multiply(self._dft(product, 1), 1 / size)
        return self.multiply(self.part(whole, last, 0, n), chirp)


def _factor(n: int) -> int:
    """A factor to split off: a power of two that a matrix serves, or a prime.

    >>> _factor(4096), _factor(15), _factor(97)
    (32, 3, 97)
    """
    for p in (32, 16, 8, 4, 2):
        if n % p == 0:
            return p
    return next((p for p in range(3, math.isqrt(n) + 1, 2) if n % p == 0), n)
