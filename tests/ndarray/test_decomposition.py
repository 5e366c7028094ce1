"""Factorisations against their definitions, NumPy and SciPy, native and derived."""

import math

import numpy as np
import pytest
import scipy.linalg

import trivet as tv
from trivet.errors import DTypeError, ShapeError, SingularMatrixError

inf, nan = math.inf, math.nan
DTYPES = ["float32", "float64", "complex64", "complex128"]
CLOSE = {"float32": 2e-4, "complex64": 2e-4, "float64": 1e-11, "complex128": 1e-11}
SHAPES = [(1, 1), (2, 2), (5, 5), (4, 2), (2, 5), (3, 4, 3), (2, 3, 2, 5), (0, 3, 3)]
EMPTY = [(0, 0), (3, 0), (0, 3), (2, 0, 3)]
SQUARE = [(1, 1), (2, 2), (5, 5), (3, 4, 4), (2, 0, 3, 3), (0, 0), (2, 0, 0)]


@pytest.fixture(params=["native", "derived"])
def backend(request, matrix_bodies):
    return tv.backend("ndarray") if request.param == "native" else matrix_bodies


def numbers(shape, dtype="float64", seed=0):
    draw = np.random.default_rng([seed, *shape])
    x = draw.normal(size=shape)
    if dtype.startswith("complex"):
        x = x + 1j * draw.normal(size=shape)
    return x.astype(dtype)


def adjoint(x):
    return np.conj(np.swapaxes(x, -1, -2))


def positive(shape, dtype="float64"):
    x = numbers(shape, dtype)
    return (x @ adjoint(x) + np.eye(shape[-1])).astype(dtype)


def near(found, expected, dtype="float64"):
    np.testing.assert_allclose(found, expected, rtol=CLOSE[dtype], atol=CLOSE[dtype])


def orthonormal(x, dtype):
    near(
        adjoint(x) @ x,
        np.broadcast_to(np.eye(x.shape[-1]), (*x.shape[:-2], *x.shape[-1:] * 2)),
        dtype,
    )


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shape", SHAPES + EMPTY)
def test_lu_multiplies_to_the_matrix_with_its_rows_in_order(backend, shape, dtype):
    x = numbers(shape, dtype)

    order, lower, upper = backend.lu(x)

    rank = min(shape[-2:])
    assert order.shape == shape[:-1]
    assert (lower.dtype, upper.dtype) == (dtype, dtype)
    assert lower.shape == (*shape[:-1], rank)
    assert upper.shape == (*shape[:-2], rank, shape[-1])
    near(lower @ upper, np.take_along_axis(x, order[..., None], -2), dtype)
    assert (lower == np.tril(lower)).all()
    assert (upper == np.triu(upper)).all()
    assert (np.abs(lower) <= 2**0.5).all()  # LAPACK adds the parts of complex numbers
    assert (np.diagonal(lower, 0, -2, -1) == 1).all()


def test_lu_of_tensors_has_scipys_permutation():
    x = numbers((4, 3, 3))

    found = tv.linalg.lu(tv.asarray(x))

    for got, want in zip(found, scipy.linalg.lu(x), strict=True):
        near(got.numpy(), want)
    near((found.P @ found.L @ found.U).numpy(), x)


def test_lu_without_scipy_is_the_same(monkeypatch):
    x = numbers((2, 4, 3))
    with_scipy = tv.backend("ndarray").lu(x)
    monkeypatch.setattr("trivet_ndarray.decomposition._scipy_linalg", lambda: None)

    without = tv.backend("ndarray").lu(x)

    for got, want in zip(without, with_scipy, strict=True):
        near(got, want)


def test_lu_of_a_singular_matrix_has_a_zero_pivot(backend):
    _, lower, upper = backend.lu(
        np.array([[0.0, 1.0, 2.0], [0.0, 2.0, 4.0], [0, 0, 0]])
    )

    assert (
        lower.tolist() == [[1, 0, 0], [0, 1, 0], [0, 0, 1]] or np.isfinite(lower).all()
    )
    assert np.prod(np.diagonal(upper)) == 0


@pytest.mark.usefixtures("quiet")
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shape", SQUARE)
def test_determinants_are_numpys(backend, shape, dtype):
    x = numbers(shape, dtype)

    det, (sign, log) = backend.det(x), backend.slogdet(x)

    want_sign, want_log = np.linalg.slogdet(x)
    assert (det.dtype, sign.dtype, log.dtype) == (dtype, dtype, x.real.dtype)
    near(det, np.linalg.det(x), dtype)
    near(sign, want_sign, dtype)
    near(log, want_log, dtype)


@pytest.mark.usefixtures("quiet")
def test_determinant_of_a_singular_matrix_is_zero(backend):
    x = np.array([[[1.0, 2.0], [2.0, 4.0]], [[0.0, 1.0], [1.0, 0.0]]])

    sign, log = backend.slogdet(x)

    assert backend.det(x).tolist() == [0, -1]
    assert sign.tolist() == [0, -1]
    assert log.tolist() == [-inf, 0]


def test_slogdet_holds_where_the_determinant_overflows(backend):
    x = np.diag(np.full(40, -1e10))

    sign, log = backend.slogdet(x)

    assert sign == 1
    assert log == pytest.approx(400 * math.log(10), rel=1e-14)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shape", SQUARE)
def test_inverse_times_the_matrix_is_the_identity(backend, shape, dtype):
    x = positive(shape, dtype)

    found = backend.inv(x)

    assert found.dtype == dtype
    near(found @ x, np.broadcast_to(np.eye(shape[-1]), shape), dtype)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize(
    "left, right",
    [
        ((3, 3), (3, 2)),
        ((3, 3), (4, 3, 1)),
        ((2, 1, 3, 3), (4, 3, 2)),
        ((3, 3), (3, 0)),
        ((0, 0), (0, 2)),
    ],
)
def test_solution_fulfils_the_equations(backend, left, right, dtype):
    a, b = numbers(left, dtype), numbers(right, dtype, seed=1)

    found = backend.solve(a, b)

    assert found.dtype == dtype
    near(a @ found, np.broadcast_to(b, found.shape), dtype)


def test_solve_takes_a_vector_for_a_batch_of_matrices():
    a, b = numbers((4, 3, 3)), numbers((3,))

    found = tv.linalg.solve(tv.asarray(a), tv.asarray(b))

    assert found.shape == (4, 3)
    near(found.numpy(), np.linalg.solve(a, b))


def test_solve_promotes(backend):
    found = backend.solve(np.eye(2, dtype="float32") * 2, np.ones((2, 1), "complex128"))

    assert found.dtype == "complex128"
    assert found.tolist() == [[0.5], [0.5]]


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shape", SQUARE)
@pytest.mark.parametrize("upper", [False, True])
def test_cholesky_factor_gives_back_the_matrix(backend, shape, dtype, upper):
    x = positive(shape, dtype)

    found = backend.cholesky(x, upper=upper)

    assert found.dtype == dtype
    product = adjoint(found) @ found if upper else found @ adjoint(found)
    near(product, x, dtype)
    assert (found == (np.triu if upper else np.tril)(found)).all()
    assert (np.diagonal(found, 0, -2, -1).real > 0).all()


@pytest.mark.parametrize("upper", [False, True])
def test_cholesky_reads_one_triangle(backend, upper):
    x = positive((3, 3))
    one = np.triu(x) if upper else np.tril(x)

    found = backend.cholesky(one, upper=upper)

    near(found, backend.cholesky(x, upper=upper))


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shape", SHAPES + EMPTY)
@pytest.mark.parametrize("complete", [False, True])
def test_qr_is_numpys_to_the_sign(backend, shape, dtype, complete):
    x = numbers(shape, dtype)

    q, r = backend.qr(x, complete=complete)

    want_q, want_r = np.linalg.qr(x, "complete" if complete else "reduced")
    assert (q.dtype, r.dtype) == (dtype, dtype)
    near(q, want_q, dtype)
    near(r, want_r, dtype)


def test_qr_leaves_a_triangular_matrix_alone(backend):
    x = np.array([[-1.0, 2.0], [0.0, 3.0], [0.0, 0.0]])

    q, r = backend.qr(x, complete=False)

    assert q.tolist() == [[1, 0], [0, 1], [0, 0]]
    assert r.tolist() == [[-1, 2], [0, 3]]


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shape", SHAPES + EMPTY)
@pytest.mark.parametrize("full", [False, True])
def test_svd_is_a_product_of_orthonormal_factors(backend, shape, dtype, full):
    x = numbers(shape, dtype)

    u, s, vh = backend.svd(x, full_matrices=full)

    rank = min(shape[-2:])
    near(s, np.linalg.svd(x, compute_uv=False), dtype)
    near((u[..., :rank] * s[..., None, :]) @ vh[..., :rank, :], x, dtype)
    orthonormal(u, dtype)
    orthonormal(adjoint(vh), dtype)
    assert (u.dtype, s.dtype, vh.dtype) == (dtype, x.real.dtype, dtype)
    assert u.shape[-1] == (shape[-2] if full else rank)
    assert vh.shape[-2] == (shape[-1] if full else rank)
    near(backend.svdvals(x), s, dtype)


@pytest.mark.parametrize("full", [False, True])
@pytest.mark.parametrize(
    "x",
    [
        np.zeros((3, 2)),
        np.ones((4, 3)),
        np.diag([1.0, 0.0, 2.0, 0.0]),
        np.eye(3) * 1e200,
        np.array([[1.0, 1.0], [1.0, 1.0 + 1e-14]]),
        np.array([[1e-200, 0.0], [0.0, 1.0]]),
        np.vander(np.arange(1.0, 9.0)),
    ],
)
def test_svd_stays_orthonormal_when_columns_depend_on_each_other(backend, x, full):
    u, s, vh = backend.svd(x, full_matrices=full)

    rank, scale = min(x.shape), max(np.abs(x).max(), 1)
    near(((u[:, :rank] * (s / scale)) @ vh[:rank]), x / scale)
    orthonormal(u, "float64")
    orthonormal(vh.T, "float64")
    near(s / scale, np.linalg.svd(x, compute_uv=False) / scale)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shape", SQUARE)
def test_eigenvectors_of_hermitian_matrices_diagonalise_them(backend, shape, dtype):
    x = numbers(shape, dtype)
    x = x + adjoint(x)

    values, vectors = backend.eigh(x)

    near(values, np.linalg.eigvalsh(x), dtype)
    near(backend.eigvalsh(x), values, dtype)
    near(x @ vectors, vectors * values[..., None, :], dtype)
    orthonormal(vectors, dtype)
    assert (values.dtype, vectors.dtype) == (x.real.dtype, dtype)


@pytest.mark.parametrize("x", [np.zeros((3, 3)), np.eye(3), -np.ones((3, 3))])
def test_eigh_stays_orthonormal_where_eigenvalues_are_equal(backend, x):
    values, vectors = backend.eigh(x)

    near((vectors * values) @ vectors.T, x)
    orthonormal(vectors, "float64")


def test_eigh_reads_the_lower_triangle(backend):
    x = np.array([[1.0, 99.0], [2.0, 1.0]])

    values, _ = backend.eigh(x)

    near(values, [-1, 3])


@pytest.mark.parametrize("dtype", DTYPES)
def test_eig_is_complex_and_fulfils_its_equation(dtype):
    x = numbers((2, 4, 4), dtype)

    values, vectors = tv.linalg.eig(tv.asarray(x))

    twin = "complex64" if dtype in {"float32", "complex64"} else "complex128"
    assert (str(values.dtype), str(vectors.dtype)) == (twin, twin)
    v = vectors.numpy()
    near(x @ v, v * values.numpy()[..., None, :], dtype)
    alone = tv.linalg.eigvals(tv.asarray(x))
    assert str(alone.dtype) == twin
    near(np.sort(alone.numpy()), np.sort(values.numpy()), dtype)


def test_eigenvalues_that_happen_to_be_real_are_complex():
    values = tv.linalg.eigvals(tv.eye(2, dtype="float32"))

    assert values.dtype == tv.complex64
    assert values.tolist() == [1, 1]


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shape", SHAPES + EMPTY)
def test_pinv_is_numpys(backend, shape, dtype):
    x = numbers(shape, dtype)

    found = backend.pinv(x, 1e-5)

    assert found.dtype == dtype
    assert found.shape == (*shape[:-2], shape[-1], shape[-2])
    near(found, np.linalg.pinv(x, rcond=1e-5), dtype)


def test_pinv_and_rank_take_a_tolerance_for_each_matrix(backend):
    x = np.broadcast_to(np.diag([1.0, 0.1]), (2, 2, 2))
    rtol = np.array([0.01, 0.5])

    assert backend.matrix_rank(x, rtol).tolist() == [2, 1]
    near(backend.pinv(x, rtol), [np.diag([1, 10]), np.diag([1, 0])])
    assert tv.linalg.matrix_rank(tv.asarray(x), rtol=tv.asarray(rtol)).tolist() == [
        2,
        1,
    ]


def test_rank_counts_independent_rows():
    x = np.stack([np.eye(3), np.ones((3, 3)), np.zeros((3, 3))])

    assert tv.linalg.matrix_rank(tv.asarray(x)).tolist() == [3, 1, 0]
    assert tv.linalg.matrix_rank(tv.zeros((2, 0, 3))).tolist() == [0, 0]
    assert tv.linalg.matrix_rank(tv.asarray(x)).dtype == tv.int64


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shape", [(5, 3), (3, 5), (4, 4)])
def test_lstsq_is_numpys(backend, shape, dtype):
    a, b = numbers(shape, dtype), numbers((shape[0], 2), dtype, seed=1)

    solution, rank, values = backend.lstsq(a, b, 1e-6)

    want = np.linalg.lstsq(a, b, rcond=1e-6)
    assert (solution.dtype, values.dtype) == (dtype, a.real.dtype)
    assert rank == want[2]
    near(solution, want[0], dtype)
    near(values, want[3], dtype)


def test_lstsq_tells_residuals_rank_and_singular_values():
    a = np.array([[1.0, 0.0], [1.0, 1.0], [1.0, 2.0]])
    b = np.array([6.0, 0.0, 0.0])

    found = tv.linalg.lstsq(tv.asarray(a), tv.asarray(b))

    near(found.solution.numpy(), [5, -3])  # Strang, Linear Algebra, section 4.2
    near(found.residuals.item(), 6)
    assert found.rank.item() == 2
    near(found.singular_values.numpy(), np.linalg.svd(a, compute_uv=False))


def test_lstsq_of_a_batch_solves_each():
    a, b = numbers((4, 5, 2)), numbers((5, 3), seed=1)

    found = tv.linalg.lstsq(tv.asarray(a), tv.asarray(b))

    want = [np.linalg.lstsq(one, b) for one in a]
    near(found.solution.numpy(), [one[0] for one in want])
    near(found.residuals.numpy(), [one[1] for one in want])
    assert found.rank.tolist() == [2] * 4


def test_lstsq_has_the_least_norm_when_columns_depend_on_each_other(backend):
    a, b = np.ones((3, 2)), np.full((3, 1), 2.0)

    solution, rank, _ = backend.lstsq(a, b, 1e-10)

    assert rank == 1
    near(solution, [[1], [1]])


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("scale", [1e-3, 1.0, 30.0])
def test_expm_is_scipys(backend, scale, dtype):
    x = (numbers((3, 4, 4), dtype) * np.asarray(scale)).astype(dtype)
    x = x - adjoint(x)  # the exponential of a large matrix would be large

    found = backend.expm(x.astype(dtype))

    assert found.dtype == dtype
    near(found, scipy.linalg.expm(x.astype("complex128")), dtype)


def test_expm_of_a_rotation_and_of_mixed_sizes(backend):
    turn = np.array([[0.0, -1.0], [1.0, 0.0]])
    x = np.stack([turn * math.pi, np.zeros((2, 2)), np.diag([100.0, -100.0])])

    found = backend.expm(x)

    near(found[:2], [-np.eye(2), np.eye(2)])
    np.testing.assert_allclose(np.diagonal(found[2]), np.exp([100, -100]), rtol=1e-12)
    assert backend.expm(np.zeros((0, 0))).shape == (0, 0)


@pytest.mark.parametrize("n", range(-3, 8))
def test_matrix_power_is_numpys(backend, n):
    x = numbers((2, 3, 3))

    near(backend.matrix_power(x, n=n), np.linalg.matrix_power(x, n))


def test_matrix_power_of_integers_is_exact():
    x = tv.asarray([[1, 1], [1, 0]])

    assert tv.linalg.matrix_power(x, 60).tolist()[0][1] == 1548008755920
    assert tv.linalg.matrix_power(x, 0).tolist() == [[1, 0], [0, 1]]
    assert tv.linalg.matrix_power(x, 0).dtype == tv.int64


HALF = {
    "det": ((), 5.0),
    "inv": ((), [[0.6, -0.2], [-0.2, 0.4]]),
    "cholesky": ((), [[2**0.5, 0], [0.5**0.5, 2.5**0.5]]),
    "svdvals": ((), [2.5 + 1.25**0.5, 2.5 - 1.25**0.5]),
    "eigvalsh": ((), [2.5 - 1.25**0.5, 2.5 + 1.25**0.5]),
    "pinv": ((), [[0.6, -0.2], [-0.2, 0.4]]),
}


@pytest.mark.parametrize("name", HALF)
def test_float16_is_computed_in_float32(backend, name):
    x = tv.asarray([[2.0, 1.0], [1.0, 3.0]], dtype="float16", backend=backend)

    found = getattr(tv.linalg, name)(x)

    assert found.dtype == tv.float16
    np.testing.assert_allclose(found.tolist(), HALF[name][1], rtol=2e-3)


def test_float16_has_all_factors(backend):
    x = tv.asarray([[2.0, 1.0], [1.0, 3.0]], dtype="float16", backend=backend)

    for op in (tv.linalg.lu, tv.linalg.qr, tv.linalg.svd, tv.linalg.eigh):
        assert {part.dtype for part in op(x)} == {tv.float16}
    assert tv.linalg.solve(x, x[0]).dtype == tv.float16
    near(tv.linalg.lstsq(x, x[0]).solution.tolist(), [1, 0], "float32")
    assert tv.linalg.expm(x).dtype == tv.float16
    assert tv.linalg.slogdet(x).logabsdet.dtype == tv.float16


@pytest.mark.parametrize("wide", ["float16", "float32", "float64", "complex64"])
@pytest.mark.parametrize("op", [tv.linalg.solve, lambda a, b: tv.linalg.lstsq(a, b)[0]])
def test_float16_beside_another_dtype_is_solved_in_both_places(backend, wide, op):
    a = tv.asarray([[2.0, 1.0], [1.0, 3.0]], dtype="float16", backend=backend)
    b = tv.asarray([[3.0], [4.0]], dtype="float16", backend=backend)

    for x, y in ((a, b.astype(wide)), (a.astype(wide), b)):
        found = op(x, y)

        assert found.dtype == tv.result_type(x, y)
        np.testing.assert_allclose(found.numpy(), [[1.0], [1.0]], rtol=1e-3)


def test_eig_of_float16_is_complex64():
    assert tv.linalg.eigvals(tv.eye(2, dtype="float16")).dtype == tv.complex64


@pytest.mark.usefixtures("quiet")
def test_singular_matrices_are_refused(backend):
    x = tv.asarray(
        [[[1.0, 0.0], [0.0, 1.0]], [[1.0, 2.0], [2.0, 4.0]]], backend=backend
    )
    minus = tv.asarray([[1.0, 0.0], [0.0, -1.0]], backend=backend)

    with pytest.raises(SingularMatrixError) as inverse:
        tv.linalg.inv(x)
    with pytest.raises(SingularMatrixError) as solution:
        tv.linalg.solve(x, x[0])
    with pytest.raises(SingularMatrixError) as factor:
        tv.linalg.cholesky(minus)

    assert str(inverse.value) == (
        "inv: a matrix in the tensor of shape (2, 2, 2) is singular. tv.linalg.pinv "
        "gives the pseudoinverse."
    )
    assert str(solution.value) == (
        "solve: a matrix in the tensor of shape (2, 2, 2) is singular. tv.linalg.lstsq "
        "gives the solution with the least error."
    )
    assert str(factor.value) == (
        "cholesky: a matrix in the tensor of shape (2, 2) is not positive definite. Of "
        "a covariance, add a small multiple of the identity first."
    )


@pytest.mark.usefixtures("quiet")
def test_svd_of_nan_says_where_to_look():
    with pytest.raises(SingularMatrixError) as caught:
        tv.linalg.svd(tv.asarray([[nan, 1.0], [1.0, 1.0]]))

    assert str(caught.value) == (
        "svd: the iteration does not converge on a matrix in the tensor of shape "
        "(2, 2). Look for NaN and infinities: isfinite(x).all()."
    )


SQUARE_ONLY = [
    "cholesky",
    "det",
    "slogdet",
    "inv",
    "eigh",
    "eigvalsh",
    "eig",
    "eigvals",
]
ALL = [*SQUARE_ONLY, "expm", "lu", "qr", "svd", "svdvals", "pinv", "matrix_rank"]


@pytest.mark.parametrize("name", ALL)
def test_integers_have_no_factors(name):
    with pytest.raises(DTypeError) as caught:
        getattr(tv.linalg, name)(tv.asarray([[1, 2], [3, 4]]))

    assert str(caught.value) == (
        f"{name}: the dtype int64 is not one that this op takes; it takes complex "
        "floating or real floating. Cast with .astype(...)."
    )


@pytest.mark.parametrize("name", ALL)
def test_a_vector_holds_no_matrices(name):
    with pytest.raises(ShapeError) as caught:
        getattr(tv.linalg, name)(tv.asarray([1.0, 2.0]))

    assert str(caught.value) == (
        f"{name}: a tensor of shape (2,) holds no matrices; it needs at least two "
        "dimensions."
    )


@pytest.mark.parametrize("name", [*SQUARE_ONLY, "expm"])
def test_matrices_that_are_not_square_are_refused(name):
    with pytest.raises(ShapeError) as caught:
        getattr(tv.linalg, name)(tv.zeros((2, 3)))

    assert str(caught.value) == (
        f"{name}: the matrices in the tensor of shape (2, 3) are not square."
    )


def test_arguments_that_do_not_fit_are_refused():
    eye = tv.eye(2)

    with pytest.raises(ShapeError) as sides:
        tv.linalg.solve(eye, tv.zeros(3))
    with pytest.raises(ShapeError):
        tv.linalg.solve(eye, tv.asarray(1.0))
    with pytest.raises(ShapeError):
        tv.linalg.solve(tv.zeros((3, 2, 2)), tv.zeros((4, 2, 1)))
    with pytest.raises(ValueError) as mode:
        tv.linalg.qr(eye, mode="r")
    with pytest.raises(DTypeError) as power:
        tv.linalg.matrix_power(tv.asarray([[1]]), -1)
    with pytest.raises(ShapeError):
        tv.linalg.matrix_rank(tv.zeros((2, 2, 2)), rtol=tv.zeros(3))

    assert str(sides.value) == (
        "solve: matrices of shape (2, 2) and right sides of shape (3,) do not fit: a "
        "vector has 2 elements here, a matrix as many rows."
    )
    assert str(mode.value) == "qr: mode='r' is not one of 'reduced' and 'complete'."
    assert str(power.value) == (
        "matrix_power: n=-1 needs an inverse, and the dtype int64 has none. Cast with "
        ".astype(...) to a floating dtype."
    )
