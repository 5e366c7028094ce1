"""Activations, softmax and one-hot codes against SciPy, formulas and limits."""

import math

import numpy as np
import pytest
import scipy.special

import trivet as tv
from trivet.errors import AxisError, DTypeError, ShapeError

inf, nan = math.inf, math.nan
LINE = np.array([-800.0, -40.0, -1.5, -1e-9, 0.0, 1e-9, 2.5, 40.0, 800.0])
CLOSE = {"float16": 2e-3, "float32": 2e-6, "float64": 1e-13}
WANT = {
    "relu": lambda x: np.maximum(x, 0),
    "sigmoid": scipy.special.expit,
    "softplus": lambda x: np.logaddexp(x, 0),
    "log_sigmoid": scipy.special.log_expit,
}
SOFT = {
    "softmax": scipy.special.softmax,
    "log_softmax": scipy.special.log_softmax,
}


@pytest.mark.usefixtures("quiet")
@pytest.mark.parametrize("name", WANT)
@pytest.mark.parametrize("dtype", CLOSE)
def test_activations_are_right_from_end_to_end(bodies, name, dtype):
    x = LINE.astype(dtype)

    got = getattr(tv.nn, name)(tv.asarray(x)).numpy()

    want = WANT[name](x.astype("float64"))
    assert got.dtype == dtype
    np.testing.assert_allclose(got, want, rtol=CLOSE[dtype], atol=1e-7)
    body = getattr(bodies, name)(x)
    np.testing.assert_allclose(body, want, rtol=CLOSE[dtype], atol=1e-7)


@pytest.mark.usefixtures("quiet")
def test_activations_have_their_limits():
    x = tv.asarray([-inf, inf, nan])

    assert tv.nn.relu(x).tolist()[:2] == [0.0, inf]
    assert tv.nn.sigmoid(x).tolist()[:2] == [0.0, 1.0]
    assert tv.nn.softplus(x).tolist()[:2] == [0.0, inf]
    assert tv.nn.log_sigmoid(x).tolist()[:2] == [-inf, 0.0]
    for function in (tv.nn.relu, tv.nn.sigmoid, tv.nn.softplus, tv.nn.log_sigmoid):
        assert math.isnan(function(x).tolist()[2])


@pytest.mark.parametrize("name", SOFT)
@pytest.mark.parametrize("axis", [0, 1, -1])
def test_softmax_is_scipys_along_every_axis(bodies, name, axis):
    x = np.random.default_rng(2).normal(scale=300, size=(3, 4, 5))

    got = getattr(tv.nn, name)(tv.asarray(x), axis=axis)

    want = SOFT[name](x, axis=axis)
    np.testing.assert_allclose(got.numpy(), want, rtol=1e-12, atol=1e-300)
    body = getattr(bodies, name)(x, axis=axis % 3)
    np.testing.assert_allclose(body, want, rtol=1e-12, atol=1e-300)


def test_a_masked_row_gives_zeros_and_leaves_the_others_alone():
    x = tv.asarray([[0.0, 0.0], [-inf, -inf], [-inf, 3.0]])

    assert tv.nn.softmax(x).tolist() == [[0.5, 0.5], [0.0, 0.0], [0.0, 1.0]]
    assert tv.nn.log_softmax(x).tolist()[1:] == [[-inf, -inf], [-inf, 0.0]]


def test_softmax_of_nothing_is_nothing():
    assert tv.nn.softmax(tv.zeros((3, 0))).shape == (3, 0)
    assert tv.nn.log_softmax(tv.zeros((0, 3))).shape == (0, 3)


@pytest.mark.parametrize("axis", [0, 1])
def test_a_long_float16_softmax_adds_up(axis):
    x = tv.zeros((5000, 1) if axis == 0 else (1, 5000), dtype="float16")

    soft = tv.nn.softmax(x, axis=axis)

    assert soft.dtype == tv.float16
    assert soft.numpy().max() == np.float16(1 / 5000)
    assert tv.nn.logsumexp(x).item() == np.float16(math.log(5000))


@pytest.mark.parametrize("keepdims", [False, True])
@pytest.mark.parametrize("axis", [None, 0, -1, (0, 2), ()])
@pytest.mark.usefixtures("quiet")
def test_logsumexp_is_scipys(bodies, axis, keepdims):
    x = np.random.default_rng(4).normal(scale=500, size=(2, 3, 4))
    x[0, :, 1] = -inf

    got = tv.nn.logsumexp(tv.asarray(x), axis=axis, keepdims=keepdims)

    want = x if axis == () else scipy.special.logsumexp(x, axis=axis, keepdims=keepdims)
    assert got.shape == np.shape(want)
    np.testing.assert_allclose(got.numpy(), want, rtol=1e-13)
    axes = axis if axis is None or isinstance(axis, tuple) else (axis % 3,)
    body = bodies.logsumexp(x, axis=axes, keepdims=keepdims)
    assert np.shape(body) == np.shape(want)
    np.testing.assert_allclose(body, want, rtol=1e-13)


@pytest.mark.parametrize(
    "values, result",
    [
        ([-inf, 0.0, math.log(3)], math.log(4)),
        ([-inf, -inf], -inf),
        ([], -inf),
        ([inf, 1000.0], inf),
        ([0.0, nan], nan),
    ],
)
def test_logsumexp_has_its_limits(values, result):
    got = tv.nn.logsumexp(tv.asarray(values, dtype="float64"))

    assert got.item() == pytest.approx(result, rel=1e-15, nan_ok=True)


@pytest.mark.parametrize("dtype", ["int8", "uint8", "int64", "uint64"])
def test_one_hot_marks_the_class(dtype):
    got = tv.nn.one_hot(tv.asarray([[0, 2], [1, 7]], dtype=dtype), 3)

    assert got.dtype == tv.float32
    assert got.tolist() == [[[1, 0, 0], [0, 0, 1]], [[0, 1, 0], [0, 0, 0]]]


def test_one_hot_takes_numbers_nothing_and_dtypes():
    assert tv.nn.one_hot(tv.asarray(1), 2, dtype="int8").tolist() == [0, 1]
    assert tv.nn.one_hot(tv.asarray(1), 2, dtype="bool").tolist() == [False, True]
    assert tv.nn.one_hot(tv.asarray([], dtype="int64"), 4).shape == (0, 4)
    assert tv.nn.one_hot(tv.asarray([0]), 0).shape == (1, 0)


@pytest.mark.parametrize("name", ["softmax", "log_softmax", "logsumexp"])
def test_integers_have_no_softmax(name):
    with pytest.raises(DTypeError) as caught:
        getattr(tv.nn, name)(tv.asarray([1, 2]))

    assert str(caught.value) == (
        f"{name}: the dtype int64 is not one that this op takes; it takes real "
        "floating. Cast with .astype(...)."
    )


def test_statics_are_checked():
    with pytest.raises(AxisError):
        tv.nn.softmax(tv.asarray(1.0))
    with pytest.raises(DTypeError):
        tv.nn.one_hot(tv.asarray([1.0]), 2)
    with pytest.raises(ShapeError) as caught:
        tv.nn.one_hot(tv.asarray([1]), -1)

    assert str(caught.value) == "one_hot: num_classes=-1 is negative."


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64", "complex64"])
@pytest.mark.parametrize("shape", [(), (3, 4), (20, 30), (0, 3)])
def test_gradient_of_relu_is_selected_and_not_multiplied(bodies, dtype, shape):
    rng = np.random.default_rng(0)
    g = np.asarray(rng.standard_normal(shape)).astype(dtype)
    out = np.maximum(rng.standard_normal(shape), 0)
    g[out == 0] = np.inf
    want = np.zeros_like(g)
    want[out > 0] = g[out > 0]

    for backend in (tv.backend("ndarray"), bodies):
        found = backend.relu_pulled(g, out)
        assert found.dtype == dtype
        np.testing.assert_array_equal(found, want)


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
@pytest.mark.parametrize("axis", [0, 1])
def test_gradients_of_softmax_are_their_formulas(bodies, dtype, axis):
    rng = np.random.default_rng(0)
    g, x = rng.standard_normal((2, 300, 400)).astype(dtype)
    nd, statics = tv.backend("ndarray"), {"axis": axis}
    y, log = nd.softmax(x, **statics), nd.log_softmax(x, **statics)

    wide_g, wide_y, wide_log = (a.astype(float) for a in (g, y, log))
    sums = {"axis": axis, "keepdims": True}
    want = wide_y * (wide_g - (wide_g * wide_y).sum(**sums))
    want_log = wide_g - np.exp(wide_log) * wide_g.sum(**sums)
    atol = 4 * float(np.finfo(dtype).eps) * np.abs(wide_g).max()
    for backend in (nd, bodies):
        found = backend.softmax_pulled(g, y, **statics)
        found_log = backend.log_softmax_pulled(g, log, **statics)
        assert found.dtype == found_log.dtype == dtype
        np.testing.assert_allclose(found, want, 0, atol)
        np.testing.assert_allclose(found_log, want_log, 0, atol)
