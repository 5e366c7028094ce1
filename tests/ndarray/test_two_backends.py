"""Two `NdArray` objects are two backends, which share a name and do not meet."""

import pytest

import trivet as tv
from trivet.errors import BackendMismatchError
from trivet_ndarray import NdArray


def test_op_on_two_backends_of_one_name_says_that_they_are_two_objects():
    x = tv.zeros(2, backend="ndarray")
    y = tv.zeros(2, backend=NdArray())

    with pytest.raises(BackendMismatchError) as caught:
        x + y

    assert str(caught.value) == (
        "add: float32(2,) on ndarray/cpu and float32(2,) on ndarray/cpu are tensors of "
        "two backends. Nothing is moved silently: both backends are called 'ndarray' "
        "and are two objects. Make one and use it for both, or call "
        "x.to_backend(y.backend)."
    )


def test_to_backend_with_the_object_brings_two_of_one_name_together():
    x = tv.ones(2, backend="ndarray")
    y = tv.ones(2, backend=NdArray())

    total = x.to_backend(y.backend) + y

    assert total.tolist() == [2.0, 2.0]
    assert total.backend is y.backend
