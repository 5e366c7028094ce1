"""Order statistics, covariances, counts and running extremes, against NumPy."""

import numpy as np
import pytest

import trivet as tv
from trivet.errors import AxisError, DTypeError, ShapeError, TensorIndexError

nan, inf = float("nan"), float("inf")
METHODS = ["linear", "lower", "higher", "midpoint", "nearest"]


def sample(dtype="float64"):
    return np.random.default_rng(11).normal(size=(3, 4, 5)).astype(dtype)


def along(axis, ndim=3):
    return axis if axis is None or isinstance(axis, tuple) else (axis % ndim,)


def same(got, want, digits=1e-12):
    got, want = np.asarray(got), np.asarray(want)
    assert (got.shape, got.dtype) == (want.shape, want.dtype)
    np.testing.assert_allclose(got, want, rtol=digits, atol=digits)


@pytest.mark.parametrize("axis", [None, 0, 1, -1, (0, 2), ()])
@pytest.mark.parametrize("keepdims", [False, True])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_median_is_numpys_along_all_axes(bodies, axis, keepdims, dtype):
    x = sample(dtype)

    got = tv.median(tv.asarray(x), axis=axis, keepdims=keepdims)

    want = x if axis == () else np.median(x, axis=axis, keepdims=keepdims)
    same(got.numpy(), want, 1e-6)
    same(bodies.median(x, axis=along(axis), keepdims=keepdims), want, 1e-6)


@pytest.mark.parametrize("dtype", ["bool", "int8", "uint64"])
def test_median_of_integers_is_float64(bodies, dtype):
    x = np.asarray([1, 0, 1, 0], dtype)

    got = tv.median(tv.asarray(x))

    assert (got.dtype, got.item()) == (tv.float64, 0.5)
    assert bodies.median(x, axis=None, keepdims=False) == 0.5


def test_median_of_nan_or_nothing_is_nan():
    x = tv.asarray([[1.0, nan], [2.0, 3.0]])

    assert np.isnan(tv.median(x).item())
    np.testing.assert_array_equal(tv.median(x, axis=1).numpy(), [nan, 2.5])
    np.testing.assert_array_equal(
        tv.median(tv.zeros((2, 0)), axis=1).numpy(), [nan] * 2
    )


def test_median_of_float16_does_not_overflow():
    x = tv.asarray([60000.0, 60000.0], dtype="float16")

    assert (tv.median(x).dtype, tv.median(x).item()) == (tv.float16, 60000.0)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("q", [0.0, 0.3, 1.0, [0.1, 0.5], [[0.25], [0.9]]])
@pytest.mark.parametrize("axis", [None, 1, (0, 2)])
def test_quantile_is_numpys(bodies, method, q, axis):
    x = sample()

    got = tv.quantile(tv.asarray(x), q, axis=axis, method=method)

    want = np.quantile(x, q, axis=axis, method=method)
    same(got.numpy(), want)
    body = bodies.quantile(
        x, np.asarray(q), axis=along(axis), keepdims=False, method=method
    )
    same(body, want)


def test_quantile_keeps_dims_and_dtype():
    x = sample("float32")

    got = tv.quantile(tv.asarray(x), [0.2, 0.7], axis=(0, 1), keepdims=True)

    want = np.quantile(x, [0.2, 0.7], axis=(0, 1), keepdims=True)
    same(got.numpy(), want.astype("float32"), 1e-6)


def test_quantile_takes_a_tensor_of_parts():
    x = tv.asarray([1.0, 2.0, 4.0])

    got = tv.quantile(x, tv.asarray([0.25, -1.0, nan]))

    np.testing.assert_array_equal(got.numpy(), [1.5, nan, nan])


@pytest.mark.parametrize(
    "values, q, want",
    [
        ([inf, inf], 0.5, inf),
        ([-inf, 0.0, inf], 0.25, -inf),
        ([-inf, 0.0, inf], 0.5, 0.0),
        ([0.0, inf], 0.0, 0.0),
        ([1.7e308, -1.7e308], 0.5, 0.0),
        ([0.1, 0.1, 0.1], 0.7, 0.1),
    ],
)
@pytest.mark.usefixtures("quiet")
def test_quantile_is_right_next_to_infinities(bodies, values, q, want):
    x = np.asarray(values)

    assert tv.quantile(tv.asarray(x), q).item() == want
    body = bodies.quantile(x, np.asarray(q), axis=None, keepdims=False, method="linear")
    assert body == want


def test_quantile_of_a_long_float32_finds_its_place_exactly():
    n = 2**25 + 1  # float32 has no odd numbers there
    x = tv.arange(n, dtype="float32") * 0
    x[n - 1] = 1.0

    assert tv.quantile(x, (n - 2) / (n - 1), method="higher").item() in {0.0, 1.0}
    assert tv.quantile(x, 1.0 - 1e-9).item() == pytest.approx(
        1 - 2**25 * 1e-9, rel=1e-3
    )


def test_quantiles_that_cannot_be_are_refused():
    x = tv.asarray([1.0])
    with pytest.raises(ValueError) as part:
        tv.quantile(x, 1.5)
    with pytest.raises(ValueError) as method:
        tv.quantile(x, 0.5, method="median")
    with pytest.raises(DTypeError) as dtype:
        tv.quantile(x, tv.asarray([1]))
    with pytest.raises(DTypeError):
        tv.quantile(tv.asarray([1j]), 0.5)
    with pytest.raises(AxisError):
        tv.quantile(x, 0.5, axis=1)

    assert str(part.value) == "quantile: q=1.5 is not from 0 to 1."
    assert str(method.value) == (
        "quantile: method='median' is not one of 'linear', 'lower', 'higher', "
        "'midpoint' and 'nearest'."
    )
    assert str(dtype.value) == (
        "quantile: q has the dtype int64 and must be real floating. Cast with "
        ".astype(...)."
    )


def test_pairs_are_variance_or_deviation_and_mean():
    x = sample()
    tensor = tv.asarray(x)

    var, mean = tv.var_mean(tensor, axis=1, correction=1, keepdims=True)
    found = tv.std_mean(tensor, axis=(0, 2))

    same(var.numpy(), x.var(1, ddof=1, keepdims=True))
    same(mean.numpy(), x.mean(1, keepdims=True))
    assert found._fields == ("std", "mean")
    same(found.std.numpy(), x.std((0, 2)))
    same(found.mean.numpy(), x.mean((0, 2)))


@pytest.mark.parametrize("dtype", ["int8", "float32", "float64", "complex128"])
@pytest.mark.parametrize("correction", [0, 1])
def test_cov_is_numpys(bodies, dtype, correction):
    x = sample()[0] * 10
    x = (x + 1j * x[::-1]).astype(dtype) if dtype == "complex128" else x.astype(dtype)

    got = tv.cov(tv.asarray(x), correction=correction)

    want = np.cov(x, ddof=correction)
    same(got.numpy().astype(want.dtype), want, 1e-5 if dtype == "float32" else 1e-12)
    if dtype != "complex128":
        same(bodies.cov(x, correction=correction).astype(want.dtype), want, 1e-4)


def test_cov_and_corrcoef_of_one_variable_are_numbers():
    x = sample()[0, 0]

    same(tv.cov(tv.asarray(x)).numpy(), np.cov(x))
    assert tv.corrcoef(tv.asarray(x)).item() == 1.0


@pytest.mark.parametrize("dtype", ["float64", "complex128"])
def test_corrcoef_is_numpys(dtype):
    x = sample()[0].astype(dtype)

    same(tv.corrcoef(tv.asarray(x)).numpy(), np.corrcoef(x))


def test_correlations_stay_within_their_bounds():
    row = np.random.default_rng(0).normal(size=1000).astype("float32")
    x = np.stack([row * scale for scale in (1, 3, 0.7, -0.3)])

    got = tv.corrcoef(tv.asarray(x)).numpy()

    assert np.abs(got).max() <= 1


def test_stack_of_matrices_has_no_covariance():
    for op in (tv.cov, tv.corrcoef):
        with pytest.raises(ShapeError) as caught:
            op(tv.zeros((2, 2, 2)))

        assert str(caught.value) == (
            f"{op.__name__}: a tensor of shape (2, 2, 2) holds no rows of samples; it "
            "must be 1-D or 2-D."
        )


@pytest.mark.parametrize("dtype", ["int8", "uint8", "int64", "uint64"])
def test_bincount_is_numpys(bodies, dtype):
    x = np.asarray([0, 5, 5, 2], dtype)
    weights = np.asarray([0.5, 1.0, 2.0, -1.0])

    counts = tv.bincount(tv.asarray(x), minlength=7)
    sums = tv.bincount(tv.asarray(x), weights=tv.asarray(weights))

    assert (counts.dtype, counts.tolist()) == (tv.int64, [1, 0, 1, 0, 0, 2, 0])
    assert (sums.dtype, sums.tolist()) == (tv.float64, [0.5, 0, -1.0, 0, 0, 3.0])
    assert bodies.bincount(x, minlength=7).tolist() == counts.tolist()
    assert bodies.bincount(x, weights, minlength=6).tolist() == sums.tolist()


def test_weights_keep_their_dtype_and_small_integers_widen():
    x = tv.asarray([0, 0])

    half = tv.bincount(x, weights=tv.asarray([1.0, 2.0], dtype="float16"))
    small = tv.bincount(x, weights=tv.asarray([100, 100], dtype="int8"))
    twisted = tv.bincount(x, weights=tv.asarray([1j, 2.0]))

    assert (half.dtype, half.tolist()) == (tv.float16, [3.0])
    assert (small.dtype, small.tolist()) == (tv.int64, [200])
    assert (twisted.dtype, twisted.tolist()) == (tv.complex64, [2 + 1j])


def test_float16_weights_add_up_in_single_precision(bodies):
    ones = np.ones(10_000, "float16")
    zeros = np.zeros(10_000, "int64")

    assert tv.bincount(tv.asarray(zeros), weights=tv.asarray(ones)).tolist() == [10_000]
    assert bodies.bincount(zeros, ones, minlength=1).tolist() == [10_000]


def test_what_cannot_be_counted_is_refused():
    with pytest.raises(TensorIndexError) as negative:
        tv.bincount(tv.asarray([1, -2]))
    with pytest.raises(ShapeError) as shape:
        tv.bincount(tv.asarray([[1]]))
    with pytest.raises(ShapeError) as weights:
        tv.bincount(tv.asarray([1]), weights=tv.zeros(2))
    with pytest.raises(DTypeError):
        tv.bincount(tv.asarray([1.0]))

    assert str(negative.value) == (
        "bincount: x holds -2, and only integers from 0 on can be counted."
    )
    assert str(shape.value) == "bincount: x has the shape (1, 1) and must be 1-D."
    assert str(weights.value) == (
        "bincount: weights of shape (2,) do not fit x of shape (1,). They must be the "
        "same."
    )
    assert tv.bincount(tv.asarray([], dtype="int64"), minlength=2).tolist() == [0, 0]


@pytest.mark.parametrize("density", [False, True])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("given", [{}, {"bins": 7}, {"bins": 4, "range": (-1.0, 0.5)}])
def test_histogram_is_numpys(given, weighted, density):
    x = sample()
    weights = np.abs(x) if weighted else None

    hist, edges = tv.histogram(
        tv.asarray(x),
        weights=None if weights is None else tv.asarray(weights),
        density=density,
        **given,
    )

    want, where = np.histogram(x, weights=weights, density=density, **given)
    same(hist.numpy(), want)
    same(edges.numpy(), where)


def test_histogram_takes_edges(bodies):
    x = np.asarray([0.0, 0.5, 1.0, 1.0, 2.0, nan, -3.0])
    edges = np.asarray([0.0, 0.5, 1.0])

    found = tv.histogram(tv.asarray(x), tv.asarray(edges))

    assert found._fields == ("hist", "bin_edges")
    assert found.hist.tolist() == [1, 3]
    assert bodies.histogram(x, edges).tolist() == [1, 3]


@pytest.mark.parametrize("dtype, bins", [("float16", 3000), ("float32", 2**22)])
def test_histogram_with_more_bins_than_a_float_tells_apart_is_exact(dtype, bins):
    x = np.random.default_rng(1).random(5000).astype(dtype)

    hist, edges = tv.histogram(tv.asarray(x), bins, range=(0.0, 1.0))

    place = np.searchsorted(edges.numpy(), x, "right") - 1
    want = np.bincount(np.minimum(place, bins - 1), minlength=bins)
    np.testing.assert_array_equal(hist.numpy(), want)


def test_histogram_of_integers_equal_elements_and_nothing_has_edges():
    assert tv.histogram(tv.asarray([1, 2, 4]), 3).hist.tolist() == [1, 1, 1]
    same_, edges = tv.histogram(tv.asarray([2.0, 2.0]), 2)
    assert (same_.tolist(), edges.tolist()) == ([0, 2], [1.5, 2.0, 2.5])
    none, edges = tv.histogram(tv.zeros(0), 1)
    assert (none.tolist(), edges.tolist()) == ([0], [0.0, 1.0])


def test_histograms_that_cannot_be_are_refused():
    x = tv.asarray([1.0, nan])
    with pytest.raises(ValueError) as limits:
        tv.histogram(x)
    with pytest.raises(ValueError) as few:
        tv.histogram(x, 0)
    with pytest.raises(ShapeError) as edges:
        tv.histogram(x, tv.zeros(1))

    assert str(limits.value) == (
        "histogram: the range from nan to nan is not finite and ascending. Give "
        "range=(low, high)."
    )
    assert str(few.value) == "histogram: bins=0 is less than one."
    assert str(edges.value) == (
        "histogram: edges of shape (1,) make no bins; give two or more, in one "
        "dimension."
    )


RUNNING = {
    "cumulative_max": np.maximum.accumulate,
    "cumulative_min": np.minimum.accumulate,
    "logcumsumexp": np.logaddexp.accumulate,
}


@pytest.mark.parametrize("axis", [0, 1, -1])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("name", RUNNING)
@pytest.mark.usefixtures("quiet")
def test_running_forms_are_those_of_the_ufuncs(bodies, name, dtype, axis):
    x = sample(dtype) * 300

    got = getattr(tv, name)(tv.asarray(x), axis=axis)

    want = RUNNING[name](x, axis)
    same(got.numpy(), want, 1e-6)
    same(getattr(bodies, name)(x, axis=axis % 3), want, 1e-6)


def test_logcumsumexp_ends_with_logsumexp():
    torch = pytest.importorskip("torch")
    x = sample()

    got = tv.logcumsumexp(tv.asarray(x), axis=2)

    same(got.numpy(), torch.logcumsumexp(torch.tensor(x), 2).numpy())


def test_long_float16_logcumsumexp_adds_up():
    got = tv.logcumsumexp(tv.zeros(5000, dtype="float16"))

    assert got[-1].item() == np.float16(np.log(5000))


@pytest.mark.parametrize("name", RUNNING)
def test_running_forms_need_an_axis(name):
    function = getattr(tv, name)
    with pytest.raises(AxisError) as caught:
        function(tv.zeros((2, 2)))
    with pytest.raises(DTypeError):
        function(tv.asarray([1j]))

    assert str(caught.value) == (
        f"{name}: a tensor with 2 dimensions needs an axis to run along; give axis=0 "
        "to 1, or reshape it to one dimension."
    )
    assert function(tv.zeros(0)).shape == (0,)


FUNCTIONS = [
    tv.median,
    lambda x: tv.quantile(x, 0.5),
    tv.cov,
    tv.cumulative_max,
    tv.logcumsumexp,
    tv.nanmean,
    tv.nanvar,
    tv.nanmax,
    tv.nanmedian,
    lambda x: tv.bincount(tv.asarray([0, 1, 1]), weights=x),
    tv.nan_to_num,
]


@pytest.mark.parametrize("function", FUNCTIONS)
def test_bfloat16_is_computed_in_float32_and_kept(function):
    pytest.importorskip("ml_dtypes")
    x = tv.asarray([1.0, nan, 2.5], dtype="bfloat16")

    got = function(x)

    want = function(x.astype("float32")).astype("bfloat16").astype("float32")
    assert got.dtype == tv.bfloat16
    np.testing.assert_array_equal(got.astype("float32").numpy(), want.numpy())


@pytest.mark.parametrize("dtype", ["float32", "float64", "int64"])
def test_histogram_of_much_between_uneven_edges_is_numpys(dtype):
    x = (np.random.default_rng(0).standard_normal(100_000) * 10).astype(dtype)
    if dtype != "int64":
        x[::7], x[1] = np.nan, np.inf
    edges = np.array([-20, -3, 0, 0, 1, 15], dtype)

    got = tv.histogram(tv.asarray(x), tv.asarray(edges)).hist

    np.testing.assert_array_equal(got.numpy(), np.histogram(x, edges)[0])


@pytest.mark.parametrize(
    "dtype, near",  # of float16 one rounding, of the others also close places
    [("float16", 1e-3), ("float32", 1e-4), ("float64", 1e-10)],
)
@pytest.mark.parametrize("ends", [(-4.0, 4.0), (-np.inf, np.inf)])
def test_interp_is_numpys_rounded_once(bodies, dtype, near, ends):
    rng = np.random.default_rng(3)
    inner = np.sort(rng.normal(size=30)).astype(dtype)
    xp = np.unique(np.concatenate([ends[:1], inner, ends[1:]]).astype(dtype))
    fp = rng.normal(size=xp.size).astype(dtype)
    x = np.concatenate([rng.normal(size=200) * 3, [np.nan, *ends]]).astype(dtype)

    want = np.interp(*(a.astype(np.float64) for a in (x, xp, fp)))
    for found in (bodies.interp(x, xp, fp), tv.backend("ndarray").interp(x, xp, fp)):
        assert found.dtype == dtype
        np.testing.assert_allclose(found, want, rtol=near, atol=near)


@pytest.mark.parametrize("dtype", ["float16", "float32"])
def test_percentages_are_parts_of_the_widest_float(dtype):
    x = tv.arange(100_001, dtype="float64")  # the p-th percentile is 1000 p
    q = tv.asarray([0.5, 33.0, 99.0], dtype=dtype)

    assert tv.percentile(x, q).tolist() == [500.0, 33_000.0, 99_000.0]
    assert tv.nanpercentile(x, q).tolist() == [500.0, 33_000.0, 99_000.0]
