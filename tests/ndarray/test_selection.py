"""The largest elements and masks, against NumPy and PyTorch."""

import numpy as np
import pytest

import trivet as tv
from trivet.errors import AxisError, DTypeError, ShapeError

nan, inf = float("nan"), float("inf")


def sample(dtype="float64"):
    """All elements differ."""
    x = np.random.default_rng(12).permutation(120).reshape(4, 6, 5)
    return x.astype(dtype)


def ordered(x, axis, *, largest):
    up = np.sort(x, axis)
    return np.flip(up, axis) if largest else up


@pytest.mark.parametrize("dtype", ["int8", "uint64", "float16", "float64"])
@pytest.mark.parametrize("largest", [False, True])
@pytest.mark.parametrize("k", [0, 1, 3, 4])
@pytest.mark.parametrize("axis", [0, 1, -1])
def test_topk_is_the_head_of_a_sort(bodies, dtype, largest, k, axis):
    x = sample(dtype)

    values, indices = tv.topk(tv.asarray(x), k, axis=axis, largest=largest)

    want = ordered(x, axis, largest=largest).take(range(k), axis)
    np.testing.assert_array_equal(values.numpy(), want, strict=True)
    assert indices.dtype == tv.int64
    places = indices.numpy()
    np.testing.assert_array_equal(np.take_along_axis(x, places, axis), want)
    body = bodies.argtopk(x, k=k, axis=axis % 3, largest=largest, ordered=True)
    np.testing.assert_array_equal(body, places)


@pytest.mark.parametrize("largest", [False, True])
def test_unsorted_topk_has_the_same_elements(largest):
    x = sample()

    values, _ = tv.topk(tv.asarray(x), 4, axis=1, largest=largest, sorted=False)

    want = ordered(x, 1, largest=largest)[:, :4]
    np.testing.assert_array_equal(np.sort(values.numpy(), 1), np.sort(want, 1))


def test_topk_is_pytorchs_with_nan_and_infinities():
    torch = pytest.importorskip("torch")
    x = np.asarray([1.0, nan, -inf, inf, 3.0, 2.0])

    for largest in (True, False):
        for k in (1, 3, 6):
            got = tv.topk(tv.asarray(x), k, largest=largest)
            want = torch.topk(torch.tensor(x), k, largest=largest)
            np.testing.assert_array_equal(got.values.numpy(), want.values.numpy())
            np.testing.assert_array_equal(got.indices.numpy(), want.indices.numpy())


def test_chosen_ones_of_equal_elements_come_in_their_order():
    values, indices = tv.topk(tv.asarray([7, 7, 1, 7]), 3)

    assert values.tolist() == [7, 7, 7]
    assert indices.tolist() == [0, 1, 3]


@pytest.mark.parametrize("k", [-1, 4])
def test_number_out_of_range_is_refused(k):
    for op in ("topk", "argtopk"):
        with pytest.raises(ShapeError) as caught:
            getattr(tv, op)(tv.zeros((2, 3)), k)

        assert str(caught.value) == (
            f"{op}: k={k} is not from 0 to 3, the size of axis 1."
        )


def test_what_has_no_order_is_refused():
    with pytest.raises(DTypeError):
        tv.topk(tv.asarray([1j]), 1)
    with pytest.raises(DTypeError):
        tv.sort_with_indices(tv.asarray([1j]))
    with pytest.raises(AxisError):
        tv.topk(tv.asarray(1.0), 1)
    with pytest.raises(TypeError):
        tv.topk([1.0], 1)


@pytest.mark.parametrize("descending", [False, True])
@pytest.mark.parametrize("axis", [0, -1])
def test_sort_with_indices_gives_both(descending, axis):
    x = tv.asarray(sample())

    values, indices = tv.sort_with_indices(x, axis=axis, descending=descending)

    want = tv.argsort(x, axis=axis, descending=descending)
    np.testing.assert_array_equal(indices.numpy(), want.numpy())
    in_order = tv.sort(x, axis=axis, descending=descending)
    np.testing.assert_array_equal(values.numpy(), in_order.numpy())


@pytest.mark.parametrize("k", [1, 3, 6])
@pytest.mark.parametrize("keepdims", [False, True])
def test_kthvalue_is_pytorchs(k, keepdims):
    torch = pytest.importorskip("torch")
    x = sample()

    got = tv.kthvalue(tv.asarray(x), k, axis=1, keepdims=keepdims)

    want = torch.kthvalue(torch.tensor(x), k, 1, keepdims)
    np.testing.assert_array_equal(got.values.numpy(), want.values.numpy())
    np.testing.assert_array_equal(got.indices.numpy(), want.indices.numpy())


@pytest.mark.parametrize("k", [0, 4])
def test_kthvalue_counts_from_one(k):
    with pytest.raises(ShapeError) as caught:
        tv.kthvalue(tv.zeros(3), k)

    assert str(caught.value) == (
        f"kthvalue: k={k} is not from 1 to 3, the size of axis 0."
    )


def test_masked_select_broadcasts():
    x = np.arange(6).reshape(2, 3)
    tensor = tv.asarray(x)
    column = tv.asarray([[True], [False]])

    assert tv.masked_select(tensor, tensor > 2).tolist() == [3, 4, 5]
    assert tv.masked_select(tensor, column).tolist() == [0, 1, 2]
    assert tv.masked_select(tv.asarray([7, 8]), column).tolist() == [7, 8]
    assert tv.masked_select(tv.asarray(7), tv.asarray(False)).shape == (0,)


def test_masked_fill_keeps_the_dtype():
    x = tv.asarray([[1, 2], [3, 4]], dtype="int8")
    mask = tv.asarray([True, False])

    got = tv.masked_fill(x, mask, 9)

    assert (got.dtype, got.tolist()) == (tv.int8, [[9, 2], [9, 4]])
    other = tv.masked_fill(x, mask, tv.asarray([[5], [6]], dtype="int8"))
    assert other.tolist() == [[5, 2], [6, 4]]
    floats = tv.masked_fill(tv.asarray([1.0, 2.0]), mask, -inf)
    assert (floats.dtype, floats.tolist()) == (tv.float32, [-inf, 2.0])


def test_masks_and_values_that_do_not_fit_are_refused():
    x, mask = tv.zeros(2, dtype="int64"), tv.asarray([True, False])
    with pytest.raises(DTypeError) as dtype:
        tv.masked_select(x, x)
    with pytest.raises(DTypeError) as value:
        tv.masked_fill(x, mask, 1.5)
    with pytest.raises(ShapeError) as shape:
        tv.masked_fill(x, tv.zeros((2, 2), dtype="bool"), 0)
    with pytest.raises(ShapeError):
        tv.masked_select(x, tv.zeros(3, dtype="bool"))

    assert str(dtype.value) == (
        "masked_select: the mask has the dtype int64 and must be boolean. Compare, for "
        "example with mask != 0."
    )
    assert str(value.value) == (
        "masked_fill: a value of dtype float64 does not fit a tensor of dtype int64. "
        "Cast one of them with .astype(...) first."
    )
    assert str(shape.value) == (
        "masked_fill: the mask of shape (2, 2) does not broadcast to (2,), the shape "
        "of the tensor."
    )
