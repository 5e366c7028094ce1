"""The derived reductions and scans, against `statistics` and `itertools`."""

import math
import statistics
from itertools import accumulate
from operator import mul

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trivet.dtypes import float64, int8

NAN, INF = math.nan, math.inf
T, F = True, False
TABLE = [[1, 2, 3], [4, 5, 6]]
LOWEST, HIGHEST = -(2**63), 2**63 - 1
ALL, ROWS = {"axis": None, "keepdims": False}, {"axis": (1,), "keepdims": False}
KEPT = {"axis": (0,), "keepdims": True}
FLAT, ALONG = {"axis": None, "keepdims": False}, {"axis": 1, "keepdims": True}


def spread(axis=None, correction=0, *, keepdims=False):
    return {"axis": axis, "correction": correction, "keepdims": keepdims}


def scan(axis=0, dtype=None, *, initial=False):
    return {"axis": axis, "dtype": dtype, "include_initial": initial}


CASES = [
    ("min", ([[3, 1], [2, 5]],), ALL, (1, "int64")),
    ("min", ([[3, 1], [2, 5]],), ROWS, [1, 2]),
    ("min", ([[3, 1], [2, 5]],), KEPT, [[2, 1]]),
    ("min", ([LOWEST, HIGHEST],), ALL, (LOWEST, "int64")),
    ("min", (([0, 255], "uint8"),), ALL, (0, "uint8")),
    ("min", ([INF, NAN, -INF],), ALL, (NAN, "float64")),
    ("min", ([INF, -INF],), ALL, (-INF, "float64")),
    ("argmin", ([3, 1, 1],), FLAT, (1, "int64")),
    ("argmin", ([[3, 1], [0, 5]],), FLAT, (2, "int64")),
    ("argmin", ([[3, 1], [0, 5]],), ALONG, [[1], [0]]),
    ("argmin", ([1.0, NAN, -INF, NAN],), FLAT, (1, "int64")),
    ("argmin", (([7, 0], "uint8"),), FLAT, (1, "int64")),
    ("argmin", ([0, LOWEST],), FLAT, (1, "int64")),
    ("mean", (TABLE,), ALL, (3.5, "float64")),
    ("mean", (TABLE,), ROWS, [2.0, 5.0]),
    ("mean", ([[1.0, NAN], [2.0, INF]],), ROWS, [NAN, INF]),
    ("mean", ([HIGHEST, HIGHEST],), ALL, (float(HIGHEST), "float64")),
    ("mean", (([0.1, 0.1], "float32"),), ALL, (0.10000000149011612, "float32")),
    ("mean", ([],), ALL, (NAN, "float64")),
    ("mean", ((2.5, "float64"),), ALL, (2.5, "float64")),
    ("var", ([1.0, 2.0, 4.0],), spread(), (14 / 9, "float64")),
    ("var", ([1, 2, 4],), spread(correction=1), (7 / 3, "float64")),
    ("var", (TABLE,), spread((0,), keepdims=True), [[2.25] * 3]),
    ("var", ([1.0],), spread(correction=1), (NAN, "float64")),
    ("var", ([1.0, INF],), spread(), (NAN, "float64")),
    ("var", ([1.0, 2.0],), spread(correction=2), (NAN, "float64")),
    ("var", ([1.0, 2.0],), spread(correction=3), (NAN, "float64")),
    ("var", ([1e9 + 1, 1e9 + 2, 1e9 + 3],), spread(), (2 / 3, "float64")),
    ("var", ([],), spread(), (NAN, "float64")),
    ("std", ([1, 2, 4],), spread(correction=1), (math.sqrt(7 / 3), "float64")),
    ("std", ([3.0, 3.0],), spread(), (0.0, "float64")),
    ("count_nonzero", ([0.0, -0.0, NAN, 2.0],), ALL, (2, "int64")),
    ("count_nonzero", ([[T, F], [T, T]],), ROWS, [1, 2]),
    ("count_nonzero", ([],), ALL, (0, "int64")),
    ("any", ([[0, 0], [0, 2]],), ROWS, [F, T]),
    ("any", ([NAN],), ALL, (T, "bool")),
    ("any", ([],), ALL, (F, "bool")),
    ("all", ([[1, 0], [1, 2]],), ROWS, [F, T]),
    ("all", ([T, F],), KEPT, [F]),
    ("all", ([],), ALL, (T, "bool")),
    ("cumulative_sum", ([1, 2, 3, 4, 5],), scan(), [1, 3, 6, 10, 15]),
    ("cumulative_sum", (TABLE,), scan(1, initial=True), [[0, 1, 3, 6], [0, 4, 9, 15]]),
    ("cumulative_sum", (TABLE,), scan(0), [[1, 2, 3], [5, 7, 9]]),
    ("cumulative_sum", (([100, 100], "int8"),), scan(), [100, 200]),
    ("cumulative_sum", (([100, 100], "int8"),), scan(0, int8), ([100, -56], "int8")),
    ("cumulative_sum", (([200, 100], "uint8"),), scan(), ([200, 300], "uint64")),
    ("cumulative_sum", ([1, 2],), scan(0, float64), [1.0, 3.0]),
    ("cumulative_sum", ([1.0, INF, -INF, 1.0],), scan(), [1.0, INF, NAN, NAN]),
    ("cumulative_sum", ([],), scan(initial=True), [0.0]),
    ("cumulative_prod", ([1, 2, 3, 4, 5],), scan(), [1, 2, 6, 24, 120]),
    ("cumulative_prod", ([2.0, 0.0, -3.0],), scan(initial=True), [1.0, 2.0, 0.0, -0.0]),
    ("cumulative_prod", ([-1, 2, -3],), scan(), [-1, -2, 6]),
    ("cumulative_prod", ([],), scan(), []),
    ("diff", ([1, 4, 9, 16],), {"axis": 0, "n": 1}, [3, 5, 7]),
    ("diff", ([1, 4, 9, 16],), {"axis": 0, "n": 2}, [2, 2]),
    ("diff", (TABLE,), {"axis": 0, "n": 1}, [[3, 3, 3]]),
    ("diff", ([1, 4],), {"axis": 0, "n": 5}, ([], "int64")),
    ("diff", ([1.5],), {"axis": 0, "n": 0}, [1.5]),
    ("diff", ([T, T, F],), {"axis": 0, "n": 1}, [F, T]),
    ("diff", (([3, 1], "uint8"),), {"axis": 0, "n": 1}, ([254], "uint8")),
]


@pytest.mark.parametrize("op, operands, statics, expected", CASES)
def test_op_gives_the_right_values(check, op, operands, statics, expected):
    check(op, operands, statics, expected)


# Far from zero and from each other: what cancels in a sum is not the op's fault.
samples = st.lists(st.floats(1, 1e3), min_size=2, max_size=20)
integers = st.lists(st.integers(LOWEST, HIGHEST), min_size=1, max_size=20)


@given(values=samples)
def test_mean_and_spread_agree_with_statistics(check, values):
    mean, var = statistics.fmean(values), statistics.pvariance(values)

    check("mean", (values,), ALL, (mean, "float64"))
    if var > 1:
        check("var", (values,), spread(), (var, "float64"), 1e-9)
        check("std", (values,), spread(), (math.sqrt(var), "float64"), 1e-9)


@given(values=integers)
def test_smallest_of_any_integers_agrees_with_python(check, values):
    check("min", (values,), ALL, (min(values), "int64"))
    check("argmin", (values,), FLAT, (values.index(min(values)), "int64"))


@pytest.mark.parametrize(
    "op, python", [("cumulative_sum", None), ("cumulative_prod", mul)]
)
@given(values=integers)
def test_running_op_wraps_as_the_lowest_bits_of_exact_arithmetic(
    check, op, python, values
):
    exact = accumulate(values, python)
    wrapped = [(number - LOWEST) % 2**64 + LOWEST for number in exact]

    check(op, (values,), scan(), wrapped)


@given(values=st.lists(st.floats(0, 1e6), max_size=40))
def test_running_sum_agrees_with_itertools_to_rounding(check, values):
    check("cumulative_sum", (values,), scan(), list(accumulate(values)), 1e-13)


@pytest.mark.parametrize("op", ["min", "argmin", "mean", "any", "all"])
def test_axes_may_be_any_and_keep_their_place(backend, grid, op):
    x = grid([[[1, 2], [3, 4], [5, 6]]] * 4)
    axis = 1 if op == "argmin" else (1,)

    kept = getattr(backend, op)(x, axis=axis, keepdims=True)
    gone = getattr(backend, op)(x, axis=axis, keepdims=False)

    assert kept.shape == (4, 1, 2)
    assert gone.shape == (4, 2)
    assert kept.data == gone.data


def test_every_derived_op_of_the_family_has_a_case(derived_ops):
    assert derived_ops("reduction") == {case[0] for case in CASES} | {"extremes"}


@pytest.mark.parametrize(
    "numbers, dtype",
    [
        ([3, -1, 2], "int64"),
        ([LOWEST, HIGHEST], "int64"),
        ([-128, 127], "int8"),
        ([0, 255], "uint8"),
        ([1, 2**64 - 1], "uint64"),
    ],
)
def test_extremes_are_numbers_of_the_host(backend, grid, numbers, dtype):
    assert backend.extremes(grid(numbers, dtype)) == (min(numbers), max(numbers))
