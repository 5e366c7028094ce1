"""Reductions and running reductions against NumPy, and sums that must not drift."""

import math

import numpy as np
import pytest

import trivet as tv
from trivet.errors import AxisError, DTypeError, ShapeError

AXES = (None, 0, 1, -1, (0, 2), (), (2, 1, 0))
FLOATS = ("float16", "float32", "float64")
INTEGERS = ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64")
CLOSE = {"float16": 2e-3, "float32": 1e-6, "float64": 1e-12}


def cube(dtype="float64"):
    return np.random.default_rng(3).integers(1, 5, (2, 3, 4)).astype(dtype)


def assert_like(got, want):
    assert got.shape == want.shape
    assert str(got.dtype) == str(want.dtype)
    tolerance = CLOSE.get(str(want.dtype), 0)
    np.testing.assert_allclose(got.numpy(), want, rtol=tolerance, atol=tolerance)


@pytest.mark.parametrize("keepdims", [False, True])
@pytest.mark.parametrize("axis", AXES)
@pytest.mark.parametrize("name", ["sum", "prod", "max", "min", "mean", "var", "std"])
def test_a_reduction_is_numpys_along_every_axis(name, axis, keepdims):
    x = cube()

    got = getattr(tv, name)(tv.asarray(x), axis=axis, keepdims=keepdims)

    assert_like(got, np.asarray(getattr(np, name)(x, axis=axis, keepdims=keepdims)))


@pytest.mark.parametrize("axis", AXES)
@pytest.mark.parametrize("name", ["any", "all", "count_nonzero"])
def test_truth_is_counted_as_numpy_does(name, axis):
    x = np.array([[[0.0, -0.0], [math.nan, 1.0]], [[2.0, 0.0], [3.0, math.inf]]])

    got = getattr(tv, name)(tv.asarray(x), axis=axis)

    want = np.asarray(getattr(np, name)(x, axis=axis))
    assert got.tolist() == want.tolist()
    assert got.shape == want.shape


@pytest.mark.parametrize("name", ["sum", "prod", "cumulative_sum", "cumulative_prod"])
@pytest.mark.parametrize("dtype", ["bool", *INTEGERS])
def test_small_integers_widen_when_summed(name, dtype):
    x = np.array([1, 1, 1], dtype)

    got = getattr(tv, name)(tv.asarray(x))

    assert str(got.dtype) == ("uint64" if dtype.startswith("u") else "int64")


def test_a_sum_does_not_wrap_at_the_ends_of_its_elements_dtype():
    assert tv.sum(tv.asarray([200] * 10, dtype="uint8")).item() == 2000
    assert tv.prod(tv.asarray([100, 100], dtype="int8")).item() == 10000


def test_a_sum_has_the_dtype_that_is_asked_for():
    x = tv.asarray([1.5, 2.5], dtype="float32")

    assert tv.sum(x, dtype="float64").dtype == tv.float64
    assert tv.cumulative_sum(x, dtype=tv.float64).tolist() == [1.5, 4.0]


@pytest.mark.parametrize("axis", [None, 0])
@pytest.mark.parametrize("turned", [False, True])
def test_float16_accumulates_in_float32(axis, turned):
    ones = tv.ones((4096, 1) if turned else (4096,), dtype="float16")
    hot = tv.full((250,), 400.0, dtype="float16")

    assert tv.sum(ones, axis=axis).tolist() == (
        [4096.0] if turned and axis == 0 else 4096
    )
    assert tv.mean(hot).item() == 400.0
    assert tv.mean(hot).dtype == tv.float16
    assert tv.prod(tv.asarray([300.0, 300.0, 0.001], dtype="float16")).item() == (
        np.float16(300.0 * 300.0 * float(np.float16(0.001)))
    )


def test_a_float16_deviation_is_finite_when_its_variance_is_not():
    x = tv.asarray([0.0, 1000.0], dtype="float16")

    assert tv.std(x).item() == 500.0


def test_a_running_sum_of_float16_does_not_stall():
    ones = tv.ones(4096, dtype="float16")

    assert tv.cumulative_sum(ones).tolist()[-1] == 4096.0


def test_reductions_of_nothing_give_the_neutral_element_or_nan():
    empty = tv.zeros(0)

    assert tv.sum(empty).item() == 0
    assert tv.prod(empty).item() == 1
    assert tv.any(empty).item() is False
    assert tv.all(empty).item() is True
    assert tv.count_nonzero(empty).item() == 0
    assert math.isnan(tv.mean(empty).item())
    assert math.isnan(tv.var(empty).item())
    assert tv.sum(tv.zeros((0, 3)), axis=0).tolist() == [0, 0, 0]
    assert tv.max(tv.zeros((0, 3)), axis=1).shape == (0,)


@pytest.mark.parametrize("correction", [0, 1, 0.5, 2])
def test_variance_divides_by_n_less_the_correction(correction):
    x = tv.asarray([1.0, 2.0, 4.0], dtype="float64")
    squares = sum((v - 7 / 3) ** 2 for v in (1, 2, 4))

    assert tv.var(x, correction=correction).item() == pytest.approx(
        squares / (3 - correction), rel=1e-14
    )


@pytest.mark.parametrize("correction", [3, 4])
def test_variance_is_nan_when_the_correction_takes_all(correction):
    assert math.isnan(tv.var(tv.asarray([1.0, 2.0, 4.0]), correction=correction).item())


def test_variance_survives_a_large_offset():
    x = tv.asarray([1e8, 1e8 + 1, 1e8 + 2], dtype="float64")

    assert tv.var(x).item() == pytest.approx(2 / 3, rel=1e-9)


@pytest.mark.parametrize("dtype", ["bool", *INTEGERS])
def test_means_of_integers_are_float64(dtype):
    x = tv.asarray(np.array([0, 1, 1, 0], dtype))

    assert tv.mean(x).dtype == tv.float64
    assert tv.mean(x).item() == 0.5
    assert tv.std(x).item() == 0.5


def test_the_mean_of_complex_numbers_is_complex():
    assert tv.mean(tv.asarray([1 + 2j, 3 + 4j])).item() == 2 + 3j


def test_extremes_spread_nan():
    x = tv.asarray([1.0, math.nan, 3.0])

    assert math.isnan(tv.max(x).item())
    assert math.isnan(tv.min(x).item())


@pytest.mark.parametrize(
    "values, largest, smallest",
    [
        ([1, 3, 3, 1], 1, 0),
        ([2.0, math.nan, 9.0, math.nan], 1, 1),
        ([0.0, -0.0], 0, 0),
        ([-math.inf, math.inf], 1, 0),
    ],
)
def test_the_position_is_the_first_among_equals(values, largest, smallest):
    x = tv.asarray(values)

    assert tv.argmax(x).item() == largest
    assert tv.argmin(x).item() == smallest
    assert tv.argmax(x).dtype == tv.int64


@pytest.mark.parametrize("keepdims", [False, True])
@pytest.mark.parametrize("axis", [None, 0, 1, -1])
def test_positions_are_numpys_along_every_axis(axis, keepdims):
    x = cube("int32")[::-1]

    for name in ("argmax", "argmin"):
        got = getattr(tv, name)(tv.asarray(x), axis=axis, keepdims=keepdims)
        assert_like(got, np.asarray(getattr(np, name)(x, axis, keepdims=keepdims)))


@pytest.mark.parametrize("initial", [False, True])
@pytest.mark.parametrize("axis", [0, 1, -1])
@pytest.mark.parametrize("name", ["cumulative_sum", "cumulative_prod"])
def test_running_reductions_are_numpys(name, axis, initial):
    x = cube()

    got = getattr(tv, name)(tv.asarray(x), axis=axis, include_initial=initial)

    assert_like(got, getattr(np, name)(x, axis=axis, include_initial=initial))


def test_a_running_product_keeps_zeros_and_signs():
    x = tv.asarray([2.0, -3.0, 0.0, 4.0])

    assert tv.cumulative_prod(x).tolist() == [2.0, -6.0, 0.0, 0.0]


@pytest.mark.parametrize("n", [0, 1, 2, 3, 5])
@pytest.mark.parametrize("axis", [0, 1, -1])
def test_differences_are_numpys(axis, n):
    x = cube()

    assert_like(tv.diff(tv.asarray(x), axis=axis, n=n), np.diff(x, n=n, axis=axis))


def test_differences_join_what_stands_before_and_after():
    x, zero = tv.asarray([1, 4, 9]), tv.asarray([0])

    assert tv.diff(x, prepend=zero).tolist() == [1, 3, 5]
    assert tv.diff(x, append=zero).tolist() == [3, 5, -9]
    assert tv.diff(tv.asarray([True, True, False])).tolist() == [False, True]


def test_reductions_are_methods():
    x = tv.asarray([[1.0, 5.0], [3.0, 2.0]])

    assert x.sum(axis=0).tolist() == [4.0, 7.0]
    assert x.argmax(axis=1).tolist() == [1, 0]
    assert x.std().item() == pytest.approx(np.std([1, 5, 3, 2]))


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("name", ["mean", "var", "std", "min", "cumulative_sum"])
def test_the_contracts_body_agrees_with_numpy(bodies, name, dtype):
    x = np.random.default_rng(5).normal(size=(3, 7)).astype(dtype)
    axis = (
        {"axis": 1} if name == "cumulative_sum" else {"axis": (1,), "keepdims": False}
    )
    more = {
        "var": {"correction": 1.0},
        "std": {"correction": 1.0},
        "cumulative_sum": {"dtype": None, "include_initial": True},
    }.get(name, {})

    got = getattr(bodies, name)(x, **axis, **more)

    native = getattr(tv.backend("ndarray"), name)(x, **axis, **more)
    assert got.dtype == native.dtype == dtype
    np.testing.assert_allclose(got, native, rtol=CLOSE[dtype], atol=CLOSE[dtype])


@pytest.mark.parametrize("dtype", ["int8", "uint8", "float32"])
def test_the_contracts_minimum_is_right_at_the_ends_of_the_range(bodies, dtype):
    info = np.iinfo(dtype) if dtype != "float32" else np.finfo(dtype)
    x = np.array([info.max, info.min, 0], dtype)

    assert bodies.min(x, axis=None, keepdims=False) == info.min
    assert bodies.argmin(x, axis=None, keepdims=False) == 1


@pytest.mark.parametrize("name", ["max", "min", "argmax", "argmin"])
def test_extremes_of_nothing_are_refused(name):
    word = "maximum" if "max" in name else "minimum"

    with pytest.raises(ShapeError) as caught:
        getattr(tv, name)(tv.zeros((0, 3)))

    assert str(caught.value) == (
        f"{name}: nothing has no {word}: the tensor of shape (0, 3) has no elements "
        "along its axes."
    )


@pytest.mark.parametrize("name", ["max", "argmin"])
def test_extremes_along_an_empty_axis_are_refused(name):
    with pytest.raises(ShapeError) as caught:
        getattr(tv, name)(tv.zeros((2, 0)), axis=1)

    assert str(caught.value).endswith("has no elements along axis=(1,).")


@pytest.mark.parametrize("name", ["max", "min", "argmax", "argmin"])
@pytest.mark.parametrize("dtype", ["complex64", "bool"])
def test_what_has_no_order_has_no_extremes(name, dtype):
    with pytest.raises(DTypeError) as caught:
        getattr(tv, name)(tv.zeros(2, dtype=dtype))

    assert str(caught.value) == (
        f"{name}: the dtype {dtype} is not one that this op takes; it takes real "
        "floating or signed integer or unsigned integer. Cast with .astype(...)."
    )


def test_a_complex_sum_does_not_lose_its_imaginary_part():
    with pytest.raises(DTypeError) as caught:
        tv.sum(tv.asarray([1j]), dtype="float32")

    assert str(caught.value) == (
        "sum: dtype=float32 would drop the imaginary parts of complex64. Reduce the "
        "real part, or ask for a complex dtype."
    )


def test_the_variance_of_complex_numbers_is_refused():
    with pytest.raises(DTypeError):
        tv.var(tv.asarray([1j, 2j]))


def test_axes_are_checked():
    with pytest.raises(AxisError) as outside:
        tv.sum(tv.zeros((2, 3)), axis=2)
    with pytest.raises(AxisError) as twice:
        tv.mean(tv.zeros((2, 3)), axis=(0, -2))
    with pytest.raises(AxisError) as missing:
        tv.cumulative_sum(tv.zeros((2, 3)))

    assert str(outside.value) == (
        "sum: axis=2 is out of range for a tensor with 2 dimensions; it can be -2 to 1."
    )
    assert str(twice.value) == "mean: axis=(0, -2) names an axis twice."
    assert str(missing.value) == (
        "cumulative_sum: a tensor with 2 dimensions needs an axis to run along; give "
        "axis=0 to 1, or reshape it to one dimension."
    )


def test_what_is_joined_to_differences_must_fit():
    with pytest.raises(ShapeError) as caught:
        tv.diff(tv.zeros((2, 3)), prepend=tv.zeros((3, 1)))
    with pytest.raises(ShapeError) as negative:
        tv.diff(tv.zeros(3), n=-1)

    assert str(caught.value) == (
        "diff: a tensor of shape (3, 1) cannot be joined to one of shape (2, 3) along "
        "axis 1: the other axes must have equal sizes."
    )
    assert str(negative.value) == (
        "diff: n=-1 is negative; take differences n >= 0 times."
    )


@pytest.mark.parametrize("name", ["sum", "max", "mean", "all", "argmax", "diff"])
def test_lists_are_not_reduced(name):
    with pytest.raises(TypeError) as caught:
        getattr(tv, name)([1, 2])

    assert str(caught.value) == (
        f"{name}: the first operand is a builtins.list, not a tensor. Nothing is "
        "converted silently: call tv.asarray(...) on it first."
    )


@pytest.mark.parametrize("axis", [None, 0, 1, (0, 1)])
@pytest.mark.parametrize("keepdims", [False, True])
def test_truth_is_counted_and_averaged_as_numpy_does(axis, keepdims):
    x = np.random.default_rng(0).integers(0, 2, (3, 4)).astype(bool)
    given = {"axis": axis, "keepdims": keepdims}

    for op in ("sum", "count_nonzero", "mean", "var"):
        got, want = (f(a, **given) for f, a in pairs(op, x))
        np.testing.assert_array_equal(got.numpy(), want, strict=True)


def pairs(op, x):
    return ((getattr(tv, op), tv.asarray(x)), (getattr(np, op), x))


@pytest.mark.usefixtures("quiet")
@pytest.mark.parametrize(
    "shape, axis", [((9, 700), 0), ((3, 5, 400), 1), ((2, 600), 0)]
)
@pytest.mark.parametrize("dtype", ["float32", "int8", "complex64", "bool"])
@pytest.mark.parametrize("order", ["C", "F", "back"])
def test_running_results_of_wide_rows_are_numpys_to_the_bit(shape, axis, dtype, order):
    x = np.random.default_rng(5).integers(-3, 4, shape).astype(dtype)
    if dtype == "float32":
        x[0, ..., :9] = np.nan, np.inf, -np.inf, 0, -0.0, 1, 3e38, 3e38, -3e38
    x = np.flip(x) if order == "back" else np.array(x, order=order)
    mine = tv.asarray(x)
    wide = tv.cumulative_sum(mine, axis=axis).numpy().dtype

    for name, ufunc in (("cumulative_sum", np.add), ("cumulative_prod", np.multiply)):
        found = getattr(tv, name)(mine, axis=axis).numpy()
        np.testing.assert_array_equal(found, ufunc.accumulate(x, axis, dtype=wide))
    if dtype in {"float32", "int8"}:
        for name, ufunc in (("max", np.maximum), ("min", np.minimum)):
            found = getattr(tv, f"cumulative_{name}")(mine, axis=axis).numpy()
            np.testing.assert_array_equal(found, ufunc.accumulate(x, axis))
    np.testing.assert_array_equal(mine.numpy(), x)


@pytest.mark.parametrize("shape", [(0, 700), (1, 700), (3, 0)])
def test_running_sums_of_few_or_no_rows_are_numpys(shape):
    x = np.arange(np.prod(shape), dtype="float32").reshape(shape)

    found = tv.cumulative_sum(tv.asarray(x), axis=0).numpy()

    np.testing.assert_array_equal(found, np.cumsum(x, 0))
