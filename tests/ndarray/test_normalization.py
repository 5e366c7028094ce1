"""Norms against NumPy in float64 and PyTorch, also far from zero and in float16."""

import numpy as np
import pytest

import trivet as tv
from trivet.errors import DTypeError, ShapeError

CLOSE = {"float16": 5e-3, "float32": 5e-6, "float64": 1e-12}


def draw(*shape, dtype="float64", mean=0.0):
    values = np.random.default_rng(len(shape)).normal(mean, size=shape)
    return values.astype(dtype)


def standardised(x, axis, eps=1e-5):
    x = x.astype("float64")
    mean, var = x.mean(axis, keepdims=True), x.var(axis, keepdims=True)
    return (x - mean) / np.sqrt(var + eps)


@pytest.mark.parametrize("dtype", CLOSE)
@pytest.mark.parametrize("sizes", [(6,), (5, 6), (4, 5, 6)])
def test_layer_norm_is_its_formula(bodies, dtype, sizes):
    x, weight, bias = draw(4, 5, 6, dtype=dtype), draw(*sizes), draw(*sizes, mean=2)
    axis = tuple(range(3 - len(sizes), 3))

    got = tv.nn.layer_norm(tv.asarray(x), sizes, tv.asarray(weight))
    moved = tv.nn.layer_norm(
        tv.asarray(x), sizes, tv.asarray(weight), tv.asarray(bias), eps=0.5
    )

    want = standardised(x, axis) * weight
    assert got.dtype == moved.dtype == tv.dtypes.as_dtype(dtype)
    close = {"rtol": CLOSE[dtype], "atol": CLOSE[dtype]}
    np.testing.assert_allclose(got.numpy(), want, **close)
    want = standardised(x, axis, 0.5) * weight + bias
    np.testing.assert_allclose(moved.numpy(), want, **close)
    body = bodies.layer_norm(x, weight, bias, axis=axis, eps=0.5)
    assert body.dtype == dtype
    np.testing.assert_allclose(body, want, **close)


@pytest.mark.parametrize("dtype", CLOSE)
def test_rms_norm_is_its_formula(bodies, dtype):
    x, weight = draw(4, 5, 6, dtype=dtype), draw(5, 6)

    got = tv.nn.rms_norm(tv.asarray(x), (5, 6), tv.asarray(weight), eps=0.25)

    wide = x.astype("float64")
    root = np.sqrt((wide**2).mean((1, 2), keepdims=True) + 0.25)
    close = {"rtol": CLOSE[dtype], "atol": CLOSE[dtype]}
    assert got.dtype == tv.dtypes.as_dtype(dtype)
    np.testing.assert_allclose(got.numpy(), wide / root * weight, **close)
    body = bodies.rms_norm(x, weight, axis=(1, 2), eps=0.25)
    np.testing.assert_allclose(body, wide / root * weight, **close)


def test_rms_norm_has_the_eps_of_the_dtype():
    torch = pytest.importorskip("torch")
    x = draw(3, 4, dtype="float32") * np.float32(1e-4)

    got = tv.nn.rms_norm(tv.asarray(x), 4).numpy()

    want = torch.nn.functional.rms_norm(torch.from_numpy(x), (4,)).numpy()
    np.testing.assert_allclose(got, want, rtol=1e-6)


@pytest.mark.parametrize("dtype", CLOSE)
@pytest.mark.parametrize("shape", [(8, 3), (4, 3, 5), (2, 3, 4, 5)])
def test_batch_norm_is_its_formula(bodies, dtype, shape):
    x = draw(*shape, dtype=dtype)
    mean, weight, bias = draw(3), draw(3, mean=1), draw(3)
    var = np.array([0.5, 1.0, 2.0])

    got = tv.nn.batch_norm(*map(tv.asarray, (x, mean, var, weight, bias)), eps=0.1)

    per = [a.reshape(-1, *[1] * (len(shape) - 2)) for a in (mean, var, weight, bias)]
    want = (x.astype("float64") - per[0]) / np.sqrt(per[1] + 0.1) * per[2] + per[3]
    close = {"rtol": CLOSE[dtype], "atol": CLOSE[dtype]}
    assert got.dtype == tv.dtypes.as_dtype(dtype)
    np.testing.assert_allclose(got.numpy(), want, **close)
    body = bodies.batch_norm(x, mean, var, weight, bias, eps=0.1)
    assert body.dtype == dtype
    np.testing.assert_allclose(body, want, **close)


def test_batch_norm_without_statistics_takes_those_of_the_batch():
    torch = pytest.importorskip("torch")
    x = draw(6, 3, 4)

    got = tv.nn.batch_norm(tv.asarray(x)).numpy()

    want = torch.nn.functional.batch_norm(
        torch.from_numpy(x), None, None, training=True
    )
    np.testing.assert_allclose(got, want.numpy(), rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("groups", [1, 2, 6])
@pytest.mark.parametrize("shape", [(3, 6), (3, 6, 4), (2, 6, 3, 4)])
def test_group_norm_is_pytorchs(bodies, groups, shape):
    torch = pytest.importorskip("torch")
    x, weight, bias = draw(*shape), draw(6, mean=1), draw(6)

    got = tv.nn.group_norm(tv.asarray(x), groups, tv.asarray(weight), tv.asarray(bias))

    want = torch.nn.functional.group_norm(
        torch.from_numpy(x), groups, torch.from_numpy(weight), torch.from_numpy(bias)
    ).numpy()
    np.testing.assert_allclose(got.numpy(), want, rtol=1e-10, atol=1e-10)
    body = bodies.group_norm(x, weight, bias, num_groups=groups, eps=1e-5)
    np.testing.assert_allclose(body, want, rtol=1e-10, atol=1e-10)


@pytest.mark.parametrize("dtype", CLOSE)
def test_instance_norm_standardises_each_channel_of_each_sample(bodies, dtype):
    x, weight, bias = draw(2, 3, 4, 5, dtype=dtype), draw(3, mean=1), draw(3)

    got = tv.nn.instance_norm(*map(tv.asarray, (x, weight, bias)))

    per = [a.reshape(3, 1, 1) for a in (weight, bias)]
    want = standardised(x, (2, 3)) * per[0] + per[1]
    close = {"rtol": CLOSE[dtype], "atol": CLOSE[dtype]}
    assert got.dtype == tv.dtypes.as_dtype(dtype)
    np.testing.assert_allclose(got.numpy(), want, **close)
    body = bodies.instance_norm(x, weight, bias, eps=1e-5)
    np.testing.assert_allclose(body, want, **close)


@pytest.mark.parametrize("norm", ["layer", "group", "instance", "batch"])
def test_a_mean_far_from_zero_costs_no_precision(norm):
    steps = np.random.default_rng(5).integers(-8, 9, size=(4, 2, 64)).astype("float32")
    far = tv.asarray(steps + np.float32(2**20))  # exact: the steps are whole
    functions = {
        "layer": (lambda x: tv.nn.layer_norm(x, 64), (2,)),
        "group": (lambda x: tv.nn.group_norm(x, 1), (1, 2)),
        "instance": (tv.nn.instance_norm, (2,)),
        "batch": (tv.nn.batch_norm, (0, 2)),
    }
    function, axis = functions[norm]

    got = function(far).numpy()

    np.testing.assert_allclose(got, standardised(steps, axis), rtol=0, atol=0.03)
    np.testing.assert_allclose(got.std(axis), 1, rtol=1e-3)


def test_a_float16_row_is_not_summed_in_float16():
    x = np.tile(np.array([300.0, -300.0], "float16"), 5000)  # squares overflow

    assert set(tv.nn.layer_norm(tv.asarray(x), 10_000).tolist()) == {1.0, -1.0}
    assert set(tv.nn.rms_norm(tv.asarray(x), 10_000).tolist()) == {1.0, -1.0}


def test_statistics_of_a_float16_batch_are_not_rounded_to_float16():
    x = np.array([[1000.0], [1000.0], [1000.0], [1001.0]], "float16")

    got = tv.nn.batch_norm(tv.asarray(x), eps=0.0)

    assert got.dtype == tv.float16  # the mean of 1000.25 is between two of them
    np.testing.assert_allclose(got.numpy(), standardised(x, 0, 0), rtol=1e-3)


def test_constant_rows_become_zeros():
    assert tv.nn.layer_norm(tv.full((2, 3), 7.0), 3).tolist() == [[0.0] * 3] * 2
    assert tv.nn.rms_norm(tv.zeros(3), 3).tolist() == [0.0] * 3


def test_norms_of_nothing_are_nothing():
    assert tv.nn.layer_norm(tv.zeros((0, 3)), 3).shape == (0, 3)
    assert tv.nn.layer_norm(tv.zeros((3, 0)), 0).shape == (3, 0)
    assert tv.nn.group_norm(tv.zeros((0, 4, 2)), 2).shape == (0, 4, 2)


def test_large_arrays_of_any_layout_are_normalised():
    x = draw(300, 500, dtype="float32")

    for view in (x, x.T, x[::-1, ::2]):
        got = tv.nn.layer_norm(tv.asarray(view), view.shape[1]).numpy()

        np.testing.assert_allclose(got, standardised(view, 1), rtol=0, atol=2e-6)


def test_shapes_are_checked():
    x = tv.zeros((2, 6))
    with pytest.raises(ShapeError) as sizes:
        tv.nn.layer_norm(x, (2, 5))
    with pytest.raises(ShapeError) as weight:
        tv.nn.layer_norm(x, 6, tv.zeros(5))
    with pytest.raises(ShapeError) as groups:
        tv.nn.group_norm(x, 4)
    with pytest.raises(ShapeError) as channels:
        tv.nn.batch_norm(tv.zeros(3))
    with pytest.raises(ShapeError) as mean:
        tv.nn.batch_norm(x, tv.zeros(2), tv.ones(6))
    with pytest.raises(ShapeError):
        tv.nn.rms_norm(tv.asarray(1.0), ())
    with pytest.raises(DTypeError):
        tv.nn.layer_norm(tv.asarray([1, 2]), 2)
    with pytest.raises(TypeError):
        tv.nn.layer_norm(x, 6, [1.0] * 6)

    assert str(sizes.value) == (
        "layer_norm: normalized_shape=(2, 5) does not fit the tensor of shape (2, 6). "
        "It must hold the sizes of its last axes, at least one."
    )
    assert str(weight.value) == (
        "layer_norm: the weight has the shape (5,), and for a tensor of shape (2, 6) "
        "it must be (6,)."
    )
    assert str(groups.value) == (
        "group_norm: 6 channels do not divide into num_groups=4. The number of groups "
        "must divide the number of channels."
    )
    assert str(channels.value) == (
        "batch_norm: a tensor of shape (3,) has no axis of channels; the shape must be "
        "(samples, channels, ...)."
    )
    assert str(mean.value) == (
        "batch_norm: the mean has the shape (2,), and for a tensor of shape (2, 6) it "
        "must be (6,)."
    )


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
@pytest.mark.parametrize("weighted", [False, True])
def test_the_gradient_of_layer_norm_is_its_formula(bodies, dtype, weighted):
    rng = np.random.default_rng(0)
    g, x = rng.standard_normal((2, 300, 7, 50)).astype(dtype)
    weight = rng.standard_normal((7, 50)).astype(dtype) if weighted else None
    statics = {"axis": (1, 2), "eps": 1e-5}

    native = tv.backend("ndarray").layer_norm_pulled(g, x, weight, **statics)
    derived = bodies.layer_norm_pulled(g, x, weight, **statics)

    wide = x.astype(float)
    h = g.astype(float) * (1 if weight is None else weight.astype(float))
    means = {"axis": (1, 2), "keepdims": True}
    deviation = np.sqrt(wide.var(**means) + 1e-5)
    y = (wide - wide.mean(**means)) / deviation
    want = (h - h.mean(**means) - y * (h * y).mean(**means)) / deviation
    rtol = 10 * float(np.finfo(dtype).eps)
    for found in (native, derived):
        assert found.dtype == dtype
        np.testing.assert_allclose(found, want, rtol, rtol * np.abs(want).max())


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
@pytest.mark.parametrize("weighted", [False, True])
def test_the_gradient_of_rms_norm_is_its_formula(bodies, dtype, weighted):
    rng = np.random.default_rng(0)
    g, x = rng.standard_normal((2, 300, 7, 50)).astype(dtype)
    weight = rng.standard_normal((7, 50)).astype(dtype) if weighted else None
    statics = {"axis": (1, 2), "eps": 1e-5}

    native = tv.backend("ndarray").rms_norm_pulled(g, x, weight, **statics)
    derived = bodies.rms_norm_pulled(g, x, weight, **statics)

    wide = x.astype(float)
    h = g.astype(float) * (1 if weight is None else weight.astype(float))
    means = {"axis": (1, 2), "keepdims": True}
    root = np.sqrt((wide * wide).mean(**means) + 1e-5)
    y = wide / root
    want = (h - y * (h * y).mean(**means)) / root
    rtol = 10 * float(np.finfo(dtype).eps)
    for found in (native, derived):
        assert found.dtype == dtype
        np.testing.assert_allclose(found, want, rtol, rtol * np.abs(want).max())


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
@pytest.mark.parametrize("norm", ["layer_norm", "rms_norm"])
def test_the_gradient_of_a_weight_is_a_sum_over_rows(bodies, dtype, norm):
    rng = np.random.default_rng(0)
    g, x = rng.standard_normal((2, 300, 7, 50)).astype(dtype)
    x += dtype == "float64" and 1e5  # what is left of x when this is taken away
    statics = {"axis": (1, 2), "eps": 1e-5}

    op = f"{norm}_weight_pulled"
    native = getattr(tv.backend("ndarray"), op)(g, x, **statics)
    derived = getattr(bodies, op)(g, x, **statics)

    wide, means = x.astype(float), {"axis": (1, 2), "keepdims": True}
    if norm == "layer_norm":
        wide = wide - wide.mean(**means)
    y = wide / np.sqrt((wide * wide).mean(**means) + 1e-5)
    want = (g.astype(float) * y).sum(0)
    for found in (native, derived):
        eps = float(np.finfo(found.dtype).eps)
        assert found.dtype == ("float32" if dtype == "float16" else dtype)
        atol = 30 * eps * np.abs(want).max()
        if norm == "layer_norm" and dtype == "float64":
            atol *= 1e5  # that many digits of x are its mean's
        np.testing.assert_allclose(found, want, 0, atol)


def test_the_size_of_the_buffer_of_ufuncs_is_as_before():
    size = np.getbufsize()

    tv.backend("ndarray").layer_norm(
        np.ones((2, 1000)), None, None, axis=(1,), eps=1e-5
    )

    assert np.getbufsize() == size


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
@pytest.mark.parametrize("space", [(), (3, 5), (20, 30)])
@pytest.mark.parametrize("groups", [1, 3, 12])
@pytest.mark.parametrize("weighted", [False, True])
def test_group_norm_and_its_gradients_are_their_formulas(
    bodies, dtype, space, groups, weighted
):
    rng = np.random.default_rng(0)
    g, x = rng.standard_normal((2, 20, 12, *space)).astype(dtype)
    x += np.asarray(2, dtype)
    parameters = rng.standard_normal((2, 12)).astype(dtype) if weighted else (None,) * 2
    statics = {"num_groups": groups, "eps": 1e-5}

    weight, bias = (
        np.full(12, number) if p is None else p.astype(float)
        for p, number in zip(parameters, (1.0, 0.0), strict=True)
    )
    rows = x.astype(float).reshape(20, groups, -1)
    away = rows - rows.mean(2, keepdims=True)
    root = np.sqrt((away**2).mean(2, keepdims=True) + 1e-5)
    y = away / root
    lines = (-1, *(1 for _ in space))
    h = (g.astype(float) * weight.reshape(lines)).reshape(rows.shape)
    pulled = (h - h.mean(2, keepdims=True) - y * (h * y).mean(2, keepdims=True)) / root
    y = y.reshape(x.shape)
    others = (0, *range(2, x.ndim))
    wanted = (
        y * weight.reshape(lines) + bias.reshape(lines),
        pulled.reshape(x.shape),
        (g.astype(float) * y).sum(others),
    )
    for backend in (tv.backend("ndarray"), bodies):
        found = (
            backend.group_norm(x, *parameters, **statics),
            backend.group_norm_pulled(g, x, parameters[0], **statics),
            backend.group_norm_weight_pulled(g, x, **statics),
        )
        assert found[0].dtype == found[1].dtype == dtype
        assert found[2].dtype == ("float32" if dtype == "float16" else dtype)
        for got, want in zip(found, wanted, strict=True):
            # a group of one number has a root of the size of eps, and much cancels
            scale = np.abs(want).max() + float(space == ()) * 300
            atol = 30 * float(np.finfo(got.dtype).eps) * scale
            np.testing.assert_allclose(got, want, 0, atol)


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
@pytest.mark.parametrize("shape", [(900, 120), (7, 12, 3), (9, 12, 20, 50)])
@pytest.mark.parametrize("shifted", [False, True])
def test_channels_are_moved_and_scaled_by_their_own_numbers(
    bodies, dtype, shape, shifted
):
    rng = np.random.default_rng(0)
    g, x = rng.standard_normal((2, *shape)).astype(dtype)
    mean, factor, bias = rng.standard_normal((3, shape[1])).astype(dtype)
    lines = (-1, *(1 for _ in shape[2:]))
    level, scale, shift = (p.astype(float).reshape(lines) for p in (mean, factor, bias))
    away = x.astype(float) - level
    want = away * scale + shift * shifted
    products = (g.astype(float) * away).sum((0, *range(2, x.ndim)))
    eps = float(np.finfo(dtype).eps)

    for backend in (tv.backend("ndarray"), bodies):
        found = backend.channel_affine(x, mean, factor, bias if shifted else None)
        sums = backend.channel_products(g, x, mean)
        assert found.dtype == sums.dtype == dtype
        np.testing.assert_allclose(found, want, 0, 4 * eps * np.abs(want).max())
        # 16-bit products are rounded one by one, before they are summed in float32
        np.testing.assert_allclose(sums, products, 0, 40 * eps * np.abs(products).max())
