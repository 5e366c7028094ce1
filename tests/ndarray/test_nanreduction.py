"""Reductions without NaN, against NumPy's own."""

import numpy as np
import pytest

import trivet as tv
from trivet.errors import AxisError, DTypeError, ShapeError

nan, inf = float("nan"), float("inf")
NAMES = [
    "nansum",
    "nanprod",
    "nanmean",
    "nanvar",
    "nanstd",
    "nanmax",
    "nanmin",
    "nanmedian",
]
STATICS = {
    "nansum": {"dtype": None},
    "nanprod": {"dtype": None},
    "nanvar": {"correction": 0.0},
    "nanstd": {"correction": 0.0},
}


def sample(dtype="float64"):
    x = np.random.default_rng(8).normal(size=(3, 4, 5))
    x[0, 1] = nan
    x[:, 2, 3] = nan
    x[1, 0, 0] = nan
    return x.astype(dtype)


def same(got, want, digits):
    assert got.shape == np.shape(want)
    assert got.dtype == np.asarray(want).dtype
    np.testing.assert_allclose(got, want, rtol=digits, atol=digits)


@pytest.mark.parametrize("axis", [None, 0, 2, -1, (0, 2), (1, 2)])
@pytest.mark.parametrize("keepdims", [False, True])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_reduction_is_numpys_along_all_axes(bodies, name, dtype, keepdims, axis):
    x = sample(dtype)

    got = getattr(tv, name)(tv.asarray(x), axis=axis, keepdims=keepdims)

    want = getattr(np, name)(x, axis=axis, keepdims=keepdims)
    digits = 1e-5 if dtype == "float32" else 1e-13
    same(got.numpy(), want, digits)
    axes = axis if axis is None or isinstance(axis, tuple) else (axis % 3,)
    statics = STATICS.get(name, {})
    body = getattr(bodies, name)(x, axis=axes, keepdims=keepdims, **statics)
    same(np.asarray(body), want, digits)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("dtype", ["int8", "uint8", "int64"])
def test_integers_have_nothing_missing(bodies, name, dtype):
    x = np.asarray([[3, 1, 2], [5, 5, 4]], dtype)

    got = getattr(tv, name)(tv.asarray(x), axis=1)

    want = getattr(np, name.removeprefix("nan"))(x, axis=1)
    same(got.numpy(), want, 1e-15)
    statics = STATICS.get(name, {})
    same(getattr(bodies, name)(x, axis=(1,), keepdims=False, **statics), want, 1e-15)


@pytest.mark.parametrize("name", ["nanargmax", "nanargmin"])
@pytest.mark.parametrize("axis", [None, 0, 1])
def test_position_is_numpys(bodies, name, axis):
    x = sample()[1:, :, 0]

    got = getattr(tv, name)(tv.asarray(x), axis=axis)

    want = getattr(np, name)(x, axis=axis)
    np.testing.assert_array_equal(got.numpy(), want)
    body = getattr(bodies, name)(x, axis=axis, keepdims=False)
    np.testing.assert_array_equal(body, want)


def test_position_in_nothing_is_minus_one():
    x = tv.asarray([[nan, nan], [nan, -inf]])

    assert tv.nanargmax(x, axis=1).tolist() == [-1, 1]
    assert tv.nanargmin(x, axis=1, keepdims=True).tolist() == [[-1], [1]]


@pytest.mark.parametrize("correction", [0, 1, 2.5])
def test_variance_takes_a_correction(correction):
    x = tv.asarray([1.0, nan, 2.0, 6.0], dtype="float64")
    there = np.asarray([1.0, 2.0, 6.0])
    want = ((there - 3.0) ** 2).sum() / (3 - correction)

    assert tv.nanvar(x, correction=correction).item() == pytest.approx(want)
    assert tv.nanstd(x, correction=correction).item() == pytest.approx(want**0.5)
    assert np.isnan(tv.nanvar(x, correction=3).item())


def test_float16_counts_and_adds_in_single_precision():
    x = np.ones(10_001, "float16")
    x[5] = nan
    tensor = tv.asarray(x)

    assert tv.nansum(tensor).item() == 10_000.0
    assert tv.nanmean(tensor).item() == 1.0
    assert tv.nanvar(tensor).item() == 0.0
    assert tv.nanmean(tensor).dtype == tv.float16


def test_complex_numbers_with_nan_are_left_out():
    x = tv.asarray([1 + 2j, complex(nan, 1), 3 - 2j])

    assert tv.nansum(x).item() == 4
    assert tv.nanmean(x).item() == 2
    with pytest.raises(DTypeError):
        tv.nanvar(x)


def test_sum_takes_a_dtype():
    got = tv.nansum(tv.asarray([1.0, nan]), dtype="float64")

    assert (got.dtype, got.item()) == (tv.float64, 1.0)
    with pytest.raises(DTypeError) as caught:
        tv.nanprod(tv.asarray([1j]), dtype="float32")
    assert str(caught.value) == (
        "nanprod: dtype=float32 would drop the imaginary parts of complex64. Reduce "
        "the real part, or ask for a complex dtype."
    )


@pytest.mark.parametrize("name", ["nanmax", "nanmin", "nanargmax", "nanargmin"])
def test_extreme_of_no_elements_is_refused(name):
    with pytest.raises(ShapeError) as caught:
        getattr(tv, name)(tv.zeros((2, 0)), axis=1)
    with pytest.raises(ShapeError) as whole:
        getattr(tv, name)(tv.zeros((2, 0)))

    assert str(caught.value) == (
        f"{name}: the tensor of shape (2, 0) has no elements along axis=(1,)."
    )
    assert str(whole.value) == (
        f"{name}: the tensor of shape (2, 0) has no elements along its axes."
    )


@pytest.mark.parametrize("name", NAMES)
def test_axis_is_checked(name):
    with pytest.raises(AxisError):
        getattr(tv, name)(tv.zeros(2), axis=1)
    with pytest.raises(TypeError):
        getattr(tv, name)([1.0])
