"""Rules for casting, copying and moving."""

import pytest
from numeric import array, check, listed, on

import trivet as tv

CASES = {
    "astype": [on(array(2, 3), dtype=tv.float64), on(array(0, 3), dtype=tv.float64)],
    "to_device": [on(array(2, 3), device=None), on(array(), device=None)],
    "copy": [on(array(2, 3)), on(array()), on(array(0, 3))],
}


@pytest.mark.parametrize("op, case", listed(CASES))
def test_derivatives_agree_with_differences(backend, op, case):
    check(backend, op, case)
