"""The derived poolings, against their definitions."""

import math

import pytest

NAN, INF = math.nan, math.inf
LINE = {"window": (3,), "stride": (2,), "padding": ((1, 1),)}
PAIRS = {"window": (2,), "stride": (2,), "padding": ((0, 0),)}
ALL = LINE | {"dilation": (1,)}
PLANE = [[[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 9.0]]]]
CORNERS = {"window": (2, 2), "stride": (1, 2), "padding": ((0, 0), (0, 1))}

CASES = [
    ("max_pool", ([[[-3.0, -1.0, -2.0, -5.0]]],), ALL, [[[-1.0, -1.0]]]),
    ("max_pool", ([[[-INF, -INF, 5.0, NAN]]],), ALL, [[[-INF, NAN]]]),
    ("max_pool", (([[[-128, -7]]], "int8"),), ALL, ([[[-7]]], "int8")),
    (
        "max_pool",
        (PLANE,),
        CORNERS | {"dilation": (1, 1)},
        [[[[5.0, 6.0], [8.0, 9.0]]]],
    ),
    (
        "max_pool",
        ([[[1, 9, 2, 3]]],),
        {"window": (2,), "stride": (1,), "padding": ((1, 0),), "dilation": (2,)},
        [[[9, 2, 9]]],
    ),
    ("max_pool_indices", ([[[7.0, 7.0, 1.0, 7.0]]],), ALL, [[[0, 1]]]),
    # the elements that max_pool_indices names
    (
        "max_pool_pulled",
        ([[[2.0, 3.0]]], [[[7.0, 7.0, 1.0, 7.0]]], [[[7.0, 7.0]]]),
        ALL,
        [[[2.0, 3.0, 0.0, 0.0]]],
    ),
    (
        "max_pool_pulled",
        ([[[2.0, INF]]], [[[1.0, NAN, NAN, 9.0]]], [[[NAN, NAN]]]),
        ALL,
        [[[0.0, INF, 0.0, 0.0]]],
    ),
    ("max_pool_indices", ([[[1.0, NAN, NAN, 9.0]]],), ALL, [[[1, 1]]]),
    ("max_pool_indices", ([[[-INF, -INF, -INF, -INF]]],), ALL, [[[0, 1]]]),
    (
        "max_pool_indices",
        (PLANE,),
        CORNERS | {"dilation": (1, 1)},
        [[[[4, 5], [7, 8]]]],
    ),
    (
        "avg_pool",
        ([[[2.0, 4.0, 6.0, 8.0]]],),
        LINE | {"counted": ((1, 1),)},
        [[[2.0, 6.0]]],
    ),
    (
        "avg_pool",
        ([[[2.0, 4.0, 6.0, 8.0]]],),
        LINE | {"counted": ((0, 0),)},
        [[[3.0, 6.0]]],
    ),
    (
        "avg_pool",
        ([[[1.0, INF, 2.0, 4.0]]],),
        PAIRS | {"counted": ((0, 0),)},
        [[[INF, 3.0]]],
    ),
    (
        "avg_pool",
        (PLANE,),
        CORNERS | {"counted": ((0, 0), (0, 0))},
        [[[[3.0, 4.5], [6.0, 7.5]]]],
    ),
    ("lp_pool", ([[[3.0, -4.0, 0.0, 0.0]]],), PAIRS | {"power": 2}, [[[5.0, 0.0]]]),
    ("lp_pool", ([[[3.0, -4.0, NAN, 0.0]]],), PAIRS | {"power": 1}, [[[7.0, NAN]]]),
    ("adaptive_avg_pool", ([[[1.0, 2.0, 6.0]]],), {"size": (2,)}, [[[1.5, 4.0]]]),
    ("adaptive_avg_pool", ([[[1.0, 3.0, 6.0, 8.0]]],), {"size": (2,)}, [[[2.0, 7.0]]]),
    ("adaptive_avg_pool", ([[[1.0, 3.0]]],), {"size": (3,)}, [[[1.0, 2.0, 3.0]]]),
    ("adaptive_avg_pool", ([[[1.0, 3.0, INF]]],), {"size": (2,)}, [[[2.0, INF]]]),
    ("adaptive_avg_pool", (PLANE,), {"size": (1, 2)}, [[[[4.5, 5.5]]]]),
    ("adaptive_max_pool", ([[[1.0, NAN, 6.0, 8.0]]],), {"size": (2,)}, [[[NAN, 8.0]]]),
    ("adaptive_max_pool", ([[[3, 1, 2]]],), {"size": (2,)}, [[[3, 2]]]),
    ("adaptive_max_pool", (PLANE,), {"size": (2, 1)}, [[[[6.0], [9.0]]]]),
]


@pytest.mark.parametrize("op, operands, statics, expected", CASES)
def test_op_gives_the_right_values(check, op, operands, statics, expected):
    check(op, operands, statics, expected)


@pytest.mark.parametrize("n", range(1, 8))
@pytest.mark.parametrize("m", range(1, 8))
def test_parts_run_from_a_floor_to_a_ceiling(backend, grid, n, m):
    numbers = [float(2**i) for i in range(n)]
    parts = [numbers[p * n // m : math.ceil((p + 1) * n / m)] for p in range(m)]

    means = backend.adaptive_avg_pool(grid([[numbers]]), size=(m,))
    tops = backend.adaptive_max_pool(grid([[numbers]]), size=(m,))

    assert means.data == pytest.approx([sum(part) / len(part) for part in parts])
    assert tops.data == [part[-1] for part in parts]


def test_every_derived_op_of_the_family_has_a_case(derived_ops):
    assert derived_ops("pooling") == {case[0] for case in CASES}
