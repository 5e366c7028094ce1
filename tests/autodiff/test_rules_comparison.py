"""The rule of `where`, which selects and never multiplies."""

import pytest
from numeric import array, check, fixed, listed, on

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
