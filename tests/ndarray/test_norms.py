"""Norms against NumPy, native and derived, and where sums of powers would overflow."""

import math

import numpy as np
import pytest

import trivet as tv
from trivet.errors import AxisError, DTypeError, ShapeError

inf, nan = math.inf, math.nan
DTYPES = ["float32", "float64", "complex64", "complex128"]
CLOSE = {"float32": 1e-5, "complex64": 1e-5, "float64": 1e-13, "complex128": 1e-13}
ORDS = [0, 1, 2, 3, 0.5, -1, -2, 2.5, inf, -inf]
MATRIX_ORDS = ["fro", "nuc", 1, -1, 2, -2, inf, -inf]


@pytest.fixture(params=["native", "derived"])
def backend(request, matrix_bodies):
    return tv.backend("ndarray") if request.param == "native" else matrix_bodies


def numbers(shape, dtype="float64"):
    draw = np.random.default_rng(shape)
    x = draw.normal(size=shape)
    if dtype.startswith("complex"):
        x = x + 1j * draw.normal(size=shape)
    return x.astype(dtype)


@pytest.mark.usefixtures("quiet")
@pytest.mark.parametrize("keepdims", [False, True])
@pytest.mark.parametrize("axis", [None, 0, -1, (0, 2), (2, 1), ()])
@pytest.mark.parametrize("ord", ORDS)
@pytest.mark.parametrize("dtype", DTYPES)
def test_vector_norm_is_numpys(backend, ord, axis, keepdims, dtype):
    x = numbers((2, 3, 4), dtype)
    x[1, :, 0] = 0

    found = tv.linalg.vector_norm(
        tv.asarray(x, backend=backend), axis=axis, keepdims=keepdims, ord=ord
    )

    if axis == ():
        want = (x != 0) if ord == 0 else np.abs(x)
    else:
        want = np.linalg.vector_norm(x, axis=axis, keepdims=keepdims, ord=ord)
    assert str(found.dtype) == x.real.dtype
    assert found.shape == want.shape
    np.testing.assert_allclose(found.numpy(), want, rtol=CLOSE[dtype])


@pytest.mark.parametrize("ord", [2, 3, -2, -3])
@pytest.mark.parametrize("scale", [1e200, 1e-200, 1e300, 1e-300])
def test_vector_norm_neither_overflows_nor_vanishes(backend, ord, scale):
    x = tv.asarray(
        [[3 * scale, 4 * scale], [3.0, 4.0]], backend=backend, dtype="float64"
    )

    found = tv.linalg.vector_norm(x, axis=1, ord=ord)

    want = (3.0**ord + 4.0**ord) ** (1 / ord)
    np.testing.assert_allclose(found.numpy(), [want * scale, want], rtol=1e-14)


def test_norm_of_float32_keeps_its_digits_when_squares_are_small():
    x = np.array([3e-21, 4e-21], "float32")

    assert tv.linalg.vector_norm(tv.asarray(x)).item() == pytest.approx(5e-21, rel=1e-6)


@pytest.mark.usefixtures("quiet")
@pytest.mark.parametrize("ord", [1, 2, 3, inf])
@pytest.mark.parametrize(
    "values, want",
    [([inf, 1.0], inf), ([-inf, inf], inf), ([nan, 1.0], nan), ([0.0, -0.0], 0.0)],
)
def test_vector_norm_has_its_limits(backend, ord, values, want):
    found = tv.linalg.vector_norm(tv.asarray(values, backend=backend), ord=ord)

    assert found.item() == pytest.approx(want, nan_ok=True)


@pytest.mark.parametrize(
    "ord, want", [(2, 0), (inf, 0), (1, 0), (0, 0), (-inf, inf), (-1, inf)]
)
def test_vector_norm_of_nothing(backend, ord, want):
    found = tv.linalg.vector_norm(tv.zeros((3, 0), backend=backend), axis=1, ord=ord)

    assert found.tolist() == [want] * 3


def test_vector_norm_of_float16_adds_up_in_float32():
    x = tv.ones(10_000, dtype="float16")

    assert tv.linalg.vector_norm(x).item() == 100
    assert tv.linalg.vector_norm(x, ord=1).item() == 10_000
    assert tv.linalg.vector_norm(x, ord=0).item() == 10_000
    assert tv.linalg.vector_norm(x).dtype == tv.float16


@pytest.mark.parametrize("keepdims", [False, True])
@pytest.mark.parametrize("ord", MATRIX_ORDS)
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shape", [(3, 3), (2, 4, 3), (2, 2, 3, 5), (0, 2, 2)])
def test_matrix_norm_is_numpys(backend, shape, ord, keepdims, dtype):
    x = numbers(shape, dtype)

    found = tv.linalg.matrix_norm(
        tv.asarray(x, backend=backend), ord=ord, keepdims=keepdims
    )

    want = np.linalg.matrix_norm(x, ord=ord, keepdims=keepdims)
    assert str(found.dtype) == x.real.dtype
    assert found.shape == want.shape
    np.testing.assert_allclose(found.numpy(), want, rtol=CLOSE[dtype] * 10)


@pytest.mark.parametrize("ord", MATRIX_ORDS)
def test_matrix_norm_of_nothing_is_zero(backend, ord):
    assert tv.linalg.matrix_norm(
        tv.zeros((2, 0, 3), backend=backend), ord=ord
    ).tolist() == [0, 0]
    assert tv.linalg.matrix_norm(
        tv.zeros((3, 0), backend=backend), ord=ord, keepdims=True
    ).tolist() == [[0]]


@pytest.mark.parametrize("keepdims", [False, True])
@pytest.mark.parametrize(
    "axis, ord",
    [
        (None, None),
        (1, None),
        ((0, 1), None),
        (2, 3),
        (-1, -inf),
        ((0, 2), "fro"),
        ((2, 0), 1),
        ((2, 0), inf),
        ((0, -1), "nuc"),
        ((1, 2), 2),
    ],
)
def test_norm_is_numpys(axis, ord, keepdims):
    x = numbers((2, 3, 4))

    found = tv.linalg.norm(tv.asarray(x), ord, axis, keepdims)

    want = np.linalg.norm(x, ord, axis, keepdims)
    assert found.shape == np.shape(want)
    np.testing.assert_allclose(found.numpy(), want, rtol=1e-13)


def test_norm_of_one_vector_or_matrix_needs_no_axis():
    x = numbers((3, 3))

    assert tv.linalg.norm(tv.asarray(x), "nuc").item() == pytest.approx(
        np.linalg.norm(x, "nuc")
    )
    assert tv.linalg.norm(tv.asarray(x[0]), 1).item() == pytest.approx(
        np.abs(x[0]).sum()
    )


@pytest.mark.usefixtures("quiet")
@pytest.mark.parametrize("p", [None, *MATRIX_ORDS])
def test_condition_number_is_numpys(backend, p):
    x = numbers((3, 4, 4))

    found = tv.linalg.cond(tv.asarray(x, backend=backend), p=p)

    np.testing.assert_allclose(found.numpy(), np.linalg.cond(x, p), rtol=1e-10)


@pytest.mark.parametrize("p", [None, "fro", "nuc", 1, 2, inf])
def test_condition_number_of_a_singular_matrix_is_infinite(backend, p):
    x = np.stack([np.zeros((2, 2)), np.eye(2), np.diag([1.0, 0.0])])

    found = tv.linalg.cond(tv.asarray(x, backend=backend), p=p).tolist()

    assert (found[0], found[2]) == (inf, inf)
    assert found[1] == pytest.approx({"fro": 2, "nuc": 4}.get(p, 1))


def test_condition_number_takes_matrices_that_are_not_square():
    x = numbers((5, 3))

    np.testing.assert_allclose(tv.linalg.cond(tv.asarray(x)).numpy(), np.linalg.cond(x))
    np.testing.assert_allclose(
        tv.linalg.cond(tv.asarray(x), p=-2).numpy(), np.linalg.cond(x, -2)
    )


@pytest.mark.parametrize("axis", [-1, -2])
def test_cosine_similarity_is_pytorchs(backend, axis):
    torch = pytest.importorskip("torch")
    x, y = numbers((2, 3, 4)), numbers((3, 4))

    found = tv.linalg.cosine_similarity(
        tv.asarray(x, backend=backend), tv.asarray(y, backend=backend), axis=axis
    )

    want = torch.cosine_similarity(torch.tensor(x), torch.tensor(y), dim=axis)
    np.testing.assert_allclose(found.numpy(), want.numpy(), rtol=1e-13)


def test_cosine_similarity_of_zeros_and_of_large_vectors(backend):
    x = tv.asarray([[0.0, 0.0], [3e300, 4e300]], dtype="float64", backend=backend)
    y = tv.asarray([0.0, 2e-3], dtype="float64", backend=backend)

    np.testing.assert_allclose(tv.linalg.cosine_similarity(x, y).numpy(), [0, 0.8])


def test_norms_refuse_what_does_not_fit():
    eye, line = tv.eye(2), tv.zeros(3)

    with pytest.raises(DTypeError) as integers:
        tv.linalg.vector_norm(tv.asarray([1, 2]))
    with pytest.raises(AxisError):
        tv.linalg.vector_norm(eye, axis=2)
    with pytest.raises(ShapeError) as vector:
        tv.linalg.matrix_norm(line)
    with pytest.raises(ValueError) as matrix_ord:
        tv.linalg.matrix_norm(eye, ord=3)
    with pytest.raises(ValueError) as vector_ord:
        tv.linalg.norm(line, "fro")
    with pytest.raises(ShapeError) as axes:
        tv.linalg.norm(tv.zeros((2, 2, 2)), 2)
    with pytest.raises(ShapeError) as square:
        tv.linalg.cond(tv.zeros((2, 3)), p=1)
    with pytest.raises(ShapeError) as nothing:
        tv.linalg.cond(tv.zeros((0, 0)))

    assert str(integers.value) == (
        "vector_norm: the dtype int64 is not one that this op takes; it takes complex "
        "floating or real floating. Cast with .astype(...)."
    )
    assert str(vector.value) == (
        "matrix_norm: a tensor of shape (3,) holds no matrices; it needs at least two "
        "dimensions."
    )
    assert str(matrix_ord.value) == (
        "matrix_norm: ord=3 is not one of 1, -1, 2, -2, inf, -inf, 'fro', 'nuc'."
    )
    assert str(vector_ord.value) == (
        "norm: ord='fro' is a norm of matrices, not of vectors."
    )
    assert str(axes.value) == (
        "norm: with ord=2 the norm is over one axis or two, and the tensor has the "
        "shape (2, 2, 2) and axis=None."
    )
    assert str(square.value) == (
        "cond: the matrices in the tensor of shape (2, 3) are not square. Only p=2 and "
        "p=-2 take such matrices."
    )
    assert str(nothing.value) == "cond: the matrices of shape (0, 0) have no elements."


def test_cosine_similarity_refuses_what_does_not_fit():
    x = tv.zeros((2, 3))

    with pytest.raises(AxisError) as axis:
        tv.linalg.cosine_similarity(x, x, axis=0)
    with pytest.raises(ShapeError) as size:
        tv.linalg.cosine_similarity(x, tv.zeros(2))
    with pytest.raises(ShapeError):
        tv.linalg.cosine_similarity(x, tv.zeros((3, 3)))
    with pytest.raises(DTypeError):
        tv.linalg.cosine_similarity(x, tv.asarray([1, 2, 3]))

    assert str(axis.value) == (
        "cosine_similarity: axis=0 is out of range for the shapes (2, 3) and (2, 3). "
        "It is counted from the end, from -2 to -1."
    )
    assert str(size.value) == (
        "cosine_similarity: along axis -1 the shapes (2, 3) and (2,) have 3 and 2 "
        "elements. They must have as many."
    )
