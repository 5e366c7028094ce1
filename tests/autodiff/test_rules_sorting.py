"""Gradients of sorting, through its body."""

import pytest
from numeric import array, check, listed, on, slopes

import trivet as tv

UP = {"descending": False, "stable": True}
DOWN = {"descending": True, "stable": True}
CASES = {
    "sort": [
        on(array(5), axis=0, **UP),
        on(array(5), axis=0, **DOWN),
        on(array(3, 2), axis=0, **UP),
        on(array(2, 3), axis=1, **DOWN),
        on(array(0, 3), axis=1, **UP),
        on(array(0), axis=0, **UP),
    ]
}


@pytest.mark.parametrize("op, case", listed(CASES))
def test_derivatives_agree_with_differences(backend, op, case):
    check(backend, op, case)


def test_tied_elements_keep_their_order_when_the_sort_is_stable(backend):
    weights = tv.asarray([1.0, 10.0, 100.0, 1000.0], dtype=tv.float64, backend=backend)

    found = slopes(backend, lambda x: tv.sort(x) * weights, [2.0, 1.0, 2.0, 0.0])

    assert found == [[100.0, 10.0, 1000.0, 1.0]]
