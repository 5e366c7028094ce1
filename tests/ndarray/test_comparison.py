"""Comparisons, logic and selection against NumPy and the standard."""

import math
import operator

import numpy as np
import pytest

import trivet as tv
from trivet.errors import DTypeError, ShapeError

inf, nan = math.inf, math.nan
PAIRS = (
    *("equal", "not_equal", "less", "less_equal", "greater", "greater_equal"),
    *("logical_and", "logical_or", "logical_xor"),
)
SINGLES = ("isfinite", "isinf", "isnan", "logical_not")
ARRAYS = (
    np.array([0.0, -0.0, 1.0, -inf, inf, nan]),
    np.array([0.0, 1.5, -inf, nan], np.float16),
    np.array([-128, -1, 0, 1, 127], np.int8),
    np.array([0, 1, 2**64 - 1], np.uint64),
    np.array([True, False]),
)


@pytest.mark.parametrize("x", ARRAYS, ids=lambda x: x.dtype.name)
@pytest.mark.parametrize("name", PAIRS)
def test_a_predicate_of_two_is_numpys_when_they_broadcast(bodies, name, x):
    want = getattr(np, name)(x[:, None], x)

    native = getattr(tv, name)(tv.asarray(x[:, None]), tv.asarray(x)).numpy()
    derived = getattr(bodies, name)(x[:, None], x)

    np.testing.assert_array_equal(native, want, strict=True)
    np.testing.assert_array_equal(derived, want, strict=True)


@pytest.mark.parametrize("number", [0, 1, True, 0.5])
@pytest.mark.parametrize("x", ARRAYS, ids=lambda x: x.dtype.name)
@pytest.mark.parametrize("name", PAIRS)
def test_a_predicate_takes_a_number_on_either_side(bodies, name, x, number):
    function, numpys = getattr(tv, name), getattr(np, name)

    left, right = function(number, tv.asarray(x)), function(tv.asarray(x), number)

    np.testing.assert_array_equal(left.numpy(), numpys(number, x), strict=True)
    np.testing.assert_array_equal(right.numpy(), numpys(x, number), strict=True)
    derived = getattr(bodies, name)(number, x)
    np.testing.assert_array_equal(derived, numpys(number, x), strict=True)


@pytest.mark.parametrize("x", ARRAYS, ids=lambda x: x.dtype.name)
@pytest.mark.parametrize("name", SINGLES)
def test_a_predicate_of_one_is_numpys(bodies, name, x):
    if x.dtype == bool and name != "logical_not":
        pytest.skip("NaN and infinity are asked of numbers")

    native = getattr(tv, name)(tv.asarray(x)).numpy()
    derived = getattr(bodies, name)(x)

    np.testing.assert_array_equal(native, getattr(np, name)(x), strict=True)
    np.testing.assert_array_equal(derived, getattr(np, name)(x), strict=True)


@pytest.mark.parametrize(
    "z, finite, infinite, not_a_number",
    [
        (complex(1, inf), False, True, False),
        (complex(nan, 0), False, False, True),
        (complex(nan, -inf), False, True, True),
        (complex(1, 2), True, False, False),
    ],
)
def test_a_complex_number_is_judged_by_both_parts(z, finite, infinite, not_a_number):
    x = tv.asarray([z])

    assert tv.isfinite(x).tolist() == [finite]
    assert tv.isinf(x).tolist() == [infinite]
    assert tv.isnan(x).tolist() == [not_a_number]


@pytest.mark.parametrize("shape", [(), (0,), (2, 0)])
@pytest.mark.parametrize("name", [*PAIRS, *SINGLES])
def test_shapes_stay_when_a_tensor_is_empty_or_0_d(bodies, name, shape):
    x = np.ones(shape)
    count = 1 if name in SINGLES else 2

    assert getattr(tv, name)(*[tv.asarray(x)] * count).shape == shape
    assert getattr(bodies, name)(*[x] * count).shape == shape


@pytest.mark.parametrize("name", [*PAIRS, *SINGLES])
def test_a_predicate_is_a_method_too(name):
    assert getattr(tv.Tensor, name) is getattr(tv, name)


@pytest.mark.parametrize(
    "function", [operator.lt, operator.le, operator.gt, operator.ge, operator.eq]
)
def test_an_operator_compares_with_a_number(function):
    x = np.array([1.0, 2.0, 3.0])

    assert function(tv.asarray(x), 2).tolist() == function(x, 2).tolist()
    assert function(2, tv.asarray(x)).tolist() == function(2, x).tolist()


# ---- where --------------------------------------------------------------------------


def test_where_chooses_by_the_condition_when_all_three_broadcast():
    condition = tv.asarray([[True], [False]])

    got = tv.where(condition, tv.asarray([1, 2]), tv.asarray(9))

    assert got.tolist() == [[1, 2], [9, 9]]


def test_where_promotes_when_dtypes_differ():
    yes = tv.asarray([True, False])

    got = tv.where(yes, tv.asarray([1, 2], dtype="int8"), tv.asarray([0.5, 0.5]))

    assert got.dtype == tv.float32
    assert got.tolist() == [1.0, 0.5]


def test_where_gives_a_number_the_dtype_of_the_tensor_beside_it():
    yes = tv.asarray([True, False])
    x = tv.asarray([1.0, 2.0], dtype="float16")

    assert tv.where(yes, x, 0).dtype == tv.float16
    assert tv.where(yes, 0.5, x).tolist() == [0.5, 2.0]
    assert tv.where(yes, tv.asarray([1, 2]), 0.5).dtype == tv.float64


@pytest.mark.parametrize(
    "x1, x2, dtype",
    [
        (1.5, 0.0, tv.float32),
        (1, 0, tv.int64),
        (True, False, tv.bool),
        (1, 0.0, tv.float32),
        (True, 2, tv.int64),
        (1j, 0.0, tv.complex64),
        (np.float64(1.5), np.int32(0), tv.float32),
    ],
)
def test_where_has_the_default_dtype_of_their_kind_when_both_are_numbers(x1, x2, dtype):
    got = tv.where(tv.asarray([True, False]), x1, x2)

    assert got.dtype == dtype
    assert got.tolist() == [x1, x2]


def test_where_follows_the_backend_when_both_are_numbers():
    wide = tv.backend("ndarray").__class__(default_float="float64")
    condition = tv.asarray([True], backend=wide)

    got = tv.where(condition, 1.0, 2.0)

    assert got.dtype == tv.float64
    assert got.backend is wide


def test_where_stays_empty_when_the_condition_is():
    assert tv.where(tv.asarray([], dtype="bool"), 1.0, 0.0).shape == (0,)


def test_where_refuses_a_condition_of_numbers():
    with pytest.raises(DTypeError) as caught:
        tv.where(tv.asarray([1, 0]), 1.0, 2.0)

    assert str(caught.value) == (
        "where: the condition has the dtype int64, and must be bool. Compare it first, "
        "for example condition != 0."
    )


def test_where_of_a_condition_alone_gives_its_places():
    rows, cols = tv.where(tv.asarray([[True, False], [False, True]]))

    assert (rows.tolist(), cols.tolist()) == ([0, 1], [0, 1])


def test_where_refuses_one_choice_of_two():
    with pytest.raises(TypeError, match=r"^where: the third operand is a builtins.Non"):
        tv.where(tv.asarray([True]), tv.asarray([1.0]))


def test_where_names_all_shapes_when_they_do_not_broadcast():
    with pytest.raises(ShapeError) as caught:
        tv.where(tv.asarray([True, False]), tv.zeros(3), 0.0)

    assert str(caught.value) == (
        "where: the shapes (2,) and (3,) do not broadcast: axis -1 has the sizes 2 and "
        "3. Sizes must be equal or 1."
    )


def test_where_refuses_a_list():
    with pytest.raises(TypeError) as caught:
        tv.where(tv.asarray([True]), [1.0], 0.0)

    assert str(caught.value) == (
        "where: the second operand is a builtins.list, not a tensor. Nothing is "
        "converted silently: call tv.asarray(...) on it first."
    )


def test_where_refuses_a_bare_truth_value_as_its_condition():
    with pytest.raises(TypeError) as caught:
        tv.where(True, tv.zeros(1), 0.0)

    assert str(caught.value) == (
        "where: the first operand is the number True, not a tensor. Nothing is "
        "converted silently: call tv.asarray(...) on it first."
    )


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("other", [np.nan, np.inf, -0.0, 1.5])
def test_where_selects_zero_or_any_element_of_a_large_array(dtype, other):
    backend = tv.backend("ndarray")
    condition = np.arange(1024).reshape(32, 32) % 3 == 0
    x = np.full((32, 32), other, dtype)
    bits = x.view(f"i{x.itemsize}")

    kept = backend.where(condition, x, 0)
    gone = backend.where(condition, 0.0, x)

    assert kept.dtype == gone.dtype == dtype
    assert (kept.view(bits.dtype)[condition] == bits[condition]).all()
    assert (gone.view(bits.dtype)[~condition] == bits[~condition]).all()
    assert not kept.view(bits.dtype)[~condition].any()
    assert not gone.view(bits.dtype)[condition].any()


def test_where_of_a_large_array_keeps_the_sign_of_minus_zero():
    condition = np.ones(1024, bool)

    found = tv.backend("ndarray").where(condition, -0.0, np.ones(1024, np.float32))

    assert np.signbit(found).all()


def test_where_selects_from_large_strided_and_broadcast_arrays():
    backend = tv.backend("ndarray")
    x = np.arange(4096.0).reshape(64, 64)
    condition = np.arange(64) % 2 == 0

    turned = backend.where((x > 100).T, 0, x.T)
    spread = backend.where(condition, x, 0)

    assert turned.sum() == 100 * 101 / 2
    assert spread.sum() == x[:, ::2].sum()


# ---- large selections: bits instead of branches -------------------------------------

FLOATS = ("float16", "float32", "float64", "complex64", "complex128")
SIDE = 120  # squared, more than is chosen element by element
MIXED = np.random.default_rng(0).integers(0, 2, (SIDE, SIDE)).astype(bool)
DRAWN = np.random.default_rng(1).standard_normal((2, SIDE, SIDE)) * 100


def assert_bits_equal(got, want):
    assert got.dtype.name == want.dtype.name
    np.testing.assert_array_equal(got.numpy().view("u1"), want.view("u1"))


@pytest.mark.parametrize("dtype", ["bool", "int8", "uint16", "int64", *FLOATS])
@pytest.mark.parametrize("mask", [MIXED, MIXED.T, MIXED[0], np.sort(MIXED, None)])
def test_where_gives_each_element_as_it_is_when_many_are_chosen(dtype, mask):
    mask = mask.reshape(-1, SIDE)
    x, y = (a.astype(dtype) for a in DRAWN)
    if dtype.startswith("float"):
        x[:, ::2], y[::3] = np.nan, -0.0
    m, a, b = (tv.asarray(one) for one in (mask, x, y))

    assert_bits_equal(tv.where(m, a, b), np.where(mask, x, y))
    assert_bits_equal(tv.where(m, a, b[0]), np.where(mask, x, y[0]))
    assert_bits_equal(tv.where(m, a.T, b), np.where(mask, x.T, y))


@pytest.mark.parametrize("number", [0, 0.0, -0.0, 2.5, math.inf, math.nan])
def test_where_takes_a_number_when_many_are_chosen(number):
    x = DRAWN[0].astype("float32")
    m, a = tv.asarray(MIXED), tv.asarray(x)

    assert_bits_equal(tv.where(m, a, number), np.where(MIXED, x, np.float32(number)))
    assert_bits_equal(tv.where(m, number, a), np.where(MIXED, np.float32(number), x))


def test_where_promotes_when_many_are_chosen():
    x, y = DRAWN[0].astype("int16"), DRAWN[1].astype("float32")

    got = tv.where(tv.asarray(MIXED), tv.asarray(x), tv.asarray(y))

    assert_bits_equal(got, np.where(MIXED, x, y))
