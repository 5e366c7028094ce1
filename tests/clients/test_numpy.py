"""NumPy next to our tensors: scalars on both sides, and ways from one to the other."""

import copy
import pickle

import numpy as np
import pytest

import trivet as tv


def test_numpy_scalars_on_the_left_leave_the_operation_to_tensors(place, V):
    place.has(np.float64(2) * V, [2, 8, 4, 16, 10, 14])
    place.has(np.int64(2) * V, [2, 8, 4, 16, 10, 14])
    place.has(np.float64(2) < V, [False, True, False, True, True, True])
    place.has(np.float32(2) ** place.tensor([1, 3]), [2, 8])


def test_numpy_scalars_on_the_right_count_as_numbers(place):
    x = place.tensor([1, 2], tv.float32)

    place.has(x * np.float64(2), [2, 4])
    assert (x * np.float64(2)).dtype == tv.float32
    assert (x + np.int64(1)).dtype == tv.float32
    assert (np.float64(2) * x).dtype == tv.float32
    place.has(place.tensor([1, 2], tv.int64) + np.int64(1), [2, 3])


def test_array_on_the_host_is_the_tensor(V):
    t = tv.tensor(V.tolist(), dtype=tv.float64)

    found = np.asarray(t)

    assert type(found) is np.ndarray
    assert found.tolist() == [1, 4, 2, 8, 5, 7]
    assert np.sqrt(t)[1] == 2


@pytest.mark.parametrize("leave", [np.asarray, np.array, np.sqrt, np.concatenate])
def test_array_of_a_device_tensor_is_refused(device, leave):
    t = device.tensor([1, 4, 2])

    with pytest.raises(TypeError) as caught:
        leave([t] if leave is np.concatenate else t)

    assert str(caught.value) == (
        "a tensor on fake does not become a NumPy array by itself, because that would "
        "copy it to the host silently. Call .numpy()."
    )


def test_device_tensor_leaves_when_asked(device):
    t = device.tensor([1, 4, 2])

    assert t.numpy().tolist() == [1, 4, 2]
    assert t.tolist() == [1, 4, 2]


def test_dlpack_carries_a_copy_to_numpy(place, V):
    found = np.from_dlpack(V, device="cpu", copy=True)
    found[0] = 100

    assert type(found) is np.ndarray
    assert found.tolist() == [100, 4, 2, 8, 5, 7]
    place.has(V, [1, 4, 2, 8, 5, 7])


def test_dlpack_of_a_device_tensor_needs_the_host_named(device):
    with pytest.raises(BufferError):
        np.from_dlpack(device.tensor([1.0]))


@pytest.mark.parametrize(
    "again", [copy.copy, copy.deepcopy, lambda x: pickle.loads(pickle.dumps(x))]
)
def test_tensor_survives_copies_and_pickles(place, V, again):
    other = again(V)
    other[0] = 100

    assert other.dtype == V.dtype
    place.has(other, [100, 4, 2, 8, 5, 7])
    place.has(V, [1, 4, 2, 8, 5, 7])


def test_numpy_dtypes_name_ours(place, V):
    for dtype in (np.float32, np.dtype("float32"), "float32", tv.float32):
        assert V.astype(dtype).dtype == tv.float32
        assert place.xp.zeros(2, dtype=dtype).dtype == tv.float32
        assert place.xp.sum(V, dtype=dtype).dtype == tv.float32
