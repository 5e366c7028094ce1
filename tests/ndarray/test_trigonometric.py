"""Trigonometric and hyperbolic functions against NumPy and the standard."""

import math

import numpy as np
import pytest
from arrays import assert_same

import trivet as tv
from trivet.errors import DTypeError

FLOATS = ("float16", "float32", "float64")
DERIVED = ("tan", "asin", "acos", "sinh", "cosh", "tanh", "asinh", "acosh", "atanh")
UNARY = (*DERIVED, "sin", "cos", "atan")
inf, nan, pi = math.inf, math.nan, math.pi


def angles(dtype):
    """Special and ordinary numbers of a dtype, to the ends of its range."""
    info = np.finfo(dtype)
    top = math.log(float(info.max))
    special = [0.0, -0.0, inf, -inf, nan, 0.5, -0.5, 1.0, -1.0, 2.0, 1 + info.eps]
    special += [float(s * x) for x in (info.max, info.tiny, info.eps) for s in (1, -1)]
    special += [1 - info.eps / 2, -1 + info.eps, 1e-3, -1e-3, 10, 25, 300, 2048.5]
    special += [top * 0.999, -top * 0.999, top + 0.6, 11.5, -11.5]
    ordinary = np.random.default_rng(7).normal(scale=2, size=40)
    return np.array([*special, *ordinary]).astype(dtype)


@pytest.mark.usefixtures("quiet")
@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("name", UNARY)
def test_a_function_is_numpys_when_numbers_are_special(name, dtype):
    x = angles(dtype)

    got = getattr(tv, name)(tv.asarray(x)).numpy()

    assert_same(got, getattr(np, name)(x))


@pytest.mark.usefixtures("quiet")
@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("name", DERIVED)
def test_a_derived_body_agrees_with_numpy_when_numbers_are_special(bodies, name, dtype):
    x = angles(dtype)

    got = getattr(bodies, name)(x)

    assert_same(got, getattr(np, name)(x), ulps=4)


@pytest.mark.usefixtures("quiet")
@pytest.mark.parametrize("dtype", FLOATS)
def test_the_body_of_atan2_agrees_with_numpy_in_every_quadrant(bodies, dtype):
    x = angles(dtype)
    want = np.atan2(x[:, None], x)

    native = tv.atan2(tv.asarray(x[:, None]), tv.asarray(x)).numpy()
    derived = bodies.atan2(x[:, None], x)

    assert_same(native, want)
    assert_same(derived, want, ulps=4)


# From the special cases of the array API standard
@pytest.mark.parametrize(
    "y, x, want",
    [
        (0.0, 0.0, 0.0),
        (-0.0, 0.0, -0.0),
        (0.0, -0.0, pi),
        (-0.0, -0.0, -pi),
        (1.0, -0.0, pi / 2),
        (-1.0, 0.0, -pi / 2),
        (1.0, -inf, pi),
        (-1.0, inf, -0.0),
        (inf, 1.0, pi / 2),
        (inf, inf, pi / 4),
        (inf, -inf, 3 * pi / 4),
        (-inf, -inf, -3 * pi / 4),
        (nan, 1.0, nan),
    ],
)
@pytest.mark.usefixtures("quiet")
def test_atan2_gives_the_standards_angle_when_numbers_are_special(bodies, y, x, want):
    a, b = np.float64([y]), np.float64([x])

    native = tv.atan2(tv.asarray(a), tv.asarray(b)).numpy()

    assert_same(native, np.float64([want]), ulps=1)
    assert_same(bodies.atan2(a, b), np.float64([want]), ulps=1)


@pytest.mark.usefixtures("quiet")
@pytest.mark.parametrize(
    "name, x, want",
    [
        ("acos", 1.0, 0.0),
        ("acos", -1.0, pi),
        ("acos", 1.1, nan),
        ("acosh", 1.0, 0.0),
        ("acosh", 0.9, nan),
        ("acosh", 1e300, math.acosh(1e300)),
        ("asin", -0.0, -0.0),
        ("asin", 1.0, pi / 2),
        ("asinh", -inf, -inf),
        ("asinh", 1e300, math.asinh(1e300)),
        ("atanh", -1.0, -inf),
        ("atanh", 2.0, nan),
        ("cosh", -inf, inf),
        ("cosh", 710.4, math.cosh(710.4)),
        ("sinh", -0.0, -0.0),
        ("sinh", -710.4, math.sinh(-710.4)),
        ("tan", inf, nan),
        ("tanh", -inf, -1.0),
        ("tanh", 1e-300, 1e-300),
    ],
)
def test_a_special_number_gives_what_the_standard_says(bodies, name, x, want):
    one = np.float64([x])

    assert_same(getattr(tv, name)(tv.asarray(one)).numpy(), np.float64([want]), ulps=1)
    assert_same(getattr(bodies, name)(one), np.float64([want]), ulps=4)


@pytest.mark.usefixtures("quiet")
@pytest.mark.parametrize("shape", [(), (0,), (2, 0), (1,)])
@pytest.mark.parametrize("name", DERIVED)
def test_shapes_stay_when_a_tensor_is_empty_or_0_d(bodies, name, shape):
    x = np.ones(shape, np.float32)

    assert getattr(tv, name)(tv.asarray(x)).shape == shape
    assert getattr(bodies, name)(x).shape == shape


def test_atan2_promotes_when_dtypes_differ(bodies):
    y, x = np.float64([1.0]), np.float32([-1.0])

    assert tv.atan2(tv.asarray(y), tv.asarray(x)).dtype == tv.float64
    assert bodies.atan2(y, x).dtype == np.float64
    assert bodies.atan2(x, y).dtype == np.float64


@pytest.mark.parametrize("name", [n for n in DERIVED if n != "tan"])
def test_a_body_refuses_complex_dtypes_when_it_holds_for_real_ones_alone(bodies, name):
    with pytest.raises(NotImplementedError) as caught:
        getattr(bodies, name)(np.array([1j]))

    assert (
        str(caught.value) == f"the backend bodies has no op {name} for complex dtypes."
    )


@pytest.mark.parametrize("name", UNARY)
def test_complex_numbers_are_numpys(name):
    z = np.array([0.3 + 0.4j, -1.5 + 0.1j])

    got = getattr(tv, name)(tv.asarray(z)).numpy()

    np.testing.assert_array_equal(got, getattr(np, name)(z))


@pytest.mark.parametrize("name", [*UNARY, "atan2"])
def test_a_function_is_a_method_too(name):
    assert getattr(tv.Tensor, name) is getattr(tv, name)


def test_atan2_names_its_dtypes_when_numbers_are_complex():
    with pytest.raises(DTypeError) as caught:
        tv.atan2(tv.asarray([1j]), 2.0)

    assert str(caught.value) == (
        "atan2: the dtype complex64 is not one that this op takes; it takes real "
        "floating. Cast with .astype(...)."
    )
