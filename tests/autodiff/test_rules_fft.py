"""Rules for what moves frequencies; `test_complex` has the transforms."""

import pytest
from numeric import array, check, listed, on

ONE = ("fft", "ifft", "rfft", "irfft", "hfft", "ihfft")
MANY = ("fftn", "ifftn", "rfftn", "irfftn")
MOVED = [
    on(array(5), axes=(0,)),
    on(array(2, 3), axes=(0, 1)),
    on(array(0, 3), axes=(1,)),
]
CASES = {
    **dict.fromkeys((*ONE, *MANY), ()),
    "fftshift": MOVED,
    "ifftshift": MOVED,
}


@pytest.mark.parametrize("op, case", listed(CASES))
def test_derivatives_agree_with_differences(backend, op, case):
    check(backend, op, case)
