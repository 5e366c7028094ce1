"""Sums of overlapping windows; transforms of them are refused."""

import pytest
from numeric import array, check, listed, on

import trivet as tv
from trivet.errors import UnsupportedOpError
from trivet_autodiff import Autodiff

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


def test_short_time_transform_of_a_tracked_tensor_is_refused(backend):
    x = tv.ones(8, backend=Autodiff(backend)).require_grad()

    with pytest.raises(UnsupportedOpError) as caught:
        tv.fft.stft(x, 4)

    assert str(caught.value) == (
        "stft: gradients of complex tensors are not supported. Call .detach() on the "
        "operand if it should count as a constant."
    )
