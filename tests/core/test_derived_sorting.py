"""The derived ops of order, against Python's `sorted` and `bisect`."""

import math
from bisect import bisect_left, bisect_right

import pytest
from hypothesis import given
from hypothesis import strategies as st

NAN, INF = math.nan, math.inf
T, F = True, False
UP = {"axis": 0, "descending": False, "stable": True}
DOWN = {"axis": 0, "descending": True, "stable": True}
LEFT, RIGHT = {"side": "left"}, {"side": "right"}
EMPTY = ([], "int64")

CASES = [
    ("sort", ([3, 1, 2],), UP, [1, 2, 3]),
    ("sort", ([3, 1, 2],), DOWN, [3, 2, 1]),
    ("sort", ([NAN, INF, -INF, 0.0],), UP, [-INF, 0.0, INF, NAN]),
    ("sort", ([[3, 1], [2, 4]],), UP, [[2, 1], [3, 4]]),
    ("sort", ([[3, 1], [2, 4]],), UP | {"axis": 1}, [[1, 3], [2, 4]]),
    ("sort", (EMPTY,), UP, EMPTY),
    ("sort", ([0.0, -0.0, 0.0],), UP, [0.0, -0.0, 0.0]),
    ("searchsorted", ([1, 3, 3, 5], [0, 3, 4, 9]), LEFT, [0, 1, 3, 4]),
    ("searchsorted", ([1, 3, 3, 5], [0, 3, 4, 9]), RIGHT, [0, 3, 3, 4]),
    ("searchsorted", ([1, 3], [[2], [5]]), LEFT, [[1], [2]]),
    ("searchsorted", ([1, 3], (3, "int64")), RIGHT, (2, "int64")),
    ("searchsorted", (EMPTY, [5]), LEFT, [0]),
    ("searchsorted", ([-INF, 0.0, INF], [INF, -INF]), RIGHT, [3, 1]),
    ("nonzero", ([0, 2, 0, -1],), {}, [[1, 3]]),
    ("nonzero", ([[T, F], [T, T]],), {}, [[0, 1, 1], [0, 0, 1]]),
    ("nonzero", ([0.0, -0.0, NAN],), {}, [[2]]),
    ("nonzero", ([0, 0],), {}, [EMPTY]),
    ("nonzero", (EMPTY,), {}, [EMPTY]),
]


@pytest.mark.parametrize("op, operands, statics, expected", CASES)
def test_op_gives_the_right_values(check, op, operands, statics, expected):
    check(op, operands, statics, expected)


@given(values=st.lists(st.integers(-(2**63), 2**63 - 1)))
def test_sort_orders_any_integers_both_ways(check, values):
    check("sort", ((values, "int64"),), UP, (sorted(values), "int64"))
    check("sort", ((values, "int64"),), DOWN, (sorted(values)[::-1], "int64"))


@given(
    values=st.lists(st.floats(allow_nan=False)).map(sorted),
    x=st.floats(allow_nan=False),
)
def test_searchsorted_agrees_with_bisect(check, values, x):
    check("searchsorted", (values, [x]), LEFT, [bisect_left(values, x)])
    check("searchsorted", (values, [x]), RIGHT, [bisect_right(values, x)])


@given(values=st.lists(st.lists(st.booleans(), min_size=3, max_size=3), min_size=1))
def test_nonzero_lists_the_places_in_c_order(backend, grid, values):
    expected = [
        (i, j) for i, row in enumerate(values) for j, one in enumerate(row) if one
    ]

    rows, cols = backend.nonzero(grid(values))

    assert list(zip(rows.data, cols.data, strict=True)) == expected


def test_every_derived_op_of_the_family_has_a_case(derived_ops):
    assert derived_ops("sorting") == {case[0] for case in CASES}
