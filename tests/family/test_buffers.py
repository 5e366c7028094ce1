"""Tensors as buffers, which Python 3.12 and later ask a class for."""

import io
import sys

import numpy as np
import pytest

import trivet as tv

later = pytest.mark.skipif(
    sys.version_info < (3, 12), reason="Python asks classes from 3.12 on"
)


def test_buffer_is_read_only_and_shares_memory():
    x = tv.asarray([[1.0, 2.0], [3.0, 4.0]])

    view = x.__buffer__(0)

    assert view.readonly
    assert (view.shape, view.format) == ((2, 2), "f")
    assert view.tolist() == [[1.0, 2.0], [3.0, 4.0]]
    assert np.shares_memory(np.asarray(view), x.numpy())


@pytest.mark.parametrize(
    "make",
    [
        lambda: tv.asarray([1.0], backend="example"),
        lambda: tv.asarray([1.0], backend="autodiff(ndarray)").require_grad(),
        lambda: tv.asarray([1.0], dtype=tv.bfloat16),
    ],
)
def test_buffer_is_refused_where_host_memory_has_none(make):
    with pytest.raises(BufferError):
        make().__buffer__(0)


@later
def test_python_reads_the_elements_of_a_tensor():
    x = tv.asarray([1, 2], dtype=tv.int16)

    assert memoryview(x).tolist() == [1, 2]
    assert bytes(x) == np.asarray([1, 2], np.int16).tobytes()
    with pytest.raises(BufferError):
        bytearray(4)[:] = memoryview(tv.asarray([1.0], backend="example"))


@later
def test_python_cannot_write_through_a_tensors_buffer():
    x = tv.asarray([1.0])

    with pytest.raises(TypeError):
        io.BytesIO(b"1234").readinto(x)
    with pytest.raises(TypeError):
        memoryview(x)[0] = 2.0
    assert x.tolist() == [1.0]


def test_numpy_reads_a_tensor_by_whichever_way_there_is():
    x = tv.asarray([1.0, 2.0])

    array = np.asarray(x)

    assert array.dtype == np.float32
    assert array.tolist() == [1.0, 2.0]
    assert not array.flags.writeable
    assert np.asarray(tv.asarray(2.5)).item() == 2.5
    assert np.asarray(x, dtype=np.float64).dtype == np.float64
    assert np.asarray(tv.asarray([1.0], dtype=tv.bfloat16)).tolist() == [1.0]


def test_numpy_gets_the_error_that_says_more():
    w = tv.asarray([1.0], backend="autodiff(ndarray)").require_grad()

    with pytest.raises(TypeError, match="does not become a NumPy array by itself"):
        np.asarray(tv.asarray([1.0], backend="example"))
    with pytest.raises(tv.errors.GradientError):
        np.asarray(w)
