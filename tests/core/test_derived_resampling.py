"""The derived resamplings, against their formulas."""

import math

import pytest

NAN, INF = math.nan, math.inf
EDGES, CORNERS = {"align_corners": False}, {"align_corners": True}
PAIR = [[[0.0, 10.0]]]
UP = {"size": (4,), "ratio": ((2, 4),)}
SQUARE = [[[[1.0, 2.0], [3.0, 4.0]]]]
ZEROS = {"mode": "bilinear", "padding_mode": "zeros"}
# Keys's weights at a quarter, with a = -3/4, of elements at -1, 0, 1 and 2
KEYS = (-27 / 256, 225 / 256, 67 / 256, -9 / 256)


def points(*pairs):
    return [[[list(pair) for pair in pairs]]]


ROWS, PLACES = [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]], [[0, 2], [2, 2]]

CASES = [
    # 10 (1, 2) + (5, 6) and (0 + 3) (5, 6)
    (
        "weighted_rows",
        (ROWS, PLACES, [[10.0, 1.0], [0.0, 3.0]]),
        {},
        [[15.0, 26.0], [15.0, 18.0]],
    ),
    # (1, 2) to row 0 and 3 times to row 2, and (3, 4) once and twice to row 2
    (
        "weighted_rows_transpose",
        (ROWS[:2], PLACES, [[1.0, 3.0], [1.0, 2.0]]),
        {"size": 4},
        [[1.0, 2.0], [0.0, 0.0], [12.0, 18.0], [0.0, 0.0]],
    ),
    (
        "row_products",
        ([[1.0, 10.0], [2.0, 0.0]], ROWS, PLACES),
        {},
        [[21.0, 65.0], [10.0, 10.0]],
    ),
    (
        "interpolate",
        (PAIR,),
        UP | {"mode": "nearest"} | EDGES,
        [[[0.0, 0.0, 10.0, 10.0]]],
    ),
    (
        "interpolate",
        ([[[1.0, 2.0, 3.0]]],),
        {"size": (2,), "ratio": ((3, 2),), "mode": "nearest"} | EDGES,
        [[[1.0, 2.0]]],
    ),
    (
        "interpolate",
        ([[[1.0, 2.0, 3.0]]],),
        {"size": (2,), "ratio": ((3, 2),), "mode": "nearest-exact"} | EDGES,
        [[[1.0, 3.0]]],
    ),
    (
        "interpolate",
        (PAIR,),
        UP | {"mode": "linear"} | EDGES,
        [[[0.0, 2.5, 7.5, 10.0]]],
    ),
    (
        "interpolate",
        (PAIR,),
        {"size": (5,), "ratio": ((1, 4),), "mode": "linear"} | CORNERS,
        [[[0.0, 2.5, 5.0, 7.5, 10.0]]],
    ),
    (
        "interpolate",
        (PAIR,),
        {"size": (1,), "ratio": ((0, 1),), "mode": "linear"} | CORNERS,
        [[[0.0]]],
    ),
    (
        "interpolate",
        ([[[INF, 2.0, NAN]]],),
        {"size": (5,), "ratio": ((2, 4),), "mode": "linear"} | CORNERS,
        [[[INF, INF, 2.0, NAN, NAN]]],
    ),
    # the place is 1 + 1/4 for the second of two elements a stride of 3/2 apart
    (
        "interpolate",
        ([[[8.0, 0.0, 0.0]]],),
        {"size": (2,), "ratio": ((3, 2),), "mode": "cubic"} | EDGES,
        [[[8.0 * (KEYS[0] + KEYS[1]), 8.0 * KEYS[3]]]],
    ),
    (
        "interpolate",
        ([[[1.0, 1.0, 1.0]]],),
        {"size": (3,), "ratio": ((3, 3),), "mode": "cubic"} | EDGES,
        [[[1.0, 1.0, 1.0]]],
    ),
    (
        "interpolate_transpose",
        ([[[1.0, 2.0, 4.0, 8.0]]],),
        {"size": (2,), "ratio": ((2, 4),), "mode": "linear"} | EDGES,
        [[[1 + 1.5 + 1, 0.5 + 3 + 8]]],
    ),
    (
        "interpolate_transpose",
        ([[[1.0, 2.0, 4.0, INF]]],),
        {"size": (2,), "ratio": ((2, 4),), "mode": "nearest"} | EDGES,
        [[[3.0, INF]]],
    ),
    (
        "grid_sample",
        (SQUARE, points((0.0, 0.0), (-0.5, 0.5), (1.0, -0.5), (-2.0, 0.0))),
        ZEROS | EDGES,
        [[[[2.5, 3.0, 1.0, 0.0]]]],
    ),
    (
        "grid_sample",
        (SQUARE, points((-1.0, -1.0), (1.0, 0.0), (NAN, 1.0), (INF, 0.0))),
        ZEROS | CORNERS,
        [[[[1.0, 3.0, 3.0, 0.0]]]],
    ),
    (
        "grid_sample",
        (SQUARE, points((-9.0, 0.0), (INF, -INF), (-0.5, 9.0))),
        {"mode": "bilinear", "padding_mode": "border"} | EDGES,
        [[[[2.0, 2.0, 3.0]]]],
    ),
    # beyond the right edge at 1, places 1.5 and 2 stand for 0.5 and 0 in x
    (
        "grid_sample",
        (SQUARE, points((1.5, -0.5), (2.0, -0.5), (-1.5, -0.5))),
        {"mode": "bilinear", "padding_mode": "reflection"} | EDGES,
        [[[[2.0, 1.5, 1.0]]]],
    ),
    (
        "grid_sample",
        (SQUARE, points((2.0, -1.0), (4.0, -1.0))),
        {"mode": "bilinear", "padding_mode": "reflection"} | CORNERS,
        [[[[1.5, 1.5]]]],
    ),
    # places -0.5, 0.5 and 1.5 round to the even ones: 0, 0 and 2
    (
        "grid_sample",
        (SQUARE, points((-1.0, -0.5), (0.0, -0.5), (1.0, -0.5))),
        {"mode": "nearest", "padding_mode": "zeros"} | EDGES,
        [[[[1.0, 1.0, 0.0]]]],
    ),
]


@pytest.mark.parametrize("op, operands, statics, expected", CASES)
def test_op_gives_the_right_values(check, op, operands, statics, expected):
    check(op, operands, statics, expected)


@pytest.mark.parametrize("n, m", [(2, 98), (3, 9), (49, 7), (5, 15), (1, 49)])
def test_nearest_places_are_exact_where_they_are_whole(backend, grid, n, m):
    numbers = [float(i) for i in range(n)]

    got = backend.interpolate(
        grid([[numbers]]),
        size=(m,),
        ratio=((n, m),),
        mode="nearest",
        align_corners=False,
    )

    assert got.data == [float(i * n // m) for i in range(m)]


def test_every_derived_op_of_the_family_has_a_case(derived_ops):
    assert derived_ops("resampling") == {case[0] for case in CASES}
