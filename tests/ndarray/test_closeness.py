"""Closeness and numbers in place of NaN, against NumPy's own."""

import numpy as np
import pytest

import trivet as tv
from trivet.errors import ShapeError

nan, inf = float("nan"), float("inf")
EDGES = [0.0, -0.0, 1.0, 1.0 + 1e-9, 1.0001, -1.0, inf, -inf, nan, 1e-9, 1e300]


@pytest.mark.parametrize("equal_nan", [False, True])
@pytest.mark.parametrize("rtol, atol", [(1e-5, 1e-8), (0.0, 0.0), (0.1, 1.0)])
def test_isclose_is_numpys_for_all_pairs_of_edges(bodies, rtol, atol, equal_nan):
    x, y = np.asarray(EDGES)[:, None], np.asarray(EDGES)
    given = {"rtol": rtol, "atol": atol, "equal_nan": equal_nan}

    got = tv.isclose(tv.asarray(x), tv.asarray(y), **given)

    want = np.isclose(x, y, **given)
    np.testing.assert_array_equal(got.numpy(), want, strict=True)
    np.testing.assert_array_equal(bodies.isclose(x, y, **given), want, strict=True)


@pytest.mark.parametrize("first", ["bool", "uint8", "int64", "float16", "complex64"])
@pytest.mark.parametrize("second", ["bool", "uint8", "int64", "float16", "complex64"])
def test_isclose_takes_all_dtypes(first, second):
    x, y = np.asarray([0, 1, 1], first), np.asarray([1, 0, 1], second)

    got = tv.isclose(tv.asarray(x), tv.asarray(y))

    assert got.tolist() == [False, False, True]


def test_differences_of_integers_do_not_wrap(bodies):
    x, y = np.asarray([0, 200], "uint8"), np.asarray([255, 201], "uint8")

    for backend in (tv.backend("ndarray"), bodies):
        found = backend.isclose(x, y, rtol=0.0, atol=1.0, equal_nan=False)
        assert found.tolist() == [False, True]


def test_small_tolerances_hold_for_float16():
    x = tv.asarray([1.0, 6e-8], dtype="float16")

    assert tv.isclose(
        x, x * 0 + tv.asarray([1.001, 0.0], dtype="float16")
    ).tolist() == [
        False,
        False,
    ]


def test_isclose_takes_numbers_on_either_side():
    x = tv.asarray([1.0, 2.0])

    assert tv.isclose(x, 1).tolist() == [True, False]
    assert tv.isclose(1.0, x).tolist() == [True, False]
    assert tv.isclose(tv.asarray(1.0), 1.0).tolist() is True


def test_allclose_is_a_tensor_of_rank_0():
    x = tv.asarray([1.0, nan])

    whole = tv.allclose(x, x, equal_nan=True)

    assert (whole.shape, whole.dtype, bool(whole)) == ((), tv.bool, True)
    assert not tv.allclose(x, x)
    assert tv.allclose(tv.zeros(0), tv.ones(0))


def test_shapes_that_do_not_broadcast_are_refused():
    with pytest.raises(ShapeError) as caught:
        tv.allclose(tv.zeros(2), tv.zeros(3))

    assert str(caught.value) == (
        "isclose: the shapes (2,) and (3,) do not broadcast: axis -1 has the sizes 2 "
        "and 3. Sizes must be equal or 1."
    )


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64", "complex64"])
def test_nan_to_num_is_numpys(dtype):
    x = np.asarray([nan, inf, -inf, 1.5, -0.0], dtype)

    got = tv.nan_to_num(tv.asarray(x))

    np.testing.assert_array_equal(got.numpy(), np.nan_to_num(x), strict=True)


def test_both_parts_of_complex_numbers_are_replaced(complex_bodies):
    x = np.asarray([complex(nan, inf), complex(1, -inf), 2 + 3j])
    given = {"nan": 7.0, "posinf": 8.0, "neginf": 9.0}

    got = tv.nan_to_num(tv.asarray(x), **given)

    assert got.tolist() == [7 + 8j, 1 + 9j, 2 + 3j]
    assert complex_bodies(x, **given).tolist() == got.tolist()


@pytest.fixture
def complex_bodies():
    """The derived body over NumPy's own ops, which know complex numbers."""
    from trivet.contract import OPS
    from trivet_ndarray import NdArray

    backend = NdArray()
    backend.bind(nan_to_num=OPS["nan_to_num"].function.__get__(backend))
    return backend.nan_to_num


@pytest.mark.parametrize("dtype", ["bool", "int8", "uint64"])
def test_dtypes_without_nan_are_left_as_they_are(dtype):
    x = tv.asarray([0, 1], dtype=dtype)

    assert tv.nan_to_num(x) is x


def test_each_number_can_be_given(bodies):
    x = np.asarray([nan, inf, -inf, 2.0])
    given = {"nan": inf, "posinf": -1.0, "neginf": nan}

    got = tv.nan_to_num(tv.asarray(x), **given)

    want = np.asarray([inf, -1.0, nan, 2.0])
    np.testing.assert_array_equal(got.numpy(), want)
    np.testing.assert_array_equal(bodies.nan_to_num(x, **given), want)
