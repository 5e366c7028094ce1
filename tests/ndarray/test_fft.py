"""Fourier transforms against NumPy's in double precision; bodies against both."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import trivet as tv
import trivet_ndarray
from trivet.contract import OPS, ArrayApiBackend
from trivet.errors import AxisError, DTypeError, ShapeError

ONE = ("fft", "ifft", "rfft", "irfft", "hfft", "ihfft")
MANY = ("fftn", "ifftn", "rfftn", "irfftn")
OF_REAL = {"rfft", "ihfft", "rfftn"}
NORMS = ("backward", "ortho", "forward")
LENGTHS = [1, 2, 3, 4, 12, 35, 64, 67, 97, 134, 360, 1024]
WIDTHS = ("float32", "float64")


class Transforms(trivet_ndarray.NdArray):
    """The bodies of the transforms over NumPy's complex arithmetic."""

    name = "transforms"

    def __init__(self):
        super().__init__()
        for op in OPS.values():
            if op.family in {"fft", "signal"}:
                self.bind(**{op.name: op.function.__get__(self)})


TRANSFORMS = Transforms()


def signal(name, shape, width="float64"):
    """Random numbers of the kind that a transform takes."""
    rng = np.random.default_rng(shape)
    real = rng.normal(size=shape)
    if name in OF_REAL:
        return real.astype(width)
    twin = {"float32": "complex64", "float64": "complex128"}[width]
    return (real + 1j * rng.normal(size=shape)).astype(twin)


def close(got, want, width="float64"):
    """Equal but for rounding, which is relative to the largest element."""
    limit = {"float32": 2e-6, "float64": 5e-15}[width]
    np.testing.assert_allclose(got, want, rtol=0, atol=limit * np.abs(want).max())


@pytest.mark.parametrize("name", ONE)
@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("n", LENGTHS)
def test_transform_of_any_length_is_numpys(name, width, n):
    x = signal(name, (2, n, 3), width)

    for norm in NORMS:
        want = getattr(np.fft, name)(
            x.astype(complex if name not in OF_REAL else float), n, 1, norm
        )
        got = getattr(tv.fft, name)(tv.asarray(x), n=n, axis=1, norm=norm)
        body = getattr(TRANSFORMS, name)(x, n=n, axis=1, norm=norm)

        twin = width if name in {"irfft", "hfft"} else signal("fft", (1,), width).dtype
        assert got.numpy().dtype == body.dtype == twin
        close(got.numpy(), want, width)
        close(body, want, width)


@pytest.mark.parametrize("name", ONE)
@pytest.mark.parametrize("n", [1, 4, 5, 9, 16])
def test_transform_cuts_longer_input_and_fills_up_shorter(name, n):
    x = signal(name, (9,))

    want = getattr(np.fft, name)(x, n)

    close(getattr(tv.fft, name)(tv.asarray(x), n=n).numpy(), want)
    close(getattr(TRANSFORMS, name)(x, n=n, axis=0, norm="backward"), want)


@pytest.mark.parametrize("name", MANY)
@pytest.mark.parametrize(
    "s, axes",
    [
        (None, None),
        (None, (0, 2)),
        ((3, 5), (2, 0)),
        ((4, -1), (0, 1)),
        ((6,), (-1,)),
    ],
)
def test_transform_of_several_axes_is_numpys(name, s, axes):
    x = signal(name, (4, 5, 6))

    for norm in NORMS:
        want = getattr(np.fft, name)(x, s, axes, norm)
        got = getattr(tv.fft, name)(tv.asarray(x), s=s, axes=axes, norm=norm)
        close(got.numpy(), want)

    along = (0, 1, 2) if axes is None else tuple(i % 3 for i in axes)
    own = [x.shape[i] for i in along]
    own[-1] = 2 * (own[-1] - 1) if name == "irfftn" else own[-1]
    sizes = [n if n != -1 else x.shape[i] for n, i in zip(s or own, along, strict=True)]
    body = getattr(TRANSFORMS, name)(x, s=tuple(sizes), axes=along, norm=norm)
    close(body, want)


@given(n=st.integers(1, 300))
def test_inverse_gives_the_signal_back(n):
    x = np.random.default_rng(n).normal(size=n)

    for backend in (tv.backend("ndarray"), TRANSFORMS):
        there = backend.fft(x, n=n, axis=0, norm="ortho")
        back = backend.ifft(there, n=n, axis=0, norm="ortho")
        np.testing.assert_allclose(back, x, atol=1e-13)
        half = backend.rfft(x, n=n, axis=0, norm="forward")
        back = backend.irfft(half, n=n, axis=0, norm="forward")
        np.testing.assert_allclose(back, x, atol=1e-13)


@pytest.mark.parametrize("name", ["fft", "rfft"])
def test_float16_is_transformed_as_float32(name):
    x = np.asarray([1, 2, 3, 4], dtype="float16")

    got = getattr(tv.fft, name)(tv.asarray(x)).numpy()
    body = getattr(TRANSFORMS, name)(x, n=4, axis=0, norm="backward")

    assert got.dtype == body.dtype == "complex64"
    close(got, getattr(np.fft, name)([1, 2, 3, 4]), "float32")
    close(body, getattr(np.fft, name)([1, 2, 3, 4]), "float32")


def test_real_transform_does_not_look_at_impossible_imaginary_parts():
    x = tv.asarray([1.0 + 5.0j, 2.0, 3.0 - 7.0j], dtype=tv.complex128)

    found = tv.fft.irfft(x).numpy()

    np.testing.assert_allclose(found, np.fft.irfft([1, 2, 3]), atol=1e-15)


def test_no_rows_give_no_rows():
    x = tv.zeros((0, 4))

    assert tv.fft.fft(x).shape == (0, 4)
    assert tv.fft.rfft(x).shape == (0, 3)
    assert TRANSFORMS.fft(x.handle, n=4, axis=1, norm="backward").shape == (0, 4)


@pytest.mark.parametrize("n", [1, 2, 5, 8])
@pytest.mark.parametrize("dtype", WIDTHS)
def test_frequencies_are_numpys(n, dtype):
    for name in ("fftfreq", "rfftfreq"):
        want = getattr(np.fft, name)(n, 0.25)
        got = getattr(tv.fft, name)(n, d=0.25, dtype=dtype).numpy()

        assert got.dtype == dtype
        np.testing.assert_allclose(got, want, rtol=1e-6 if dtype == "float32" else 0)


def test_frequencies_have_the_default_float():
    assert tv.fft.fftfreq(4).dtype == tv.float32
    assert (
        tv.fft.fftfreq(4, backend=trivet_ndarray.NdArray(default_float="float64")).dtype
        == tv.float64
    )


@pytest.mark.parametrize("shape", [(5,), (4,), (3, 4)])
def test_shifts_are_numpys_and_undo_each_other(shape):
    x = np.arange(float(np.prod(shape))).reshape(shape)

    there = tv.fft.fftshift(tv.asarray(x))

    np.testing.assert_array_equal(there.numpy(), np.fft.fftshift(x))
    np.testing.assert_array_equal(tv.fft.ifftshift(there).numpy(), x)
    one = tv.fft.fftshift(tv.asarray(x), axes=-1).numpy()
    np.testing.assert_array_equal(one, np.fft.fftshift(x, axes=-1))


def test_shift_of_a_single_number_is_that_number():
    assert tv.fft.fftshift(tv.asarray(7)).item() == 7


X = tv.ones((2, 3))
ERRORS = [
    (
        lambda: tv.fft.fft(tv.ones(3, dtype="int64")),
        DTypeError,
        (
            "fft: the dtype int64 is not one that this op takes; it takes complex "
            "floating or real floating. Cast with .astype(...)."
        ),
    ),
    (
        lambda: tv.fft.rfft(tv.ones(3, dtype="complex64")),
        DTypeError,
        (
            "rfft: the dtype complex64 is not one that this op takes; it takes real "
            "floating. Cast with .astype(...)."
        ),
    ),
    (
        lambda: tv.fft.fft(X, axis=2),
        AxisError,
        (
            "fft: axis=2 is out of range for a tensor with 2 dimensions; it can be -2 "
            "to 1."
        ),
    ),
    (
        lambda: tv.fft.fft(X, n=0),
        ShapeError,
        (
            "fft: the length of the transform is 0 along axis 1 of the shape (2, 3), "
            "and must be at least 1."
        ),
    ),
    (
        lambda: tv.fft.irfft(tv.ones(1)),
        ShapeError,
        (
            "irfft: the length of the transform is 0 along axis 0 of the shape (1,), "
            "and must be at least 1."
        ),
    ),
    (
        lambda: tv.fft.fft(X, norm="unitary"),
        ValueError,
        "fft: norm='unitary' is not one of 'backward', 'ortho' and 'forward'.",
    ),
    (
        lambda: tv.fft.fftn(X, s=(2, 2)),
        ShapeError,
        "fftn: s=(2, 2) needs axes, to say which axis each length is for.",
    ),
    (
        lambda: tv.fft.fftn(X, s=(2,), axes=(0, 1)),
        ShapeError,
        "fftn: s=(2,) has 1 lengths for 2 axes.",
    ),
    (
        lambda: tv.fft.fftn(tv.ones(())),
        ShapeError,
        "fftn: there is no axis to transform along.",
    ),
    (
        lambda: tv.fft.fftfreq(0),
        ShapeError,
        "fftfreq: n=0 is not at least 1.",
    ),
    (
        lambda: tv.fft.rfftfreq(4, dtype="int8"),
        DTypeError,
        "rfftfreq: dtype=int8 is not a real floating dtype.",
    ),
    (
        lambda: tv.fft.fft([1.0]),
        TypeError,
        (
            "fft: the first operand is a builtins.list, not a tensor. Nothing is "
            "converted silently: call tv.asarray(...) on it first."
        ),
    ),
]


@pytest.mark.parametrize("call, error, message", ERRORS)
def test_bad_input_is_explained(call, error, message):
    with pytest.raises(error) as caught:
        call()

    assert str(caught.value) == message


@pytest.mark.parametrize("width", WIDTHS)
def test_bodies_need_nothing_that_the_standard_leaves_open(width):
    strict = pytest.importorskip("array_api_strict")
    backend = ArrayApiBackend(strict)
    x = np.random.default_rng(1).normal(size=(2, 67)).astype(width)

    for n in (60, 64, 67):
        there = backend.rfft(strict.asarray(x), n=n, axis=1, norm="ortho")
        back = backend.irfft(there, n=n, axis=1, norm="ortho")

        close(np.asarray(there), np.fft.rfft(x.astype(float), n, 1, "ortho"), width)
        want = np.concatenate([x, np.zeros((2, 67))], axis=1)[:, :n]
        close(np.asarray(back), want, width)
