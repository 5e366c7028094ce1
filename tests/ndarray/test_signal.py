"""Windows against SciPy, short-time transforms against their definition and PyTorch."""

import numpy as np
import pytest
import scipy.signal.windows

import trivet as tv
import trivet_ndarray
from trivet.contract import OPS
from trivet.errors import DTypeError, ShapeError

WINDOWS = ("bartlett", "blackman", "hamming", "hann")
rng = np.random.default_rng(3)


class Pieces(trivet_ndarray.NdArray):
    """The bodies of the family over NumPy's complex arithmetic."""

    name = "pieces"

    def __init__(self):
        super().__init__()
        for op in OPS.values():
            if op.family == "signal":
                self.bind(**{op.name: op.function.__get__(self)})


PIECES = Pieces()


@pytest.mark.parametrize("name", WINDOWS)
@pytest.mark.parametrize("sym", [True, False])
@pytest.mark.parametrize("n", [0, 1, 2, 3, 8, 9])
def test_window_is_scipys(name, sym, n):
    want = getattr(scipy.signal.windows, name)(n, sym=sym)

    got = getattr(tv.fft, name)(n, sym=sym, dtype="float64").numpy()

    np.testing.assert_allclose(got, want, rtol=0, atol=1e-15)


@pytest.mark.parametrize("sym", [True, False])
@pytest.mark.parametrize("beta", [0.0, 5.0, 300.0])
@pytest.mark.parametrize("n", [2, 3, 8, 9])
def test_kaiser_window_is_scipys(sym, beta, n):
    want = scipy.signal.windows.kaiser(n, beta, sym=sym)

    got = tv.fft.kaiser(n, beta, sym=sym, dtype="float64").numpy()

    np.testing.assert_allclose(got, want, rtol=1e-13, atol=0)


def test_window_has_the_default_dtype_of_its_backend():
    wide = trivet_ndarray.NdArray(default_float="float64")

    assert tv.fft.hann(3).dtype == tv.float32
    assert tv.fft.hann(3, backend=wide).dtype == tv.float64


def by_definition(x, window, hop):
    """Each piece on its own."""
    n = len(window)
    starts = range(0, x.shape[-1] - n + 1, hop)
    columns = [np.fft.rfft(x[..., i : i + n] * window) for i in starts]
    return np.stack(columns, axis=-1)


@pytest.mark.parametrize("n, hop", [(8, 2), (8, 3), (7, 7), (5, 9)])
def test_short_time_transform_is_that_of_each_piece(n, hop):
    x, window = rng.normal(size=(2, 40)), rng.normal(size=n)

    got = tv.fft.stft(
        tv.asarray(x), n, hop_length=hop, window=tv.asarray(window), center=False
    )
    body = PIECES.stft(x, window, hop_length=hop, onesided=True, norm="backward")

    want = by_definition(x, window, hop)
    np.testing.assert_allclose(got.numpy(), want, atol=1e-14)
    np.testing.assert_allclose(body, want, atol=1e-14)


@pytest.mark.parametrize("n, hop", [(16, 4), (15, 5), (16, None)])
@pytest.mark.parametrize("center", [True, False])
@pytest.mark.parametrize("normalized", [True, False])
@pytest.mark.parametrize("onesided", [True, False])
@pytest.mark.parametrize("pad_mode", ["reflect", "constant", "circular"])
def test_both_directions_are_pytorchs(n, hop, center, normalized, onesided, pad_mode):
    torch = pytest.importorskip("torch")
    x, window = rng.normal(size=(3, 100)), np.hanning(n + 1)[:-1] + 0.1
    same = {"hop_length": hop, "center": center, "normalized": normalized}
    same["onesided"] = onesided
    theirs = {"window": torch.tensor(window), **same}
    ours = {"window": tv.asarray(window), **same}
    want = torch.stft(
        torch.tensor(x), n, pad_mode=pad_mode, return_complex=True, **theirs
    )

    got = tv.fft.stft(tv.asarray(x), n, pad_mode=pad_mode, **ours)
    back = tv.fft.istft(got, n, **ours)

    np.testing.assert_allclose(got.numpy(), want.numpy(), atol=1e-13)
    want = torch.istft(want, n, return_complex=not onesided, **theirs)
    np.testing.assert_allclose(back.numpy(), want.numpy(), atol=1e-13)


@pytest.mark.parametrize("dtype, limit", [("float32", 1e-6), ("float64", 1e-14)])
def test_inverse_gives_the_signal_back(dtype, limit):
    x = tv.asarray(rng.normal(size=(2, 50)), dtype=dtype)
    window = tv.fft.hann(8, sym=False, dtype=dtype)

    pieces = tv.fft.stft(x, 8, window=window)
    back = tv.fft.istft(pieces, 8, window=window, length=50)

    assert back.dtype == x.dtype
    np.testing.assert_allclose(back.numpy(), x.numpy(), atol=limit)


def test_length_past_the_last_piece_is_filled_with_zeros():
    pieces = tv.fft.stft(tv.ones(8), 4, center=False)

    back = tv.fft.istft(pieces, 4, center=False, length=10)

    np.testing.assert_allclose(back.numpy(), [1] * 8 + [0] * 2, atol=1e-6)


def test_short_window_stands_in_the_middle():
    x, window = tv.asarray(rng.normal(size=20)), tv.asarray([1.0, 2.0, 1.0])

    found = tv.fft.stft(x, 6, window=window, center=False)

    full = np.asarray([0, 1, 2, 1, 0, 0.0])
    np.testing.assert_allclose(found.numpy(), by_definition(x.numpy(), full, 1))


def test_complex_signal_has_all_frequencies():
    x = rng.normal(size=12) + 1j * rng.normal(size=12)

    found = tv.fft.stft(tv.asarray(x), 4, hop_length=4, center=False).numpy()

    np.testing.assert_allclose(found, np.fft.fft(x.reshape(3, 4)).T, atol=1e-14)


@pytest.mark.parametrize("hop", [1, 2, 3, 4, 7])
@pytest.mark.parametrize("lead", [(), (2, 3)])
def test_overlapping_windows_are_added(hop, lead):
    x = rng.normal(size=(*lead, 5, 4))
    want = np.zeros((*lead, 4 + 4 * hop))
    for i in range(5):
        want[..., i * hop : i * hop + 4] += x[..., i, :]

    for backend in (tv.backend("ndarray"), PIECES):
        found = backend.overlap_add(x, hop_length=hop)
        np.testing.assert_allclose(found, want, rtol=1e-14, atol=1e-15)


ERRORS = [
    (lambda: tv.fft.hann(-1), ShapeError, "hann: n=-1 is negative."),
    (
        lambda: tv.fft.kaiser(3, 1.0, dtype="int8"),
        DTypeError,
        "kaiser: dtype=int8 is not a real floating dtype.",
    ),
    (
        lambda: tv.fft.stft(tv.ones(()), 4),
        ShapeError,
        "stft: a tensor of rank 0 has no axis to take pieces of.",
    ),
    (
        lambda: tv.fft.stft(tv.ones(4), 0),
        ShapeError,
        "stft: n_fft=0 is not at least 1.",
    ),
    (
        lambda: tv.fft.stft(tv.ones(4), 4, hop_length=0),
        ShapeError,
        "stft: hop_length=0 is not at least 1.",
    ),
    (
        lambda: tv.fft.stft(tv.ones(4), 8, center=False),
        ShapeError,
        "stft: n_fft=8 is longer than the 4 elements along the last axis.",
    ),
    (
        lambda: tv.fft.stft(tv.ones(9), 4, window=tv.ones(5)),
        ShapeError,
        (
            "stft: the window has the shape (5,), and must be one axis of at most "
            "n_fft=4 elements."
        ),
    ),
    (
        lambda: tv.fft.stft(tv.ones(9, dtype="complex64"), 4, onesided=True),
        DTypeError,
        (
            "stft: the transform of complex64 has no second half to leave out; pass "
            "onesided=False."
        ),
    ),
    (
        lambda: tv.fft.stft(tv.ones(9), 4, window=tv.ones(4, dtype="int8")),
        DTypeError,
        (
            "stft: the window has the dtype int8, not a real floating one. Cast it "
            "with .astype(...)."
        ),
    ),
    (
        lambda: tv.fft.istft(tv.ones((3, 3), dtype="int8"), 4),
        DTypeError,
        "istft: the dtype int8 is not floating. Cast with .astype(...).",
    ),
    (
        lambda: tv.fft.istft(tv.ones((3, 3)), 4, length=-1),
        ShapeError,
        "istft: the shape (-1,) has a negative size.",
    ),
    (
        lambda: tv.fft.istft(tv.ones((4, 3)), 4),
        ShapeError,
        (
            "istft: the shape (4, 3) is not (..., 3, pieces), as n_fft=4 and "
            "onesided=True ask for."
        ),
    ),
    (
        lambda: tv.fft.istft(
            tv.ones((3, 3)), 4, hop_length=2, window=tv.fft.hann(4), center=False
        ),
        ValueError,
        (
            "istft: the squares of the windows over a place sum up to 0.0, so that the "
            "signal there is lost. Use a window and a hop_length that leave nothing "
            "out, or center=True."
        ),
    ),
]


@pytest.mark.parametrize("call, error, message", ERRORS)
def test_bad_input_is_explained(call, error, message):
    with pytest.raises(error) as caught:
        call()

    assert str(caught.value) == message
