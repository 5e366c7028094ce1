"""Rules for overlapping windows; `test_complex` has the transforms of them."""

import pytest
from numeric import array, check, listed, on

CASES = {
    "overlap_add": [
        on(array(3, 4), hop_length=2),
        on(array(2, 2, 5), hop_length=2),
        on(array(2, 2), hop_length=3),
    ],
    "stft": (),
}


@pytest.mark.parametrize("op, case", listed(CASES))
def test_derivatives_agree_with_differences(backend, op, case):
    check(backend, op, case)
