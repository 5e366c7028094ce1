"""Resampling against PyTorch, the contract's bodies, and formulas."""

import itertools
import math

import numpy as np
import pytest
from arrays import assert_close

import trivet as tv
from trivet.errors import DTypeError, ShapeError

RNG = np.random.default_rng(7)
nan, inf = math.nan, math.inf
SIZES = [(7, 6), (3, 11), (14, 1), (5, 5)]
FACTORS = [2, 0.5, 1.7, (1.3, 2.6)]
LINEAR = {1: "linear", 2: "bilinear", 3: "trilinear"}


def torch_interpolate(x, size=None, *, mode, align_corners, **statics):
    torch = pytest.importorskip("torch")
    aligned = None if mode.startswith("nearest") else align_corners
    return torch.nn.functional.interpolate(
        torch.tensor(x), size, mode=mode, align_corners=aligned, **statics
    ).numpy()


MODES = [
    ("nearest", False),
    ("nearest-exact", False),
    ("bilinear", False),
    ("bilinear", True),
    ("bicubic", False),
    ("bicubic", True),
]


@pytest.mark.parametrize("mode, aligned", MODES)
@pytest.mark.parametrize("size", SIZES)
def test_interpolate_to_a_size_is_torchs(bodies, mode, aligned, size):
    x = RNG.normal(size=(2, 3, 5, 7))

    got = tv.nn.interpolate(tv.asarray(x), size, mode=mode, align_corners=aligned)

    assert_close(
        got.numpy(), torch_interpolate(x, size, mode=mode, align_corners=aligned)
    )
    ratio = [(4, m - 1) if m > 1 else (0, 1) for m in size]
    ratio[1] = (6, size[1] - 1) if size[1] > 1 else (0, 1)
    own = {"bilinear": "linear", "bicubic": "cubic"}.get(mode, mode)
    body = bodies.interpolate(
        x,
        size=size,
        ratio=tuple(ratio) if aligned else ((5, size[0]), (7, size[1])),
        mode=own,
        align_corners=aligned,
    )
    assert_close(body, got.numpy())


@pytest.mark.parametrize("mode, aligned", MODES)
@pytest.mark.parametrize("factor", FACTORS)
def test_interpolate_by_a_factor_is_torchs(mode, aligned, factor):
    x = RNG.normal(size=(2, 3, 5, 7))
    statics = {"mode": mode, "align_corners": aligned}

    got = tv.nn.interpolate(tv.asarray(x), scale_factor=factor, **statics)

    assert_close(got.numpy(), torch_interpolate(x, scale_factor=factor, **statics))


@pytest.mark.parametrize("aligned", [False, True])
@pytest.mark.parametrize("ndim", LINEAR)
def test_linear_of_every_dimension_is_torchs(ndim, aligned):
    x = RNG.normal(size=(1, 2, *(4, 3, 5)[:ndim]))
    size, statics = (6, 2, 5)[:ndim], {"mode": LINEAR[ndim], "align_corners": aligned}

    got = tv.nn.interpolate(tv.asarray(x), size, **statics)

    assert_close(got.numpy(), torch_interpolate(x, size, **statics))


@pytest.mark.parametrize("mode", ["nearest", "linear", "cubic"])
@pytest.mark.parametrize(
    "sizes", [(200, 333), (333, 200), (3, 150), (300, 100), (5, 1), (1, 5)]
)
def test_blocks_of_the_band_are_the_whole(bodies, mode, sizes):
    n, m = sizes
    x, back = RNG.normal(size=(2, 1, n)), RNG.normal(size=(2, 1, m))
    statics = {"ratio": ((n, m),), "mode": mode, "align_corners": False}
    backend = tv.backend("ndarray")

    there = backend.interpolate(x, size=(m,), **statics)
    transposed = backend.interpolate_transpose(back, size=(n,), **statics)

    assert_close(there, bodies.interpolate(x, size=(m,), **statics))
    assert_close(transposed, bodies.interpolate_transpose(back, size=(n,), **statics))
    assert np.vdot(there, back) == pytest.approx(np.vdot(x, transposed), rel=1e-9)


@pytest.mark.usefixtures("quiet")
@pytest.mark.parametrize("value", [inf, nan])
def test_infinities_and_nan_stay_where_they_have_a_part(value):
    x = np.zeros((1, 1, 5))
    x[0, 0, 2] = value

    got = tv.nn.interpolate(tv.asarray(x), 9, mode="linear", align_corners=True)

    assert (
        np.isfinite(got.numpy()[0, 0]).tolist()
        == [*[True] * 3, *[False] * 3] + [True] * 3
    )


def test_float16_is_rounded_once():
    x = RNG.normal(size=(1, 2, 6, 5)).astype("float16")

    got = tv.nn.interpolate(tv.asarray(x), (9, 9), mode="bicubic")

    wide = tv.nn.interpolate(tv.asarray(x.astype("float32")), (9, 9), mode="bicubic")
    assert got.tolist() == wide.astype(tv.float16).tolist()


def test_one_aligned_element_is_the_first():
    x = tv.asarray([[[3.0, 10.0]]])

    got = tv.nn.interpolate(x, 1, mode="linear", align_corners=True)

    assert got.tolist() == [[[3.0]]]


@pytest.mark.parametrize("mode", ["bilinear", "nearest"])
@pytest.mark.parametrize(
    "padding, aligned",
    list(itertools.product(["zeros", "border", "reflection"], [False, True])),
)
def test_grid_sample_is_torchs(mode, padding, aligned):
    torch = pytest.importorskip("torch")
    x, grid = RNG.normal(size=(2, 3, 5, 4)), RNG.uniform(-2.5, 2.5, (2, 6, 7, 2))
    statics = {"mode": mode, "padding_mode": padding, "align_corners": aligned}

    got = tv.nn.grid_sample(tv.asarray(x), tv.asarray(grid), **statics)

    theirs = torch.nn.functional.grid_sample
    assert_close(got.numpy(), theirs(*map(torch.tensor, (x, grid)), **statics).numpy())


@pytest.mark.parametrize("padding", ["zeros", "border", "reflection"])
def test_grid_sample_takes_one_element_wide_images(padding):
    grid = tv.asarray([[[[-1.0, -1.0], [0.0, 0.0], [1.0, 1.0]]]])

    got = tv.nn.grid_sample(
        tv.asarray([[[[7.0]]]]), grid, padding_mode=padding, align_corners=True
    )

    assert got.tolist() == [[[[7.0, 7.0, 7.0]]]]


def test_an_empty_batch_stays_empty():
    x = tv.ones((0, 3, 4, 4))

    assert tv.nn.interpolate(x, 8, mode="bilinear").shape == (0, 3, 8, 8)
    assert tv.nn.grid_sample(x, tv.ones((0, 2, 5, 2))).shape == (0, 3, 2, 5)


LINE = tv.ones((1, 2, 4))
SHAPES = [
    (
        lambda: tv.nn.interpolate(LINE, 2, mode="bilinear"),
        (
            "interpolate: the tensor has the shape (1, 2, 4), and mode='bilinear' is "
            "for 4 axes: batch, channel and the sizes."
        ),
    ),
    (
        lambda: tv.nn.interpolate(LINE, 0),
        "interpolate: size=0 does not fit; give one int, none below 1.",
    ),
    (
        lambda: tv.nn.interpolate(LINE, scale_factor=0.1),
        (
            "interpolate: scale_factor=0.1 does not fit the sizes (4,); give one "
            "number, or one for each axis, that leave at least one element."
        ),
    ),
    (
        lambda: tv.nn.interpolate(LINE, scale_factor=(2, 2)),
        (
            "interpolate: scale_factor=(2, 2) does not fit the sizes (4,); give one "
            "number, or one for each axis, that leave at least one element."
        ),
    ),
    (
        lambda: tv.nn.interpolate(LINE[..., :0], 2),
        (
            "interpolate: the tensor has the shape (1, 2, 0), and an empty axis has "
            "nothing to interpolate."
        ),
    ),
    (
        lambda: tv.nn.grid_sample(tv.ones((1, 1, 2, 2)), tv.ones((2, 3, 3, 2))),
        (
            "grid_sample: the grid has the shape (2, 3, 3, 2), and (1, rows, columns, "
            "2) is needed for a tensor of shape (1, 1, 2, 2)."
        ),
    ),
    (
        lambda: tv.nn.grid_sample(tv.ones((1, 1, 0, 2)), tv.ones((1, 3, 3, 2))),
        (
            "grid_sample: the tensor has the shape (1, 1, 0, 2), and an empty axis has "
            "nothing to sample."
        ),
    ),
]


@pytest.mark.parametrize("call, message", SHAPES)
def test_resampling_says_what_does_not_fit(call, message):
    with pytest.raises(ShapeError) as caught:
        call()

    assert str(caught.value) == message


VALUES = [
    (
        lambda: tv.nn.interpolate(LINE, 2, mode="area"),
        (
            "interpolate: mode='area' is not one of 'nearest', 'nearest-exact', "
            "'linear', 'bilinear', 'trilinear' and 'bicubic'."
        ),
    ),
    (
        lambda: tv.nn.interpolate(LINE, 2, align_corners=True),
        "interpolate: mode='nearest' has no corners to align; leave align_corners out.",
    ),
    (
        lambda: tv.nn.interpolate(LINE),
        "interpolate: give either size or scale_factor.",
    ),
    (
        lambda: tv.nn.grid_sample(
            tv.ones((1, 1, 2, 2)), tv.ones((1, 3, 3, 2)), padding_mode="wrap"
        ),
        (
            "grid_sample: padding_mode='wrap' is not one of 'zeros', 'border' "
            "and 'reflection'."
        ),
    ),
]


@pytest.mark.parametrize("call, message", VALUES)
def test_unknown_words_are_refused(call, message):
    with pytest.raises(ValueError) as caught:
        call()

    assert str(caught.value) == message


def test_a_grid_of_another_dtype_is_refused():
    with pytest.raises(DTypeError) as caught:
        tv.nn.grid_sample(
            tv.ones((1, 1, 2, 2)), tv.ones((1, 3, 3, 2), dtype=tv.float64)
        )

    assert str(caught.value) == (
        "grid_sample: the tensor is float32 and the grid float64; cast one with "
        ".astype(...)."
    )


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
@pytest.mark.parametrize("rows", [3, 900])
@pytest.mark.parametrize("width", [2, 40])
def test_weighted_rows_and_their_transposes_are_products_of_matrices(
    bodies, dtype, rows, width
):
    rng = np.random.default_rng(rows + width)
    x = rng.standard_normal((rows, width)).astype(dtype)
    g = rng.standard_normal((2000, width)).astype(dtype)
    indices = rng.integers(0, rows, (2000, 3))
    weights = rng.standard_normal((2000, 3)).astype(dtype)
    matrix = np.zeros((2000, rows))
    np.add.at(matrix, (np.arange(2000)[:, None], indices), weights)

    wide_x, wide_g = x.astype(float), g.astype(float)
    products = np.take_along_axis(wide_g @ wide_x.T, indices, 1)
    eps = float(np.finfo(dtype).eps)
    for backend in (tv.backend("ndarray"), bodies):
        found = backend.weighted_rows(x, indices, weights)
        turned = backend.weighted_rows_transpose(g, indices, weights, size=rows)
        both = backend.row_products(g, x, indices)
        for got, want in (
            (found, matrix @ wide_x),
            (turned, matrix.T @ wide_g),
            (both, products),
        ):
            assert got.dtype == dtype
            # each sum is rounded as often as it has terms
            np.testing.assert_allclose(got, want, 0, 40 * eps * np.abs(want).max())


def test_no_points_have_no_weighted_rows():
    x, indices, weights = np.ones((3, 8)), np.empty((0, 2), int), np.empty((0, 2))
    nd = tv.backend("ndarray")

    assert nd.weighted_rows(x, indices, weights).shape == (0, 8)
    turned = nd.weighted_rows_transpose(x[:0], indices, weights, size=3)
    np.testing.assert_array_equal(turned, np.zeros((3, 8)))
    assert nd.row_products(x[:0], x, indices).shape == (0, 2)
