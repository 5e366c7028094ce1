"""Factorisations through CuPy's interface, and what CuPy leaves to the backend."""

import numpy as np
import pytest

import trivet as tv
from trivet.errors import SingularMatrixError, UnsupportedOpError

X = np.asarray([[4, 1, 2], [1, 5, 3], [2, 3, 6]], float)
STACK = np.stack([X, 2 * X, X - np.eye(3)])
TALL = np.asarray([[1, 2], [3, 4], [5, 7], [0, 1]], float)
DTYPES = {
    "float16": 2e-2,
    "float32": 1e-4,
    "float64": 1e-11,
    "complex64": 1e-4,
    "complex128": 1e-11,
}
NATIVE = {
    *("cholesky", "cross", "det", "diagonal", "eig", "eigh", "eigvals", "eigvalsh"),
    *("inv", "qr", "slogdet", "solve", "svd", "svdvals"),
}
DERIVED = {
    "lu": "CuPy's waits, warns of singular matrices, and takes one matrix",
    "lstsq": "CuPy's waits, and takes one matrix",
    "pinv": "the body is CuPy's own code, and takes empty matrices too",
    "matrix_rank": "the body is CuPy's own code",
    "matrix_norm": "CuPy's squares overflow",
    "vector_norm": "CuPy's squares overflow, and it takes at most two axes",
    "cond": "CuPy's waits, and refuses empty matrices",
    "matrix_power": "the body multiplies as often",
    "vecdot": "CuPy has none",
    "expm": "CuPy's takes one matrix",
}


@pytest.fixture
def put(cuda):
    def made(values, dtype="float64"):
        values = np.asarray(values).astype(dtype)
        return tv.asarray(values.tolist(), dtype=getattr(tv, dtype), backend=cuda)

    return made


def host(x):
    return np.asarray(x.tolist())


@pytest.mark.parametrize("op", sorted(NATIVE))
def test_factorisation_is_cupys(cuda, op):
    assert cuda.support(op) == "native"


@pytest.mark.parametrize("op", DERIVED)
def test_op_stays_derived_where_cupys_is_no_better(cuda, op):
    assert cuda.support(op) == "derived", DERIVED[op]


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("x", [X, STACK], ids=["matrix", "stack"])
def test_factors_multiply_to_the_matrix_in_its_dtype(put, x, dtype):
    a, near = put(x, dtype), {"atol": 10 * DTYPES[dtype], "rtol": DTYPES[dtype]}

    q, r = tv.linalg.qr(a)
    u, s, vh = tv.linalg.svd(a)
    lower = tv.linalg.cholesky(a)
    values, vectors = tv.linalg.eigh(a)

    assert {y.dtype for y in (q, r, u, vh, lower, vectors)} == {a.dtype}
    assert s.dtype == values.dtype == tv.real(a).dtype
    np.testing.assert_allclose(host(q) @ host(r), x, **near)
    np.testing.assert_allclose(host(u) * host(s)[..., None, :] @ host(vh), x, **near)
    np.testing.assert_allclose(host(lower), np.linalg.cholesky(x), **near)
    np.testing.assert_allclose(host(values), np.linalg.eigvalsh(x), **near)
    left = host(vectors) * host(values)[..., None, :]
    np.testing.assert_allclose(left, x @ host(vectors), **near)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("x", [X, STACK], ids=["matrix", "stack"])
def test_inverse_and_determinant_are_numpys_in_the_dtype(put, x, dtype):
    a, near = put(x, dtype), {"atol": DTYPES[dtype], "rtol": 2 * DTYPES[dtype]}

    inverse, det = tv.linalg.inv(a), tv.linalg.det(a)
    sign, log = tv.linalg.slogdet(a)

    assert {y.dtype for y in (inverse, det, sign)} == {a.dtype}
    np.testing.assert_allclose(host(inverse), np.linalg.inv(x), **near)
    np.testing.assert_allclose(host(det), np.linalg.det(x), **near)
    np.testing.assert_allclose(host(sign), np.ones(x.shape[:-2]))
    np.testing.assert_allclose(host(log), np.linalg.slogdet(x)[1], **near)


@pytest.mark.parametrize("dtypes", [("float32", "float64"), ("float16", "float16")])
def test_equations_are_solved_over_broadcast_batches(put, dtypes):
    # CuPy alone refuses: "a must have (..., M, M) shape and b must have (..., M, K)"
    left, right = put(STACK[:, None], dtypes[0]), put(np.ones((2, 3, 1)), dtypes[1])

    found = tv.linalg.solve(left, right)

    assert found.shape == (3, 2, 3, 1)
    assert found.dtype == right.dtype
    want = np.linalg.solve(STACK[:, None], np.ones((2, 3, 1)))
    np.testing.assert_allclose(host(found), want, rtol=3e-2, atol=1e-3)


def test_equations_without_right_sides_have_no_solutions(put):
    found = tv.linalg.solve(put(X), tv.reshape(put([]), (3, 0)))

    assert found.shape == (3, 0)


def test_cholesky_reads_the_triangle_of_its_name(put):
    hidden = np.triu(np.full((3, 3), 99.0), 1)
    want = np.linalg.cholesky(X)

    lower = tv.linalg.cholesky(put(np.tril(X) + hidden))
    upper = tv.linalg.cholesky(put(np.triu(X) + hidden.T), upper=True)

    np.testing.assert_allclose(host(lower), want)
    np.testing.assert_allclose(host(upper), want.T)


def test_upper_factor_of_a_complex_matrix_is_the_adjoint_of_the_lower(put):
    x = np.asarray([[2, 1j], [-1j, 3]])

    upper = host(tv.linalg.cholesky(put(x, "complex128"), upper=True))

    np.testing.assert_allclose(upper.conj().T @ upper, x)
    assert upper[1, 0] == 0


INDEFINITE = (
    "not positive definite. Of a covariance, add a small multiple of the identity "
    "first."
)
SINGULAR = {
    "inv": (
        tv.linalg.inv,
        "singular. tv.linalg.pinv gives the pseudoinverse.",
    ),
    "solve": (
        lambda x: tv.linalg.solve(x, x),
        "singular. tv.linalg.lstsq gives the solution with the least error.",
    ),
    "cholesky": (
        lambda x: tv.linalg.cholesky(-x),
        INDEFINITE,
    ),
}


@pytest.mark.parametrize("op", SINGULAR)
def test_matrix_without_the_factors_is_refused_though_cupy_would_not(put, op):
    call, reason = SINGULAR[op]

    with pytest.raises(SingularMatrixError) as raised:
        call(put([[1, 2], [2, 4]]))

    where = "a matrix in the tensor of shape (2, 2)"
    assert str(raised.value) == f"{op}: {where} is {reason}"


def test_cupy_is_as_blind_as_before_once_the_backend_is_done(put, standin):
    tv.linalg.inv(put(X))
    with pytest.raises(SingularMatrixError):
        tv.linalg.inv(put(np.zeros((2, 2))))

    found = standin.linalg.inv(standin.zeros((2, 2)))

    assert np.isnan(found.get()).all()


def test_determinant_of_a_singular_matrix_is_zero(put):
    x = put([[1, 2], [2, 4]])

    assert tv.linalg.det(x).item() == 0
    assert [part.item() for part in tv.linalg.slogdet(x)] == [0, -np.inf]


def test_singular_values_of_nan_are_nan_without_an_error(put):
    found = tv.linalg.svdvals(put(np.full((2, 2), np.nan)))

    assert np.isnan(host(found)).all()


@pytest.mark.parametrize("dtype", DTYPES)
def test_eigenvalues_are_complex_even_where_all_are_real(put, dtype):
    values, vectors = tv.linalg.eig(put(X, dtype))

    wide = "complex128" if dtype in {"float64", "complex128"} else "complex64"
    assert str(values.dtype) == str(vectors.dtype) == wide
    assert tv.linalg.eigvals(put(X, dtype)).dtype == values.dtype
    found = sorted(host(values).real)
    np.testing.assert_allclose(found, np.linalg.eigvalsh(X), rtol=2e-3)


def test_eigenvalues_of_a_rotation_are_imaginary(put):
    found = host(tv.linalg.eigvals(put([[0, -1], [1, 0]])))

    np.testing.assert_allclose(sorted(found.imag), [-1, 1])


@pytest.mark.parametrize("op", ["eig", "eigvals"])
def test_eigenvalues_say_what_they_need_where_cuda_is_too_old(
    put, standin, monkeypatch, op
):
    monkeypatch.setattr(standin.linalg, "GEEV", False)

    with pytest.raises(UnsupportedOpError) as raised:
        getattr(tv.linalg, op)(put(X))

    assert str(raised.value) == (
        f"{op}: it needs cuSOLVER 11.7, which comes with CUDA 12.6.2. Update CUDA, or "
        'compute it on the host: x.to_backend("ndarray").'
    )


@pytest.mark.parametrize("shape", [(0, 0), (0, 3, 3), (2, 0, 0)])
def test_empty_matrices_have_empty_factors(put, shape):
    x = tv.reshape(put([]), shape)

    assert tv.linalg.inv(x).shape == tv.linalg.cholesky(x).shape == shape
    assert tv.linalg.eigvalsh(x).shape == shape[:-1]
    assert host(tv.linalg.det(x)).tolist() == np.linalg.det(np.zeros(shape)).tolist()


@pytest.mark.parametrize("complete", [False, True])
def test_tall_matrices_have_factors_of_both_kinds(put, complete):
    mode = "complete" if complete else "reduced"

    q, r = tv.linalg.qr(put(TALL), mode=mode)
    u, s, vh = tv.linalg.svd(put(TALL), full_matrices=complete)

    assert q.shape == u.shape == ((4, 4) if complete else (4, 2))
    np.testing.assert_allclose(host(q) @ host(r), TALL, atol=1e-12)
    left = host(u)[:, :2] * host(s)
    np.testing.assert_allclose(left @ host(vh), TALL, atol=1e-12)


BODIES = {
    "lstsq": lambda x: tv.linalg.lstsq(x, x[:, :1])[0],
    "pinv": tv.linalg.pinv,
    "nuclear norm": lambda x: tv.linalg.matrix_norm(x, ord="nuc"),
    "rank": tv.linalg.matrix_rank,
    "cond": tv.linalg.cond,
}
WANTED = {
    "lstsq": np.linalg.lstsq(TALL, TALL[:, :1])[0],
    "pinv": np.linalg.pinv(TALL),
    "nuclear norm": np.linalg.norm(TALL, "nuc"),
    "rank": 2,
    "cond": np.linalg.cond(TALL),
}


@pytest.mark.parametrize("op", BODIES)
def test_bodies_stand_on_cupys_singular_values(put, op):
    np.testing.assert_allclose(host(BODIES[op](put(TALL))), WANTED[op], atol=1e-12)


def test_diagonal_is_a_view_and_cross_takes_an_axis(put):
    x, y = put(X), put(X.T[::-1])

    np.testing.assert_allclose(host(tv.linalg.diagonal(x, offset=1)), [1, 3])
    found = tv.linalg.cross(x, y, axis=-2)
    np.testing.assert_allclose(host(found), np.cross(X, X.T[::-1], axis=0))
