"""Gradients of sorting, through its body."""

import pytest
from numeric import array, check, listed, on

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
