"""The derived reductions without NaN, against values worked out by hand."""

import math
import statistics

import pytest
from hypothesis import given
from hypothesis import strategies as st

NAN, INF = math.nan, math.inf
T, F = True, False
ALL = {"axis": None, "keepdims": False}
ROWS = {"axis": (1,), "keepdims": False}
KEPT = {"axis": (0,), "keepdims": True}
ONE = {"axis": None, "keepdims": False}
LOST = [[1.0, NAN, 3.0], [NAN, NAN, NAN]]
SUM = {"dtype": None}

CASES = [
    ("nansum", (LOST,), ROWS | SUM, [4.0, 0.0]),
    ("nansum", ([T, T],), ALL | SUM, (2, "int64")),
    ("nansum", ([],), ALL | SUM, (0.0, "float64")),
    ("nansum", ([INF, NAN],), ALL | SUM, (INF, "float64")),
    ("nanprod", (LOST,), KEPT | SUM, [[1.0, 1.0, 3.0]]),
    ("nanprod", ([2, 3],), ALL | SUM, (6, "int64")),
    ("nanmean", (LOST,), ROWS, [2.0, NAN]),
    ("nanmean", ([1, 2],), ALL, (1.5, "float64")),
    ("nanmean", ([],), ALL, (NAN, "float64")),
    ("nanvar", (LOST,), ROWS | {"correction": 0}, [1.0, NAN]),
    ("nanvar", (LOST,), ROWS | {"correction": 1}, [2.0, NAN]),
    ("nanvar", ([5.0, NAN],), ALL | {"correction": 1}, (NAN, "float64")),
    ("nanvar", ([1, 3],), ALL | {"correction": 0}, (1.0, "float64")),
    ("nanstd", ([2.0, NAN, 6.0],), ALL | {"correction": 0}, (2.0, "float64")),
    ("nanstd", ([2.0, NAN, 2.0],), ALL | {"correction": 0}, (0.0, "float64")),
    ("nanstd", (LOST,), ROWS | {"correction": 2}, [NAN, NAN]),
    ("nanstd", ([1, 3],), ALL | {"correction": 0}, (1.0, "float64")),
    ("nanmax", (LOST,), ROWS, [3.0, NAN]),
    ("nanmax", ([-INF, NAN],), ALL, (-INF, "float64")),
    ("nanmax", ([3, 7],), ALL, (7, "int64")),
    ("nanmin", (LOST,), ROWS, [1.0, NAN]),
    ("nanmin", ([INF, NAN],), ALL, (INF, "float64")),
    ("nanmin", ([3, 7],), KEPT, [3]),
    ("nanargmax", (LOST,), {"axis": 1, "keepdims": False}, [2, -1]),
    ("nanargmax", ([NAN, -INF, -INF],), ONE, (1, "int64")),
    ("nanargmax", ([3, 7, 7],), ONE, (1, "int64")),
    ("nanargmin", (LOST,), {"axis": 1, "keepdims": True}, [[0], [-1]]),
    ("nanargmin", ([NAN, INF],), ONE, (1, "int64")),
    ("nanargmin", ([3, 1, 1],), ONE, (1, "int64")),
    ("nanmedian", (LOST,), ROWS, [2.0, NAN]),
    ("nanmedian", ([[5.0, NAN], [1.0, 2.0]],), ALL, (2.0, "float64")),
    ("nanmedian", ([1, 2],), ALL, (1.5, "float64")),
    ("nanmedian", ([],), ALL, (NAN, "float64")),
    ("nanmedian", ([INF, NAN, INF],), ALL, (INF, "float64")),
]


@pytest.mark.parametrize("op, operands, statics, expected", CASES)
def test_op_gives_the_right_values(check, op, operands, statics, expected):
    check(op, operands, statics, expected)


@given(values=st.lists(st.floats(-1e6, 1e6), min_size=1), lost=st.integers(0, 3))
def test_what_is_missing_does_not_count(backend, grid, values, lost):
    x = grid([*values, *[NAN] * lost])

    median = backend.nanmedian(x, **ALL).data[0]
    mean = backend.nanmean(x, **ALL).data[0]

    assert median == pytest.approx(statistics.median(values), rel=1e-12, abs=1e-300)
    assert mean == pytest.approx(statistics.fmean(values), rel=1e-9, abs=1e-6)


def test_every_derived_op_of_the_family_has_a_case(derived_ops):
    assert derived_ops("nanreduction") == {case[0] for case in CASES}
