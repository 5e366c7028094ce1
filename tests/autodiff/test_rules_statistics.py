"""Gradients of order statistics, covariances, counts and running extremes."""

import math

import pytest
from numeric import Array, array, check, listed, on, slopes

import trivet as tv

INF, NAN = math.inf, math.nan
ALL = {"axis": None, "keepdims": False}
ROWS = {"axis": (1,), "keepdims": False}
PARTS = Array((3,), (0.15, 0.4, 0.93))
RISING = Array((4,), (0.0, 0.75, 2.0, 2.5))
HOLES = Array((2, 5), (1.5, NAN, -0.5, 2.25, 0.75, NAN, 3.5, NAN, -1.25, 0.25))
RUNNING = [
    on(array(6), axis=0),
    on(array(2, 4), axis=1),
    on(array(3, 2), axis=0),
    on(array(0), axis=0),
]
CASES = {
    "median": [
        on(array(5), **ALL),
        on(array(4), **ALL),
        on(array(2, 3), **ROWS),
        on(array(2, 2, 2), axis=(0, 2), keepdims=True),
        on(array(0), **ALL),
    ],
    "quantile": [
        on(array(5), PARTS, method="linear", **ALL),
        on(array(5), PARTS, method="midpoint", **ALL),
        on(array(5), PARTS, method="lower", **ALL),
        on(array(5), PARTS, method="higher", **ALL),
        on(array(5), PARTS, method="nearest", **ALL),
        on(array(2, 4), PARTS, method="linear", **ROWS),
        on(array(2, 3), Array((), (0.3,)), method="linear", axis=(0, 1), keepdims=True),
    ],
    "nanquantile": [
        on(array(5), PARTS, method="linear", **ALL),
        on(HOLES, PARTS, method="linear", **ROWS),
        on(HOLES, PARTS, method="midpoint", **ALL),
        on(HOLES, PARTS, method="lower", axis=(0,), keepdims=True),
        on(HOLES, PARTS, method="nearest", axis=(0, 1), keepdims=False),
        on(HOLES, Array((), (0.3,)), method="higher", **ROWS),
        on(array(3, 0), PARTS, method="linear", axis=(0,), keepdims=False),
    ],
    "interp": [
        on(Array((5,), (-1.0, 0.5, 1.9, 2.2, 9.0)), RISING, array(4)),
        on(array(2, 3, low=0.1, high=1.9), RISING, array(4)),
        on(array(), RISING, array(4)),
        on(array(0, 2), RISING, array(4)),
        on(array(3), array(1, low=-9, high=-8), array(1)),
    ],
    "cov": [
        on(array(2, 4), correction=1),
        on(array(3, 3), correction=0),
        on(array(4), correction=1),
    ],
    "corrcoef": [on(array(2, 4)), on(array(3, 5))],
    "bincount": [
        on([0, 2, 0, 1], array(4), minlength=4),
        on([], array(0), minlength=2),
    ],
    "histogram": [
        on([0, 1, 2, 5], [0, 1, 2], array(4)),
        on([], [0, 1], array(0)),
    ],
    "cumulative_max": RUNNING,
    "cumulative_min": RUNNING,
    "logcumsumexp": RUNNING,
}


@pytest.mark.parametrize("op, case", listed(CASES))
def test_derivatives_agree_with_differences(backend, op, case):
    check(backend, op, case)


def test_median_of_two_equal_elements_is_half_of_each(backend):
    assert slopes(backend, tv.median, [9.0, 5.0, 5.0, 1.0]) == [[0.0, 0.5, 0.5, 0.0]]


def test_quantile_weighs_equal_elements_as_others(backend):
    found = slopes(backend, lambda x: tv.quantile(x, 0.25), [5.0, 5.0])[0]

    assert found == [0.75, 0.25]


def test_quantile_next_to_infinities_has_finite_slopes(backend):
    found = slopes(backend, tv.quantile, [-INF, 1.0, 3.0, INF], [0.5, 0.4])

    assert found[0] == pytest.approx([0.0, 0.5 + 0.8, 0.5 + 0.2, 0.0])
    assert found[1] == pytest.approx([6.0, 6.0])


def test_quantile_has_a_slope_in_its_part_at_the_elements_too(backend):
    found = slopes(
        backend,
        lambda q: tv.quantile(
            tv.asarray([1.0, 2.0, 4.0], dtype="float64", backend=backend), q
        ),
        0.5,
    )

    assert found == [4.0]  # to the next element


def test_running_sum_of_logarithms_has_the_slopes_of_the_limit_at_minus_infinity(
    backend,
):
    found = slopes(backend, tv.logcumsumexp, [-INF, -INF, 0.0, 0.0])[0]

    assert found == [1.5, 0.5, 1.5, 0.5]


def test_first_of_equal_elements_is_the_running_extreme(backend):
    assert slopes(backend, tv.cumulative_max, [5.0, 5.0, 1.0, 7.0]) == [
        [3.0, 0, 0, 1.0]
    ]
    assert slopes(backend, tv.cumulative_min, [5.0, 5.0, 1.0, 7.0]) == [
        [2.0, 0, 2.0, 0]
    ]


def test_running_extreme_is_nan_from_the_first_nan_on(backend):
    found = slopes(backend, tv.cumulative_max, [1.0, NAN, 2.0, NAN])

    assert found == [[1.0, 3.0, 0.0, 0.0]]
