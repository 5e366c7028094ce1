"""Ordering elements and finding them, against NumPy and Python's `sorted`."""

import math

import numpy as np
import pytest

import trivet as tv
from trivet.errors import AxisError, DTypeError, ShapeError

inf, nan = math.inf, math.nan
ARRAYS = (
    np.array([3.0, nan, 1.0, -inf, 1.0, inf, -0.0, 0.0]),
    np.array([0.5, nan, -2.0], np.float16),
    np.array([[3, 1, 2], [1, 1, 0]], np.uint8),
    np.array([[5, -128], [127, 0]], np.int8),
    np.zeros((2, 0)),
)


def named(x):
    return f"{x.dtype.name}{x.shape}"


def raised(error, function, *args, **statics):
    with pytest.raises(error) as caught:
        function(*args, **statics)
    return str(caught.value)


# ---- sort and argsort ---------------------------------------------------------------


@pytest.mark.parametrize("descending", [False, True])
@pytest.mark.parametrize("axis", [0, -1])
@pytest.mark.parametrize("x", ARRAYS, ids=named)
def test_sort_is_numpys_and_its_reverse_when_descending(bodies, x, axis, descending):
    want = np.flip(np.sort(x, axis), axis) if descending else np.sort(x, axis)

    native = tv.sort(tv.asarray(x), axis=axis, descending=descending).numpy()
    derived = bodies.sort(x, axis=axis % x.ndim, descending=descending, stable=True)

    np.testing.assert_array_equal(native, want, strict=True)
    np.testing.assert_array_equal(derived, want, strict=True)


@pytest.mark.parametrize("descending", [False, True])
@pytest.mark.parametrize("x", ARRAYS, ids=named)
def test_argsort_gives_the_positions_of_the_sorted_elements(x, descending):
    t = tv.asarray(x)

    order = tv.argsort(t, descending=descending)

    assert order.dtype == tv.int64
    taken = tv.take_along_axis(t, order, axis=-1).numpy()
    np.testing.assert_array_equal(taken, tv.sort(t, descending=descending).numpy())


@pytest.mark.parametrize("descending", [False, True])
def test_argsort_keeps_equal_elements_in_their_order(descending):
    numbers = [2, 1, 2, 1, 0, 2]

    order = tv.argsort(tv.asarray(numbers), descending=descending).tolist()

    sign = -1 if descending else 1  # Python's sort is stable
    assert order == sorted(range(6), key=lambda i: sign * numbers[i])


@pytest.mark.parametrize("descending", [False, True])
def test_sort_orders_all_elements_when_it_need_not_be_stable(descending):
    x = tv.asarray([2, 1, 3, 1])

    got = tv.sort(x, descending=descending, stable=False).tolist()

    assert got == sorted([2, 1, 3, 1], reverse=descending)


def test_sort_leaves_its_operand_as_it_is():
    x = tv.asarray([2.0, 1.0])

    assert x.sort().tolist() == [1.0, 2.0]
    assert x.argsort().tolist() == [1, 0]
    assert x.tolist() == [2.0, 1.0]


def test_sort_sorts_a_view_that_is_not_contiguous():
    x = np.arange(12.0).reshape(3, 4)[::-2, ::3].T

    assert tv.sort(tv.asarray(x)).tolist() == np.sort(x).tolist()


@pytest.mark.parametrize("name", ["sort", "argsort"])
def test_sorting_refuses_complex_numbers(name):
    message = raised(DTypeError, getattr(tv, name), tv.asarray([1j]))

    assert message == (
        f"{name}: the dtype complex64 is not one that this op takes; it takes real "
        "floating or signed integer or unsigned integer. Cast with .astype(...)."
    )


@pytest.mark.parametrize("name", ["sort", "argsort"])
def test_sorting_names_the_axes_when_one_is_out_of_range(name):
    function = getattr(tv, name)

    assert raised(AxisError, function, tv.zeros(3), axis=1) == (
        f"{name}: axis=1 is out of range for a tensor with 1 dimension; it can be -1 "
        "to 0."
    )
    assert raised(AxisError, function, tv.asarray(1.0)) == (
        f"{name}: axis=-1 is out of range for a tensor with 0 dimensions, which has no "
        "axes."
    )


@pytest.mark.parametrize("name", ["sort", "argsort", "nonzero"])
def test_a_list_is_refused_when_a_tensor_is_wanted(name):
    message = raised(TypeError, getattr(tv, name), [2, 1])

    assert message == (
        f"{name}: the first operand is a builtins.list, not a tensor. Nothing is "
        "converted silently: call tv.asarray(...) on it first."
    )


# ---- searchsorted -------------------------------------------------------------------


@pytest.mark.parametrize("side", ["left", "right"])
@pytest.mark.parametrize(
    "x1, x2",
    [
        (np.array([1.0, 2, 2, 3]), np.array([[0.0, 1, 2], [2.5, 3, 9]])),
        (np.array([1.0, 2, nan, nan]), np.array([2.0, inf, nan])),
        (np.array([-inf, 0.0, inf]), np.array([-inf, -0.0, inf, nan])),
        (np.array([1, 2, 2, 3]), np.array([2, 7])),
        (np.array([1, 2, 2, 3]), np.array([1.5, nan])),
        (np.array([1.0, nan]), np.array([1, 2])),
        (np.array([]), np.array([1.0, nan])),
        (np.array([1.0]), np.zeros((2, 0))),
        (np.array([1.0, 2.0]), np.array(2.0)),
    ],
)
def test_searchsorted_is_numpys_when_there_are_ties_and_nan(bodies, x1, x2, side):
    want = np.searchsorted(x1, x2, side)

    native = tv.searchsorted(tv.asarray(x1), tv.asarray(x2), side=side)
    derived = bodies.searchsorted(x1, x2, side=side)

    assert native.dtype == tv.int64
    np.testing.assert_array_equal(native.numpy(), want)
    np.testing.assert_array_equal(derived, want)


def test_searchsorted_takes_a_number():
    x = tv.asarray([1, 3, 3, 5])

    assert tv.searchsorted(x, 3).item() == 1
    assert tv.searchsorted(x, 3, side="right").item() == 3
    assert tv.searchsorted(x, 2.5).item() == 1


def test_searchsorted_follows_the_sorter_when_elements_are_not_in_order():
    x = tv.asarray([30, 10, 20])

    got = tv.searchsorted(x, tv.asarray([15, 30]), sorter=tv.argsort(x))

    assert got.tolist() == [1, 2]


def test_searchsorted_refuses_a_matrix():
    message = raised(ShapeError, tv.searchsorted, tv.zeros((2, 2)), tv.zeros(1))

    assert message == (
        "searchsorted: the first operand has the shape (2, 2); it must be 1-D."
    )


def test_searchsorted_refuses_another_side():
    message = raised(ValueError, tv.searchsorted, tv.zeros(1), 0.0, side="middle")

    assert message == "searchsorted: side='middle' is not one of 'left' and 'right'."


def test_searchsorted_refuses_complex_numbers():
    message = raised(DTypeError, tv.searchsorted, tv.zeros(1), 1j)

    assert message == (
        "searchsorted: the dtype complex64 is not one that this op takes; it takes "
        "real floating or signed integer or unsigned integer. Cast with .astype(...)."
    )


def test_searchsorted_refuses_a_list():
    message = raised(TypeError, tv.searchsorted, tv.zeros(1), [0.0])

    assert message == (
        "searchsorted: the second operand is a builtins.list, not a tensor. Nothing is "
        "converted silently: call tv.asarray(...) on it first."
    )


# ---- nonzero ------------------------------------------------------------------------


@pytest.mark.parametrize(
    "x",
    [
        np.array([[0.0, nan, -0.0], [inf, 0.0, 2.0]]),
        np.array([0, 3, 0, -1], np.int8),
        np.array([[[True, False]], [[False, True]]]),
        np.array([0j, 1j]),
        np.zeros(3),
        np.zeros((0, 2)),
        np.zeros((2, 0)),
    ],
    ids=named,
)
def test_nonzero_gives_positions_in_c_order(bodies, x):
    want = [places.tolist() for places in np.nonzero(x)]

    native = tv.nonzero(tv.asarray(x))
    derived = bodies.nonzero(x)

    assert isinstance(native, tuple)
    assert [places.dtype for places in native] == [tv.int64] * x.ndim
    assert [places.tolist() for places in native] == want
    assert [places.tolist() for places in derived] == want


def test_nonzero_refuses_a_0_d_tensor():
    message = raised(ShapeError, tv.nonzero, tv.asarray(1.0))

    assert message == (
        "nonzero: a 0-d tensor has no axes to give positions on. Compare it with != 0 "
        "instead."
    )


def test_descending_sort_keeps_equal_elements_in_their_order():
    got = tv.sort(tv.asarray([0.0, -0.0, 1.0, -0.0]), descending=True)

    assert got.tolist() == [1.0, 0.0, 0.0, 0.0]
    assert np.signbit(got.numpy()).tolist() == [False, False, True, True]


@pytest.mark.parametrize("descending", [False, True])
def test_stable_sort_keeps_zeros_of_both_signs_in_their_order(descending):
    zeros = np.tile(np.asarray([0.0, -0.0, -0.0, 0.0, 0.0]), 400)

    result = tv.sort(tv.asarray(zeros), descending=descending)

    assert np.signbit(result.numpy()).tolist() == np.signbit(zeros).tolist()


@pytest.mark.parametrize("dtype", ["int8", "int64", "uint16", "float16", "float64"])
def test_sort_gives_the_values_that_python_gives(dtype):
    values = np.random.default_rng(0).normal(size=999) * 9
    x = tv.asarray(np.abs(values).astype(dtype))

    assert tv.sort(x).tolist() == sorted(x.tolist())
    assert tv.sort(x, descending=True).tolist() == sorted(x.tolist(), reverse=True)


@pytest.mark.parametrize("axis", [0, 1])
def test_descending_positions_leave_the_array_as_it_is(axis):
    x = np.array([[3, 1, 3], [2, 3, 3]])
    mine = tv.asarray(x, copy=True)

    order = tv.argsort(mine, axis=axis, descending=True)

    np.testing.assert_array_equal(order.numpy(), np.argsort(-x, axis, "stable"))
    np.testing.assert_array_equal(mine.numpy(), x)
