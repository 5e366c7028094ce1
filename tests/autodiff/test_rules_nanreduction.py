"""Gradients of reductions without NaN: what is missing has the slope 0."""

import math

import pytest
from numeric import Array, array, check, listed, on, slopes

import trivet as tv

NAN, INF = math.nan, math.inf
LOST = Array((2, 3), (1.5, NAN, -0.5, NAN, 2.0, 0.75))
NONE = Array((2, 2), (NAN, NAN, 1.0, 3.0))
ROWS = {"axis": (1,), "keepdims": False}
KEPT = {"axis": (0,), "keepdims": True}
ALL = {"axis": None, "keepdims": False}
REDUCTIONS = [on(LOST, **ROWS), on(LOST, **KEPT), on(LOST, **ALL), on(array(3), **ALL)]
SUMS = [
    on(case.operands[0], dtype=None, **case.statics)
    for case in [*REDUCTIONS, on(NONE, **ROWS)]
]
SPREADS = [
    on(LOST, **ALL, correction=0),
    on(LOST, **ROWS, correction=1),
    on(LOST, **KEPT, correction=0),
    on(array(4), **ALL, correction=1),
]
CASES = {
    "nansum": SUMS,
    "nanprod": SUMS,
    "nanmean": REDUCTIONS,
    "nanvar": SPREADS,
    "nanstd": [case for case in SPREADS if case.statics["axis"] != (0,)],
    "nanmax": REDUCTIONS,
    "nanmin": REDUCTIONS,
    "nanmedian": [*REDUCTIONS, on(array(2, 5), **ROWS), on(array(0), **ALL)],
}


@pytest.mark.parametrize("op, case", listed(CASES))
def test_derivatives_agree_with_differences(backend, op, case):
    check(backend, op, case)


@pytest.mark.parametrize("op", CASES)
def test_row_of_nothing_has_slope_zero_and_leaves_the_others_alone(backend, op):
    function = getattr(tv, op)

    rows = slopes(backend, lambda x: function(x, axis=1), [[NAN, NAN], [2.0, 2.0]])[0]

    assert rows[0] == [0.0, 0.0]
    assert all(map(math.isfinite, rows[1]))


def test_deviation_of_equal_elements_has_slope_zero(backend):
    assert slopes(backend, tv.nanstd, [2.0, NAN, 2.0]) == [[0.0, 0.0, 0.0]]


def test_ties_share_the_slope_of_the_extreme(backend):
    assert slopes(backend, tv.nanmax, [3.0, NAN, 3.0, 1.0]) == [[0.5, 0.0, 0.5, 0.0]]
    assert slopes(backend, tv.nanmin, [1.0, 1.0, NAN]) == [[0.5, 0.5, 0.0]]


def test_middle_of_two_equal_elements_is_half_of_each(backend):
    assert slopes(backend, tv.nanmedian, [9.0, 5.0, NAN, 5.0, 1.0]) == [
        [0.0, 0.5, 0.0, 0.5, 0.0]
    ]
