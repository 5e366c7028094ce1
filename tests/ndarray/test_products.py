"""Products and diagonals beyond the first, native and derived, against NumPy."""

import math

import numpy as np
import pytest

import trivet as tv
from trivet.errors import AxisError, DTypeError, ShapeError
from trivet.functions.linalg import _cheapest


@pytest.fixture(params=["native", "derived"])
def backend(request, matrix_bodies):
    return tv.backend("ndarray") if request.param == "native" else matrix_bodies


@pytest.mark.parametrize("dtype", ["int8", "uint8", "int64", "float32", "complex64"])
@pytest.mark.parametrize(
    "first, second, axis",
    [
        ((3,), (3,), -1),
        ((2, 3), (3,), -1),
        ((2, 3, 4), (3, 4), -2),
        ((5, 1, 3), (4, 3), -1),
        ((3, 0), (3, 0), -2),
    ],
)
def test_cross_product_is_numpys(backend, first, second, axis, dtype):
    draw = np.random.default_rng(5)
    x = draw.integers(0, 9, first).astype(dtype)
    y = draw.integers(0, 9, second).astype(dtype)

    found = tv.linalg.cross(
        tv.asarray(x, backend=backend), tv.asarray(y, backend=backend), axis=axis
    )

    parts = [np.take(one, range(3), axis) for one in np.broadcast_arrays(x, y)]
    want = np.linalg.cross(*parts, axis=axis)
    assert str(found.dtype) == dtype
    np.testing.assert_array_equal(found.numpy(), want)


@pytest.mark.parametrize(
    "first, second",
    [((2,), (3,)), ((2, 3), (4, 2)), ((2, 2, 2), (3, 1)), ((), (3,)), ((0, 2), (3, 2))],
)
def test_kronecker_product_is_numpys(backend, first, second):
    draw = np.random.default_rng(6)
    x, y = draw.integers(-9, 9, first), draw.normal(size=second)

    found = tv.kron(tv.asarray(x, backend=backend), tv.asarray(y, backend=backend))

    np.testing.assert_array_equal(found.numpy(), np.kron(x, y))


@pytest.mark.parametrize("offset", [*range(-4, 6), 99, -99])
@pytest.mark.parametrize("shape", [(3, 3), (2, 4), (4, 2), (2, 3, 4), (0, 3), (3, 0)])
def test_diagonal_and_trace_are_numpys(backend, shape, offset):
    x = np.arange(math.prod(shape)).reshape(shape)
    t = tv.asarray(x, backend=backend)

    line, total = tv.diagonal(t, offset=offset), tv.trace(t, offset=offset)

    want = np.linalg.diagonal(x, offset=offset)
    assert line.shape == want.shape
    np.testing.assert_array_equal(line.numpy(), want)
    np.testing.assert_array_equal(total.numpy(), want.sum(-1))


def test_diagonal_takes_any_dtype_and_any_order_in_memory(backend):
    x = np.array([[True, False, True], [False, False, True]])
    turned = tv.asarray(x, backend=backend).mT

    assert tv.diagonal(turned, offset=-1).tolist() == [False, True]


def test_trace_has_the_dtypes_of_sum():
    small = tv.full((2, 2), 100, dtype="int8")

    assert tv.trace(small).item() == 200
    assert tv.trace(small).dtype == tv.int64
    assert tv.trace(small, dtype="float32").dtype == tv.float32
    half = tv.eye(5000, dtype="float16")
    assert tv.trace(half).item() == 5000
    assert tv.trace(half).dtype == tv.float16


@pytest.mark.parametrize(
    "shapes",
    [
        [(2, 3), (3, 4)],
        [(10, 100), (100, 5), (5, 50)],
        [(4,), (4, 3), (3, 2), (2,)],
        [(4,), (4,)],
        [(2, 0), (0, 3), (3, 3)],
        [(3, 9), (9, 2), (2, 8), (8, 7), (7, 1)],
    ],
)
def test_product_of_many_is_numpys(shapes):
    draw = np.random.default_rng(7)
    arrays = [draw.normal(size=shape) for shape in shapes]

    found = tv.multi_dot([tv.asarray(x) for x in arrays])

    want = np.linalg.multi_dot(arrays)
    assert found.shape == want.shape
    np.testing.assert_allclose(found.numpy(), want, rtol=1e-12)


def test_product_of_many_multiplies_least():
    # Cormen et al., Introduction to Algorithms, figure 15.5
    sizes = [30, 35, 15, 5, 10, 20, 25]

    splits = _cheapest(sizes)

    assert splits[0, 5] == 2
    assert splits[0, 2] == 0
    assert splits[3, 5] == 4


def test_new_products_refuse_what_does_not_fit():
    x, y = tv.zeros((2, 3)), tv.zeros((2, 2))

    with pytest.raises(ShapeError) as three:
        tv.linalg.cross(y, y)
    with pytest.raises(AxisError) as axis:
        tv.linalg.cross(x, x, axis=1)
    with pytest.raises(ShapeError):
        tv.linalg.cross(x, tv.zeros((4, 3)))
    with pytest.raises(ShapeError) as line:
        tv.diagonal(tv.zeros(3))
    with pytest.raises(DTypeError):
        tv.trace(tv.ones((2, 2), dtype="bool"))
    with pytest.raises(DTypeError) as parts:
        tv.trace(tv.ones((2, 2), dtype="complex64"), dtype="float32")
    with pytest.raises(ShapeError) as few:
        tv.multi_dot([x])
    with pytest.raises(ShapeError) as rank:
        tv.multi_dot([x, tv.zeros((1, 3, 3)), x])
    with pytest.raises(ShapeError) as inner:
        tv.multi_dot([y, x, y])

    assert str(three.value) == (
        "cross: along axis -1 the shapes (2, 2) and (2, 2) have 2 and 2 elements. Both "
        "must have 3."
    )
    assert str(axis.value) == (
        "cross: axis=1 is out of range for the shapes (2, 3) and (2, 3). It is counted "
        "from the end, from -2 to -1."
    )
    assert str(line.value) == (
        "diagonal: a tensor of shape (3,) holds no matrices; it needs at least two "
        "dimensions."
    )
    assert str(parts.value) == (
        "trace: dtype=float32 would drop the imaginary parts of complex64. Take the "
        "real part first, or ask for a complex dtype."
    )
    assert str(few.value) == (
        "multi_dot: 1 array was given, and a product needs at least two."
    )
    assert str(rank.value) == (
        "multi_dot: the array at place 1 has shape (1, 3, 3). All must be 2-D; the "
        "first and the last may be 1-D."
    )
    assert str(inner.value) == (
        "multi_dot: the shapes (2, 3) and (2, 2) at places 1 and 2 do not fit: 3 is "
        "not 2."
    )
