"""The rule of `where`, which selects and never multiplies."""

from math import inf

import pytest
from numeric import array, check, fixed, listed, on, slopes

import trivet as tv

MASK = [True, False, True]
GRID = [[True, False, True], [False, False, True]]
CASES = {
    "where": [
        on(GRID, array(2, 3), array(2, 3, low=0)),
        on(MASK, array(2, 1), array(1, 3)),
        on(MASK, array(), array(2, 3)),
        on(GRID, array(3), array()),
        on(fixed(True), array(), array(low=0)),
        on(MASK, array(3), 0.0),
        on(MASK, 2, array(3)),
        on(MASK, array(3), [1, 2, 3]),
    ]
}


@pytest.mark.parametrize("op, case", listed(CASES))
def test_derivatives_agree_with_differences(backend, op, case):
    check(backend, op, case)


def test_where_never_multiplies_the_cotangent_of_what_it_left_out(backend):
    chosen = tv.asarray([True, False], backend=backend)
    weights = tv.asarray([5.0, inf], dtype=tv.float64, backend=backend)

    found = slopes(
        backend, lambda a, b: tv.where(chosen, a, b) * weights, [1, 2], [3, 4]
    )

    assert found == [[5.0, 0.0], [0.0, inf]]


def test_where_guards_a_branch_that_has_no_slope(backend):
    def root(x):
        inside = x > 0
        return tv.where(inside, tv.sqrt(tv.where(inside, x, 1.0)), 0.0)

    assert slopes(backend, root, [0.0, 4.0]) == [[0.0, 0.25]]


def test_comparison_of_a_variable_is_a_constant(ad):
    x = tv.asarray([1.0, 2.0], backend=ad).require_grad()

    assert not ad.is_tracked((x > 1.5).handle)
    assert not ad.is_tracked((x == x).handle)
