"""Fourier transforms are refused; what only moves elements is not."""

import pytest
from numeric import array, check, listed, on

import trivet as tv
from trivet.errors import UnsupportedOpError
from trivet_autodiff import Autodiff

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


@pytest.mark.parametrize("op", [*ONE, *MANY])
def test_transform_of_a_tracked_tensor_is_refused(backend, op):
    x = tv.ones(4, backend=Autodiff(backend)).require_grad()

    with pytest.raises(UnsupportedOpError) as caught:
        getattr(tv.fft, op)(x)

    assert str(caught.value) == (
        f"{op}: gradients of complex tensors are not supported. Call .detach() on the "
        "operand if it should count as a constant."
    )


def test_transform_of_a_constant_is_computed(backend):
    if tv.complex64 not in backend.dtypes(backend.default_device):
        pytest.skip("the backend has no complex dtypes")
    x = tv.ones(4, backend=Autodiff(backend)).require_grad()

    assert tv.fft.fft(x.detach()).tolist() == [4, 0, 0, 0]
