"""Rules for factorisations, and what the corners of linear algebra give."""

import math

import pytest
from numeric import array, check, gram, listed, on, slopes

import trivet as tv
from trivet.errors import GradientError
from trivet_autodiff import grad

CASES = {
    "lu": [
        on(array(3, 3)),
        on(array(2, 4)),
        on(array(4, 2)),
        on(array(2, 2, 3)),
        on(array(1, 1)),
        on(array(0, 2, 2)),
    ],
    "det": [on(array(3, 3)), on(array(2, 2, 2)), on(array(1, 1)), on(array(0, 0))],
    "slogdet": [on(array(3, 3)), on(array(2, 2, 2)), on(array(0, 2, 2))],
    "inv": [on(array(3, 3)), on(array(2, 2, 2)), on(array(0, 0))],
    "solve": [
        on(array(3, 3), array(3, 2)),
        on(array(2, 2, 2), array(2, 1)),
        on(array(2, 2), array(2, 2, 3)),
        on(array(0, 2, 2), array(2, 1)),
    ],
    "cholesky": [
        on(gram(3, 3), upper=False),
        on(gram(2, 2, 2), upper=True),
        on(gram(0, 2, 2), upper=False),
    ],
    "qr": [
        on(array(3, 3), complete=False),
        on(array(4, 2), complete=False),
        on(array(2, 4), complete=True),
        on(array(2, 3, 2), complete=False),
        on(array(0, 3, 2), complete=False),
    ],
    "svd": [
        on(array(3, 3), full_matrices=True),
        on(array(4, 2), full_matrices=False),
        on(array(2, 3), full_matrices=False),
        on(array(2, 2, 2), full_matrices=True),
        on(array(0, 2, 3), full_matrices=False),
    ],
    "svdvals": [on(array(3, 3)), on(array(2, 2, 3)), on(array(4, 2))],
    "eigh": [on(gram(3, 3)), on(gram(2, 2, 2)), on(gram(0, 2, 2))],
    "eigvalsh": [on(gram(3, 3)), on(gram(2, 2, 2))],
    "eig": [],
    "eigvals": [],
    "pinv": [
        on(array(3, 3), 1e-10),
        on(array(4, 2), 1e-10),
        on(array(2, 3), 1e-10),
        on(array(2, 2, 2), 1e-10),
        on(array(0, 2, 3), 1e-10),
    ],
    "lstsq": [
        on(array(4, 2), array(4, 1), 1e-10),
        on(array(2, 3), array(2, 2), 1e-10),
        on(array(2, 3, 2), array(3, 1), 1e-10),
    ],
    "expm": [on(array(3, 3)), on(array(2, 2, 2)), on(array(1, 1)), on(array(0, 2, 2))],
    "matrix_power": [
        on(array(2, 2), n=3),
        on(array(2, 2, 2), n=1),
        on(array(2, 2), n=-2),
        on(array(2, 2), n=0),
    ],
}


@pytest.mark.parametrize("op, case", listed(CASES))
def test_derivatives_agree_with_differences(backend, op, case):
    check(backend, op, case)


def test_gradient_of_the_determinant_of_a_singular_matrix_is_its_cofactors(backend):
    x = [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [5.0, 7.0, 9.0]]

    found = slopes(backend, tv.linalg.det, x)[0]

    cofactors = [[3.0, -6.0, 3.0], [3.0, -6.0, 3.0], [-3.0, 6.0, -3.0]]
    for row, want in zip(found, cofactors, strict=True):
        assert row == pytest.approx(want, rel=1e-11)


def test_gradient_of_the_determinant_of_zeros_is_zero(backend):
    found = slopes(
        backend, tv.linalg.det, [[[0.0, 0.0], [0.0, 0.0]], [[1.0, 2.0], [3.0, 4.0]]]
    )

    assert found[0][0] == [[0.0, 0.0], [0.0, 0.0]]
    assert found[0][1][0] == pytest.approx([4.0, -3.0])


def test_gradient_of_cholesky_is_symmetric(backend):
    found = slopes(
        backend, lambda x: tv.linalg.cholesky(x)[1, 0], [[4.0, 2.0], [2.0, 5.0]]
    )

    assert found[0][0] == pytest.approx([-0.125, 0.25])
    assert found[0][1] == pytest.approx([0.25, 0.0])


def test_equal_eigenvalues_have_gradients_and_their_vectors_have_none(backend):
    x = [[2.0, 0.0], [0.0, 2.0]]

    values = slopes(backend, lambda x: tv.linalg.eigh(x).eigenvalues, x)
    vectors = slopes(backend, lambda x: tv.linalg.eigh(x).eigenvectors, x)
    singular = slopes(backend, lambda x: tv.linalg.svd(x).S, x)

    assert values == [[[1.0, 0.0], [0.0, 1.0]]]
    assert singular == [[[1.0, 0.0], [0.0, 1.0]]]
    assert all(math.isnan(y) for y in (vectors[0][0][1], vectors[0][1][0]))


def test_nuclear_norm_of_zeros_has_a_finite_slope(backend):
    found = slopes(
        backend, lambda x: tv.linalg.matrix_norm(x, ord="nuc"), [[1.0, 0.0], [0.0, 0.0]]
    )

    assert found[0][0][0] == pytest.approx(1.0)
    assert all(abs(y) <= 1 + 1e-12 for row in found[0] for y in row)


def test_least_squares_has_a_slope_in_every_result(backend):
    a = [[1.0, 0.0], [1.0, 1.0], [1.0, 2.0]]
    right = tv.asarray([6.0, 0.0, 0.0], dtype=tv.float64, backend=backend)

    def fit(x):
        found = tv.linalg.lstsq(x, right)
        return tv.sum(found.solution) + found.residuals + tv.sum(found.singular_values)

    step, found = 1e-6, slopes(backend, fit, a)[0]

    for i in range(3):
        for j in range(2):
            ends = []
            for by in (-step, step):
                moved = [row[:] for row in a]
                moved[i][j] += by
                ends.append(
                    fit(tv.asarray(moved, dtype=tv.float64, backend=backend)).item()
                )
            assert found[i][j] == pytest.approx(
                (ends[1] - ends[0]) / (2 * step), rel=1e-6
            )


def test_columns_that_nothing_determines_have_no_gradient(backend):
    x = tv.asarray([[1.0], [2.0]], dtype=tv.float64, backend=backend)

    with pytest.raises(GradientError) as complete:
        grad(lambda x: tv.sum(tv.linalg.qr(x, mode="complete").Q))(x)
    with pytest.raises(GradientError) as full:
        grad(lambda x: tv.sum(tv.linalg.svd(x).U))(x)

    assert str(complete.value) == (
        "qr: the Q of mode='complete' has columns that the matrices of shape (2, 1) do "
        "not determine. Use mode='reduced'."
    )
    assert str(full.value) == (
        "svd: with full_matrices=True, U has vectors that matrices of shape (2, 1) do "
        "not determine. Use full_matrices=False."
    )
    values = grad(lambda x: tv.sum(tv.linalg.svd(x).S))(x)
    assert values.tolist()[1] == pytest.approx([2 / 5**0.5])
