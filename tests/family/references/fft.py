"""What NumPy and SciPy say to Fourier transforms and windows."""

import numpy as np
from hypothesis import strategies as st
from references.case import Case
from references.values import ALL, COMPLEX, FLOATS, arrays, axis_of, call, shapes
from scipy import fft as scipy_fft
from scipy import signal

import trivet as tv

TAME = {"low": -8.0, "high": 8.0, "special": False}
NORM = st.sampled_from(["backward", "ortho", "forward"])
SIDE = st.integers(1, 6)


def near(reference, calls, **options):
    return Case(reference, calls, ulps=64, scale=64, **options)


@st.composite
def lines(draw, dtypes, least=1):
    """An array, an axis of at least two, a length and a norm."""
    x = draw(
        arrays(dtypes, shapes(1, 2, empty=False).filter(lambda s: min(s) > 1), **TAME)
    )
    keywords = {"axis": axis_of(draw, x), "norm": draw(NORM)}
    if draw(st.booleans()):
        keywords["n"] = draw(st.integers(2, 6))
    return (x,), keywords


@st.composite
def boxes(draw, dtypes):
    x = draw(
        arrays(dtypes, shapes(2, 3, empty=False).filter(lambda s: min(s) > 1), **TAME)
    )
    return (x,), {"axes": (0, -1), "norm": draw(NORM)}


@st.composite
def shifted(draw):
    x = draw(arrays(ALL, shapes(1)))
    return (x,), draw(st.sampled_from([{}, {"axes": 0}, {"axes": (-1,)}]))


def frequencies(function):
    return lambda n, d, dtype: function(n, d=d).astype(dtype)


def window(name):
    def reference(n, sym, dtype):
        return signal.get_window(name, n, fftbins=not sym).astype(dtype)

    return near(reference, call(SIDE, sym=st.booleans(), dtype=st.sampled_from(FLOATS)))


def kaiser(n, beta, sym, dtype):
    return signal.get_window(("kaiser", beta), n, fftbins=not sym).astype(dtype)


def frames(x, n_fft, hop_length, center):
    """Short-time transforms, frame by frame."""
    if center:
        x = np.pad(x, n_fft // 2, mode="reflect")
    view = np.lib.stride_tricks.sliding_window_view(x, n_fft)[::hop_length]
    return scipy_fft.rfft(view, axis=-1).T


@st.composite
def signals(draw):
    x = draw(arrays(FLOATS, (draw(st.integers(8, 16)),), **TAME))
    return (x, 4), {
        "hop_length": draw(st.integers(1, 3)),
        "center": draw(st.booleans()),
    }


def there_and_back(x, n_fft, hop_length, center):
    """The inverse of the transform is the signal, as far as frames reach."""
    window = tv.fft.hann(n_fft, sym=False, dtype=x.dtype)
    settings = {"hop_length": 2, "window": window}
    spectrum = tv.fft.stft(x, n_fft, **settings)
    return tv.fft.istft(spectrum, n_fft, length=x.shape[-1], **settings)


ANY = (*FLOATS, *COMPLEX)
TABLE = {
    "fft.bartlett": window("bartlett"),
    "fft.blackman": window("blackman"),
    "fft.fft": near(scipy_fft.fft, lines(ANY)),
    "fft.fftfreq": near(
        frequencies(np.fft.fftfreq),
        call(SIDE, d=st.sampled_from([1.0, 0.5]), dtype=st.sampled_from(FLOATS)),
    ),
    "fft.fftn": near(scipy_fft.fftn, boxes(ANY)),
    "fft.fftshift": Case(np.fft.fftshift, shifted()),
    "fft.hamming": window("hamming"),
    "fft.hann": window("hann"),
    "fft.hfft": near(scipy_fft.hfft, lines(COMPLEX)),
    "fft.ifft": near(scipy_fft.ifft, lines(ANY)),
    "fft.ifftn": near(scipy_fft.ifftn, boxes(ANY)),
    "fft.ifftshift": Case(np.fft.ifftshift, shifted()),
    "fft.ihfft": near(scipy_fft.ihfft, lines(FLOATS)),
    "fft.irfft": near(scipy_fft.irfft, lines(COMPLEX)),
    "fft.irfftn": near(scipy_fft.irfftn, boxes(COMPLEX)),
    "fft.istft": near(lambda x, *_, **__: x, signals(), ours=there_and_back),
    "fft.kaiser": near(
        kaiser,
        call(
            SIDE,
            st.sampled_from([0.0, 2.0, 8.0]),
            sym=st.booleans(),
            dtype=st.sampled_from(FLOATS),
        ),
    ),
    "fft.rfft": near(scipy_fft.rfft, lines(FLOATS)),
    "fft.rfftfreq": near(
        frequencies(np.fft.rfftfreq),
        call(SIDE, d=st.sampled_from([1.0, 0.5]), dtype=st.sampled_from(FLOATS)),
    ),
    "fft.rfftn": near(scipy_fft.rfftn, boxes(FLOATS)),
    "fft.stft": near(frames, signals()),
}
