"""Activations against SciPy, PyTorch and formulas in float64."""

import math

import numpy as np
import pytest
import scipy.special

import trivet as tv
from trivet.errors import AxisError, DTypeError, ShapeError

inf, nan = math.inf, math.nan
LINE = np.array([-700.0, -30.0, -3.0, -1.0, -0.5, -1e-3, 0.0, 1e-3, 0.5, 1, 3, 30, 700])
CLOSE = {"float16": 2e-3, "float32": 3e-6, "float64": 1e-13}
SCALE, ALPHA = 1.0507009873554805, 1.6732632423543772


def tanh_gelu(x):
    inner = math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)
    return x * scipy.special.expit(2 * inner)


WANT = {
    "relu6": ({}, lambda x: np.clip(x, 0, 6)),
    "hardtanh": ({"min_val": -2.0, "max_val": 0.7}, lambda x: np.clip(x, -2, 0.7)),
    "hard_sigmoid": (
        {"alpha": 0.2, "beta": 0.5},
        lambda x: np.clip(0.2 * x + 0.5, 0, 1),
    ),
    "hard_swish": ({}, lambda x: x * np.clip(x + 3, 0, 6) / 6),
    "leaky_relu": ({"negative_slope": 0.1}, lambda x: np.where(x > 0, x, 0.1 * x)),
    "threshold": (
        {"threshold": 0.7, "value": -2.0},
        lambda x: np.where(x > 0.7, x, -2),
    ),
    "thresholded_relu": ({"alpha": 0.7}, lambda x: np.where(x > 0.7, x, 0)),
    "gelu": ({"approximate": "none"}, lambda x: x * scipy.special.ndtr(x)),
    "silu": ({}, lambda x: x * scipy.special.expit(x)),
    "mish": ({}, lambda x: x * np.tanh(np.logaddexp(x, 0))),
    "softsign": ({}, lambda x: x / (1 + np.abs(x))),
    "elu": ({"alpha": 0.7}, lambda x: np.where(x > 0, x, 0.7 * np.expm1(x))),
    "celu": ({"alpha": 0.7}, lambda x: np.where(x > 0, x, 0.7 * np.expm1(x / 0.7))),
    "selu": ({}, lambda x: SCALE * np.where(x > 0, x, ALPHA * np.expm1(x))),
    "tanhshrink": ({}, lambda x: x - np.tanh(x)),
    "shrink": (
        {"lambd": 0.7, "bias": 0.2},
        lambda x: np.where(np.abs(x) > 0.7, x - 0.2 * np.sign(x), 0),
    ),
    "hard_shrink": ({"lambd": 0.7}, lambda x: np.where(np.abs(x) > 0.7, x, 0)),
    "soft_shrink": (
        {"lambd": 0.7},
        lambda x: np.sign(x) * np.maximum(np.abs(x) - 0.7, 0),
    ),
}


@pytest.mark.usefixtures("quiet")
@pytest.mark.parametrize("name", WANT)
@pytest.mark.parametrize("dtype", CLOSE)
def test_activations_are_right_from_end_to_end(bodies, name, dtype):
    statics, formula = WANT[name]
    x = LINE.astype(dtype)

    got = getattr(tv.nn, name)(tv.asarray(x), **statics).numpy()

    want = formula(x.astype("float64"))
    close = {"rtol": CLOSE[dtype], "atol": np.finfo(dtype).eps}
    assert got.dtype == dtype
    np.testing.assert_allclose(got, want, **close)
    body = getattr(bodies, name)(x, **statics)
    assert body.dtype == dtype
    np.testing.assert_allclose(body, want, **close)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_gelu_by_tanh_is_its_formula(bodies, dtype):
    x = np.linspace(-12, 12, 1001).astype(dtype)

    got = tv.nn.gelu(tv.asarray(x), approximate="tanh").numpy()

    want = tanh_gelu(x.astype("float64"))
    close = {"rtol": CLOSE[dtype] * 100, "atol": np.finfo(dtype).eps}
    np.testing.assert_allclose(got, want, **close)
    np.testing.assert_allclose(bodies.gelu(x, approximate="tanh"), want, **close)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_gelu_keeps_its_relative_precision_in_the_tail(bodies, dtype):
    x = np.linspace(-12, -0.1, 1001).astype(dtype)

    got = tv.nn.gelu(tv.asarray(x)).numpy()

    want = x.astype("float64") * scipy.special.ndtr(x.astype("float64"))
    precision = {"float32": 1e-5, "float64": 1e-13}[dtype]
    np.testing.assert_allclose(got, want, rtol=precision)
    np.testing.assert_allclose(bodies.gelu(x, approximate="none"), want, rtol=precision)


def test_large_arrays_of_any_layout_are_right():
    x = np.random.default_rng(0).normal(size=(130, 3, 401)).astype("float32")
    views = [x, x.T, x[::2, :, ::-1], np.asfortranarray(x), x[:, 1:2]]

    for view in views:
        got = tv.nn.silu(tv.asarray(view)).numpy()

        want = view.astype("float64") * scipy.special.expit(view.astype("float64"))
        np.testing.assert_allclose(got, want, rtol=1e-6, atol=1e-7)


@pytest.mark.parametrize(
    "name", ["gelu", "silu", "mish", "softsign", "elu", "hard_swish"]
)
def test_activations_take_rank_zero_and_nothing(name):
    function = getattr(tv.nn, name)

    assert function(tv.asarray(0.0)).item() == 0
    assert function(tv.asarray(0.0)).shape == ()
    assert function(tv.zeros((2, 0))).shape == (2, 0)


@pytest.mark.usefixtures("quiet")
@pytest.mark.parametrize("dtype", CLOSE)
@pytest.mark.parametrize(
    "name, left, right",
    [
        ("relu6", 0.0, 6.0),
        ("hardtanh", -1.0, 1.0),
        ("hard_sigmoid", 0.0, 1.0),
        ("hard_swish", 0.0, inf),
        ("leaky_relu", -inf, inf),
        ("thresholded_relu", 0.0, inf),
        ("gelu", 0.0, inf),
        ("silu", 0.0, inf),
        ("mish", 0.0, inf),
        ("softsign", -1.0, 1.0),
        ("elu", -1.0, inf),
        ("celu", -1.0, inf),
        ("selu", -SCALE * ALPHA, inf),
        ("tanhshrink", -inf, inf),
        ("shrink", -inf, inf),
        ("hard_shrink", -inf, inf),
        ("soft_shrink", -inf, inf),
    ],
)
def test_activations_have_their_limits_and_keep_nan(name, left, right, dtype):
    got = getattr(tv.nn, name)(tv.asarray([-inf, inf, nan], dtype=dtype)).tolist()

    assert got[:2] == pytest.approx([left, right], rel=1e-3)
    assert math.isnan(got[2])


@pytest.mark.usefixtures("quiet")
@pytest.mark.parametrize("dtype", CLOSE)
def test_gelu_by_tanh_has_its_limits(dtype):
    x = tv.asarray([-inf, inf, nan], dtype=dtype)

    got = tv.nn.gelu(x, approximate="tanh").tolist()

    assert got[:2] == [0.0, inf]
    assert math.isnan(got[2])


@pytest.mark.parametrize(
    "name, arguments, theirs",
    [
        ("relu6", {}, "relu6"),
        ("hardtanh", {}, "hardtanh"),
        ("hard_sigmoid", {}, "hardsigmoid"),
        ("hard_swish", {}, "hardswish"),
        ("leaky_relu", {}, "leaky_relu"),
        ("gelu", {}, "gelu"),
        ("gelu", {"approximate": "tanh"}, "gelu"),
        ("silu", {}, "silu"),
        ("mish", {}, "mish"),
        ("softsign", {}, "softsign"),
        ("elu", {}, "elu"),
        ("celu", {}, "celu"),
        ("selu", {}, "selu"),
        ("tanhshrink", {}, "tanhshrink"),
        ("hard_shrink", {}, "hardshrink"),
        ("soft_shrink", {}, "softshrink"),
    ],
)
def test_defaults_are_pytorchs(name, arguments, theirs):
    torch = pytest.importorskip("torch")
    x = np.linspace(-8, 8, 161)

    got = getattr(tv.nn, name)(tv.asarray(x), **arguments).numpy()

    want = getattr(torch.nn.functional, theirs)(torch.from_numpy(x), **arguments)
    np.testing.assert_allclose(got, want.numpy(), rtol=1e-9, atol=1e-15)


@pytest.mark.parametrize("shape", [(), (4,), (2, 4), (2, 4, 3)])
@pytest.mark.parametrize("each", [False, True])
def test_prelu_has_one_weight_or_one_for_each_channel(bodies, shape, each):
    x = np.random.default_rng(1).normal(size=shape)
    channels = 1 if not shape else shape[min(1, len(shape) - 1)]
    weight = np.arange(1.0, 1 + (channels if each else 1))

    got = tv.nn.prelu(tv.asarray(x), tv.asarray(weight)).numpy()

    along = (
        weight.reshape((-1,) + (1,) * max(len(shape) - 2, 0)) if shape else weight[0]
    )
    want = np.where(x > 0, x, x * along)
    assert got.shape == shape
    np.testing.assert_allclose(got, want)
    np.testing.assert_allclose(bodies.prelu(x, np.asarray(along)), want)


@pytest.mark.parametrize("axis", [0, 1, -1])
def test_glu_gates_one_half_with_the_other(bodies, axis):
    x = np.random.default_rng(1).normal(size=(4, 2, 6))

    got = tv.nn.glu(tv.asarray(x), axis).numpy()

    first, second = np.split(x, 2, axis)
    want = first * scipy.special.expit(second)
    np.testing.assert_allclose(got, want, rtol=1e-12)
    np.testing.assert_allclose(bodies.glu(x, axis=axis % 3), want, rtol=1e-12)


@pytest.mark.parametrize("axis", [0, 1, -1])
def test_softmin_is_softmax_turned_round(bodies, axis):
    x = np.random.default_rng(2).normal(scale=300, size=(3, 4, 5))

    got = tv.nn.softmin(tv.asarray(x), axis=axis).numpy()

    want = scipy.special.softmax(-x, axis=axis)
    np.testing.assert_allclose(got, want, rtol=1e-12, atol=1e-300)
    body = bodies.softmin(x, axis=axis % 3)
    np.testing.assert_allclose(body, want, rtol=1e-12, atol=1e-300)


@pytest.mark.parametrize("axis", [0, 1, -1])
@pytest.mark.parametrize("scale", [1, 300])
def test_quiet_softmax_is_softmax_with_one_more_element(bodies, axis, scale):
    x = np.random.default_rng(2).normal(scale=scale, size=(3, 4, 5))

    got = tv.nn.quiet_softmax(tv.asarray(x), axis=axis).numpy()

    more = np.concatenate([x, np.zeros_like(x).take([0], axis)], axis)
    want = scipy.special.softmax(more, axis).take(range(x.shape[axis]), axis)
    np.testing.assert_allclose(got, want, rtol=1e-12, atol=1e-300)
    body = bodies.quiet_softmax(x, axis=axis % 3)
    np.testing.assert_allclose(body, want, rtol=1e-12, atol=1e-300)


def test_quiet_softmax_of_masked_rows_and_of_nothing():
    masked = tv.asarray([[-inf, -inf], [-inf, 0.0]])

    assert tv.nn.quiet_softmax(masked).tolist() == [[0.0, 0.0], [0.0, 0.5]]
    assert tv.nn.quiet_softmax(tv.zeros((3, 0))).shape == (3, 0)
    assert tv.nn.quiet_softmax(tv.zeros((0, 3))).shape == (0, 3)


def test_large_softmax_has_masked_rows_too():
    x = np.random.default_rng(3).normal(size=(300, 400)).astype("float32")
    x[7], x[8, 3:] = -inf, -inf

    got = tv.nn.softmax(tv.asarray(x)).numpy()

    assert not got[7].any()
    others = np.delete(np.arange(300), 7)
    want = scipy.special.softmax(x[others].astype("float64"), axis=-1)
    np.testing.assert_allclose(got[others], want, rtol=2e-6)


@pytest.mark.parametrize(
    "name",
    ["gelu", "silu", "relu6", "hardtanh", "elu", "softmin", "glu", "soft_shrink"],
)
def test_integers_have_no_activation(name):
    with pytest.raises(DTypeError) as caught:
        getattr(tv.nn, name)(tv.asarray([1, 2]))

    assert str(caught.value) == (
        f"{name}: the dtype int64 is not one that this op takes; it takes real "
        "floating. Cast with .astype(...)."
    )


def test_statics_are_checked():
    x = tv.zeros((2, 3))
    with pytest.raises(ValueError) as bounds:
        tv.nn.hardtanh(x, 2.0, 2.0)
    with pytest.raises(ValueError) as approximate:
        tv.nn.gelu(x, approximate="erf")
    with pytest.raises(ValueError) as alpha:
        tv.nn.celu(x, 0.0)
    with pytest.raises(ValueError) as width:
        tv.nn.soft_shrink(x, -1.0)
    with pytest.raises(ShapeError) as halves:
        tv.nn.glu(x)
    with pytest.raises(ShapeError) as weight:
        tv.nn.prelu(x, tv.zeros(2))
    with pytest.raises(AxisError):
        tv.nn.quiet_softmax(x, axis=2)
    with pytest.raises(TypeError):
        tv.nn.prelu(x, 0.5)

    assert str(bounds.value) == (
        "hardtanh: min_val=2.0 is not below max_val=2.0. Give the lower bound first."
    )
    assert str(approximate.value) == (
        "gelu: approximate='erf' is not one of 'none' and 'tanh'."
    )
    assert str(alpha.value) == "celu: alpha=0.0 is not positive."
    assert str(width.value) == (
        "soft_shrink: lambd=-1.0 is negative. It is the largest size that gives 0."
    )
    assert str(halves.value) == (
        "glu: the tensor of shape (2, 3) has 3 elements along axis 1, and an odd "
        "number has no halves."
    )
    assert str(weight.value) == (
        "prelu: the weight has the shape (2,), and the tensor of shape (2, 3) takes "
        "one element or 3, one for each channel."
    )


def tanh_gelu_slope(x):
    turn = math.sqrt(2 / math.pi) * (1 + 3 * 0.044715 * x**2)
    gate = scipy.special.expit(2 * math.sqrt(2 / math.pi) * (x + 0.044715 * x**3))
    rest = scipy.special.expit(-2 * math.sqrt(2 / math.pi) * (x + 0.044715 * x**3))
    return gate * (1 + 2 * turn * x * rest)


def gelu_slope(x):
    return scipy.special.ndtr(x) + x * np.exp(-x * x / 2) / math.sqrt(2 * math.pi)


def silu_slope(x):
    return scipy.special.expit(x) * (1 + x * scipy.special.expit(-x))


def mish_slope(x):
    gate = np.tanh(np.logaddexp(x, 0))
    rest = 2 / (1 + (1 + np.exp(x)) ** 2)  # 1 - gate
    return gate + x * rest * (1 + gate) * scipy.special.expit(x)


GATED = [
    ("gelu", {"approximate": "none"}, gelu_slope),
    ("gelu", {"approximate": "tanh"}, tanh_gelu_slope),
    ("silu", {}, silu_slope),
    ("mish", {}, mish_slope),
]


@pytest.mark.usefixtures("quiet")
@pytest.mark.parametrize("name, statics, slope", GATED)
@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
@pytest.mark.parametrize("at_hand", [False, True])
def test_gradients_of_gated_ones_are_their_formulas(
    bodies, name, statics, slope, dtype, at_hand
):
    rng = np.random.default_rng(0)
    g, x = rng.standard_normal((2, 300, 400)).astype(dtype)
    x *= np.asarray(4, dtype)
    nd = tv.backend("ndarray")
    out = getattr(nd, name)(x, **statics) if at_hand else None

    native = getattr(nd, f"{name}_pulled")(g, x, out, **statics)
    body = getattr(bodies, f"{name}_pulled")(g, x, out, **statics)

    wide = x.astype(float)
    want = g.astype(float) * slope(wide)
    # the result is only so near to x, and for the formula with tanh up to 4 times less
    atol = 2 * float(np.finfo(dtype).eps) * np.abs(g) * (1 + 8 * np.abs(wide))
    for found in (native, body):
        assert found.dtype == dtype
        assert (np.abs(found - want) <= atol.astype(float)).all()


@pytest.mark.usefixtures("quiet")
@pytest.mark.parametrize("name, statics, slope", GATED)
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_gradients_of_gated_ones_hold_at_zero_and_far_from_it(
    name, statics, slope, dtype
):
    tiny = np.finfo(dtype).smallest_subnormal
    near = [0.0, -0.0, tiny, -tiny, 3 * tiny, 1e-37, -1e-37, 1e-20]
    x = np.array([*near, -inf, -1e30, -2e4, 2e4, 1e30, inf, nan], dtype)
    nd = tv.backend("ndarray")
    out = getattr(nd, name)(x, **statics)

    found = getattr(nd, f"{name}_pulled")(np.full_like(x, 2), x, out, **statics)

    rtol = 4 * float(np.finfo(dtype).eps)
    np.testing.assert_allclose(found[: len(near)], 2 * slope(0.0), rtol)
    np.testing.assert_array_equal(found[len(near) :], [0, 0, 0, 2, 2, 2, nan])


@pytest.mark.parametrize("name, statics, slope", GATED)
def test_gradients_of_gated_ones_take_any_layout_and_nothing(name, statics, slope):
    rng = np.random.default_rng(0)
    x = rng.standard_normal((400, 300)).T
    g = np.broadcast_to(rng.standard_normal(400), x.shape)
    nd = tv.backend("ndarray")
    out, pulled = getattr(nd, name)(x, **statics), getattr(nd, f"{name}_pulled")

    found = pulled(g, x, out, **statics)
    one = pulled(
        np.asarray(g[0, 0]), np.asarray(x[0, 0]), np.asarray(out[0, 0]), **statics
    )
    none = pulled(*np.empty((3, 0, 2)), **statics)

    np.testing.assert_allclose(found, g * slope(x), 1e-12, 1e-13)
    assert one.shape == ()
    np.testing.assert_allclose(one, found[0, 0], 1e-15)
    assert none.shape == (0, 2)


def test_tanhshrink_of_16_bits_is_rounded_once(bodies):
    x = np.linspace(0.05, 0.5, 40).astype(np.float16)
    wide = x.astype(np.float64)

    for backend in (tv.backend("ndarray"), bodies):
        found = backend.tanhshrink(x)
        assert found.dtype == np.float16
        want = wide - np.tanh(wide)
        np.testing.assert_allclose(found, want, rtol=2**-10, atol=2**-24)
