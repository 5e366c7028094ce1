"""Ways in: lists with tensors in them, and masks that are empty along an axis."""

import pytest

import trivet as tv
from trivet.errors import ConversionError


def tensor(values, dtype=None):
    return tv.tensor(values, dtype=dtype, backend="example")


def test_tensors_in_a_list_are_stacked():
    x = tensor([1.0, 2.0])

    assert tv.asarray([x, x * 10]).tolist() == [[1.0, 2.0], [10.0, 20.0]]
    assert tv.asarray([[x[1], x[0]], [x[0], 0.5]]).tolist() == [[2.0, 1.0], [1.0, 0.5]]
    assert tv.asarray((x, [3, 4])).tolist() == [[1.0, 2.0], [3.0, 4.0]]
    assert tv.asarray([x]).backend is x.backend


def test_tensors_in_a_list_promote_and_numbers_beside_them_are_weak():
    narrow, wide = tensor(1.0, "float32"), tensor(2.0, "float64")

    assert tv.asarray([narrow, wide]).dtype == tv.float64
    assert tv.asarray([narrow, 0.1]).dtype == tv.float32
    assert tv.asarray([wide, 0.1]).tolist() == [2.0, 0.1]
    assert tv.asarray([narrow, 1], dtype=tv.int8).dtype == tv.int8


def test_list_with_tensors_of_two_shapes_is_ragged():
    x = tensor([1.0, 2.0])

    with pytest.raises(ConversionError) as caught:
        tv.asarray([x, x[0]])

    assert str(caught.value) == (
        "asarray: the nested sequences are ragged: item 0 has the shape (2,) and item "
        "1 the shape (). Every row must have the same shape."
    )


def test_mask_that_is_empty_along_an_axis_selects_nothing():
    x = tensor([[1.0, 2.0], [3.0, 4.0]])

    assert x[tv.zeros(0, dtype=tv.bool, backend="example")].shape == (0, 2)
    assert x[tv.zeros((2, 0), dtype=tv.bool, backend="example")].shape == (0,)
    with pytest.raises(IndexError, match=r"the mask of shape \(1,\) does not fit"):
        x[tv.ones(1, dtype=tv.bool, backend="example")]
