"""What the standard leaves open and clients rely on; DLPack with all its options."""

import numpy as np
import pytest

import trivet as tv

CPU = (1, 0)  # DLPack's kDLCPU


def test_shapes_may_be_lists(place, X):
    place.has(place.xp.reshape(X, [2, 4]), [[1, 2, 3, 4], [5, 6.5, 7, 8]])
    assert place.xp.zeros([2, 3]).shape == (2, 3)
    assert place.xp.broadcast_to(X[0, :], [3, 2]).shape == (3, 2)
    place.has(place.xp.permute_dims(X, [1, 0])[0, :], [1, 3, 5, 7])


def test_fill_value_may_be_a_0d_tensor(place, V):
    place.has(place.xp.full(2, V[1], dtype=tv.float64), [4, 4])
    place.has(place.xp.full_like(V, V[1]), [4] * 6)


def test_difference_takes_its_order_by_position(place, V):
    # 1 4 2 8 5 7 -> 3 -2 6 -3 2 -> -5 8 -9 5
    place.has(place.xp.diff(V, 2), [-5, 8, -9, 5])


def test_integer_arrays_assign_and_repeated_ones_keep_a_value_given(place, V):
    V[place.tensor([0, -1], tv.int64)] = place.tensor([10, 20])
    place.has(V, [10, 4, 2, 8, 5, 20])

    V[[1, 2]] = 0
    place.has(V, [10, 0, 0, 8, 5, 20])


def test_tensors_have_a_length_and_can_be_iterated(place, X, V):
    assert len(X) == 4
    assert [row.tolist() for row in X] == [[1, 2], [3, 4], [5, 6.5], [7, 8]]
    assert [float(v) for v in V] == [1, 4, 2, 8, 5, 7]
    first, *_ = X
    place.has(first, [1, 2])


def test_slices_are_clipped_and_axes_may_be_left_out(place, X):
    place.has(X[2:100], [[5, 6.5], [7, 8]])
    place.has(X[-100:1], [[1, 2]])
    place.has(X[3], [7, 8])


def test_kinds_mix_as_in_numpy(place):
    ints, floats = place.tensor([1, 2], tv.int64), place.tensor([0.5, 0.5])

    place.has(ints / ints, [1, 1])
    place.has(ints + floats, [1.5, 2.5])
    place.has(ints * 0.5, [0.5, 1])
    place.has(place.tensor([True, False], tv.bool) + ints, [2, 2])


def test_limits_are_plain_numbers(place, V):
    xp = place.xp

    for info, names in (
        (xp.finfo(xp.float32), ["bits", "eps", "max", "min", "smallest_normal"]),
        (xp.finfo(V), ["eps"]),
        (xp.iinfo(xp.int8), ["bits", "max", "min"]),
    ):
        assert all(type(getattr(info, name)) in {int, float} for name in names)


def test_methods_that_other_libraries_call_are_there(place, X):
    place.has(X.reshape((8,)), [1, 2, 3, 4, 5, 6.5, 7, 8])
    place.has(X.mean(), 4.5625)
    place.has(X.sum(axis=0), [16, 20.5])
    place.has(X.transpose()[0, :], [1, 3, 5, 7])
    place.has(X.astype(tv.int32)[:, 1], [2, 4, 6, 8])


@pytest.mark.parametrize("version", [None, (0, 8), (1, 0), (1, 1), (2, 0)])
def test_dlpack_capsule_of_any_version_can_be_asked_for(place, V, version):
    capsule = V.__dlpack__(max_version=version, dl_device=CPU)

    versioned = version is not None and version >= (1, 0)
    assert ("dltensor_versioned" in repr(capsule)) == versioned


def test_dlpack_keeps_the_consumer_from_writing_into_what_it_must_not():
    reversed_rows = tv.arange(6)[::-1]
    repeated = tv.broadcast_to(tv.asarray(1.0), (3,))
    repeated_rows = tv.broadcast_to(tv.asarray([1.0, 2.0]), (3, 2))

    for x in (reversed_rows, repeated, repeated_rows):
        values = x.tolist()
        np.from_dlpack(x).fill(9)
        assert x.tolist() == values
        with pytest.raises(BufferError) as caught:
            x.__dlpack__(copy=False)
        assert str(caught.value) == (
            "this tensor's memory is read-only, reversed or repeated and cannot be "
            "exported by DLPack without a copy; pass copy=None or copy=True."
        )


def test_dlpack_shares_what_is_safe_to_share():
    for x in (tv.arange(3), tv.zeros((0, 3)), tv.zeros((1, 1)), tv.asarray(1.0)):
        shared = np.from_dlpack(x, copy=False)

        assert shared.shape == x.shape


def test_dlpack_comes_in_and_copies_when_asked(place):
    source = np.asarray([1.0, 2.0])

    x = place.xp.from_dlpack(source, copy=True)
    source[0] = 9

    place.has(x, [1, 2])


def test_dlpack_of_a_tracked_tensor_is_refused():
    w = tv.tensor([1.0], backend="autodiff(ndarray)").require_grad()

    with pytest.raises(BufferError, match="the tensor is tracked"):
        w.__dlpack__()
