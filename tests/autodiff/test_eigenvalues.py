"""Gradients of `eig` and `eigvals`: what mathematics says of them, and their corners.

`test_complex` compares them with differences, and tests/torch with PyTorch.
"""

import cmath
import math
import random

import pytest

import trivet as tv
from trivet_autodiff import grad, hvp, jvp, no_grad

NUMBERS = [[1.0, 2.0, -1.0], [-3.0, 0.5, 1.0], [0.25, 2.0, -1.5]]
HERMITIAN = [[2.0, 1 - 1j, 0.5j], [1 + 1j, -1.0, 2.0], [-0.5j, 2.0, 0.5]]


@pytest.fixture(autouse=True)
def _needs_eig(backend):
    if backend.support("eig") == "missing":
        pytest.skip("the backend has no eig")


def tensor(backend, numbers, dtype=tv.float64):
    return tv.asarray(numbers, dtype=dtype, backend=backend)


def flat(x):
    return tv.reshape(x, (-1,)).tolist()


def power_sum(n):
    """The sum of the n-th powers of eigenvalues: the trace of the n-th power."""
    return lambda x: tv.sum(tv.real(tv.linalg.eigvals(x) ** n))


def test_gradient_of_the_sum_of_squares_is_that_of_the_trace_of_the_square(backend):
    # so large that LAPACK orders eigenvalues by another algorithm if asked for no more
    numbers = random.Random(0)
    rows = [[numbers.gauss(0.0, 1.0) for _ in range(300)] for _ in range(300)]
    x = tensor(backend, rows)

    gradient = grad(power_sum(2))(x)

    assert gradient.dtype == tv.float64
    assert flat(gradient) == pytest.approx(flat(2 * x.mT), abs=1e-9)


def test_second_derivative_of_the_sum_of_cubes_is_that_of_the_trace(backend):
    x, v = tensor(backend, NUMBERS), tensor(backend, NUMBERS[::-1])

    (found,) = hvp(power_sum(3), (x,), (v,))

    assert flat(found) == pytest.approx(flat(3 * (x @ v + v @ x).mT))


def test_tangents_solve_the_equation_of_eigenvectors_and_keep_them_normed(backend):
    x, v = tensor(backend, NUMBERS), tensor(backend, NUMBERS[::-1])

    _, (moving, turning) = jvp(lambda x: tuple(tv.linalg.eig(x)), (x,), (v,))

    values, vectors = tv.linalg.eig(x)
    assert all(cmath.isfinite(y) for y in flat(turning))
    assert flat(x @ turning + v @ vectors) == pytest.approx(
        flat(turning * values + vectors * moving)
    )
    assert flat(tv.vecdot(vectors, turning, axis=-2)) == pytest.approx([0j] * 3)


def test_tangents_of_eigenvalues_are_the_same_with_their_vectors_and_alone(backend):
    x, v = tensor(backend, NUMBERS), tensor(backend, NUMBERS[::-1])

    _, together = jvp(lambda x: tv.linalg.eig(x).eigenvalues, (x,), (v,))
    _, alone = jvp(tv.linalg.eigvals, (x,), (v,))

    assert alone.tolist() == together.tolist()


def test_gradients_of_a_hermitian_matrix_are_those_of_eigh(backend):
    x = tensor(backend, HERMITIAN, tv.complex128)

    def loss(decompose, x):
        values, vectors = decompose((x + tv.conj(x.mT)) / 2)
        return tv.sum(tv.real(values) ** 2 * tv.abs(vectors[0] + vectors[1] * 1j) ** 3)

    found = grad(lambda x: loss(tv.linalg.eig, x))(x)

    expected = grad(lambda x: loss(tv.linalg.eigh, x))(x)
    assert flat(found) == pytest.approx(flat(expected))


@pytest.mark.parametrize("shape", [(0, 0), (0, 2, 2), (2, 0, 0)])
@pytest.mark.parametrize("dtype", [tv.float64, tv.complex128])
def test_gradient_of_no_elements_is_empty(backend, shape, dtype):
    x = tv.zeros(shape, dtype=dtype, backend=backend)

    gradient = grad(lambda x: sum(tv.sum(tv.abs(y)) for y in tv.linalg.eig(x)))(x)

    assert (gradient.shape, gradient.dtype) == (shape, dtype)


def test_each_matrix_of_a_batch_has_its_own_gradient(backend):
    def loss(x):
        values, vectors = tv.linalg.eig(x)
        return tv.sum(tv.abs(values)) + tv.sum(tv.abs(vectors) ** 3)

    one, other = tensor(backend, NUMBERS), tensor(backend, NUMBERS[::-1])

    gradient = grad(loss)(tv.reshape(tv.stack([one, other]), (2, 1, 3, 3)))

    assert flat(gradient[0, 0]) == pytest.approx(flat(grad(loss)(one)))
    assert flat(gradient[1, 0]) == pytest.approx(flat(grad(loss)(other)))


@pytest.mark.parametrize("dtype", [tv.float32, tv.complex64])
def test_gradient_has_the_dtype_of_its_variable(backend, dtype):
    x = tensor(backend, NUMBERS, dtype)

    gradient = grad(power_sum(2))(x)

    assert gradient.dtype == dtype
    assert flat(gradient) == pytest.approx(flat(2 * x.mT), rel=1e-4, abs=1e-4)


def test_equal_eigenvalues_have_gradients_and_their_vectors_have_none(backend):
    x = tensor(backend, [[2.0, 0.0], [0.0, 2.0]])

    values = grad(lambda x: tv.sum(tv.real(tv.linalg.eig(x).eigenvalues)))(x)
    vectors = grad(lambda x: tv.sum(tv.abs(tv.linalg.eig(x).eigenvectors)))(x)

    assert values.tolist() == [[1.0, 0.0], [0.0, 1.0]]
    assert math.isnan(vectors.tolist()[0][1])


def test_matrix_without_independent_vectors_has_no_gradient(backend):
    jordan = [[0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [0.0, 0.0, 0.0]]
    diagonal = [[1.0, 0.0, 0.0], [0.0, 2.0, 0.0], [0.0, 0.0, 3.0]]

    gradient = grad(power_sum(2))(tensor(backend, [jordan, diagonal]))

    assert all(map(math.isnan, flat(gradient[0])))
    assert gradient[1].tolist() == [[2.0, 0.0, 0.0], [0.0, 4.0, 0.0], [0.0, 0.0, 6.0]]


def test_eigenvalues_are_constant_where_nothing_is_recorded(backend):
    x = tensor(backend, NUMBERS)

    def loss(x):
        with no_grad():
            held = tv.linalg.eigvals(x)
        return tv.sum(x) * tv.real(tv.sum(held))

    trace = NUMBERS[0][0] + NUMBERS[1][1] + NUMBERS[2][2]
    assert flat(grad(loss)(x)) == pytest.approx([trace] * 9)
