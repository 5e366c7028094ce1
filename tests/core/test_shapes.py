"""Arithmetic on shapes, axes and index keys."""

import math
from itertools import product
from operator import mul

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trivet.errors import AxisError, ShapeError, TensorIndexError
from trivet.shapes import (
    as_shape,
    basic_region,
    broadcast,
    normalize_axes,
    normalize_axis,
    reduced,
    resolve_reshape,
    strides,
)


class Index:
    """An object that counts as an int, as other libraries' integers do."""

    def __index__(self):
        return 2


def test_shape_is_taken_from_an_int_or_any_sequence_of_ints():
    assert as_shape("zeros", 3) == (3,)
    assert as_shape("zeros", []) == ()
    assert as_shape("zeros", (2, Index())) == (2, 2)
    assert as_shape("zeros", iter([4])) == (4,)


@pytest.mark.parametrize(
    "shape, message",
    [
        (2.0, "zeros: 2.0 is not a shape; give an int or a sequence of ints."),
        ([2.0], "zeros: [2.0] is not a shape; give an int or a sequence of ints."),
        ((2, -1), "zeros: the shape (2, -1) has a negative size."),
        (-3, "zeros: the shape (-3,) has a negative size."),
    ],
)
def test_shape_refuses_what_is_none(shape, message):
    with pytest.raises(ShapeError) as error:
        as_shape("zeros", shape)

    assert str(error.value) == message


@given(ndim=st.integers(1, 8), data=st.data())
def test_axis_counts_from_the_front_as_python_indexes(ndim, data):
    axis = data.draw(st.integers(-ndim, ndim - 1))

    assert normalize_axis("flip", axis, ndim) == range(ndim)[axis]


@pytest.mark.parametrize(
    "axis, ndim, message",
    [
        (
            2,
            2,
            (
                "sum: axis=2 is out of range for a tensor with 2 dimensions; it can be "
                "-2 to 1."
            ),
        ),
        (
            -2,
            1,
            (
                "sum: axis=-2 is out of range for a tensor with 1 dimension; it can be "
                "-1 to 0."
            ),
        ),
        (
            0,
            0,
            (
                "sum: axis=0 is out of range for a tensor with 0 dimensions, which "
                "has no axes."
            ),
        ),
        (1.0, 2, "sum: axis=1.0 is not an int."),
    ],
)
def test_axis_outside_the_dimensions_is_refused(axis, ndim, message):
    with pytest.raises(AxisError) as error:
        normalize_axis("sum", axis, ndim)

    assert str(error.value) == message


def test_axes_may_be_none_one_or_several():
    assert normalize_axes("sum", None, 3) is None
    assert normalize_axes("sum", -1, 3) == (2,)
    assert normalize_axes("sum", (2, -3), 3) == (2, 0)
    assert normalize_axes("sum", (), 3) == ()


def test_axes_that_name_one_twice_are_refused():
    with pytest.raises(AxisError) as error:
        normalize_axes("sum", (1, -1), 2)

    assert str(error.value) == "sum: axis=(1, -1) names an axis twice."


@pytest.mark.parametrize(
    "shapes, result",
    [
        ([()], ()),
        ([(), (2,)], (2,)),
        ([(3, 1), (4,)], (3, 4)),
        ([(2, 1, 4), (3, 1), (1,)], (2, 3, 4)),
        ([(0,), (1,)], (0,)),
        ([(5, 0), (1, 1)], (5, 0)),
        ([], ()),
    ],
)
def test_shapes_broadcast_by_their_last_axes(shapes, result):
    assert broadcast("add", *shapes) == result


@pytest.mark.parametrize(
    "shapes, evidence",
    [
        ([(2,), (3,)], "(2,) and (3,) do not broadcast: axis -1 has the sizes 2 and 3"),
        ([(0,), (2,)], "(0,) and (2,) do not broadcast: axis -1 has the sizes 0 and 2"),
        (
            [(2, 3), (4, 3)],
            "(2, 3) and (4, 3) do not broadcast: axis -2 has the sizes 2 and 4",
        ),
    ],
)
def test_shapes_that_do_not_broadcast_name_the_axis(shapes, evidence):
    with pytest.raises(ShapeError) as error:
        broadcast("add", *shapes)

    assert str(error.value) == (
        f"add: the shapes {evidence}. Sizes must be equal or 1."
    )


@pytest.mark.parametrize(
    "old, new, result",
    [
        ((2, 6), (3, -1), (3, 4)),
        ((), (1, 1), (1, 1)),
        ((4,), (-1,), (4,)),
        ((0, 3), (0, 5), (0, 5)),
        ((0,), (-1, 2), (0, 2)),
        ((6,), (Index(), 3), (2, 3)),
    ],
)
def test_reshape_fills_in_the_size_that_is_minus_one(old, new, result):
    assert resolve_reshape(old, new) == result


@pytest.mark.parametrize(
    "old, new",
    [
        ((6,), (4,)),
        ((6,), (4, -1)),
        ((6,), (-1, -1)),
        ((6,), (-2, -3)),
        ((0,), (0, -1)),
    ],
)
def test_reshape_refuses_another_number_of_elements(old, new):
    with pytest.raises(ShapeError) as error:
        resolve_reshape(old, new)

    count = f"{math.prod(old)} elements"
    assert str(error.value) == (
        f"reshape: {count} of shape {old} do not fit the shape {new}. The product of "
        "the sizes must stay the same; one size may be -1."
    )


def test_reduced_axes_disappear_or_become_one():
    assert reduced((2, 3, 4), (0, 2), keepdims=False) == (3,)
    assert reduced((2, 3, 4), (0, 2), keepdims=True) == (1, 3, 1)
    assert reduced((2, 3), None, keepdims=False) == ()
    assert reduced((2, 3), None, keepdims=True) == (1, 1)
    assert reduced((2, 3), (), keepdims=False) == (2, 3)


@given(shape=st.lists(st.integers(1, 4), max_size=4).map(tuple))
def test_strides_number_the_elements_in_c_order(shape):
    places = product(*map(range, shape))

    numbers = [sum(map(mul, place, strides(shape))) for place in places]

    assert numbers == list(range(math.prod(shape)))


bounds = st.none() | st.integers(-7, 7)
slices = st.builds(slice, bounds, bounds, st.none() | st.integers(-3, 3).filter(bool))


@given(rows=st.integers(0, 5), cols=st.integers(0, 5), key=st.tuples(slices, slices))
def test_slices_select_the_region_that_python_selects(rows, cols, key):
    region = basic_region((rows, cols), key)

    for n, part, start, size, step in zip(
        (rows, cols), key, region.start, region.size, region.step, strict=True
    ):
        chosen = list(range(n))[part]
        assert size == len(chosen)
        assert [start + i * step for i in range(size)] == chosen
    assert region.shape == region.size


@pytest.mark.parametrize(
    "key, start, size, shape",
    [
        ((), (0, 0), (4, 5), (4, 5)),
        ((...,), (0, 0), (4, 5), (4, 5)),
        ((1,), (1, 0), (1, 5), (5,)),
        ((-1, -5), (3, 0), (1, 1), ()),
        ((..., 2), (0, 2), (4, 1), (4,)),
        ((1, ..., 2), (1, 2), (1, 1), ()),
        ((None, ..., None), (0, 0), (4, 5), (1, 4, 5, 1)),
        ((Index(), None), (2, 0), (1, 5), (1, 5)),
    ],
)
def test_keys_drop_add_and_skip_axes(key, start, size, shape):
    region = basic_region((4, 5), key)

    assert (region.start, region.size, region.shape) == (start, size, shape)
    assert region.step == (1, 1)


@pytest.mark.parametrize(
    "key, message",
    [
        (
            (0, 0, 0),
            ("too many indices: the tensor has 2 dimensions, and the index names 3."),
        ),
        ((..., ...), "an index can hold one ellipsis (...), not several."),
        ((4,), "index 4 is out of bounds for axis 0 with size 4."),
        ((0, -6), "index -6 is out of bounds for axis 1 with size 5."),
    ],
)
def test_key_that_does_not_fit_the_shape_is_refused(key, message):
    with pytest.raises(TensorIndexError) as error:
        basic_region((4, 5), key)

    assert str(error.value) == message
