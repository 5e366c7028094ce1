"""Fourier transforms through CuPy's interface, against NumPy's."""

import numpy as np
import pytest

import trivet as tv

rng = np.random.default_rng(3)
REAL = rng.normal(size=(3, 4, 6))
COMPLEX = REAL + 1j * rng.normal(size=(3, 4, 6))
ONE = {"fft": COMPLEX, "ifft": COMPLEX, "rfft": REAL, "irfft": COMPLEX}
ONE |= {"hfft": COMPLEX, "ihfft": REAL}
MANY = {"fftn": COMPLEX, "ifftn": COMPLEX, "rfftn": REAL, "irfftn": COMPLEX}
NATIVE = [*ONE, "fftn", "ifftn", "rfftn"]


@pytest.fixture
def put(cuda):
    def made(values, dtype=None):
        values = np.asarray(values)
        dtype = dtype or ("complex128" if values.dtype.kind == "c" else "float64")
        flat = tv.asarray(
            values.ravel().tolist(), dtype=getattr(tv, dtype), backend=cuda
        )
        return tv.reshape(flat, values.shape)

    return made


def host(x):
    return np.asarray(x.tolist()).reshape(x.shape)


@pytest.mark.parametrize("op", NATIVE)
def test_transform_is_cupys(cuda, op):
    assert cuda.support(op) == "native"


@pytest.mark.parametrize("norm", ["backward", "ortho", "forward"])
@pytest.mark.parametrize("n", [5, 6, 9])
@pytest.mark.parametrize("op", ONE)
def test_transform_along_one_axis_is_numpys(put, op, n, norm):
    found = getattr(tv.fft, op)(put(ONE[op]), n=n, axis=1, norm=norm)

    want = getattr(np.fft, op)(ONE[op], n, 1, norm)
    np.testing.assert_allclose(host(found), want, atol=1e-12)


@pytest.mark.parametrize("norm", ["backward", "ortho", "forward"])
@pytest.mark.parametrize("s, axes", [((4, 5), (0, 2)), ((2, 4, 7), (2, 0, 1))])
@pytest.mark.parametrize("op", MANY)
def test_transform_along_several_axes_is_numpys(put, op, s, axes, norm):
    # of what irfftn gets here, no real array is the origin: cuFFT's would differ
    found = getattr(tv.fft, op)(put(MANY[op]), s=s, axes=axes, norm=norm)

    want = getattr(np.fft, op)(MANY[op], s, axes, norm)
    np.testing.assert_allclose(host(found), want, atol=1e-12)


@pytest.mark.parametrize(
    "dtype, wide",
    [("float16", "complex64"), ("float32", "complex64"), ("float64", "complex128")],
)
@pytest.mark.parametrize("op", ["fft", "rfft", "fftn"])
def test_transform_is_as_wide_as_its_input(put, op, dtype, wide):
    found = getattr(tv.fft, op)(put([1, 0, 0, 0], dtype))

    assert str(found.dtype) == wide
    assert set(found.tolist()) == {1}


@pytest.mark.parametrize("op", [*ONE, *MANY])
def test_nothing_is_transformed_into_nothing(put, op):
    kind = (ONE | MANY)[op].dtype
    where = {"axis": 1} if op in ONE else {"axes": (1, 2)}

    found = getattr(tv.fft, op)(put(np.zeros((0, 4, 4), kind)), **where)

    assert found.shape == getattr(np.fft, op)(np.zeros((0, 4, 4)), **where).shape
