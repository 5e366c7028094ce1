"""Pooling against PyTorch, the contract's bodies, and sums over loops."""

import itertools
import math
import random

import numpy as np
import pytest
from arrays import assert_close

import trivet as tv
from trivet.errors import DTypeError, ShapeError

RNG = np.random.default_rng(6)
DIMENSIONS = [1, 2, 3]
nan, inf = math.nan, math.inf


def settings(ndim, seed):
    """A window and settings drawn from a seed; it fits an array of 5 or more."""
    draw = random.Random(f"{ndim} {seed}").randint
    window = tuple(draw(2, 4) for _ in range(ndim))
    return {
        "kernel_size": window,
        "stride": tuple(draw(1, 3) for _ in range(ndim)),
        "padding": tuple((p, p) for p in (draw(0, k // 2) for k in window)),
        "ceil_mode": draw(0, 1) == 1,
    }


def for_torch(case):
    return case | {"padding": [low for low, _ in case["padding"]]}


def plane(ndim, seed, *, ties=False):
    """Two images of two channels; with ties, of few different numbers."""
    rng = np.random.default_rng([ndim, seed])
    shape = (2, 2, *rng.integers(5, 8, ndim))
    return rng.integers(0, 3, shape).astype(float) if ties else rng.normal(size=shape)


@pytest.mark.parametrize("ties", [False, True])
@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("ndim", DIMENSIONS)
def test_max_pool_and_its_indices_are_torchs(ndim, seed, ties):
    torch = pytest.importorskip("torch")
    x, case = plane(ndim, seed, ties=ties), settings(ndim, seed)

    values = getattr(tv.nn, f"max_pool{ndim}d")(tv.asarray(x), **case)
    pairs = getattr(tv.nn, f"max_pool{ndim}d_with_indices")(tv.asarray(x), **case)

    theirs = getattr(torch.nn.functional, f"max_pool{ndim}d")
    want = theirs(torch.tensor(x), **for_torch(case), return_indices=True)
    assert values.tolist() == pairs[0].tolist() == want[0].tolist()
    assert pairs[1].dtype == tv.int64
    assert pairs[1].tolist() == want[1].tolist()


@pytest.mark.parametrize("counts", [False, True])
@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("ndim", DIMENSIONS)
def test_avg_pool_is_torchs(ndim, seed, counts):
    torch = pytest.importorskip("torch")
    x, case = plane(ndim, seed), settings(ndim, seed) | {"count_include_pad": counts}

    got = getattr(tv.nn, f"avg_pool{ndim}d")(tv.asarray(x), **case)

    theirs = getattr(torch.nn.functional, f"avg_pool{ndim}d")
    assert_close(got.numpy(), theirs(torch.tensor(x), **for_torch(case)).numpy())


@pytest.mark.parametrize("size", [1, 2, 3, 5, 7, 9])
@pytest.mark.parametrize("ndim", DIMENSIONS)
def test_adaptive_pools_are_torchs(bodies, ndim, size):
    torch = pytest.importorskip("torch")
    x = plane(ndim, size)
    for name in ("adaptive_avg_pool", "adaptive_max_pool"):
        got = getattr(tv.nn, f"{name}{ndim}d")(tv.asarray(x), size)

        theirs = getattr(torch.nn.functional, f"{name}{ndim}d")
        assert_close(got.numpy(), theirs(torch.tensor(x), size).numpy())
        assert_close(getattr(bodies, name)(x, size=(size,) * ndim), got.numpy())


@pytest.mark.parametrize("power", [1, 2, 3, 2.5])
def test_lp_pool_is_the_norm_of_each_window(bodies, power):
    x = RNG.normal(size=(2, 3, 6, 4))

    got = tv.nn.lp_pool2d(tv.asarray(x), power, (3, 2))

    windows = x.reshape(2, 3, 2, 3, 2, 2).transpose(0, 1, 2, 4, 3, 5)
    want = np.linalg.norm(windows.reshape(2, 3, 2, 2, 6), power, axis=-1)
    assert_close(got.numpy(), want)
    none = ((0, 0), (0, 0))
    body = bodies.lp_pool(x, power=power, window=(3, 2), stride=(3, 2), padding=none)
    assert_close(body, want)


def test_an_infinite_power_takes_the_largest_size():
    got = tv.nn.lp_pool1d(tv.asarray([[[3.0, -4.0, 1.0, 2.0]]]), inf, 2)

    assert got.tolist() == [[[4.0, 2.0]]]


def test_lp_pool_leaves_the_ends_of_incomplete_windows_out_or_in():
    x = tv.asarray([[[3.0, 4.0, -5.0]]])

    assert tv.nn.lp_pool1d(x, 2, 2).tolist() == [[[5.0]]]
    assert tv.nn.lp_pool1d(x, 2, 2, ceil_mode=True).tolist() == [[[5.0, 5.0]]]


POOLS = list(
    itertools.product(
        [((2, 3), (1, 2)), ((3, 2), (3, 1)), ((5, 4), (2, 2))],
        [((0, 0), (0, 0)), ((1, 0), (0, 1))],
    )
)


@pytest.mark.parametrize("windows, padding", POOLS)
def test_bodies_agree_with_slices(bodies, windows, padding):
    window, stride = windows
    x = np.random.default_rng(3).integers(0, 4, (2, 3, 6, 5)).astype(float)
    statics = {"window": window, "stride": stride, "padding": padding}
    backend = tv.backend("ndarray")

    for op in ("max_pool", "max_pool_indices"):
        got = getattr(backend, op)(x, **statics, dilation=(1, 1))
        want = getattr(bodies, op)(x, **statics, dilation=(1, 1))
        np.testing.assert_array_equal(got, want)
    for counted in (padding, ((0, 0), (0, 0))):
        got = backend.avg_pool(x, **statics, counted=counted)
        assert_close(got, bodies.avg_pool(x, **statics, counted=counted))


@pytest.mark.parametrize("windows, padding", POOLS)
@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
@pytest.mark.parametrize("odd", [1, np.nan, np.inf, -np.inf])
def test_gradient_of_max_pool_is_added_at_its_indices(
    bodies, windows, padding, dtype, odd
):
    window, stride = windows
    rng = np.random.default_rng(3)
    x = rng.integers(0, 4, (150, 3, 16, 15)).astype(dtype)
    x[rng.random(x.shape) < 0.01] = odd
    statics = {"window": window, "stride": stride, "padding": padding}
    statics["dilation"] = (1, 1)
    nd = tv.backend("ndarray")
    out, indices = nd.max_pool(x, **statics), nd.max_pool_indices(x, **statics)
    g = rng.integers(-3, 4, out.shape).astype(dtype)
    g[rng.random(g.shape) < 0.01] = abs(odd)

    want = np.zeros((450, 16 * 15), dtype)
    plane = np.repeat(np.arange(450), indices[0, 0].size)
    np.add.at(want, (plane, indices.reshape(-1)), g.reshape(-1))
    for backend in (nd, bodies):
        found = backend.max_pool_pulled(g, x, out, **statics)
        assert found.dtype == dtype
        np.testing.assert_array_equal(found, want.reshape(x.shape))


@pytest.mark.parametrize("dtype", ["int8", "uint8", "int64", "float16", "float32"])
def test_max_pool_keeps_the_dtype(dtype):
    x = np.array([[[3, 1, 2, 0]]]).astype(dtype)
    lowest = np.finfo(dtype).min if x.dtype.kind == "f" else np.iinfo(dtype).min
    x[..., 2:] = lowest

    got = tv.nn.max_pool1d(tv.asarray(x), 2)

    assert got.dtype == tv.asarray(x).dtype
    assert got.tolist() == [[[3, lowest]]]


def test_nan_wins_and_infinities_stay():
    x = tv.asarray([[[nan, 1.0, -inf, -inf, 1.0, inf]]])

    values, indices = tv.nn.max_pool1d_with_indices(x, 2)
    means = tv.nn.avg_pool1d(x, 2)

    assert math.isnan(values.tolist()[0][0][0])
    assert values.tolist()[0][0][1:] == [-inf, inf]
    assert indices.tolist() == [[[0, 2, 5]]]
    assert math.isnan(means.tolist()[0][0][0])
    assert means.tolist()[0][0][1:] == [-inf, inf]


@pytest.mark.parametrize("pool", [tv.nn.avg_pool2d, tv.nn.adaptive_avg_pool2d])
def test_float16_means_accumulate_in_float32(pool):
    x = tv.full((1, 1, 100, 100), 100.0, dtype=tv.float16)

    got = pool(x, 1) if pool is tv.nn.adaptive_avg_pool2d else pool(x, 100)

    assert (got.dtype, got.tolist()) == (tv.float16, [[[[100.0]]]])


def test_large_windows_take_one_step_for_each_place():
    x = RNG.normal(size=(2, 3, 300, 200))

    means = tv.nn.avg_pool2d(tv.asarray(x), (300, 200))
    tops, at = tv.nn.max_pool2d_with_indices(tv.asarray(x), (300, 100))

    assert_close(means.numpy(), x.mean(axis=(2, 3), keepdims=True))
    halves = x.reshape(2, 3, 300, 2, 100).max(axis=(2, 4))
    assert_close(tops.numpy(), halves[:, :, None])
    flat = x.reshape(2, 3, -1)
    want = np.take_along_axis(flat, at.numpy().reshape(2, 3, 2), 2)
    assert_close(want, halves)


def test_an_empty_batch_stays_empty():
    x = tv.ones((0, 3, 4, 4))

    for pool in (tv.nn.max_pool2d, tv.nn.avg_pool2d, tv.nn.adaptive_max_pool2d):
        assert pool(x, 2).shape == (0, 3, 2, 2)
    assert tv.nn.max_pool2d_with_indices(x, 2)[1].shape == (0, 3, 2, 2)


def test_the_tensor_is_not_written_to():
    x = tv.asarray([[[1.0, 2.0, 3.0]]])

    for pool in (tv.nn.max_pool1d, tv.nn.avg_pool1d):
        result = pool(x, 1)
        result[0, 0, 0] = 9.0
    for pool in (tv.nn.adaptive_max_pool1d, tv.nn.adaptive_avg_pool1d):
        for size in (3, 5):
            result = pool(x, size)
            result[0, 0, 0] = 9.0

    assert x.tolist() == [[[1.0, 2.0, 3.0]]]


ERRORS = [
    (
        lambda x: tv.nn.max_pool2d(x, 2),
        (
            "max_pool2d: the tensor has the shape (1, 2, 5), and 4 axes are needed: "
            "batch, channel and 2 more. Add missing ones with tv.expand_dims."
        ),
    ),
    (
        lambda x: tv.nn.max_pool1d(x, 0),
        "max_pool1d: kernel_size=0 does not fit; give one int, none below 1.",
    ),
    (
        lambda x: tv.nn.max_pool1d(x, 3, padding=2),
        "max_pool1d: the padding ((2, 2),) is more than half of kernel_size=(3,).",
    ),
    (
        lambda x: tv.nn.avg_pool1d(x, 6),
        (
            "avg_pool1d: a window over 6 elements does not fit axis 2, which has 5 and "
            "the padding (0, 0)."
        ),
    ),
    (
        lambda x: tv.nn.max_pool1d_with_indices(x[..., :1], 2, padding=1, dilation=2),
        (
            "max_pool1d_with_indices: a window sees padding alone on axis 2, which has "
            "1 elements and the padding (1, 1)."
        ),
    ),
    (
        lambda x: tv.nn.avg_pool1d(x[..., :0], 2, padding=1, count_include_pad=False),
        (
            "avg_pool1d: a window sees padding alone on axis 2, which has 0 elements "
            "and the padding (1, 1)."
        ),
    ),
    (
        lambda x: tv.nn.adaptive_max_pool1d(x, (2, 3)),
        (
            "adaptive_max_pool1d: output_size=(2, 3) does not fit; give one int, none "
            "below 1."
        ),
    ),
    (
        lambda x: tv.nn.adaptive_avg_pool1d(x[..., :0], 2),
        (
            "adaptive_avg_pool1d: the tensor has the shape (1, 2, 0), and an empty "
            "axis has no parts."
        ),
    ),
]


@pytest.mark.parametrize("pool, message", ERRORS)
def test_pools_say_what_does_not_fit(pool, message):
    with pytest.raises(ShapeError) as caught:
        pool(tv.ones((1, 2, 5)))

    assert str(caught.value) == message


def test_a_norm_has_a_power_above_0():
    with pytest.raises(ValueError) as caught:
        tv.nn.lp_pool1d(tv.ones((1, 1, 4)), 0, 2)

    assert str(caught.value) == "lp_pool1d: norm_type=0 is not above 0."


def test_means_of_integers_are_refused():
    with pytest.raises(DTypeError) as caught:
        tv.nn.avg_pool1d(tv.ones((1, 1, 4), dtype=tv.int64), 2)

    assert str(caught.value) == (
        "avg_pool1d: the dtype int64 is not one that this op takes; it takes real "
        "floating. Cast with .astype(...)."
    )
