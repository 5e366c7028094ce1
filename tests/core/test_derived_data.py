"""The derived ways of data: between devices, and out to other libraries."""

import pytest

from trivet.contract import Device
from trivet.dtypes import float64

SECOND = Device("example", 1)


def test_to_device_copies_values_and_keeps_shape_and_dtype(backend, grid, tolist):
    x = grid([[1.5, -0.0], [2.5, 3.5]])

    moved = backend.to_device(x, device=SECOND)

    assert moved.device == SECOND
    assert moved.dtype == float64
    assert tolist(moved) == [[1.5, -0.0], [2.5, 3.5]]
    assert x.device == Device("example", 0)


def test_to_device_gives_the_handle_itself_when_it_is_there(backend, grid):
    x = grid([1.5], device=SECOND)

    assert backend.to_device(x, device=SECOND) is x


@pytest.mark.parametrize("dtype", ["bool", "int8", "uint64", "float32", "float64"])
def test_copy_holds_the_same_elements_in_other_memory(backend, grid, dtype):
    x = grid([[0, 1]], dtype)

    copied = backend.copy(x)

    assert copied.data == x.data
    assert copied.data is not x.data
    assert (copied.dtype, copied.shape, copied.device) == (x.dtype, x.shape, x.device)


def test_copy_of_rank_0_and_of_nothing_keep_their_shapes(backend, grid):
    assert backend.copy(grid(2.5)).shape == ()
    assert backend.copy(grid([])).shape == (0,)


def test_dlpack_is_refused_by_the_name_of_the_backend(backend, grid):
    x = grid([1.0])

    with pytest.raises(BufferError) as export:
        backend.to_dlpack(x, stream=None, max_version=None, dl_device=None, copy=None)
    with pytest.raises(BufferError) as device:
        backend.dlpack_device(x)

    expected = "the backend example does not export DLPack; use .numpy() or .tolist()"
    assert str(export.value) == str(device.value) == expected


def test_every_derived_op_of_the_family_is_tested_here(derived_ops):
    assert derived_ops("data") == {"to_device", "copy", "to_dlpack", "dlpack_device"}
