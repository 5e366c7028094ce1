"""Rules for trigonometric and hyperbolic functions."""

import pytest
from numeric import array, check, listed, on

ANY = [on(array(2, 3)), on(array()), on(array(0, 3))]
INSIDE = [on(array(2, 3, low=-0.9, high=0.9)), on(array(low=0.1, high=0.9))]
ABOVE = [on(array(2, 3, low=1.2, high=3.0)), on(array(low=1.2, high=3.0))]
CASES = {
    "sin": ANY,
    "cos": ANY,
    "tan": INSIDE,
    "asin": INSIDE,
    "acos": INSIDE,
    "atan": ANY,
    "atan2": [
        on(array(2, 3), array(2, 3, low=-1)),
        on(array(2, 1), array(1, 3)),
        on(array(3), array(2, 3)),
        on(array(), array(2)),
        on(array(0, 3), array(3)),
        on(array(3), 1.5),
        on(-2, array(3)),
    ],
    "sinh": ANY,
    "cosh": ANY,
    "tanh": ANY,
    "asinh": ANY,
    "acosh": ABOVE,
    "atanh": INSIDE,
}


@pytest.mark.parametrize("op, case", listed(CASES))
def test_derivatives_agree_with_differences(backend, op, case):
    check(backend, op, case)
