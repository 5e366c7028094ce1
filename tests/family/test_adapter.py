"""`ArrayApiBackend` over a library that takes what the standard says and no more."""

import numpy as np
import pytest
from strict import strict_backend

from trivet.contract import OPS, NumPyFft, NumPyLinalg

xp = pytest.importorskip("array_api_strict")
X = np.array([[4.0, 1.0, 2.0], [1.0, 5.0, 3.0], [2.0, 3.0, 6.0]])
ORDERS = {"fro": 105**0.5, 1: 11.0, "nuc": 15.0}


@pytest.fixture(scope="module")
def backend():
    return strict_backend(xp)


@pytest.fixture(params=["float64", "complex128"])
def x(request):
    return xp.asarray(X.astype(request.param))


def near(found, expected):
    np.testing.assert_allclose(np.asarray(found._array), expected, atol=1e-12)


def test_equations_are_solved_by_the_bodies(backend, x):
    near(backend.matmul(backend.inv(x), x), np.eye(3))
    near(backend.matmul(x, backend.solve(x, x)), X)
    near(backend.det(x), np.linalg.det(X))
    near(backend.slogdet(x)[1], np.log(np.linalg.det(X)))
    near(backend.lstsq(x, x, 1e-10)[0], np.eye(3))
    near(backend.pinv(x, 1e-10), np.linalg.inv(X))


def test_factors_come_from_the_bodies(backend, x):
    lower = backend.cholesky(x, upper=False)
    q, r = backend.qr(x, complete=False)
    u, s, vh = backend.svd(x, full_matrices=True)
    values, vectors = backend.eigh(x)

    near(lower, np.linalg.cholesky(X))
    near(backend.matmul(q, r), X)
    near(backend.matmul(backend.multiply(u, s), vh), X)
    near(values, np.linalg.eigvalsh(X))
    near(
        backend.matmul(x, vectors), np.asarray(backend.multiply(vectors, values)._array)
    )


@pytest.mark.parametrize("ord", ORDERS)
def test_norms_come_from_the_bodies(backend, x, ord):
    near(backend.matrix_norm(x, keepdims=False, ord=ord), ORDERS[ord])


def test_slices_end_where_the_standard_lets_them(backend):
    x = xp.asarray(np.arange(9))

    def taken(start, size, step):
        part = backend.strided_slice(x, start=(start,), size=(size,), step=(step,))
        return np.asarray(part._array).tolist()

    assert taken(0, 3, 4) == [0, 4, 8]
    assert taken(8, 3, -4) == [8, 4, 0]
    assert taken(8, 1, -1) == [8]
    assert taken(3, 0, 2) == []
    assert taken(0, 9, 1) == list(range(9))


class Like(NumPyFft, NumPyLinalg):
    """A library whose `linalg` and `fft` are NumPy's, here NumPy itself."""

    name = "like"


def test_library_with_numpys_linalg_and_fft_has_them_natively():
    like = Like(np)

    found = {op for op in OPS if like.support(op) == "native"}

    assert {"det", "solve", "svd", "eig", "fft", "rfftn", "ihfft"} <= found
    assert {like.support(op) for op in ("cholesky", "lu", "lstsq")} == {"derived"}


def test_half_precision_is_factored_and_transformed_in_single():
    half, like = X.astype("float16"), Like(np)

    inverse = like.inv(half)
    transform = like.fft(half, n=3, axis=1, norm="backward")

    assert (inverse.dtype, transform.dtype) == ("float16", "complex64")
    np.testing.assert_allclose(inverse, np.linalg.inv(X), rtol=2e-3, atol=1e-3)
    np.testing.assert_allclose(transform, np.fft.fft(X), rtol=1e-5, atol=1e-5)
