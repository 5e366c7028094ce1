"""Arithmetic, exponentials, rounding and signs against NumPy and the standard."""

import math

import numpy as np
import pytest
from arrays import assert_same

import trivet as tv
from trivet.errors import DTypeError, ShapeError

FLOATS = ("float16", "float32", "float64")
INTEGERS = ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64")
inf, nan = math.inf, math.nan

ROUNDING = ("ceil", "floor", "round", "sign", "trunc", "signbit")
UNARY = (
    *ROUNDING,
    *("abs", "negative", "positive", "reciprocal", "square", "sqrt"),
    *("exp", "exp2", "expm1", "log", "log1p", "log2", "log10", "conj", "real"),
)
BINARY = (
    *("add", "subtract", "multiply", "divide", "floor_divide", "remainder", "pow"),
    *("maximum", "minimum", "copysign", "hypot", "logaddexp", "nextafter", "fmod"),
)
DERIVED = (
    *("abs", "ceil", "expm1", "log10", "log1p", "log2", "negative", "reciprocal"),
    *("exp2", "round", "sign", "signbit", "square", "trunc"),
)
DERIVED_PAIRS = ("copysign", "fmod", "hypot", "maximum", "minimum")


def numbers(dtype):
    """Special and ordinary numbers of a dtype, to the ends of its range."""
    info = np.finfo(dtype)
    top = math.log(float(info.max))
    special = [0.0, -0.0, inf, -inf, nan, 0.5, -0.5, 1.5, 2.5, -2.5, 1.0, -1.0]
    special += [float(s * x) for x in (info.max, info.tiny, info.eps) for s in (1, -1)]
    special += [0.49999999999999994, -0.3, 1e-3, -1e-3, 8, 255, 257, 2048.5]
    special += [top * 0.999, -top * 0.999, top * 1.01, 11.5, -11.5, -1 + info.eps]
    ordinary = np.random.default_rng(7).normal(scale=3, size=40)
    return np.array([*special, *ordinary]).astype(dtype)


@pytest.mark.usefixtures("quiet")
@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("name", UNARY)
def test_a_function_of_one_tensor_is_numpys_when_dtypes_are_floating(name, dtype):
    x = numbers(dtype)

    got = getattr(tv, name)(tv.asarray(x)).numpy()

    assert_same(got, getattr(np, name)(x))


@pytest.mark.usefixtures("quiet")
@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("name", BINARY)
def test_a_function_of_two_tensors_is_numpys_when_they_broadcast(name, dtype):
    x = numbers(dtype)

    got = getattr(tv, name)(tv.asarray(x), tv.asarray(x[:, None])).numpy()

    assert_same(got, getattr(np, name)(x, x[:, None]))


@pytest.mark.usefixtures("quiet")
@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("name", DERIVED)
def test_a_derived_body_agrees_with_numpy_when_numbers_are_special(bodies, name, dtype):
    x = numbers(dtype)

    got = getattr(bodies, name)(x)

    assert_same(got, getattr(np, name)(x), ulps=4)


@pytest.mark.usefixtures("quiet")
@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("name", DERIVED_PAIRS)
def test_a_derived_body_of_two_agrees_with_numpy_when_numbers_are_special(
    bodies, name, dtype
):
    x = numbers(dtype)
    # of two zeros the larger, and the smaller, may have either sign
    y = x[x != 0] if name in {"maximum", "minimum"} else x

    got = getattr(bodies, name)(x, y[:, None])

    assert_same(got, getattr(np, name)(x, y[:, None]), ulps=4)


@pytest.mark.usefixtures("quiet")
@pytest.mark.parametrize("dtype", FLOATS)
def test_the_body_of_logaddexp_agrees_with_numpy_when_numbers_are_special(
    bodies, dtype
):
    x = numbers(dtype)
    eps = float(np.finfo(dtype).eps)

    got = bodies.logaddexp(x, x[:, None])

    want = np.logaddexp(x, x[:, None])
    np.testing.assert_allclose(got, want, rtol=4 * eps, atol=4 * eps)


@pytest.mark.parametrize(
    "first, second", [("float16", "float64"), ("float64", "float32")]
)
@pytest.mark.parametrize("name", DERIVED_PAIRS)
def test_a_derived_body_promotes_when_dtypes_differ(bodies, name, first, second):
    x, y = np.array([1, -2, 3], first), np.array([-2, 1, 0.5], second)

    got = getattr(bodies, name)(x, y)

    assert got.dtype == np.promote_types(first, second)
    np.testing.assert_allclose(got, getattr(np, name)(x, y), rtol=1e-15)


@pytest.mark.usefixtures("quiet")
@pytest.mark.parametrize("dtype", INTEGERS)
@pytest.mark.parametrize(
    "name", ["abs", "ceil", "negative", "positive", "round", "sign", "square", "trunc"]
)
def test_a_function_of_integers_keeps_the_dtype_and_wraps(bodies, name, dtype):
    info = np.iinfo(dtype)
    x = np.array([info.min, info.min + 1, 0, 1, 3, info.max], dtype)
    want = getattr(np, name)(x)

    native = getattr(tv, name)(tv.asarray(x)).numpy()
    derived = getattr(bodies, name)(x)

    assert_same(native, want)
    assert_same(derived, want)


@pytest.mark.parametrize("shape", [(), (0,), (2, 0), (1,)])
@pytest.mark.parametrize("name", DERIVED)
def test_shapes_stay_when_a_tensor_is_empty_or_0_d(bodies, name, shape):
    x = np.ones(shape, np.float32)

    assert getattr(tv, name)(tv.asarray(x)).shape == shape
    assert getattr(bodies, name)(x).shape == shape


@pytest.mark.parametrize("name", DERIVED)
def test_a_view_gives_what_its_copy_gives_when_it_is_not_contiguous(bodies, name):
    x = np.linspace(0.1, 5, 24, dtype=np.float64).reshape(4, 6)[::-2, ::3].T

    got = getattr(tv, name)(tv.asarray(x)).numpy()

    assert_same(got, getattr(np, name)(x.copy()))


# From the special cases of the array API standard
@pytest.mark.usefixtures("quiet")
@pytest.mark.parametrize(
    "name, x1, x2, want",
    [
        ("add", inf, -inf, nan),
        ("add", -0.0, -0.0, -0.0),
        ("subtract", inf, inf, nan),
        ("multiply", 0.0, -inf, nan),
        ("divide", 1.0, -0.0, -inf),
        ("divide", 0.0, 0.0, nan),
        ("floor_divide", -1.0, inf, -1.0),
        ("remainder", -1.0, 3.0, 2.0),
        ("remainder", 1.0, 0.0, nan),
        ("pow", nan, 0.0, 1.0),
        ("pow", 1.0, nan, 1.0),
        ("pow", -0.0, -1.0, -inf),
        ("pow", -8.0, 0.5, nan),
        ("maximum", nan, 1.0, nan),
        ("maximum", 1.0, nan, nan),
        ("minimum", -inf, 1.0, -inf),
        ("copysign", nan, -1.0, nan),
        ("copysign", 2.0, -0.0, -2.0),
        ("hypot", inf, nan, inf),
        ("hypot", 3e38, 0.0, 3e38),
        ("logaddexp", -inf, -inf, -inf),
        ("logaddexp", inf, -inf, inf),
        ("logaddexp", nan, inf, nan),
    ],
)
def test_two_special_numbers_give_what_the_standard_says(bodies, name, x1, x2, want):
    x, y = np.float64([x1]), np.float64([x2])

    assert_same(
        getattr(tv, name)(tv.asarray(x), tv.asarray(y)).numpy(), np.float64([want])
    )
    assert_same(getattr(bodies, name)(x, y), np.float64([want]))


@pytest.mark.usefixtures("quiet")
@pytest.mark.parametrize(
    "name, x, want",
    [
        ("abs", -0.0, 0.0),
        ("abs", -inf, inf),
        ("ceil", -0.5, -0.0),
        ("exp", -inf, 0.0),
        ("expm1", -0.0, -0.0),
        ("expm1", -inf, -1.0),
        ("expm1", 700.0, math.expm1(700.0)),
        ("log", 0.0, -inf),
        ("log", -1.0, nan),
        ("log1p", -1.0, -inf),
        ("log1p", -2.0, nan),
        ("log1p", -inf, nan),
        ("log1p", -0.0, -0.0),
        ("log1p", 1e308, math.log1p(1e308)),
        ("negative", 0.0, -0.0),
        ("reciprocal", -0.0, -inf),
        ("round", -0.4, -0.0),
        ("round", 2.5, 2.0),
        ("round", -3.5, -4.0),
        ("round", 0.49999999999999994, 0.0),
        ("sign", -0.0, 0.0),
        ("sign", nan, nan),
        ("sqrt", -0.0, -0.0),
        ("sqrt", -1.0, nan),
        ("trunc", -0.9, -0.0),
    ],
)
def test_a_special_number_gives_what_the_standard_says(bodies, name, x, want):
    one = np.float64([x])

    assert_same(getattr(tv, name)(tv.asarray(one)).numpy(), np.float64([want]), ulps=1)
    assert_same(getattr(bodies, name)(one), np.float64([want]), ulps=1)


def test_complex_numbers_have_parts_and_conjugates():
    z = tv.asarray([3 - 4j, 1j])

    assert tv.real(z).tolist() == [3.0, 0.0]
    assert tv.imag(z).tolist() == [-4.0, 1.0]
    assert tv.conj(z).tolist() == [3 + 4j, -1j]
    assert tv.abs(z).tolist() == [5.0, 1.0]


def test_the_body_of_negative_turns_both_signs_when_a_number_is_complex(bodies):
    z = np.array([complex(inf, -1), complex(0.0, -0.0)])

    got = bodies.negative(z)

    assert_same(got.view(np.float64), np.float64([-inf, 1, -0.0, 0.0]))


@pytest.mark.parametrize(
    "name", ["abs", "conj", "expm1", "log1p", "real", "round", "sign"]
)
def test_a_body_refuses_complex_dtypes_when_it_holds_for_real_ones_alone(bodies, name):
    with pytest.raises(NotImplementedError) as caught:
        getattr(bodies, name)(np.array([1j]))

    assert (
        str(caught.value) == f"the backend bodies has no op {name} for complex dtypes."
    )


@pytest.mark.parametrize("name", [*UNARY, *BINARY, "clip"])
def test_a_function_is_a_method_unless_it_reads_like_an_attribute(name):
    assert (getattr(tv.Tensor, name, None) is getattr(tv, name)) == (name != "real")


def test_a_number_takes_the_dtype_of_the_tensor_when_its_kind_can_hold_it():
    x = tv.asarray([1, 2], dtype="int8")

    assert tv.add(x, 1).dtype == tv.int8
    assert tv.subtract(1, x).tolist() == [0, -1]
    assert tv.multiply(x, 0.5).dtype == tv.float64
    assert tv.add(tv.asarray([1.0], dtype="float16"), 1).dtype == tv.float16
    assert tv.maximum(tv.asarray([1.0]), np.float64(2)).dtype == tv.float32


# ---- clip ---------------------------------------------------------------------------


def test_clip_keeps_elements_between_numbers():
    x = tv.asarray([-2.0, 0.5, 9.0])

    assert tv.clip(x, -1, 1).tolist() == [-1.0, 0.5, 1.0]
    assert tv.clip(x, min=0).tolist() == [0.0, 0.5, 9.0]
    assert tv.clip(x, max=0).tolist() == [-2.0, 0.0, 0.0]
    assert tv.clip(x).tolist() == [-2.0, 0.5, 9.0]


def test_clip_broadcasts_when_bounds_are_tensors():
    x = tv.asarray([[1, 5], [1, 5]])

    got = x.clip(tv.asarray([2, 0]), tv.asarray([[3], [4]]))

    assert got.tolist() == [[2, 3], [2, 4]]


def test_clip_keeps_the_dtype_when_bounds_are_wider():
    x = tv.asarray([1, 5], dtype="int8")

    got = tv.clip(x, tv.asarray([2, 2], dtype="int64"), 3.5)

    assert got.dtype == tv.int8
    assert got.tolist() == [2, 3]


def test_clip_gives_max_when_min_is_above_it_and_nan_when_there_is_one():
    got = tv.clip(tv.asarray([0.0, nan]), 3, 1)

    assert got.tolist()[0] == 1.0
    assert math.isnan(got.tolist()[1])


# ---- what goes wrong -----------------------------------------------------------------


def test_add_names_shapes_and_axis_when_they_do_not_broadcast():
    with pytest.raises(ShapeError) as caught:
        tv.add(tv.zeros((2, 3)), tv.zeros(4))

    assert str(caught.value) == (
        "add: the shapes (2, 3) and (4,) do not broadcast: axis -1 has the sizes 3 and "
        "4. Sizes must be equal or 1."
    )


def test_floor_divide_names_its_dtypes_when_numbers_are_complex():
    with pytest.raises(DTypeError) as caught:
        tv.floor_divide(tv.asarray([1j]), 2)

    assert str(caught.value) == (
        "floor_divide: the dtype complex64 is not one that this op takes; it takes "
        "real floating or signed integer or unsigned integer. Cast with .astype(...)."
    )


def test_add_names_the_dtype_when_a_number_does_not_fit():
    with pytest.raises(DTypeError) as caught:
        tv.add(tv.asarray([1], dtype="int8"), 300)

    assert str(caught.value) == (
        "add: the number 300 does not fit the dtype int8. A Python number takes the "
        "tensor's dtype: cast the tensor with .astype(...) first."
    )


@pytest.mark.parametrize(
    "function, place",
    [
        (lambda: tv.exp([1.0]), "exp: the first"),
        (lambda: tv.clip([1.0], 0, 1), "clip: the first"),
        (lambda: tv.clip(tv.zeros(1), [0.0]), "clip: the second"),
        (lambda: tv.add(tv.zeros(1), [0.0]), "add: the second"),
        (lambda: tv.add([0.0], tv.zeros(1)), "add: the first"),
    ],
)
def test_a_list_is_refused_when_a_tensor_is_wanted(function, place):
    with pytest.raises(TypeError) as caught:
        function()

    assert str(caught.value) == (
        f"{place} operand is a builtins.list, not a tensor. Nothing is converted "
        "silently: call tv.asarray(...) on it first."
    )


def test_two_numbers_are_refused_because_no_backend_is_named():
    with pytest.raises(TypeError) as caught:
        tv.add(1.0, 2.0)

    assert str(caught.value) == (
        "add: the first operand is the number 1.0, not a tensor. Nothing is converted "
        "silently: call tv.asarray(...) on it first."
    )


@pytest.mark.parametrize("shape", [(3,), (), (0, 2)])
def test_accumulate_adds_and_reuses_the_memory_of_an_array(shape):
    backend = tv.backend("ndarray")
    total = backend.add(np.ones(shape, np.float32), np.ones(shape, np.float32))

    result = backend.accumulate(total, np.full(shape, 3, np.float32))

    assert result.dtype == np.float32
    assert np.array_equal(result, np.full(shape, 5))
    assert not shape or result is total


@pytest.mark.parametrize("dtype", ["int8", "int64", "float32", "complex64"])
def test_a_power_of_two_is_the_square(dtype):
    x = np.array([-3, 0, 2, 11]).astype(dtype)

    for two in (2, tv.asarray(2, dtype=dtype)):
        got = tv.pow(tv.asarray(x), two)
        assert got.dtype.name == dtype
        np.testing.assert_array_equal(got.numpy(), x * x)


def test_clip_of_much_keeps_nan_and_the_dtype():
    x = np.linspace(-2, 2, 10_000, dtype=np.float32)
    x[5] = np.nan
    low = np.full(10_000, -0.5)

    plain = tv.clip(tv.asarray(x), -1.0, 1.0)
    wide = tv.clip(tv.asarray(x), tv.asarray(low), 1)

    np.testing.assert_array_equal(
        plain.numpy(), np.clip(x, np.float32(-1), np.float32(1))
    )
    np.testing.assert_array_equal(
        wide.numpy(), np.clip(x, np.float32(-0.5), np.float32(1)), strict=True
    )
