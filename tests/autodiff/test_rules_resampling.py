"""Rules for resampling."""

from math import inf

import pytest
from numeric import array, check, listed, on, slopes

import trivet as tv

EDGES, CORNERS = {"align_corners": False}, {"align_corners": True}
UP, DOWN = ((3, 5),), ((5, 3),)
GRIDS = [
    on(array(1, 2, 3, 4), array(1, 2, 2, 2, low=-0.9, high=0.9), **statics)
    for statics in (
        {"mode": "bilinear", "padding_mode": "zeros", **EDGES},
        {"mode": "bilinear", "padding_mode": "border", **CORNERS},
    )
]
CASES = {
    "interpolate": [
        on(array(1, 1, 3), size=(5,), ratio=UP, mode="nearest", **EDGES),
        on(array(1, 2, 5), size=(3,), ratio=DOWN, mode="nearest-exact", **EDGES),
        on(array(1, 1, 3), size=(5,), ratio=UP, mode="linear", **EDGES),
        on(array(1, 1, 3), size=(5,), ratio=((2, 4),), mode="linear", **CORNERS),
        on(
            array(1, 1, 3, 2),
            size=(2, 3),
            ratio=((3, 2), (1, 1.7)),
            mode="cubic",
            **EDGES,
        ),
    ],
    "interpolate_transpose": [
        on(array(1, 1, 5), size=(3,), ratio=UP, mode="nearest", **EDGES),
        on(array(1, 1, 5), size=(3,), ratio=UP, mode="linear", **EDGES),
        on(
            array(1, 1, 2, 3),
            size=(3, 2),
            ratio=((3, 2), (2, 3)),
            mode="cubic",
            **EDGES,
        ),
    ],
    "weighted_rows": [
        on(array(4, 3), [[0, 1], [3, 3]], array(2, 2)),
        on(array(2, 1), [[1]], array(1, 1)),
    ],
    "weighted_rows_transpose": [
        on(array(2, 3), [[0, 1], [3, 3]], array(2, 2), size=4),
        on(array(1, 2), [[1]], array(1, 1), size=2),
    ],
    "row_products": [
        on(array(2, 3), array(4, 3), [[0, 1], [3, 3]]),
        on(array(1, 2), array(2, 2), [[1]]),
    ],
    "grid_sample": [
        *GRIDS,
        on(
            array(1, 1, 3, 3),
            array(1, 2, 2, 2, low=-1.9, high=1.9),
            mode="bilinear",
            padding_mode="reflection",
            **EDGES,
        ),
        on(
            array(1, 1, 3, 3),
            [[[[0, 1], [-1, 0]]]],
            mode="nearest",
            padding_mode="zeros",
            **EDGES,
        ),
    ],
}


@pytest.mark.parametrize("op, case", listed(CASES))
def test_derivatives_agree_with_differences(backend, op, case):
    check(backend, op, case)


def test_half_pixel_ends_gather_their_slopes(backend):
    found = slopes(
        backend, lambda x: tv.nn.interpolate(x, 4, mode="linear"), [[[0.0, 10.0]]]
    )

    assert found == [[[[2.0, 2.0]]]]


def test_an_infinity_has_no_slope_where_it_has_no_part(backend):
    weights = tv.asarray([1.0, inf, 1.0], dtype=tv.float64, backend=backend)

    found = slopes(
        backend,
        lambda x: tv.nn.interpolate(x, 3, mode="linear", align_corners=True) * weights,
        [[[1.0, 2.0, 3.0, 4.0, 5.0]]],
    )

    assert found == [[[[1.0, 0.0, inf, 0.0, 1.0]]]]


def test_points_outside_a_border_are_flat(backend):
    x = tv.asarray([[[[1.0, 2.0]]]], dtype=tv.float64, backend=backend)

    found = slopes(
        backend,
        lambda grid: tv.nn.grid_sample(x, grid, padding_mode="border"),
        [[[[-3.0, 0.0], [3.0, 0.0]]]],
    )

    assert found == [[[[[0.0, 0.0], [0.0, 0.0]]]]]
