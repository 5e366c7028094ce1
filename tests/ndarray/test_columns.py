"""Many short rows: NumPy's and SciPy's values, and those of the rows by themselves."""

import math

import numpy as np
import pytest
import scipy.special

import trivet as tv

WIDTHS = (2, 3, 7, 8, 9, 10, 13, 16, 20, 24, 48)
ROWS = 5000
FEW = 40  # rows that no function takes for many

CHAINS = {
    "softmax": (tv.nn.softmax, scipy.special.softmax),
    "log_softmax": (tv.nn.log_softmax, scipy.special.log_softmax),
    "logsumexp": (tv.special.logsumexp, scipy.special.logsumexp),
}


def rows(width, dtype="float64", count=ROWS):
    """Numbers of many sizes, so that the order of a sum shows in its last bits."""
    rng = np.random.default_rng(width)
    x = rng.standard_normal((count, width)) * 10 ** rng.uniform(-2, 2, (count, width))
    return (x > 0) if dtype == "bool" else x.astype(dtype)


def odd_rows(width, dtype="float64"):
    """Some rows with NaN, infinities and zeros of both signs, and some of one alone."""
    x, rng = rows(width, dtype), np.random.default_rng(0)
    for value in (math.nan, math.inf, -math.inf, 0.0, -0.0):
        x[rng.random(x.shape) < 0.02] = value
    x[:4] = np.array([[-math.inf], [-0.0], [math.inf], [math.nan]])
    return x


def same(got, want):
    np.testing.assert_array_equal(got.numpy(), want, strict=True)


@pytest.mark.usefixtures("quiet")
@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("dtype", ["float32", "float64", "int64", "uint64"])
@pytest.mark.parametrize("name", ["sum", "prod"])
def test_totals_of_short_rows_are_numpys_to_the_bit(name, dtype, width):
    x = odd_rows(width, dtype) if dtype[0] == "f" else rows(width, dtype)

    got = getattr(tv, name)(tv.asarray(x), axis=1)

    want = getattr(np, name)(x, axis=1)
    same(got, want)
    defined = ~np.isnan(want)
    np.testing.assert_array_equal(
        np.signbit(got.numpy())[defined], np.signbit(want)[defined]
    )


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_sums_of_short_rows_are_within_their_width_of_the_exact_ones(dtype, width):
    x = rows(width, dtype)

    got = tv.sum(tv.asarray(x), axis=1).numpy().astype("float64")

    exact = np.array([math.fsum(row) for row in x.tolist()])
    bound = width * np.finfo(dtype).eps * np.abs(x.astype("float64")).sum(1)
    assert (np.abs(got - exact) <= bound).all()


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize(
    "dtype", ["float16", "float32", "float64", "int8", "uint16", "int32", "int64"]
)
@pytest.mark.parametrize("name", ["max", "min", "argmax", "argmin"])
def test_extremes_of_short_rows_are_numpys(name, dtype, width):
    x = odd_rows(width, dtype) if dtype[0] == "f" else rows(width, dtype) // 8

    got = getattr(tv, name)(tv.asarray(x), axis=1)

    same(got, getattr(np, name)(x, axis=1))


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("dtype", ["bool", "int8", "float32", "float64"])
@pytest.mark.parametrize("name", ["any", "all", "count_nonzero"])
def test_truths_of_short_rows_are_numpys(name, dtype, width):
    x = rows(width, dtype)
    x[::3] = 0
    x[1::3] = 1
    if dtype[0] == "f":
        x[2::30, 0] = math.nan
        x[3::30] = -0.0

    same(getattr(tv, name)(tv.asarray(x), axis=1), getattr(np, name)(x, axis=1))


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("name", ["mean", "var", "std"])
def test_moments_of_short_rows_are_those_of_float64(name, dtype, width):
    x = rows(width, dtype)

    got = getattr(tv, name)(tv.asarray(x), axis=1).numpy()

    wide = x.astype("float64")
    scale = np.abs(wide).max(1) ** (2 if name == "var" else 1)
    error = np.abs(got - getattr(np, name)(wide, axis=1)) / scale
    assert got.dtype == dtype
    assert error.max() < 16 * np.finfo(dtype).eps


@pytest.mark.parametrize("correction", [3, 4])
def test_variances_of_short_rows_are_nan_when_the_correction_takes_all(correction):
    x = tv.asarray(rows(3))

    assert np.isnan(tv.var(x, axis=1, correction=correction).numpy()).all()


@pytest.mark.usefixtures("quiet")
@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("name", CHAINS)
def test_exponentials_of_short_rows_are_scipys(name, dtype, width):
    x = rows(width, dtype)
    x[:100, 0] = -math.inf
    x[100:200, -1] = math.nan
    ours, scipys = CHAINS[name]

    got = ours(tv.asarray(x), axis=1).numpy()

    assert got.dtype == dtype
    # the difference from the maximum is rounded before its exponential is taken
    tolerance = 4 * np.finfo(dtype).eps * np.nanmax(np.abs(x[200:]))
    want = scipys(x.astype("float64"), axis=1)
    np.testing.assert_allclose(got, want, rtol=tolerance, atol=tolerance)


def test_short_rows_of_infinities_have_the_limits():
    x = np.zeros((ROWS, 3), "float32")
    x[0], x[1, 0] = -math.inf, math.inf
    x = tv.asarray(x)

    with np.errstate(all="ignore"):
        sums = tv.special.logsumexp(x, axis=1).tolist()
        parts, logs = tv.nn.softmax(x, axis=1), tv.nn.log_softmax(x, axis=1)

    assert sums[:2] == [-math.inf, math.inf]
    assert sums[2] == pytest.approx(math.log(3), rel=1e-6)
    assert parts[0].tolist() == [0, 0, 0]
    assert logs[0].tolist() == [-math.inf] * 3


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_cross_entropy_of_short_rows_is_minus_scipys_logarithm(dtype, width):
    x = rows(width, dtype)
    classes = np.random.default_rng(1).integers(0, width, ROWS)

    got = tv.nn.cross_entropy(tv.asarray(x), tv.asarray(classes), reduction="none")

    want = -scipy.special.log_softmax(x.astype("float64"), axis=1)
    tolerance = 4 * np.finfo(dtype).eps * np.abs(x).max()
    np.testing.assert_allclose(
        got.numpy(), want[np.arange(ROWS), classes], rtol=tolerance, atol=tolerance
    )


ALONE = (
    *(getattr(tv, name) for name in ("sum", "prod", "mean", "var")),
    tv.special.logsumexp,
    tv.nn.softmax,
    tv.nn.log_softmax,
)


@pytest.mark.usefixtures("quiet")
@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("function", ALONE, ids=lambda f: f.__name__)
def test_what_a_row_gives_does_not_depend_on_how_many_there_are(function, dtype, width):
    x = odd_rows(width, dtype)

    many = function(tv.asarray(x), axis=1).numpy()

    for some in (slice(FEW), slice(-1, None), slice(700)):
        few = function(tv.asarray(x[some]), axis=1).numpy()
        np.testing.assert_array_equal(few, many[some])


@pytest.mark.parametrize("keepdims", [False, True])
@pytest.mark.parametrize("name", ["sum", "prod", "max", "argmin", "any", "var"])
def test_short_rows_of_more_axes_keep_their_places(name, keepdims):
    x = np.random.default_rng(2).integers(-2, 3, (50, 100, 5)).astype("float64")

    got = getattr(tv, name)(tv.asarray(x), axis=-1, keepdims=keepdims)

    want = getattr(np, name)(x, axis=-1, keepdims=keepdims)
    assert got.shape == want.shape
    np.testing.assert_allclose(got.numpy(), want, rtol=1e-15)


@pytest.mark.parametrize("name", ["sum", "max", "argmax", "mean"])
@pytest.mark.parametrize("lie", ["F", "back", "step", "part"])
def test_short_rows_may_lie_in_memory_in_any_way(name, lie):
    x = rows(8)
    ways = {"F": np.asfortranarray(x), "back": x[::-1, ::-1], "step": x[:, ::2]}
    x = ways.get(lie, x[:, :5])

    got = getattr(tv, name)(tv.asarray(x), axis=1).numpy()

    np.testing.assert_allclose(got, getattr(np, name)(x, axis=1), rtol=1e-13)


@pytest.mark.parametrize("function", ALONE, ids=lambda f: f.__name__)
def test_short_rows_are_only_read_and_give_memory_in_c_order(function):
    x = rows(5)
    before = x.copy()
    x.flags.writeable = False

    got = function(tv.asarray(x), axis=1).numpy()

    np.testing.assert_array_equal(x, before)
    assert got.flags.c_contiguous


@pytest.mark.parametrize("count", [0, 1])
def test_no_rows_and_rows_of_one_element_are_numpys(count):
    none, one = np.zeros((0, 5)), rows(count)

    same(tv.sum(tv.asarray(none), axis=1), none.sum(1))
    same(tv.nn.softmax(tv.asarray(none), axis=1), none)
    same(tv.sum(tv.asarray(one), axis=1), one.sum(1))
    same(tv.prod(tv.asarray(one), axis=1), one.prod(1))
