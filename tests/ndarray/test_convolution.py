"""Convolutions against PyTorch, the contract's bodies, and sums over loops."""

import random

import numpy as np
import pytest
from arrays import assert_close

import trivet as tv
from trivet.errors import DTypeError, ShapeError

RNG = np.random.default_rng(5)
DIMENSIONS = [1, 2, 3]


def settings(ndim, seed):
    """Sizes, a window and settings drawn from a seed; the window fits."""
    draw = random.Random(f"{ndim} {seed}").randint

    def each(low, high):
        return tuple(draw(low, high) for _ in range(ndim))

    return {
        "size": each(5, 8),
        "window": each(1, 3),
        "stride": each(1, 3),
        "padding": tuple((p, p) for p in each(0, 2)),
        "dilation": each(1, 2),
        "groups": draw(1, 2),
    }


def by_loops(x, weight, stride, padding, dilation, groups):
    """The definition of a convolution of two axes, one number at a time."""
    x = np.pad(x, ((0, 0), (0, 0), *padding))
    batch, _, *size = x.shape
    out, inner, *window = weight.shape
    places = [
        (n - d * (k - 1) - 1) // s + 1
        for n, k, s, d in zip(size, window, stride, dilation, strict=True)
    ]
    result = np.zeros((batch, out, *places))
    for b, o, p, q in np.ndindex(result.shape):
        group = o // (out // groups)
        for c, t, u in np.ndindex(weight.shape[1:]):
            row, column = (
                p * stride[0] + t * dilation[0],
                q * stride[1] + u * dilation[1],
            )
            result[b, o, p, q] += (
                weight[o, c, t, u] * x[b, group * inner + c, row, column]
            )
    return result


@pytest.mark.parametrize("seed", range(6))
def test_conv2d_is_the_sum_of_its_definition(seed):
    case = settings(2, seed)
    groups = case["groups"]
    x = RNG.normal(size=(2, 4, *case["size"]))
    weight = RNG.normal(size=(6, 4 // groups, *case["window"]))
    padding = ((1, 2), (0, 1))

    got = tv.nn.conv2d(
        tv.asarray(x),
        tv.asarray(weight),
        stride=case["stride"],
        padding=padding,
        dilation=case["dilation"],
        groups=groups,
    )

    want = by_loops(x, weight, case["stride"], padding, case["dilation"], groups)
    assert_close(got.numpy(), want)


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("ndim", DIMENSIONS)
def test_conv_is_torchs(bodies, ndim, seed):
    torch = pytest.importorskip("torch")
    case = settings(ndim, seed)
    groups = case["groups"]
    x = RNG.normal(size=(2, 4, *case["size"]))
    weight = RNG.normal(size=(6, 4 // groups, *case["window"]))
    bias = RNG.normal(size=6)
    statics = {name: case[name] for name in ("stride", "padding", "dilation", "groups")}

    got = getattr(tv.nn, f"conv{ndim}d")(*map(tv.asarray, (x, weight, bias)), **statics)

    statics["padding"] = [low for low, _ in case["padding"]]
    theirs = getattr(torch.nn.functional, f"conv{ndim}d")
    want = theirs(*map(torch.tensor, (x, weight, bias)), **statics).numpy()
    assert_close(got.numpy(), want)
    statics["padding"] = case["padding"]
    body = bodies.conv(x, weight, **statics)
    assert_close(body + bias.reshape(6, *(1,) * ndim), want)


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("ndim", DIMENSIONS)
def test_conv_transpose_is_torchs(bodies, ndim, seed):
    torch = pytest.importorskip("torch")
    case = settings(ndim, seed)
    groups = case["groups"]
    x = RNG.normal(size=(2, 4, *case["size"]))
    weight = RNG.normal(size=(4, 3, *case["window"]))
    bias = RNG.normal(size=3 * groups)
    statics = {name: case[name] for name in ("stride", "padding", "dilation", "groups")}
    limits = zip(case["stride"], case["dilation"], strict=True)
    statics["output_padding"] = tuple(max(pair) - 1 for pair in limits)

    ours = getattr(tv.nn, f"conv_transpose{ndim}d")
    got = ours(*map(tv.asarray, (x, weight, bias)), **statics)

    statics["padding"] = [low for low, _ in case["padding"]]
    theirs = getattr(torch.nn.functional, f"conv_transpose{ndim}d")
    want = theirs(*map(torch.tensor, (x, weight, bias)), **statics).numpy()
    assert_close(got.numpy(), want)
    statics["padding"] = case["padding"]
    body = bodies.conv_transpose(x, weight, **statics)
    assert_close(body + bias.reshape(-1, *(1,) * ndim), want)


@pytest.mark.parametrize(
    "shape, window",
    [((40, 8, 40, 40), (3, 3)), ((3, 50, 30, 30), (29, 30)), ((64, 1, 8, 8), (8, 8))],
    ids=["several images at a time", "several channels at a time", "one place"],
)
def test_work_in_parts_gives_what_the_whole_does(bodies, shape, window):
    x, weight = RNG.normal(size=shape), RNG.normal(size=(4, shape[1], *window))
    statics = {"stride": (1, 1), "dilation": (1, 1), "padding": ((0, 0), (0, 0))}

    got = tv.nn.conv2d(tv.asarray(x), tv.asarray(weight))

    assert_close(got.numpy(), bodies.conv(x, weight, **statics, groups=1), 1e-10)


def test_conv_reads_any_memory_layout(bodies):
    x = RNG.normal(size=(7, 6, 4, 2)).T[:, :, ::-1, ::2]
    weight = RNG.normal(size=(3, 2, 4, 3)).transpose(0, 2, 1, 3)

    got = tv.nn.conv2d(tv.asarray(x), tv.asarray(weight))

    assert_close(got.numpy(), by_loops(x, weight, (1, 1), ((0, 0), (0, 0)), (1, 1), 1))


@pytest.mark.parametrize("dtype", ["int8", "uint16", "int64"])
def test_integers_wrap_as_their_products_do(bodies, dtype):
    x = np.arange(12).reshape(1, 1, 12).astype(dtype)
    weight = np.full((1, 1, 3), 100).astype(dtype)

    got = tv.nn.conv1d(tv.asarray(x), tv.asarray(weight))

    want = np.convolve(x[0, 0].astype(int), [100] * 3, "valid").astype(dtype)
    assert got.dtype == tv.asarray(x).dtype
    assert got.tolist() == [[want.tolist()]]


def test_float16_accumulates_in_float32():
    x = tv.ones((1, 1, 4096), dtype=tv.float16)

    got = tv.nn.conv1d(x, tv.ones((1, 1, 4096), dtype=tv.float16))
    back = tv.nn.conv_transpose1d(
        tv.ones((1, 4096, 1), dtype=tv.float16), tv.ones((4096, 1, 1), dtype=tv.float16)
    )

    assert (got.dtype, got.tolist()) == (tv.float16, [[[4096.0]]])
    assert (back.dtype, back.tolist()) == (tv.float16, [[[4096.0]]])


def test_dtypes_promote():
    got = tv.nn.conv1d(
        tv.ones((1, 1, 3), dtype=tv.float32), tv.ones((1, 1, 2), dtype=tv.float64)
    )

    assert got.dtype == tv.float64


def test_an_empty_batch_stays_empty():
    weight = tv.ones((4, 3, 2, 2))

    assert tv.nn.conv2d(tv.ones((0, 3, 5, 5)), weight).shape == (0, 4, 4, 4)
    assert tv.nn.conv_transpose2d(tv.ones((0, 4, 5, 5)), weight).shape == (0, 3, 6, 6)


@pytest.mark.parametrize("stride, padding, dilation", [(1, 0, 1), (2, 1, 1), (1, 2, 2)])
def test_unfold_and_fold_are_torchs(bodies, stride, padding, dilation):
    torch = pytest.importorskip("torch")
    x = RNG.normal(size=(2, 3, 7, 6))
    statics = {"stride": stride, "padding": padding, "dilation": dilation}

    columns = tv.nn.unfold(tv.asarray(x), (3, 2), **statics)
    folded = tv.nn.fold(columns, (7, 6), (3, 2), **statics)

    unfold, fold = torch.nn.functional.unfold, torch.nn.functional.fold
    want = unfold(torch.tensor(x), (3, 2), **statics)
    assert_close(columns.numpy(), want.numpy())
    assert_close(folded.numpy(), fold(want, (7, 6), (3, 2), **statics).numpy())


@pytest.mark.parametrize(
    "size, patches", [(1, [[[1.0, 2.0, 3.0]]]), ((1, 2), [[[1.0, 2.0], [2.0, 3.0]]])]
)
def test_unfolded_patches_do_not_see_writes_to_the_tensor(size, patches):
    x = tv.asarray([[[[1.0, 2.0, 3.0]]]])
    columns = tv.nn.unfold(x, size)

    x[0, 0, 0, 1] = 9.0

    assert columns.tolist() == patches


def test_bodies_of_windows_agree_with_views(bodies):
    x = RNG.normal(size=(2, 3, 6, 5))
    statics = {"stride": (2, 1), "padding": ((1, 2), (0, 1)), "dilation": (1, 2)}
    backend = tv.backend("ndarray")

    seen = backend.sliding_windows(x, window=(3, 2), **statics)
    added = backend.add_windows(seen, size=(6, 5), **statics)

    assert_close(seen, bodies.sliding_windows(x, window=(3, 2), **statics))
    assert_close(added, bodies.add_windows(np.array(seen), size=(6, 5), **statics))


LINE, WEIGHT = (1, 2, 5), (4, 2, 3)
ERRORS = [
    (
        {"x": (2, 5)},
        (
            "conv1d: the tensor has the shape (2, 5), and 3 axes are needed: batch, "
            "channel and 1 more. Add missing ones with tv.expand_dims."
        ),
    ),
    (
        {"weight": (4, 2)},
        (
            "conv1d: the weight has the shape (4, 2), and 3 axes are needed: two of "
            "channels and 1 of the window, which is not empty."
        ),
    ),
    (
        {"weight": (4, 3, 3)},
        "conv1d: the tensor has 2 channels, and the weight is for 3 with groups=1.",
    ),
    (
        {"groups": 3},
        (
            "conv1d: groups=3 does not divide the 2 channels of the tensor and the 4 "
            "of the weight's first axis."
        ),
    ),
    (
        {"stride": 0},
        "conv1d: stride=0 does not fit; give one int, none below 1.",
    ),
    (
        {"dilation": (1, 2)},
        "conv1d: dilation=(1, 2) does not fit; give one int, none below 1.",
    ),
    (
        {"padding": -1},
        (
            "conv1d: padding=-1 does not fit one axis; give one int, or for each axis "
            "an int or a pair (low, high), none negative."
        ),
    ),
    (
        {"dilation": 3},
        (
            "conv1d: a window over 7 elements does not fit axis 2, which has 5 and the "
            "padding (0, 0)."
        ),
    ),
    (
        {"bias": (3,)},
        (
            "conv1d: the bias has the shape (3,), and (4,) is needed: one number for "
            "each channel of the result."
        ),
    ),
]


@pytest.mark.parametrize("given, message", ERRORS)
def test_conv_says_what_does_not_fit(given, message):
    shapes = {"x": LINE, "weight": WEIGHT, "bias": (4,)}
    arrays = [tv.ones(given.get(name, shapes[name])) for name in shapes]
    statics = {name: value for name, value in given.items() if name not in shapes}

    with pytest.raises(ShapeError) as caught:
        tv.nn.conv1d(*arrays, **statics)

    assert str(caught.value) == message


TRANSPOSED = [
    (
        {"output_padding": 2, "stride": 2},
        (
            "conv_transpose2d: output_padding=(2, 2) must be smaller than the stride "
            "(2, 2) or the dilation (1, 1) on every axis."
        ),
    ),
    (
        {"padding": 3},
        (
            "conv_transpose2d: nothing is left of an axis: the sizes would be (-1, "
            "-1). Cut off less by a smaller padding."
        ),
    ),
    (
        {"stride": (1, 2, 3)},
        (
            "conv_transpose2d: stride=(1, 2, 3) does not fit; give one int, or 2 of "
            "them, none below 1."
        ),
    ),
    (
        {"padding": ((1, 2), (3,))},
        (
            "conv_transpose2d: padding=((1, 2), (3,)) does not fit 2 axes; give one "
            "int, or for each axis an int or a pair (low, high), none negative."
        ),
    ),
]


@pytest.mark.parametrize("given, message", TRANSPOSED)
def test_conv_transpose_says_what_does_not_fit(given, message):
    with pytest.raises(ShapeError) as caught:
        tv.nn.conv_transpose2d(tv.ones((1, 2, 3, 3)), tv.ones((2, 1, 3, 3)), **given)

    assert str(caught.value) == message


def test_fold_says_which_shape_it_needs():
    with pytest.raises(ShapeError) as caught:
        tv.nn.fold(tv.ones((1, 4, 5)), (3, 3), 2)

    assert str(caught.value) == (
        "fold: the tensor has the shape (1, 4, 5), and (batch, channel * 4, 4) is "
        "needed for patches of (2, 2) at (2, 2) places."
    )


def test_complex_tensors_are_refused():
    x = tv.ones((1, 1, 3), dtype=tv.complex64)

    with pytest.raises(DTypeError) as caught:
        tv.nn.conv1d(x, x)

    assert str(caught.value) == (
        "conv1d: the dtype complex64 is not one that this op takes; it takes real "
        "floating or signed integer or unsigned integer. Cast with .astype(...)."
    )


@pytest.mark.parametrize("places", [(0, 1), (1, 0), (2, 1)])
def test_padding_of_one_axis_is_low_and_high(places):
    low, high = places

    got = tv.nn.conv1d(tv.ones((1, 1, 1)), tv.ones((1, 1, 1)), padding=(low, high))

    assert got.tolist() == [[[0.0] * low + [1.0] + [0.0] * high]]
