"""Rules for trigonometric and hyperbolic functions."""

import pytest
from numeric import array, check, listed, on, slopes

import trivet as tv

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


def test_angle_has_its_slopes_on_the_axes(backend):
    found = slopes(backend, tv.atan2, [0.0, 1.0, 0.0, -1.0], [1.0, 0.0, -1.0, 0.0])

    assert found == [[1.0, 0.0, -1.0, 0.0], [0.0, -1.0, 0.0, 1.0]]


def test_angle_has_slope_zero_at_the_origin(backend):
    assert slopes(backend, tv.atan2, [0.0], [0.0]) == [[0.0], [0.0]]


def test_angle_of_a_far_point_does_not_overflow(backend):
    found = slopes(backend, tv.atan2, [1e200], [1e200])

    assert found[0] == pytest.approx([5e-201], rel=1e-12)


def test_inverse_sine_keeps_its_digits_near_one(backend):
    x = 1 - 2.0**-50  # 1 - x * x is 2**-49 - 2**-100

    found = slopes(backend, tv.asin, [x])[0]

    assert found == pytest.approx([(2.0**-49 - 2.0**-100) ** -0.5], rel=1e-14)
