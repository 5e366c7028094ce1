"""Products of vectors and matrices against NumPy."""

import numpy as np
import pytest

import trivet as tv
from trivet.errors import AxisError, DTypeError, ShapeError

X = np.random.default_rng(3).normal(size=(2, 3, 4))
Y = np.random.default_rng(4).normal(size=(4, 3, 5))


def raised(error, function, *args, **statics):
    with pytest.raises(error) as caught:
        function(*args, **statics)
    return str(caught.value)


# ---- matmul and matrix_transpose ----------------------------------------------------


@pytest.mark.parametrize(
    "first, second",
    [
        ((3,), (3,)),
        ((3,), (3, 2)),
        ((2, 3), (3,)),
        ((5, 1, 2, 3), (4, 3, 2)),
        ((2, 0), (0, 3)),
        ((0, 2), (2, 3)),
    ],
)
@pytest.mark.parametrize("dtype", ["float16", "float64", "int8", "complex64"])
def test_matmul_is_numpys_for_vectors_matrices_and_batches(first, second, dtype):
    x = np.arange(np.prod(first)).reshape(first).astype(dtype)
    y = np.arange(np.prod(second)).reshape(second).astype(dtype)

    got = tv.matmul(tv.asarray(x), tv.asarray(y))

    np.testing.assert_array_equal(got.numpy(), np.matmul(x, y), strict=True)
    assert (tv.asarray(x) @ tv.asarray(y)).tolist() == got.tolist()


def test_matmul_promotes_when_dtypes_differ():
    got = tv.matmul(tv.ones((1, 2), dtype="int32"), tv.ones((2, 1)))

    assert got.dtype == tv.float64


def test_matmul_names_the_sizes_when_they_do_not_fit():
    message = raised(ShapeError, tv.matmul, tv.zeros((2, 3)), tv.zeros((2, 3)))

    assert message == (
        "matmul: the shapes (2, 3) and (2, 3) do not fit: the last axis of the first "
        "has 3 elements, and the second needs 2 there."
    )


@pytest.mark.parametrize("other", [2.0, tv.asarray(2.0)])
def test_matmul_points_to_multiplication_when_an_operand_is_0_d(other):
    message = raised(ShapeError, tv.matmul, tv.zeros((2, 3)), other)

    assert message == (
        "matmul: the shapes are (2, 3) and (), and neither may be (). Multiply by a "
        "number with *."
    )


def test_matrix_transpose_swaps_the_last_two_axes(bodies):
    want = np.swapaxes(X, -1, -2)

    assert tv.matrix_transpose(tv.asarray(X)).tolist() == want.tolist()
    assert bodies.matrix_transpose(X).tolist() == want.tolist()


def test_matrix_transpose_refuses_a_vector():
    message = raised(ShapeError, tv.matrix_transpose, tv.zeros(3))

    assert message == (
        "matrix_transpose: a tensor of shape (3,) holds no matrices; it needs at least "
        "two dimensions."
    )


# ---- outer --------------------------------------------------------------------------


@pytest.mark.parametrize("dtype", ["float32", "int16", "complex64"])
def test_outer_multiplies_each_element_with_each(dtype):
    x, y = np.array([1, 2, 3], dtype), np.array([4, 5], dtype)

    got = tv.outer(tv.asarray(x), tv.asarray(y))

    np.testing.assert_array_equal(got.numpy(), np.outer(x, y), strict=True)


def test_outer_is_empty_when_a_vector_is():
    assert tv.outer(tv.zeros(0), tv.zeros(3)).shape == (0, 3)


def test_outer_refuses_matrices():
    message = raised(ShapeError, tv.outer, tv.zeros((2, 2)), tv.zeros(2))

    assert message == (
        "outer: the shapes are (2, 2) and (2,), and both must be 1-D. Flatten with "
        "reshape(x, (-1,)) first."
    )


# ---- tensordot ----------------------------------------------------------------------


@pytest.mark.parametrize("axes", [0, 1, ((2,), (0,)), ([-1, 1], [0, -2]), ((), ())])
def test_tensordot_is_numpys_for_numbers_and_pairs_of_axes(bodies, axes):
    got = tv.tensordot(tv.asarray(X), tv.asarray(Y), axes=axes)

    np.testing.assert_allclose(
        got.numpy(), np.tensordot(X, Y, axes), rtol=1e-12, strict=True
    )


def test_tensordot_sums_over_two_axes_when_none_are_named():
    got = tv.tensordot(tv.asarray(X), tv.asarray(X.transpose(1, 2, 0)))

    np.testing.assert_allclose(
        got.numpy(), np.tensordot(X, X.transpose(1, 2, 0)), rtol=1e-12
    )


def test_tensordot_is_0_d_when_all_axes_are_paired():
    got = tv.tensordot(tv.asarray(X), tv.asarray(X), axes=3)

    assert got.shape == ()
    assert got.item() == pytest.approx((X * X).sum(), rel=1e-12)


def test_tensordot_gives_zeros_when_the_paired_axis_is_empty():
    got = tv.tensordot(tv.zeros((2, 0)), tv.zeros((0, 3)), axes=1)

    assert got.tolist() == [[0.0] * 3] * 2


def test_tensordot_wraps_when_integers_are_small():
    x = tv.asarray([100, 100], dtype="int8")

    got = tv.tensordot(x, tv.asarray([1, 1], dtype="int8"), axes=1)

    assert got.dtype == tv.int8
    assert got.item() == 200 - 256


def test_tensordot_names_the_range_when_there_are_too_few_axes():
    message = raised(AxisError, tv.tensordot, tv.zeros(3), tv.zeros((3, 2)))

    assert message == (
        "tensordot: axes=2 is out of range for the shapes (3,) and (3, 2); it can be 0 "
        "to 1."
    )


def test_tensordot_refuses_pairs_of_different_length():
    x = tv.zeros((2, 2))

    message = raised(AxisError, tv.tensordot, x, x, axes=((0, 1), (0,)))

    assert message == (
        "tensordot: axes=((0, 1), (0,)) pairs 2 with 1 axes. Name as many of the one "
        "as of the other."
    )


def test_tensordot_names_the_sizes_when_paired_axes_differ():
    message = raised(
        ShapeError, tv.tensordot, tv.zeros((2, 3)), tv.zeros((2, 3)), axes=1
    )

    assert message == (
        "tensordot: the axes (1,) of the shape (2, 3) have the sizes [3], and the axes "
        "(0,) of (2, 3) have [2]. Paired axes must have one size."
    )


def test_tensordot_refuses_an_axis_that_is_named_twice():
    x = tv.zeros((2, 2))

    message = raised(AxisError, tv.tensordot, x, x, axes=((0, -2), (0, 1)))

    assert message == "tensordot: axis=(0, -2) names an axis twice."


# ---- vecdot -------------------------------------------------------------------------


@pytest.mark.parametrize("axis", [-1, -2, -3])
def test_vecdot_is_numpys_along_any_axis(axis):
    got = tv.vecdot(tv.asarray(X), tv.asarray(X[::-1]), axis=axis)

    np.testing.assert_allclose(
        got.numpy(), np.vecdot(X, X[::-1], axis=axis), rtol=1e-12, strict=True
    )


def test_vecdot_conjugates_the_first_when_numbers_are_complex():
    got = tv.vecdot(tv.asarray([1j, 2.0]), tv.asarray([1j, 1j]))

    assert got.item() == 1 + 2j


def test_vecdot_broadcasts_the_other_axes():
    got = tv.vecdot(tv.asarray(X), tv.asarray(X[0, 0]))

    np.testing.assert_allclose(got.numpy(), X @ X[0, 0], rtol=1e-12)


def test_vecdot_gives_zeros_of_the_promoted_dtype_when_the_axis_is_empty():
    got = tv.vecdot(tv.zeros((2, 0), dtype="int8"), tv.zeros((2, 0), dtype="int16"))

    assert got.dtype == tv.int16
    assert got.tolist() == [0, 0]


def test_vecdot_names_the_range_when_the_axis_is_not_negative():
    message = raised(AxisError, tv.vecdot, tv.zeros((2, 3)), tv.zeros(3), axis=1)

    assert message == (
        "vecdot: axis=1 is out of range for the shapes (2, 3) and (3,). It is counted "
        "from the end, from -1 to -1."
    )


def test_vecdot_names_the_sizes_when_they_differ():
    message = raised(ShapeError, tv.vecdot, tv.zeros(3), tv.zeros(1))

    assert message == (
        "vecdot: along axis -1 the shapes (3,) and (1,) have 3 and 1 elements. They "
        "must have as many."
    )


def test_vecdot_refuses_0_d_tensors():
    message = raised(ShapeError, tv.vecdot, tv.asarray(1.0), tv.zeros(1))

    assert message == (
        "vecdot: the shapes are () and (1,), and neither may be (). Multiply by a "
        "number with *."
    )


# ---- what all of them refuse --------------------------------------------------------


@pytest.mark.parametrize("name", ["outer", "tensordot", "vecdot"])
def test_a_product_refuses_a_list(name):
    message = raised(TypeError, getattr(tv, name), tv.zeros(1), [1.0])

    assert message == (
        f"{name}: the second operand is a builtins.list, not a tensor. Nothing is "
        "converted silently: call tv.asarray(...) on it first."
    )


@pytest.mark.parametrize("name", ["tensordot", "vecdot"])
def test_a_product_refuses_booleans(name):
    yes = tv.asarray([True])

    message = raised(DTypeError, getattr(tv, name), yes, yes)

    assert message == (
        f"{name}: the dtype bool is not one that this op takes; it takes complex "
        "floating or real floating or signed integer or unsigned integer. Cast with "
        ".astype(...)."
    )
