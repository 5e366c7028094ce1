"""Reading and writing by position against NumPy, and what a write must not reach."""

import copy
import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

import trivet as tv
from trivet.errors import (
    AxisError,
    BackendMismatchError,
    DTypeError,
    ShapeError,
    TensorIndexError,
)

ALL = slice(None)
CUBE = np.arange(24.0).reshape(2, 3, 4)
ROWS, COLUMNS = np.array([[1], [0]]), np.array([2, -1, 0])
MASK = CUBE % 5 == 0
KEYS = [
    (),
    1,
    -1,
    np.int8(-2),
    ...,
    None,
    slice(None, None, -1),
    slice(-9, 9),
    slice(2, 0),
    (ALL, None, ..., -1),
    (..., slice(3, None, -2)),
    (1, 2, 3),
    (None, 0, None, ALL, None),
    [1, 0, 1],
    [],
    (ALL, [2, 0]),
    (1, [2, 0]),
    (ROWS, COLUMNS),
    (ALL, ROWS, COLUMNS),
    (ROWS, ALL, COLUMNS),
    (ROWS, 0, COLUMNS),
    (1, ALL, COLUMNS),
    (ALL, 1, COLUMNS),
    (..., COLUMNS),
    (slice(None, None, -1), None, COLUMNS[:2]),
    (ALL, COLUMNS, None, 1),
    (slice(1, None), ROWS, COLUMNS),
    (slice(None, None, -1), COLUMNS, slice(1, 3)),
    (None, slice(1, 2), COLUMNS),
    (ROWS, slice(0, 0), COLUMNS),
    (np.array(1), np.array(-1)),
    (COLUMNS[1:].astype("uint8") % 2, ALL),
    range(2),
    MASK,
    MASK[0, 0, :2],
    MASK[:, :, 0],
    (ALL, MASK[0]),
    (..., MASK[0, 0]),
    (None, MASK[:, :, 0], slice(1, 3)),
    (1, MASK[0, :, 0], slice(1, 3)),
    (MASK[:, 0, 0], [0, 1, 1], ALL)[:1],
    np.zeros_like(MASK),
    np.ones_like(MASK),
    np.array(True),
    np.array(False),
]


def as_tensors(key):
    """The key as a Trivet user writes it: with tensors for arrays."""
    if isinstance(key, tuple):
        return tuple(as_tensors(part) for part in key)
    return tv.asarray(key) if isinstance(key, np.ndarray) else key


def assert_same(got, want):
    assert got.shape == want.shape
    np.testing.assert_array_equal(got.numpy(), want)


@pytest.mark.parametrize("key", KEYS, ids=repr)
def test_reading_is_numpys(key):
    x = tv.asarray(CUBE)

    assert_same(x[as_tensors(key)], CUBE[key])
    assert_same(x[key], CUBE[key])


@pytest.mark.parametrize("key", KEYS, ids=repr)
def test_writing_is_numpys(key):
    want, x, other = CUBE.copy(), tv.asarray(CUBE.copy()), tv.asarray(CUBE)
    filler = -np.arange(CUBE[key].size, dtype=float).reshape(CUBE[key].shape)
    want[key] = filler

    x[as_tensors(key)] = tv.asarray(filler)

    assert_same(x, want)
    assert_same(tv.at(other, as_tensors(key)).set(tv.asarray(filler)), want)
    assert_same(other, CUBE)


@pytest.mark.parametrize("key", KEYS, ids=repr)
def test_adding_at_positions_is_numpys(key):
    want = CUBE.copy()
    np.add.at(want, key, 0.5)

    assert_same(tv.at(tv.asarray(CUBE), as_tensors(key)).add(0.5), want)


@pytest.mark.parametrize("key", KEYS, ids=repr)
def test_writing_through_the_bodies_is_numpys(bodies, key):
    want, added = CUBE.copy(), CUBE.copy()
    x = tv.asarray(CUBE, backend=bodies, copy=True)
    filler = -np.arange(CUBE[key].size, dtype=float).reshape(CUBE[key].shape)
    want[key] = filler
    np.add.at(added, key, filler)
    where = tuple(as_tensors_of(bodies, part) for part in in_tuple(key))
    value = tv.asarray(filler, backend=bodies)

    assert_same(tv.at(x, where).add(value), added)
    x[where] = value
    assert_same(x, want)


def in_tuple(key):
    return key if isinstance(key, tuple) else (key,)


def as_tensors_of(backend, part):
    return tv.asarray(part, backend=backend) if isinstance(part, np.ndarray) else part


@pytest.mark.parametrize(
    "key, shape",
    [
        ((ALL, ROWS, COLUMNS), ()),
        ((ALL, ROWS, COLUMNS), (3,)),
        ((ALL, ROWS, COLUMNS), (2, 1)),
        ((ALL, ROWS, COLUMNS), (2, 1, 3)),
        ((slice(1, None), COLUMNS[:2], ALL), (4,)),
        ((slice(1, None), COLUMNS[:2], ALL), (2, 1)),
        ((ROWS, slice(1, 3), COLUMNS), (2,)),
        ((ROWS, slice(1, 3), COLUMNS), (3, 1)),
        ((ROWS, slice(1, 3), COLUMNS), (2, 3, 2)),
    ],
    ids=repr,
)
def test_a_value_broadcasts_to_the_place_of_slices_and_indices(key, shape):
    want, x = CUBE.copy(), tv.asarray(CUBE, copy=True)
    value = np.arange(math.prod(shape), dtype=float).reshape(shape) - 9
    added = CUBE.copy()
    want[key] = value
    np.add.at(added, key, value)

    assert_same(tv.at(x, as_tensors(key)).set(tv.asarray(value)), want)
    assert_same(tv.at(x, as_tensors(key)).add(tv.asarray(value)), added)
    x[as_tensors(key)] = value
    assert_same(x, want)


@given(data=st.data())
def test_any_basic_key_reads_and_writes_as_numpy_does(data):
    shape = data.draw(
        arrays.array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=4)
    )
    key = data.draw(arrays.basic_indices(shape, allow_newaxis=True))
    want = np.arange(np.prod(shape, dtype=int)).reshape(shape)
    x = tv.asarray(want.copy())

    assert_same(x[key], want[key])
    x[key] = -1
    want[key] = -1
    assert_same(x, want)


@given(data=st.data())
def test_any_integer_key_reads_as_numpy_does(data):
    shape = data.draw(arrays.array_shapes(max_dims=3, max_side=4))
    key = data.draw(arrays.integer_array_indices(shape))
    assume(all(index.size for index in key))
    x = np.arange(np.prod(shape)).reshape(shape)

    assert_same(tv.asarray(x)[as_tensors(key)], x[key])


def test_a_number_has_only_keys_without_positions():
    x = tv.asarray(2.5)

    assert x[()].item() == 2.5
    assert x[...].shape == ()
    assert x[None].tolist() == [2.5]
    assert x[tv.asarray(True)].tolist() == [2.5]
    assert x[tv.asarray(False)].tolist() == []
    x[()] = 3.5
    assert x.item() == 3.5
    x[tv.asarray(False)] = 4.5
    assert x.item() == 3.5
    x[tv.asarray(True)] = 4.5
    assert x.item() == 4.5


def test_masks_of_nothing_select_nothing():
    x = tv.zeros((0, 3))

    assert x[tv.zeros((0, 3), dtype="bool")].shape == (0,)
    assert x[tv.zeros(0, dtype="bool")].shape == (0, 3)
    assert tv.zeros(0)[tv.asarray([], dtype="bool")].shape == (0,)


def test_a_write_takes_numbers_lists_arrays_and_broadcasts():
    x = tv.zeros((2, 3), dtype="float64")

    x[0] = 0.1
    x[1, :2] = [1, 2]
    x[:, 2] = np.array([5, 6])
    assert x.tolist() == [[0.1, 0.1, 5], [1, 2, 6]]
    x[...] = tv.asarray([[7.0], [8.0]], dtype="float64")
    assert x.tolist() == [[7, 7, 7], [8, 8, 8]]
    x[:0] = tv.zeros((0, 3))
    assert x[0].tolist() == [7, 7, 7]


def test_a_write_keeps_the_dtype_of_the_tensor():
    x = tv.zeros(3, dtype="float32")

    x[0] = 2
    x[1] = True
    x[2] = tv.asarray(7, dtype="int8")

    assert x.dtype == tv.float32
    assert x.tolist() == [2.0, 1.0, 7.0]


def test_the_last_of_repeated_positions_wins():
    x = tv.zeros(3)

    x[tv.asarray([1, 1])] = tv.asarray([5.0, 6.0])

    assert x.tolist() == [0.0, 6.0, 0.0]


def test_repeated_positions_accumulate_when_added():
    x = tv.zeros(3)

    y = tv.at(x, tv.asarray([1, 1, -1])).add(tv.asarray([5.0, 6.0, 7.0]))

    assert y.tolist() == [0.0, 11.0, 7.0]
    assert x.tolist() == [0.0, 0.0, 0.0]


# ---- what a write must not reach ---------------------------------------------------


@pytest.mark.parametrize(
    "view",
    [
        lambda x: x[1:],
        lambda x: x[...],
        lambda x: x[::-1],
        lambda x: x.reshape((2, 2)),
        lambda x: x.flip(),
        lambda x: x.expand_dims(0),
        lambda x: tv.broadcast_to(x, (3, 4)),
        lambda x: x.reshape((2, 2)).T,
        lambda x: tv.asarray(x, dtype="float64"),
        copy.copy,
        copy.deepcopy,
        lambda x: x.to_device("cpu"),
        tv.unstack,
    ],
)
def test_views_and_their_sources_never_see_each_others_writes(view):
    source = tv.asarray([1.0, 2.0, 3.0, 4.0], dtype="float64")
    other = view(source)
    if other is source:
        return
    other = other[1] if isinstance(other, tuple) else other
    before = other.tolist()

    source[:] = 0.0
    assert other.tolist() == before
    other[...] = 9.0
    assert source.tolist() == [0.0, 0.0, 0.0, 0.0]


def test_a_write_does_not_reach_a_numpy_array_that_was_given():
    array = np.zeros(3)
    x = tv.asarray(array)

    x[0] = 1.0

    assert array.tolist() == [0.0, 0.0, 0.0]
    assert x.tolist() == [1.0, 0.0, 0.0]


def test_a_write_does_not_reach_a_view_of_an_array_that_was_given():
    array = np.zeros(3)
    view = array[1:]
    x = tv.asarray(array)
    del array

    x[:] = 1.0

    assert view.tolist() == [0.0, 0.0]


def test_a_write_does_not_reach_what_was_exported():
    x = tv.asarray([1.0, 2.0])
    array, shared = x.numpy(), np.from_dlpack(x)

    x[0] = 9.0

    assert array.tolist() == [1.0, 2.0]
    assert shared.tolist() == [1.0, 2.0]


def test_a_value_that_overlaps_is_read_before_it_is_written():
    x = tv.asarray([1, 2, 3, 4])

    x[1:] = x[:-1]

    assert x.tolist() == [1, 1, 2, 3]


def test_a_tensor_may_be_its_own_value():
    x = tv.asarray([1, 2, 3])

    x[::-1] = x

    assert x.tolist() == [3, 2, 1]


def test_a_sole_holder_is_written_in_place():
    x = tv.zeros((2, 3))
    before = id(x.handle)

    x[0] = 1.0
    x[:, 1] = tv.asarray([5.0, 6.0])
    x[..., -1:] = 2.0

    assert id(x.handle) == before
    assert x.tolist() == [[1.0, 5.0, 2.0], [0.0, 6.0, 2.0]]


def test_a_tensor_is_written_in_place_again_when_its_views_are_gone():
    x = tv.zeros(4)
    view = x[1:]
    x[0] = 1.0
    assert view.tolist() == [0.0, 0.0, 0.0]
    before = id(x.handle)

    x[1] = 2.0

    assert id(x.handle) == before
    assert x.tolist() == [1.0, 2.0, 0.0, 0.0]


def test_a_failed_write_changes_nothing():
    x = tv.asarray([1.0, 2.0, 3.0])

    for key, value in [(5, 0.0), (ALL, [1.0, 2.0]), (tv.asarray([0, 7]), 0.0), (0, 1j)]:
        with pytest.raises((TensorIndexError, ShapeError, DTypeError)):
            x[key] = value

    assert x.tolist() == [1.0, 2.0, 3.0]


# ---- errors ------------------------------------------------------------------------


@pytest.mark.parametrize(
    "key, words",
    [
        (2, "index 2 is out of bounds for axis 0 with size 2."),
        ((0, -4), "index -4 is out of bounds for axis 1 with size 3."),
        ((0, [0, 3]), "index 3 is out of bounds for axis 1 with size 3."),
        ((ALL, [0, -4]), "index -4 is out of bounds for axis 1 with size 3."),
        (([0, 1], 3), "index 3 is out of bounds for axis 1 with size 3."),
        (
            (0, 0, 0),
            "too many indices: the tensor has 2 dimensions, and the index names 3.",
        ),
        (
            ([0], 0, 0),
            "too many indices: the tensor has 2 dimensions, and the index names 3.",
        ),
        ((..., ...), "an index can hold one ellipsis (...), not several."),
        ((..., [0], ...), "an index can hold one ellipsis (...), not several."),
        (
            [True, False, True],
            "the mask of shape (3,) does not fit the tensor's axes of shape (2,).",
        ),
        (
            True,
            (
                "the index True is a bool; use a 0-d boolean tensor as a mask, or "
                "int(...) "
                "for a position."
            ),
        ),
        (
            (np.array(True), 0),
            "a 0-d mask cannot be combined with other indices.",
        ),
        (
            [0.5],
            (
                "a tensor of dtype float32 is not an index: use an integer or boolean "
                "tensor."
            ),
        ),
        (
            "a",
            (
                "'a' is not an index. An index is made of ints, slices, None, an "
                "ellipsis, "
                "and integer or boolean tensors."
            ),
        ),
        (
            1.0,
            (
                "1.0 is not an index. An index is made of ints, slices, None, an "
                "ellipsis, "
                "and integer or boolean tensors."
            ),
        ),
    ],
    ids=repr,
)
def test_a_key_that_does_not_fit_is_explained(key, words):
    x = tv.zeros((2, 3))

    for act in (lambda: x[key], lambda: x.__setitem__(key, 0.0)):
        with pytest.raises(TensorIndexError) as caught:
            act()
        assert str(caught.value) == words


def test_index_tensors_that_do_not_broadcast_are_refused():
    with pytest.raises(ShapeError) as caught:
        tv.zeros((4, 4))[tv.asarray([0, 1]), tv.asarray([0, 1, 2])]

    assert str(caught.value) == (
        "getitem: the shapes (2,) and (3,) do not broadcast: axis -1 has the sizes 2 "
        "and "
        "3. Sizes must be equal or 1."
    )


@pytest.mark.parametrize("key", [ALL, [0, 1, 2], (..., None)], ids=repr)
def test_a_value_of_another_shape_is_refused(key):
    x = tv.zeros(3)
    place = x[key].shape

    with pytest.raises(ShapeError) as caught:
        x[key] = tv.zeros((2, 1, 3))

    assert str(caught.value) == (
        f"setitem: a value of shape (2, 1, 3) does not fit the place of shape {place}."
    )


@pytest.mark.parametrize(
    "dtype, value, what",
    [
        ("int64", 1.5, "1.5"),
        ("float32", 1j, "1j"),
        ("bool", 1, "1"),
        ("int64", [1.5], "a value of dtype float32"),
    ],
)
def test_a_value_of_a_higher_kind_is_refused(dtype, value, what):
    x = tv.zeros(2, dtype=dtype)

    with pytest.raises(DTypeError) as caught:
        x[0] = value

    assert str(caught.value) == (
        f"setitem: {what} does not fit a tensor of dtype {dtype}. Cast one of them "
        "with "
        ".astype(...) first."
    )


def test_a_tensor_is_not_narrowed_by_a_write():
    x = tv.zeros(2, dtype="float32")

    with pytest.raises(DTypeError) as caught:
        x[0] = tv.asarray(1.0, dtype="float64")

    assert str(caught.value) == (
        "setitem: a value of dtype float64 does not fit a tensor of dtype float32. "
        "Cast "
        "one of them with .astype(...) first."
    )


def test_an_integer_past_the_range_is_refused():
    x = tv.zeros(2, dtype="uint8")

    with pytest.raises(DTypeError) as caught:
        x[0] = 256

    assert str(caught.value) == (
        "asarray: the number 256 does not fit uint8, which holds 0 to 255."
    )
    big = tv.zeros(1, dtype="uint64")
    big[0] = 2**64 - 1
    assert big.item() == 2**64 - 1


def test_a_tensor_of_another_backend_is_neither_index_nor_value(bodies):
    x = tv.zeros(3)
    foreign = tv.asarray([1, 2], backend=bodies)

    with pytest.raises(BackendMismatchError):
        x[foreign]
    with pytest.raises(BackendMismatchError):
        x[:2] = foreign.astype("float32")


# ---- take --------------------------------------------------------------------------


@pytest.mark.parametrize("dtype", ["int8", "uint8", "int64", "uint64"])
@pytest.mark.parametrize("axis", [0, 1, -1])
def test_take_is_numpys(axis, dtype):
    indices = np.array([1, 0, 1], dtype)

    got = tv.take(tv.asarray(CUBE), tv.asarray(indices), axis=axis)

    assert_same(got, np.take(CUBE, indices.astype(int), axis=axis))


def test_take_needs_no_axis_for_one_dimension():
    x = tv.asarray([10, 20, 30])

    assert tv.take(x, tv.asarray([-1, 0])).tolist() == [30, 10]
    assert x.take(tv.asarray([], dtype="int64")).tolist() == []


@pytest.mark.parametrize("shape", [(2, 3, 5), (1, 3, 2), (2, 1, 4), (1, 1, 0)])
def test_take_along_axis_is_numpys(bodies, shape):
    indices = np.random.default_rng(1).integers(-4, 4, shape)

    got = tv.take_along_axis(tv.asarray(CUBE), tv.asarray(indices), axis=2)

    want = np.take_along_axis(CUBE, np.broadcast_to(indices, (2, 3, shape[2])), 2)
    assert_same(got, want)
    np.testing.assert_array_equal(bodies.take_along_axis(CUBE, indices, axis=2), want)


def test_take_checks_what_it_is_given():
    x, indices = tv.zeros((2, 3)), tv.asarray([0, 1])

    with pytest.raises(AxisError) as axis:
        tv.take(x, indices)
    with pytest.raises(ShapeError) as shape:
        tv.take(x, tv.asarray([[0]]), axis=0)
    with pytest.raises(DTypeError) as dtype:
        tv.take(x, tv.asarray([0.0]), axis=0)
    with pytest.raises(TensorIndexError) as outside:
        tv.take(x, tv.asarray([2]), axis=0)
    with pytest.raises(TypeError) as listed:
        tv.take(x, [0], axis=0)
    with pytest.raises(ShapeError) as ndim:
        tv.take_along_axis(x, indices)

    assert str(axis.value) == (
        "take: a tensor with 2 dimensions needs an axis to take along; give axis=0 to "
        "1."
    )
    assert str(shape.value) == (
        "take: the indices have the shape (1, 1) and must have one dimension. Index "
        "with "
        "x[indices] for others."
    )
    assert str(dtype.value) == (
        "take: the indices have the dtype float32 and must be integers. Cast with "
        ".astype(...)."
    )
    assert str(outside.value) == (
        "take: index 2 is out of bounds for axis 0 with size 2"
    )
    assert str(listed.value) == (
        "take: the second operand is a builtins.list, not a tensor. Nothing is "
        "converted "
        "silently: call tv.asarray(...) on it first."
    )
    assert str(ndim.value) == (
        "take_along_axis: the tensor has 2 dimensions and the indices have 1. They "
        "must "
        "have equally many."
    )


@pytest.mark.parametrize("ndim", [1, 2, 3])
def test_a_lone_mask_reads_and_writes_the_elements_it_covers(ndim):
    x = np.arange(24.0).reshape(2, 3, 4)
    mask = np.random.default_rng(0).integers(0, 2, x.shape[:ndim]).astype(bool)
    mine, m = tv.asarray(x, copy=True), tv.asarray(mask)

    np.testing.assert_array_equal(mine[m].numpy(), x[mask])
    added = tv.at(mine, m).add(1.0).numpy()
    mine[m] = -1.0

    np.testing.assert_array_equal(
        added, np.where(mask.reshape(*mask.shape, *[1] * (3 - ndim)), x + 1, x)
    )
    x[mask] = -1
    np.testing.assert_array_equal(mine.numpy(), x)


def test_a_mask_of_several_axes_may_be_empty_along_one():
    x = tv.zeros((2, 3))

    assert x[tv.zeros((2, 0), dtype=tv.bool)].shape == (0,)


@pytest.mark.parametrize("rows", [[3, 0, 3], [[-1], [1]]])
def test_writing_at_rows_goes_into_the_tensors_own_memory(rows):
    x = tv.zeros((4, 2))
    place = x.numpy().ctypes.data
    want = np.zeros((4, 2), np.float32)
    value = np.arange(np.array(rows).size * 2.0).reshape(*np.shape(rows), 2)

    x[tv.asarray(rows)] = value
    want[np.array(rows)] = value

    assert x.numpy().ctypes.data == place
    np.testing.assert_array_equal(x.numpy(), want)


def test_writing_at_rows_leaves_other_tensors_as_they_are():
    x = tv.zeros((4, 2))
    view, part = x.reshape((2, 4)), x[1:]

    x[tv.asarray([1, 2])] = 5.0
    part[tv.asarray([0])] = 7.0

    assert view.tolist() == [[0.0] * 4] * 2
    assert x.tolist() == [[0.0, 0.0], [5.0, 5.0], [5.0, 5.0], [0.0, 0.0]]
    assert part.tolist() == [[7.0, 7.0], [0.0, 0.0], [0.0, 0.0]]


def test_writing_at_a_row_that_is_not_there_changes_nothing():
    x = tv.zeros(3)

    with pytest.raises(TensorIndexError) as caught:
        x[tv.asarray([0, 3])] = 1.0

    assert str(caught.value) == "index 3 is out of bounds for axis 0 with size 3."
    assert x.tolist() == [0.0, 0.0, 0.0]


def test_a_tensor_may_be_written_to_its_own_rows():
    x = tv.asarray([1.0, 2.0, 3.0])

    x[tv.asarray([2, 1, 0])] = x

    assert x.tolist() == [3.0, 2.0, 1.0]


def test_a_tensor_may_say_where_it_is_written_itself():
    x = tv.asarray([1, 2, 0])

    x[x] = tv.asarray([7, 8, 9])

    assert x.tolist() == [9, 7, 8]


def test_a_second_write_at_rows_needs_no_copy():
    x = tv.zeros((4, 2))
    shared = x[1:]
    x[tv.asarray([0])] = 1.0
    place = x.numpy().ctypes.data

    x[tv.asarray([2])] = 2.0

    assert x.numpy().ctypes.data == place
    assert shared.tolist() == [[0.0, 0.0]] * 3


def test_writing_at_columns_goes_into_the_tensors_own_memory():
    x = tv.zeros((2, 3))
    place = x.numpy().ctypes.data

    x[:, tv.asarray([2, 0])] = tv.asarray([[1.0, 2.0], [3.0, 4.0]])

    assert x.numpy().ctypes.data == place
    assert x.tolist() == [[2.0, 0.0, 1.0], [4.0, 0.0, 3.0]]


def test_a_second_write_at_columns_needs_no_copy():
    x = tv.zeros((2, 3))
    shared = x[1:]
    x[:, tv.asarray([0])] = 1.0
    place = x.numpy().ctypes.data

    x[:, tv.asarray([2])] = 2.0

    assert x.numpy().ctypes.data == place
    assert shared.tolist() == [[0.0, 0.0, 0.0]]
    assert x.tolist() == [[1.0, 0.0, 2.0]] * 2


def test_writing_at_a_column_that_is_not_there_changes_nothing():
    x = tv.zeros((2, 3))

    with pytest.raises(TensorIndexError) as caught:
        x[:, tv.asarray([0, 3])] = 1.0

    assert str(caught.value) == "index 3 is out of bounds for axis 1 with size 3."
    assert x.tolist() == [[0.0, 0.0, 0.0]] * 2
