"""`copy=False` gives a view or raises: on every kind of backend."""

import numpy as np
import pytest
from hypothesis import given
from references.shape import reshaped
from strict import Strict

import trivet as tv
from trivet.errors import ArgumentError, ConversionError, ShapeError

DECORATED = (
    "{}",
    "autodiff({})",
    "forward({})",
    "autocast({})",
    "forward(autodiff({}))",
)
TELLING = [name.format("ndarray") for name in DECORATED]
SILENT = [name.format("example") for name in DECORATED if "cast" not in name]


def is_view(x, shape):
    """What NumPy says."""
    try:
        np.reshape(x, shape, copy=False)
    except ValueError:
        return False
    return True


def without_copy(x, shape):
    try:
        return tv.reshape(x, shape, copy=False)
    except ArgumentError:
        return None


@pytest.mark.parametrize("backend", TELLING)
@given(call=reshaped())
def test_reshape_without_a_copy_is_a_view_or_an_error(backend, call):
    (array, shape), _ = call
    x = tv.asarray(array, backend=backend)
    held = np.asarray(x.handle)

    found = without_copy(x, shape)

    assert (found is not None) == is_view(held, shape)
    if found is not None and found.size:
        assert np.shares_memory(found.handle, held)
        np.testing.assert_array_equal(found.numpy(), np.reshape(array, shape))


@pytest.mark.parametrize("backend", TELLING)
@pytest.mark.parametrize(
    "turn, views",
    [
        (lambda x: x, True),
        (lambda x: x[1:], True),
        (lambda x: x[:, :1], True),
        (lambda x: x.T, False),
        (lambda x: x[:, :3], False),
        (lambda x: x[:, ::-1], False),
        (lambda x: tv.broadcast_to(x[0], (3, 4)), False),
    ],
)
def test_layout_decides_whether_a_flat_view_is_possible(backend, turn, views):
    x = turn(tv.reshape(tv.arange(12.0, backend=backend), (3, 4)))

    assert (without_copy(x, (-1,)) is not None) == views


@pytest.mark.parametrize("name", ["autodiff(ndarray)", "forward(autodiff(ndarray))"])
def test_tracked_tensor_becomes_a_tracked_view(name):
    backend = tv.backend("autodiff(ndarray)")
    x = tv.ones((2, 3), backend=backend).require_grad().to_backend(name)

    y = tv.reshape(x, (6,), copy=False)

    assert y.backend.name == name
    with pytest.raises(ArgumentError):
        tv.reshape(tv.matrix_transpose(x), (6,), copy=False)


def test_gradient_goes_through_a_view():
    x = tv.ones((2, 3), backend="autodiff(ndarray)").require_grad()

    gradients = tv.sum(tv.reshape(x, (6,), copy=False) * tv.arange(6.0)).backward()

    assert gradients[x].tolist() == [[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]]


@pytest.mark.parametrize("name", SILENT)
def test_backend_that_cannot_tell_raises(name):
    x = tv.zeros((2, 3), backend=name)

    with pytest.raises(ArgumentError) as caught:
        tv.reshape(x, (3, 2), copy=False)

    assert str(caught.value) == (
        "reshape: copy=False, and the backend cannot tell whether it copies to make "
        f"(3, 2) of float32(2, 3) on {name}/example:0. Pass copy=None or copy=True."
    )


def test_copy_that_is_needed_is_named():
    with pytest.raises(ValueError, match="reshape") as caught:
        tv.reshape(tv.zeros((2, 3)).T, (6,), copy=False)

    assert str(caught.value) == (
        "reshape: copy=False, and the backend copies to make (6,) of float32(3, 2) on "
        "ndarray/cpu. Pass copy=None or copy=True."
    )


def test_shape_that_does_not_fit_is_named_first():
    with pytest.raises(ShapeError):
        tv.reshape(tv.zeros((2, 3)), (4, -1), copy=False)


@pytest.mark.parametrize("copy", ["no", 2, [False]])
def test_copy_is_true_false_or_none(copy):
    with pytest.raises(ArgumentError) as caught:
        tv.reshape(tv.zeros(2), (2,), copy=copy)

    assert str(caught.value) == f"reshape: copy={copy!r} is neither True nor False."


@given(call=reshaped())
def test_library_is_asked_by_the_adapter(call):
    backend = Strict(pytest.importorskip("array_api_strict"))
    (array, shape), _ = call
    x = backend.xp.asarray(array)

    wanted = np.reshape(array, shape).shape
    found = backend.reshape_is_view(x, shape=wanted)

    # of nothing, the library says no: there is no memory to share
    assert found == (array.size > 0 and is_view(array, shape))


@pytest.mark.parametrize("backend", ["ndarray", "autodiff(ndarray)", "example"])
def test_list_becomes_no_tensor_without_a_copy(backend):
    one = tv.asarray([1.0], backend=backend)

    for values in ([1.0, 2.0], [one, one], [[one]]):
        with pytest.raises(ConversionError) as caught:
            tv.asarray(values, copy=False, backend=backend)
        assert str(caught.value) == (
            "asarray: a list cannot become a tensor without a copy; pass copy=None."
        )
