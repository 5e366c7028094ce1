"""The derived statistics, against Python's and values worked out by hand."""

import math
import statistics
from itertools import accumulate

import pytest
from hypothesis import given
from hypothesis import strategies as st

NAN, INF = math.nan, math.inf
T, F = True, False
ALL = {"axis": None, "keepdims": False}
ROWS = {"axis": (1,), "keepdims": False}
LINE = {"axis": 0}
TABLE = [[7.0, 1.0, 2.0, 4.0], [1.0, NAN, 2.0, 3.0]]
FIVE = [10.0, 20.0, 40.0, 80.0, 160.0]
EMPTY = ([], "int64")


def by(method):
    return ALL | {"method": method}


CASES = [
    ("median", (TABLE,), ROWS, [3.0, NAN]),
    ("median", ([[3.0], [1.0], [2.0]],), {"axis": (0, 1), "keepdims": T}, [[2.0]]),
    ("median", ([1, 2],), ALL, (1.5, "float64")),
    ("median", ([],), ALL, (NAN, "float64")),
    ("median", ([INF, INF, -INF],), ALL, (INF, "float64")),
    ("median", ([1.7e308, 1.7e308],), ALL, (1.7e308, "float64")),
    ("median", ((5.0, "float32"),), ALL, (5.0, "float32")),
    ("quantile", (FIVE, (0.5, "float64")), by("linear"), (40.0, "float64")),
    ("quantile", (FIVE, [0.0, 1.0, 0.625]), by("linear"), [10.0, 160.0, 60.0]),
    ("quantile", (FIVE, [[0.625], [0.7]]), by("lower"), [[40.0], [40.0]]),
    ("quantile", (FIVE, [0.625, 0.7, 0.5]), by("higher"), [80.0, 80.0, 40.0]),
    ("quantile", (FIVE, [0.625, 0.7, 0.5]), by("midpoint"), [60.0, 60.0, 40.0]),
    ("quantile", (FIVE, [0.625, 0.7, 0.375]), by("nearest"), [40.0, 80.0, 40.0]),
    ("quantile", ([-INF, 0.0, INF], [0.25, 0.5, 1.0]), by("linear"), [-INF, 0.0, INF]),
    ("quantile", ([INF, INF], [0.5]), by("linear"), [INF]),
    ("quantile", ([0.0, INF], [0.0, 0.5]), by("linear"), [0.0, INF]),
    ("quantile", (FIVE, [-0.1, 1.1, NAN]), by("linear"), [NAN, NAN, NAN]),
    ("quantile", ([1.0, NAN], [0.0]), by("lower"), [NAN]),
    ("quantile", ([], [0.5]), by("linear"), [NAN]),
    ("quantile", ([1, 2], [0.5]), by("linear"), [1.5]),
    (
        "quantile",
        (TABLE, [0.0, 0.5]),
        ROWS | {"method": "lower"},
        [[1.0, NAN], [2.0, NAN]],
    ),
    (
        "quantile",
        ([[1.0, 2.0]], [0.5]),
        {"axis": (0,), "keepdims": T, "method": "linear"},
        [[[1.0, 2.0]]],
    ),
    ("nanquantile", ([40.0, NAN, 10.0, 20.0], [0.25, 1.0]), by("linear"), [15.0, 40.0]),
    ("nanquantile", ([NAN, 1.0, INF], [0.0, 0.5, 1.0]), by("lower"), [1.0, 1.0, INF]),
    ("nanquantile", ([NAN, 1.0, INF], [0.5]), by("higher"), [INF]),
    ("nanquantile", ([1.0, NAN, 2.0], [-0.1, 1.1, NAN]), by("linear"), [NAN] * 3),
    ("nanquantile", ([NAN, NAN], [0.5]), by("midpoint"), [NAN]),
    ("nanquantile", ([], [0.5]), by("linear"), [NAN]),
    ("nanquantile", ([1, 2], [0.5]), by("nearest"), [1.0]),
    (
        "nanquantile",
        ((3.0, "float32"), (0.5, "float64")),
        by("linear"),
        (3.0, "float32"),
    ),
    (
        "nanquantile",
        ([[1.0, NAN, 5.0], [NAN, NAN, NAN]], [0.0, 0.5]),
        ROWS | {"method": "linear"},
        [[1.0, NAN], [3.0, NAN]],
    ),
    (
        "nanquantile",
        ([[1.0, NAN]], (0.5, "float64")),
        {"axis": (0,), "keepdims": T, "method": "linear"},
        [[1.0, NAN]],
    ),
    (
        "interp",
        ([-1.0, 0.0, 0.5, 1.0, 2.0, 9.0, NAN], [0.0, 1.0, 3.0], [5.0, 7.0, 4.0]),
        {},
        [5.0, 5.0, 6.0, 7.0, 5.5, 4.0, NAN],
    ),
    ("interp", ((0.5, "float64"), [0.0, 1.0], [0.0, INF]), {}, (INF, "float64")),
    (
        "interp",
        ([0.0, 1.0, 2.0], [0.0, 1.0, 2.0], [1.0, INF, -INF]),
        {},
        [1.0, INF, -INF],
    ),
    ("interp", ([0.0, INF, NAN], [1.0], [3.0]), {}, [3.0, 3.0, NAN]),
    (
        "interp",
        ([-INF, -5.0, 0.5, 1.0, 9.0, INF], [-INF, 0.0, 1.0, INF], [1.0, 3.0, 5.0, 7.0]),
        {},
        [1.0, 3.0, 4.0, 5.0, 5.0, 7.0],
    ),
    (
        "interp",
        ([0.5, 1.0], [0.0, 1.0, 1.0, 2.0], [1.0, 2.0, 8.0, 9.0]),
        {},
        [1.5, 8.0],
    ),
    ("interp", ([[0.25]], [0.0, 1.0], [4.0, 8.0]), {}, [[5.0]]),
    (
        "interp",
        (([0.5], "float32"), ([0.0, 1.0], "float32"), ([1.0, 2.0], "float32")),
        {},
        ([1.5], "float32"),
    ),
    (
        "cov",
        ([[1.0, 2.0, 3.0], [2.0, 4.0, 6.0]],),
        {"correction": 1},
        [[1.0, 2.0], [2.0, 4.0]],
    ),
    ("cov", ([1, 3],), {"correction": 0}, (1.0, "float64")),
    ("cov", ([[1.0]],), {"correction": 1}, [[NAN]]),
    ("corrcoef", ([[1.0, 2.0, 3.0], [3.0, 2.0, 1.0]],), {}, [[1.0, -1.0], [-1.0, 1.0]]),
    ("corrcoef", ([[1.0, 1.0], [0.0, 1.0]],), {}, [[NAN, NAN], [NAN, 1.0]]),
    ("corrcoef", ([1, 2],), {}, (1.0, "float64")),
    ("bincount", ([0, 3, 3],), {"minlength": 5}, [1, 0, 0, 2, 0]),
    ("bincount", ([0, 1, 1], [2.0, 0.5, 1.0]), {"minlength": 2}, [2.0, 1.5]),
    ("bincount", ([0, 0], ([100, 100], "int8")), {"minlength": 1}, [200]),
    ("bincount", (EMPTY,), {"minlength": 2}, [0, 0]),
    ("histogram", ([0.0, 0.5, 1.0, 2.0, -1.0, NAN], [0.0, 0.5, 1.0]), {}, [1, 2]),
    ("histogram", ([1, 2, 3], [1, 2, 4], [1.0, 2.0, 4.0]), {}, [1.0, 6.0]),
    ("histogram", ([], [0.0, 1.0]), {}, [0]),
    ("histogram", ([INF, -INF, 1.0], [-INF, 0.0, INF]), {}, [1, 2]),
    ("cumulative_max", ([1, 3, 2, 5, 4],), LINE, [1, 3, 3, 5, 5]),
    ("cumulative_max", ([1.0, NAN, 2.0],), LINE, [1.0, NAN, NAN]),
    ("cumulative_min", ([[3, 1], [2, 4]],), {"axis": 1}, [[3, 1], [2, 2]]),
    ("cumulative_min", (EMPTY,), LINE, EMPTY),
    ("logcumsumexp", ([0.0, 0.0],), LINE, [0.0, math.log(2)]),
    ("logcumsumexp", ([-INF, -INF, 1000.0],), LINE, [-INF, -INF, 1000.0]),
    ("logcumsumexp", ([INF, -INF, NAN],), LINE, [INF, INF, NAN]),
]


@pytest.mark.parametrize("op, operands, statics, expected", CASES)
def test_op_gives_the_right_values(check, op, operands, statics, expected):
    check(op, operands, statics, expected)


numbers = st.lists(st.floats(-1e6, 1e6), min_size=1)


@given(values=numbers)
def test_median_is_that_of_pythons_statistics(backend, grid, values):
    found = backend.median(grid(values), **ALL).data[0]

    assert found == pytest.approx(statistics.median(values), rel=1e-12, abs=1e-300)


@given(values=st.lists(st.floats(-1e6, 1e6), min_size=2))
def test_quartiles_are_those_of_pythons_statistics(backend, grid, values):
    q = grid([0.25, 0.5, 0.75])

    found = backend.quantile(grid(values), q, **by("linear")).data

    want = statistics.quantiles(values, n=4, method="inclusive")
    assert found == pytest.approx(want, rel=1e-9, abs=1e-9)


@given(values=st.lists(st.integers(-5, 5)))
def test_running_extremes_are_pythons(backend, grid, values):
    x = grid(values, "int64")

    assert backend.cumulative_max(x, axis=0).data == list(accumulate(values, max))
    assert backend.cumulative_min(x, axis=0).data == list(accumulate(values, min))


def test_every_derived_op_of_the_family_has_a_case(derived_ops):
    assert derived_ops("statistics") == {case[0] for case in CASES}
