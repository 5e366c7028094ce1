"""Rules for Fourier transforms: the matrix of one is its own transpose.

Those along several axes with a real end, and Hermitian ones, are differentiated through
their bodies, which are made of these.
"""

from typing import Any

from trivet.contract import Backend
from trivet_autodiff.complexes import cast, real_part
from trivet_autodiff.rules.registry import rule

__all__: list[str] = []


@rule("fft")
def fft(b: Backend[Any]) -> Any:
    """The same transform, of the length that was cut or filled up."""
    return _turned(b, "fft")


@rule("ifft")
def ifft(b: Backend[Any]) -> Any:
    """The same transform, of the length that was cut or filled up."""
    return _turned(b, "ifft")


def _turned(b: Backend[Any], name: str) -> Any:
    def pull(g: Any, saved: Any) -> Any:
        shape, dtype, statics = saved
        axis = statics["axis"]
        turned = getattr(b, name)(g, **statics)
        return cast(b, resized(b, turned, shape[axis], axis), dtype)

    def record(out: Any, x: Any, **statics: Any) -> Any:
        return ((pull, (tuple(x.shape), b.dtype(x), statics)),)

    return record


@rule("fftn")
def fftn(b: Backend[Any]) -> Any:
    """The same transform, of the lengths that were cut or filled up."""
    return _turned_along_all(b, "fftn")


@rule("ifftn")
def ifftn(b: Backend[Any]) -> Any:
    """The same transform, of the lengths that were cut or filled up."""
    return _turned_along_all(b, "ifftn")


def _turned_along_all(b: Backend[Any], name: str) -> Any:
    def pull(g: Any, saved: Any) -> Any:
        shape, dtype, statics = saved
        turned = getattr(b, name)(g, **statics)
        for axis in statics["axes"]:
            turned = resized(b, turned, shape[axis], axis)
        return cast(b, turned, dtype)

    def record(out: Any, x: Any, **statics: Any) -> Any:
        return ((pull, (tuple(x.shape), b.dtype(x), statics)),)

    return record


@rule("rfft")
def rfft(b: Backend[Any]) -> Any:
    """The real part of `fft`, with zeros for the frequencies that were left out."""

    def pull(g: Any, saved: Any) -> Any:
        size, n, axis, norm = saved
        turned = b.fft(resized(b, g, n, axis), n=n, axis=axis, norm=norm)
        return b.real(resized(b, turned, size, axis))

    def record(out: Any, x: Any, *, n: int, axis: int, norm: str) -> Any:
        return ((pull, (x.shape[axis], n, axis, norm)),)

    return record


@rule("irfft")
def irfft(b: Backend[Any]) -> Any:
    """`ihfft`, twice where an element stands for its mirror image too."""

    def pull(g: Any, saved: Any) -> Any:
        size, n, axis, norm, dtype = saved
        half = b.ihfft(real_part(b, g), n=n, axis=axis, norm=norm)
        ends = [b.part(half, axis, 0, 1)]
        between = b.part(half, axis, 1, (n + 1) // 2)
        if n % 2 == 0:
            ends.append(b.part(half, axis, n // 2, n // 2 + 1))
        parts = (ends[0], b.multiply(between, 2), *ends[1:])
        return cast(b, resized(b, b.concat(parts, axis=axis), size, axis), dtype)

    def record(out: Any, x: Any, *, n: int, axis: int, norm: str) -> Any:
        return ((pull, (x.shape[axis], n, axis, norm, b.dtype(x))),)

    return record


def resized(b: Backend[Any], x: Any, n: int, axis: int) -> Any:
    """The first `n` elements along an axis, with zeros for those that miss."""
    size = x.shape[axis]
    if size == n:
        return x
    if size > n:
        return b.part(x, axis, 0, n)
    missing = (*x.shape[:axis], n - size, *x.shape[axis + 1 :])
    return b.concat((x, b.filled_like(x, 0, missing)), axis=axis)
