"""Gradients of numbers in place of what is none."""

import math

import pytest
from numeric import array, check, listed, on, slopes

import trivet as tv

NUMBERS = {"nan": 0.0, "posinf": 1.0, "neginf": -1.0}
CASES = {"nan_to_num": [on(array(2, 3), **NUMBERS), on(array(), **NUMBERS)]}


@pytest.mark.parametrize("op, case", listed(CASES))
def test_derivatives_agree_with_differences(backend, op, case):
    check(backend, op, case)


def test_what_is_replaced_has_slope_zero(backend):
    x = [math.nan, math.inf, -math.inf, 2.0]

    found = slopes(backend, lambda x: tv.nan_to_num(x, posinf=1, neginf=0) * 3.0, x)

    assert found == [[0.0, 0.0, 0.0, 3.0]]
