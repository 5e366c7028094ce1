"""Gradients of writing at positions along an axis."""

import pytest
from numeric import array, check, listed, on

CASES = {
    "scatter": [
        on(array(4), [2, 0, 2], array(3), axis=0, mode="set"),
        on(array(4), [2, 0, 2], array(3), axis=0, mode="add"),
        on(array(3, 2), [[0, 0], [0, 1]], array(2, 1), axis=0, mode="add"),
        on(array(2, 3), [[0, -1, 0]], array(2, 3), axis=1, mode="multiply"),
        on(array(2, 3), [[0, 1, 0]], array(2, 3, low=-3), axis=1, mode="minimum"),
        on(array(2, 3), [[0, 1, 0]], array(2, 3, low=-1), axis=1, mode="maximum"),
        on(array(2, 0), [[1]], array(), axis=0, mode="set"),
    ],
}


@pytest.mark.parametrize("op, case", listed(CASES))
def test_derivatives_agree_with_differences(backend, op, case):
    check(backend, op, case)
