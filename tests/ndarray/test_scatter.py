"""Reading and writing at positions, against NumPy's own in-place functions."""

import numpy as np
import pytest

import trivet as tv
from trivet.errors import AxisError, DTypeError, ShapeError, TensorIndexError

nan = float("nan")
UFUNCS = {
    "add": np.add,
    "multiply": np.multiply,
    "minimum": np.minimum,
    "maximum": np.maximum,
}
KEYS = {"add": "add", "multiply": "multiply", "minimum": "min", "maximum": "max"}


def numbers(*shape, dtype="float64"):
    made = np.random.default_rng(3).integers(-5, 6, shape)
    return made.astype(dtype)


def one_by_one(x, indices, updates, axis, ufunc):
    """The meaning of scatter, in a loop."""
    done = x.copy()
    for where in np.ndindex(indices.shape):
        place = (*where[:axis], indices[where], *where[axis + 1 :])
        done[place] = (
            updates[where] if ufunc is None else ufunc(done[place], updates[where])
        )
    return done


@pytest.mark.parametrize("mode", ["set", *UFUNCS])
@pytest.mark.parametrize("dtype", ["int8", "float32", "float64", "uint64"])
@pytest.mark.parametrize("axis", [0, 1, -1])
def test_scatter_takes_positions_one_after_the_other(bodies, mode, dtype, axis):
    x, along = numbers(3, 4, 5, dtype=dtype), axis % 3
    shape = tuple(6 if i == along else n for i, n in enumerate(x.shape))
    indices = np.random.default_rng(4).integers(-3, 3, shape)
    updates = numbers(*shape, dtype=dtype)

    got = tv.scatter(
        tv.asarray(x), tv.asarray(indices), tv.asarray(updates), axis=axis, mode=mode
    )

    want = one_by_one(x, indices, updates, along, UFUNCS.get(mode))
    np.testing.assert_array_equal(got.numpy(), want, strict=True)
    body = bodies.scatter(x, indices, updates, axis=along, mode=mode)
    np.testing.assert_array_equal(body, want, strict=True)


@pytest.mark.parametrize(
    "mode, name", [("add", "sum"), ("multiply", "prod"), ("maximum", "amax")]
)
def test_scatter_is_pytorchs_scatter_reduce(mode, name):
    torch = pytest.importorskip("torch")
    x, updates = numbers(4, 5), numbers(7, 5)
    indices = np.random.default_rng(5).integers(0, 4, (7, 5))

    got = tv.scatter(
        tv.asarray(x), tv.asarray(indices), tv.asarray(updates), axis=0, mode=mode
    )

    want = torch.tensor(x).scatter_reduce(
        0, torch.tensor(indices), torch.tensor(updates), name
    )
    np.testing.assert_array_equal(got.numpy(), want.numpy())


def test_put_along_axis_is_numpys_on_a_copy():
    x, values = numbers(3, 4), numbers(3, 2)
    order = np.argsort(x, axis=1)[:, :2]
    tensor = tv.asarray(x)

    got = tv.put_along_axis(tensor, tv.asarray(order), tv.asarray(values), axis=1)

    want = x.copy()
    np.put_along_axis(want, order, values, 1)
    np.testing.assert_array_equal(got.numpy(), want, strict=True)
    np.testing.assert_array_equal(tensor.numpy(), x)


def test_gather_reads_what_take_along_axis_reads():
    x = tv.asarray([[1, 2, 3], [4, 5, 6]])

    got = tv.gather(x, tv.asarray([[2, -1, 0]]), axis=1)

    assert got.tolist() == [[3, 3, 1], [6, 6, 4]]


@pytest.mark.parametrize("m", [1, 2, 3])
@pytest.mark.parametrize("mode", ["set", *UFUNCS])
def test_nd_forms_read_and_write_at_whole_positions(mode, m):
    x = numbers(3, 3, 3)
    indices = np.random.default_rng(6).integers(-3, 3, (2, 4, m))
    updates = numbers(2, 4, *x.shape[m:])
    key = tuple(np.moveaxis(indices, -1, 0))

    read = tv.gather_nd(tv.asarray(x), tv.asarray(indices))
    done = tv.scatter_nd(
        tv.asarray(x), tv.asarray(indices), tv.asarray(updates), mode=mode
    )

    np.testing.assert_array_equal(read.numpy(), x[key], strict=True)
    want = x.copy()
    if mode == "set":
        want[key] = updates
    else:
        UFUNCS[mode].at(want, key, updates)
    np.testing.assert_array_equal(done.numpy(), want, strict=True)


@pytest.mark.parametrize("mode", UFUNCS)
@pytest.mark.parametrize(
    "key",
    [
        1,
        slice(None, None, -2),
        (slice(1, 3), 0),
        np.array([2, 0, 2]),
        (np.array([2, 0, 2]), np.array([1, 1, 1])),
        (slice(None), np.array([1, 1])),
        np.array([True, False, True]),
        np.eye(3, dtype=bool),
    ],
    ids=["int", "slice", "both", "rows", "places", "columns", "mask", "mask2"],
)
def test_at_combines_as_the_ufunc_does_at_every_kind_of_key(mode, key):
    x = numbers(3, 3)
    value = numbers(*x[key].shape)

    got = getattr(tv.at(tv.asarray(x), key), KEYS[mode])(tv.asarray(value))

    want = x.copy()
    UFUNCS[mode].at(want, key, value)
    np.testing.assert_array_equal(got.numpy(), want, strict=True)


def test_at_takes_numbers():
    x = tv.asarray([1.0, 5.0, nan])

    assert tv.at(x, 0).multiply(3).tolist() == [
        3.0,
        5.0,
        pytest.approx(nan, nan_ok=True),
    ]
    assert tv.at(x, slice(0, 2)).min(2.0)[:2].tolist() == [1.0, 2.0]
    assert tv.at(x, slice(0, 2)).max(2.0)[:2].tolist() == [2.0, 5.0]


@pytest.mark.parametrize("mode", ["minimum", "maximum"])
def test_nan_wins_in_both_extremes(mode):
    x, places = tv.asarray([1.0, nan]), tv.asarray([0, 0, 1])

    got = tv.scatter(x, places, tv.asarray([nan, 2.0, 3.0]), mode=mode)

    assert np.isnan(got.numpy()).all()


def test_int8_indices_reach_the_end_of_long_axes():
    got = tv.scatter(tv.zeros(300), tv.asarray([-1], dtype="int8"), tv.asarray([1.0]))

    assert np.flatnonzero(got.numpy()).tolist() == [299]


def test_updates_are_cast_where_nothing_is_lost():
    x, places = tv.zeros(2, dtype="float64"), tv.asarray([1])

    got = tv.scatter(x, places, tv.asarray([2], dtype="int32"))

    assert (got.dtype, got.tolist()) == (tv.float64, [0.0, 2.0])


def test_what_does_not_fit_is_refused():
    x, places = tv.zeros((2, 3)), tv.asarray([[0, 1]])
    with pytest.raises(ShapeError) as ndim:
        tv.scatter(x, tv.asarray([0]), x)
    with pytest.raises(ShapeError) as indices:
        tv.scatter(x, tv.zeros((3, 1), dtype="int64"), tv.zeros(1), axis=1)
    with pytest.raises(ShapeError) as updates:
        tv.scatter(x, places, tv.zeros((2, 3)), axis=1)
    with pytest.raises(ShapeError) as positions:
        tv.gather_nd(x, tv.asarray([[0, 1, 2]]))
    with pytest.raises(AxisError):
        tv.scatter(x, places, tv.zeros(()), axis=2)

    assert str(ndim.value) == (
        "scatter: the tensor has 2 dimensions and the indices have 1. They must have "
        "equally many."
    )
    assert str(indices.value) == (
        "scatter: the shapes (3, 1) and (2, 1) do not broadcast: axis -2 has the sizes "
        "2 and 3. Sizes must be equal or 1."
    )
    assert str(updates.value) == (
        "scatter: the shapes (2, 3) and (2, 2) do not broadcast: axis -1 has the sizes "
        "2 and 3. Sizes must be equal or 1."
    )
    assert str(positions.value) == (
        "gather_nd: indices of shape (1, 3) do not fit a tensor of shape (2, 3): their "
        "last axis holds a position, of 1 to 2 numbers."
    )


def test_updates_with_more_axes_than_their_place_are_refused():
    with pytest.raises(ShapeError) as caught:
        tv.scatter_nd(tv.zeros(3), tv.asarray([[0]]), tv.zeros((1, 1)))

    assert str(caught.value) == (
        "scatter_nd: updates of shape (1, 1) do not broadcast to (1,), the shape of "
        "what they are for."
    )


def test_wrong_dtypes_and_modes_are_refused():
    x, places = tv.zeros(3), tv.asarray([0])
    with pytest.raises(DTypeError) as floats:
        tv.scatter(x, tv.zeros(1), tv.zeros(1))
    with pytest.raises(DTypeError) as wide:
        tv.scatter(x, places, tv.zeros(1, dtype="float64"))
    with pytest.raises(DTypeError) as kind:
        tv.scatter(tv.asarray([1j]), places, tv.asarray([1j]), mode="maximum")
    with pytest.raises(DTypeError):
        tv.at(tv.asarray([1j]), 0).min(1j)
    with pytest.raises(ValueError) as mode:
        tv.scatter_nd(x, tv.asarray([[0]]), tv.zeros(1), mode="mean")

    assert str(floats.value) == (
        "scatter: the indices have the dtype float32 and must be integers. Cast with "
        ".astype(...)."
    )
    assert str(wide.value) == (
        "scatter: updates of dtype float64 do not fit a tensor of dtype float32. Cast "
        "one of them with .astype(...) first."
    )
    assert str(kind.value) == (
        "maximum: the dtype complex64 is not one that this op takes; it takes real "
        "floating or signed integer or unsigned integer. Cast with .astype(...)."
    )
    assert str(mode.value) == (
        "scatter_nd: mode='mean' is not one of 'set', 'add', 'multiply', 'minimum' and "
        "'maximum'."
    )


@pytest.mark.parametrize("bad", [-4, 3])
def test_position_outside_is_refused(bad):
    x, places = tv.zeros(3), tv.asarray([bad])

    for read_or_write in (
        lambda: tv.scatter(x, places, tv.ones(1)),
        lambda: tv.gather_nd(x, tv.asarray([[bad]])),
        lambda: tv.scatter_nd(x, tv.asarray([[bad]]), tv.ones(1)),
    ):
        with pytest.raises(TensorIndexError, match=f"index {bad} is out of bounds"):
            read_or_write()
