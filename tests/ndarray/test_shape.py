"""Functions of shapes against NumPy: no element is lost, and none is in two places."""

import numpy as np
import pytest

import trivet as tv
from trivet.errors import AxisError, DTypeError, ShapeError

SHAPES = ((), (1,), (5,), (0,), (2, 3), (2, 0, 3), (2, 3, 4))


def counting(shape):
    return np.arange(np.prod(shape, dtype=int)).reshape(shape)


def assert_same(got, want):
    assert got.shape == want.shape
    assert str(got.dtype) == str(want.dtype)
    assert got.tolist() == want.tolist()


def message(caught):
    return str(caught.value)


def test_broadcast_arrays_gives_a_tuple_of_one_shape():
    x, y = counting((3, 1)), counting((4,))

    got = tv.broadcast_arrays(tv.asarray(x), tv.asarray(y))

    assert isinstance(got, tuple)
    for one, want in zip(got, np.broadcast_arrays(x, y), strict=True):
        assert_same(one, want)


@pytest.mark.parametrize(
    "shapes, result",
    [
        ((), ()),
        (((),), ()),
        (((3, 1), (1, 4)), (3, 4)),
        (((0,), (1,)), (0,)),
        (((2, 1, 3), (5, 1), ()), (2, 5, 3)),
    ],
)
def test_broadcast_shapes_follows_the_standard(shapes, result):
    assert tv.broadcast_shapes(*shapes) == result


def test_shapes_that_do_not_broadcast_are_named():
    with pytest.raises(ShapeError) as shapes:
        tv.broadcast_shapes((2, 3), (4,))
    with pytest.raises(ShapeError) as shrunk:
        tv.broadcast_to(tv.zeros(3), (1,))

    assert message(shapes) == (
        "broadcast_shapes: the shapes (2, 3) and (4,) do not broadcast: axis -1 has "
        "the "
        "sizes 3 and 4. Sizes must be equal or 1."
    )
    assert message(shrunk) == (
        "broadcast_to: a tensor of shape (3,) does not broadcast to (1,). Only axes of "
        "size 1 can grow, and new axes come in front."
    )


@pytest.mark.parametrize("shape", [(4,), (2, 4), (3, 1, 4), (0, 4)])
def test_broadcast_to_repeats_as_numpy_does(shape):
    x = counting((1, 4) if len(shape) > 1 else (4,))

    assert_same(tv.broadcast_to(tv.asarray(x), shape), np.broadcast_to(x, shape))


def test_a_number_broadcasts_to_every_shape():
    assert tv.broadcast_to(tv.asarray(7), (2, 2)).tolist() == [[7, 7], [7, 7]]
    assert tv.broadcast_to(tv.asarray(7), (0,)).tolist() == []


@pytest.mark.parametrize("axis", [0, 1, -1, None])
def test_concat_is_numpys(axis):
    x, y = counting((2, 3)), counting((2, 3))[::-1] * 0.5

    got = tv.concat([tv.asarray(x), tv.asarray(y)], axis=axis)

    assert_same(got, np.concatenate([x, y], axis=axis))


def test_concat_promotes_even_with_nothing():
    empty = tv.zeros(0, dtype="float64")

    assert tv.concat([empty, tv.ones(2, dtype="float32")]).dtype == tv.float64
    assert tv.concat((tv.zeros((0, 2)), tv.asarray([[1.0, 2.0]]))).tolist() == [
        [1.0, 2.0]
    ]


def test_tensors_that_cannot_be_joined_are_named():
    with pytest.raises(ShapeError) as nothing:
        tv.concat([])
    with pytest.raises(ShapeError) as shapes:
        tv.concat([tv.zeros((2, 3)), tv.zeros((3, 3))], axis=1)
    with pytest.raises(ShapeError) as stacked:
        tv.stack([tv.zeros(2), tv.zeros(2), tv.zeros(3)])
    with pytest.raises(TypeError) as number:
        tv.concat([tv.zeros(2), 1.0])

    assert message(nothing) == (
        "concat: there are no tensors to join; give at least one."
    )
    assert message(shapes) == (
        "concat: the tensors 0 and 1 have the shapes (2, 3) and (3, 3), which differ "
        "outside axis 1."
    )
    assert message(stacked) == (
        "stack: the tensors 0 and 2 have the shapes (2,) and (3,); they must be the "
        "same."
    )
    assert message(number) == (
        "concat: the second operand is the number 1.0, not a tensor. Nothing is "
        "converted silently: call tv.asarray(...) on it first."
    )


@pytest.mark.parametrize("axis", [0, 1, 2, -1, -3])
def test_stack_and_unstack_undo_each_other(axis):
    parts = [counting((2, 3)), counting((2, 3)) + 10]

    stacked = tv.stack([tv.asarray(part) for part in parts], axis=axis)

    assert_same(stacked, np.stack(parts, axis=axis))
    back = tv.unstack(stacked, axis=axis)
    assert isinstance(back, tuple)
    for one, want in zip(back, parts, strict=True):
        assert_same(one, want)


@pytest.mark.parametrize("axis", [0, -1, (0, 1), (-1, 0), (0, 3), (1, 2)])
def test_expand_dims_and_squeeze_are_numpys(axis):
    x = counting((2, 3))

    wide = tv.expand_dims(tv.asarray(x), axis)

    assert_same(wide, np.expand_dims(x, axis))
    assert_same(tv.squeeze(wide, axis), x)


def test_an_axis_that_cannot_be_inserted_or_removed_is_named():
    with pytest.raises(AxisError):
        tv.expand_dims(tv.zeros(2), 2)
    with pytest.raises(AxisError):
        tv.expand_dims(tv.zeros(2), (0, -3))
    with pytest.raises(ShapeError) as caught:
        tv.squeeze(tv.zeros((2, 1)), 0)

    assert message(caught) == (
        "squeeze: axis 0 of the shape (2, 1) has the size 2; only axes of size 1 can "
        "go."
    )


@pytest.mark.parametrize("shape", SHAPES)
def test_flip_reverses_all_axes_or_the_named(shape):
    x = counting(shape)

    for axis in (None, *range(-len(shape), len(shape)), tuple(range(len(shape)))):
        assert_same(tv.flip(tv.asarray(x), axis=axis), np.flip(x, axis))


@pytest.mark.parametrize(
    "source, destination", [(0, 2), (2, 0), (-1, 0), ((0, 1), (1, 2)), ((2, 0), (0, 2))]
)
def test_moveaxis_is_numpys(source, destination):
    x = counting((2, 3, 4))

    got = tv.moveaxis(tv.asarray(x), source, destination)

    assert_same(got, np.moveaxis(x, source, destination))


def test_axes_that_do_not_pair_up_are_refused():
    with pytest.raises(ShapeError) as move:
        tv.moveaxis(tv.zeros((2, 3)), (0, 1), 1)
    with pytest.raises(AxisError) as permute:
        tv.permute_dims(tv.zeros((2, 3)), (1,))
    with pytest.raises(AxisError) as twice:
        tv.permute_dims(tv.zeros((2, 3)), (1, 1))

    assert message(move) == (
        "moveaxis: source has 2 axes and destination has 1; they pair up one to one."
    )
    assert message(permute) == (
        "permute_dims: axes=(1,) names 1 of the tensor's 2 axes; name every axis once."
    )
    assert message(twice) == "permute_dims: axis=(1, 1) names an axis twice."


@pytest.mark.parametrize("axes", [(0, 1, 2), (2, 0, 1), (-1, 0, 1), (1, 2, 0)])
def test_permute_dims_is_numpys(axes):
    x = counting((2, 3, 4))

    assert_same(tv.permute_dims(tv.asarray(x), axes), np.transpose(x, axes))


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("count", [0, 1, 3])
def test_repeat_by_one_count_is_numpys(shape, count):
    x = counting(shape)

    for axis in (None, *range(-len(shape), len(shape))):
        got = tv.repeat(tv.asarray(x), count, axis=axis)
        assert_same(got, np.repeat(x, count, axis=axis))
        counts = tv.asarray([count])
        assert_same(
            tv.repeat(tv.asarray(x), counts, axis=axis), np.repeat(x, count, axis)
        )


@pytest.mark.parametrize("axis", [0, 1])
def test_repeat_by_a_count_for_each_element_is_numpys(axis):
    x, counts = counting((2, 3)), [2, 0, 3][: 2 + axis]

    got = tv.repeat(tv.asarray(x), tv.asarray(counts), axis=axis)

    assert_same(got, np.repeat(x, counts, axis=axis))


def test_counts_that_do_not_fit_are_refused():
    x = tv.zeros(3)

    with pytest.raises(ShapeError) as shape:
        tv.repeat(x, tv.asarray([1, 2]))
    with pytest.raises(ShapeError) as negative:
        tv.repeat(x, -1)
    with pytest.raises(DTypeError) as dtype:
        tv.repeat(x, tv.asarray([1.0, 2.0, 3.0]))

    assert message(shape) == (
        "repeat: the repeats have the shape (2,), and the axis has 3 elements. Give "
        "one "
        "count, or one for each element."
    )
    assert message(negative) == "repeat: the count -1 is negative."
    assert message(dtype) == (
        "repeat: the repeats have the dtype float32 and must be integers. Cast with "
        ".astype(...)."
    )


@pytest.mark.parametrize("shape", [(6,), (3, 2), (-1,), (2, -1), (1, 6, 1), -1])
def test_reshape_keeps_the_order_of_the_elements(shape):
    x = counting((2, 3))

    for source in (x, x.T, x[::-1]):
        assert_same(tv.reshape(tv.asarray(source), shape), source.reshape(shape))


def test_nothing_can_be_reshaped():
    assert tv.reshape(tv.zeros((0, 3)), (3, 0)).shape == (3, 0)
    assert tv.reshape(tv.asarray([5]), ()).item() == 5


def test_a_reshape_that_does_not_fit_is_explained():
    with pytest.raises(ShapeError) as caught:
        tv.reshape(tv.zeros((2, 3)), (4, -1))

    assert message(caught) == (
        "reshape: 6 elements of shape (2, 3) do not fit the shape (4, -1). The product "
        "of the sizes must stay the same; one size may be -1."
    )


def test_reshape_copies_when_told_to():
    x = tv.zeros(4)

    copied = tv.reshape(x, (2, 2), copy=True)

    assert not np.shares_memory(copied.handle, x.handle)


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("shift", [0, 1, -1, 7])
def test_roll_is_numpys(shape, shift):
    x = counting(shape)

    for axis in (
        None,
        *range(-len(shape), len(shape)),
        tuple(range(len(shape))) or None,
    ):
        got = tv.roll(tv.asarray(x), shift, axis=axis)
        assert_same(got, np.roll(x, shift, axis))


def test_several_shifts_pair_up_with_several_axes():
    x = counting((3, 4))

    got = tv.roll(tv.asarray(x), (1, -2), axis=(0, 1))

    assert_same(got, np.roll(x, (1, -2), (0, 1)))
    with pytest.raises(ShapeError) as caught:
        tv.roll(tv.asarray(x), (1, 2, 3), axis=(0, 1))
    assert message(caught) == (
        "roll: there are 3 shifts for 2 axes; they pair up one to one."
    )


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("counts", [(), (2,), (2, 3), (0,), (1, 2, 1, 2)])
def test_tile_is_numpys(shape, counts):
    x = counting(shape)

    assert_same(tv.tile(tv.asarray(x), counts), np.tile(x, counts))


def test_a_negative_tiling_is_refused():
    with pytest.raises(ShapeError) as caught:
        tv.tile(tv.zeros(2), (2, -1))

    assert message(caught) == "tile: the repetitions (2, -1) hold a negative count."


def test_functions_of_one_tensor_are_methods():
    x = tv.asarray([[1, 2, 3], [4, 5, 6]])

    assert x.reshape((3, 2)).permute_dims((1, 0)).shape == (2, 3)
    assert x.flip(axis=0).roll(1, axis=1).tolist() == [[6, 4, 5], [3, 1, 2]]
    assert x.expand_dims(0).squeeze(0).repeat(2, axis=0).shape == (4, 3)


@pytest.mark.parametrize("shape", SHAPES)
def test_the_contracts_bodies_agree_with_numpy(bodies, shape):
    x = counting(shape)

    axes = tuple(range(len(shape)))
    np.testing.assert_array_equal(bodies.flip(x, axis=None), np.flip(x))
    np.testing.assert_array_equal(bodies.roll(x, shift=(2,), axis=None), np.roll(x, 2))
    np.testing.assert_array_equal(
        bodies.tile(x, repetitions=(2,) * len(axes)), np.tile(x, (2,) * len(axes))
    )
    np.testing.assert_array_equal(bodies.stack([x, x], axis=0), np.stack([x, x]))
    wide = bodies.expand_dims(x, axis=(0,))
    np.testing.assert_array_equal(wide, x[None])
    np.testing.assert_array_equal(bodies.squeeze(wide, axis=(0,)), x)
