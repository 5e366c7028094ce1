"""Fourier transforms by cuFFT, where it agrees with NumPy."""

from typing import Any

from trivet.contract import OPS, Norm, NumPyFft
from trivet_cuda.data import Array, Data

__all__ = ["Fft"]


class Fft(NumPyFft, Data):
    """cuFFT refuses to transform nothing: the contract's bodies do that."""

    def _by_fft(self, op: str, x: Array, *given: Any) -> Array:
        if x.size:
            return super()._by_fft(op, x, *given)
        names = list(OPS[op].signature.parameters)[1:]  # in NumPy's order too
        statics = dict(zip(names, given, strict=True))
        return OPS[op].function(self, x, **statics)

    def irfftn(
        self, x: Array, /, *, s: tuple[int, ...], axes: tuple[int, ...], norm: Norm
    ) -> Array:
        # Over several axes at once cuFFT takes for granted that the input is the
        # transform of something real; the contract does not.
        return OPS["irfftn"].function(self, x, s=s, axes=axes, norm=norm)
