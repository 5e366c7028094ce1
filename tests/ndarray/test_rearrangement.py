"""Padding, splitting, turning, windows and diagonals, against NumPy and PyTorch."""

import numpy as np
import pytest

import trivet as tv
from trivet.errors import AxisError, DTypeError, ShapeError

NUMPYS = {
    "constant": "constant",
    "reflect": "reflect",
    "edge": "edge",
    "circular": "wrap",
}


def sample(*shape, dtype="float64"):
    return np.random.default_rng(2).integers(0, 9, shape).astype(dtype)


@pytest.mark.parametrize("mode", NUMPYS)
@pytest.mark.parametrize("dtype", ["bool", "int8", "float16", "float64", "complex64"])
@pytest.mark.parametrize(
    "width", [2, (1, 3), [(0, 1), (2, 0), (7, 5)], [(0, 0), (0, 0), (1, 0)]]
)
def test_pad_is_numpys(bodies, mode, dtype, width):
    x = sample(2, 3, 4, dtype=dtype)

    got = tv.pad(tv.asarray(x), width, mode=mode)

    want = np.pad(x, width, mode=NUMPYS[mode])
    np.testing.assert_array_equal(got.numpy(), want, strict=True)
    pairs = np.broadcast_to(width, (3, 2)).tolist()
    body = bodies.pad(x, width=tuple(map(tuple, pairs)), mode=mode, value=0)
    np.testing.assert_array_equal(body, want, strict=True)


def test_pad_takes_a_constant_and_rank_0():
    got = tv.pad(tv.asarray([1.0]), (1, 0), constant_values=float("-inf"))

    assert got.tolist() == [float("-inf"), 1.0]
    assert tv.pad(tv.asarray(5), 3).tolist() == 5
    assert tv.pad(tv.zeros((0, 2)), ((1, 0), (0, 0))).shape == (1, 2)
    assert tv.pad(tv.zeros((0, 2)), ((0, 0), (1, 0)), mode="edge").shape == (0, 3)


def test_widths_modes_and_constants_that_do_not_fit_are_refused():
    x = tv.zeros((2, 0), dtype="int64")
    with pytest.raises(ShapeError) as width:
        tv.pad(x, [(1, 1)])
    with pytest.raises(ShapeError) as negative:
        tv.pad(x, (-1, 0))
    with pytest.raises(ShapeError) as empty:
        tv.pad(x, 1, mode="edge")
    with pytest.raises(DTypeError) as constant:
        tv.pad(x, 1, constant_values=0.5)
    with pytest.raises(DTypeError) as wide:
        tv.pad(tv.zeros(1, dtype="int8"), 1, constant_values=128)
    with pytest.raises(ValueError) as mode:
        tv.pad(x, 1, mode="wrap")

    assert str(width.value) == (
        "pad: pad_width=[(1, 1)] does not fit a tensor of shape (2, 0). Give a number, "
        "a pair (before, behind), or a pair for each axis."
    )
    assert str(negative.value) == (
        "pad: pad_width=(-1, 0) has a negative number. Slice to leave elements out."
    )
    assert str(empty.value) == (
        "pad: axis 1 of a tensor of shape (2, 0) is empty and has no elements for "
        "mode='edge'. Use mode=\"constant\"."
    )
    assert str(constant.value) == (
        "pad: constant_values=0.5 does not fit a tensor of dtype int64. Cast it with "
        ".astype(...) first."
    )
    assert str(wide.value) == (
        "pad: constant_values=128 does not fit a tensor of dtype int8. Cast it with "
        ".astype(...) first."
    )
    assert str(mode.value) == (
        "pad: mode='wrap' is not one of 'constant', 'reflect', 'edge' and 'circular'."
    )


@pytest.mark.parametrize("k", [-5, -1, 0, 1, 2, 3])
@pytest.mark.parametrize("axes", [(0, 1), (1, 0), (2, -3)])
def test_rot90_is_numpys(k, axes):
    x = sample(2, 3, 4)

    got = tv.rot90(tv.asarray(x), k=k, axes=axes)

    np.testing.assert_array_equal(got.numpy(), np.rot90(x, k, axes), strict=True)


def test_axes_are_exchanged_and_joined_as_numpy_has_it():
    x = sample(2, 3, 4)
    tensor = tv.asarray(x)

    assert (tv.swapaxes(tensor, 0, -1).numpy() == x.swapaxes(0, -1)).all()
    assert (tensor.swapaxes(1, 2).numpy() == x.swapaxes(1, 2)).all()
    assert (tv.ravel(tensor).numpy() == x.ravel()).all()
    assert (tensor.flatten().numpy() == x.flatten()).all()
    assert (tv.flatten(tensor, start_axis=1).numpy() == x.reshape(2, 12)).all()
    assert tv.flatten(tensor, end_axis=1).shape == (6, 4)
    assert tv.flatten(tv.asarray(1.0)).shape == (1,)
    assert tv.ravel(tv.asarray(1.0)).shape == (1,)


def test_planes_and_ranges_of_axes_are_checked():
    with pytest.raises(AxisError) as plane:
        tv.rot90(tv.zeros((2, 2, 2)), axes=(0, 1, 2))
    with pytest.raises(AxisError) as turned:
        tv.flatten(tv.zeros((2, 2)), start_axis=1, end_axis=0)
    with pytest.raises(AxisError):
        tv.rot90(tv.zeros((2, 2)), axes=(0, 0))
    with pytest.raises(AxisError):
        tv.swapaxes(tv.zeros(2), 0, 1)

    assert str(plane.value) == "rot90: axes=(0, 1, 2) are not two axes."
    assert str(turned.value) == (
        "flatten: start_axis=1 is behind end_axis=0; it must not be."
    )


@pytest.mark.parametrize("k", [-4, -1, 0, 1, 2, 5])
@pytest.mark.parametrize("shape", [(3, 4), (4, 2), (3,), (0,), (0, 2)])
@pytest.mark.parametrize("dtype", ["bool", "int8", "float64"])
def test_diag_is_numpys(bodies, shape, k, dtype):
    x = sample(*shape, dtype=dtype)

    got = tv.diag(tv.asarray(x), k=k)

    want = np.diag(x, k)
    np.testing.assert_array_equal(got.numpy(), want, strict=True)
    np.testing.assert_array_equal(bodies.diag(x, k=k), want, strict=True)


@pytest.mark.parametrize(
    "n, m", [(3, None), (2, 4), (4, 2), (0, None), (90, 200), (300, 80), (3000, 2)]
)
@pytest.mark.parametrize("k", [-30, -1, 0, 2, 500])
def test_indices_of_triangles_are_numpys(n, m, k):
    for name in ("tril_indices", "triu_indices"):
        found = getattr(tv, name)(n, k, m)

        want = getattr(np, name)(n, k, m)
        for got, expected in zip(found, want, strict=True):
            np.testing.assert_array_equal(got.numpy(), expected, strict=True)


def test_triangle_of_negative_size_is_refused():
    with pytest.raises(ShapeError) as caught:
        tv.tril_indices(-1)

    assert str(caught.value) == "tril_indices: the shape (-1, -1) has a negative size."


def test_triangle_is_made_where_it_is_asked_for():
    rows, _ = tv.tril_indices(2, backend="ndarray", device="cpu")

    assert (rows.backend.name, str(rows.device)) == ("ndarray", "cpu")


def test_narrow_is_a_slice_that_must_be_whole():
    x = sample(4, 5)
    tensor = tv.asarray(x)

    assert (tv.narrow(tensor, 1, 1, 3).numpy() == x[:, 1:4]).all()
    assert (tv.narrow(tensor, 0, -2, 2).numpy() == x[-2:]).all()
    assert tv.narrow(tensor, 0, 4, 0).shape == (0, 5)
    with pytest.raises(ShapeError) as caught:
        tv.narrow(tensor, 0, 3, 2)
    assert str(caught.value) == (
        "narrow: 2 elements from 3 on are not all in axis 0 of size 4."
    )


@pytest.mark.parametrize("n", [0, 1, 6, 7])
@pytest.mark.parametrize("number", [1, 2, 3, 9])
def test_split_and_chunk_are_pytorchs(n, number):
    torch = pytest.importorskip("torch")
    x = sample(2, n)

    pieces = tv.split(tv.asarray(x), number, axis=1)
    chunks = tv.chunk(tv.asarray(x), number, axis=1)

    for got, want in (
        (pieces, torch.split(torch.tensor(x), number, 1)),
        (chunks, torch.chunk(torch.tensor(x), number, 1)),
    ):
        if n:  # of nothing PyTorch gives several nothings, we one
            assert [part.shape for part in got] == [tuple(part.shape) for part in want]
        joined = tv.concat(got, axis=1)
        np.testing.assert_array_equal(joined.numpy(), x)


def test_split_takes_sizes():
    parts = tv.split(tv.asarray([1, 2, 3, 4]), [1, 0, 3])

    assert [part.tolist() for part in parts] == [[1], [], [2, 3, 4]]


def test_sizes_that_do_not_add_up_are_refused():
    x = tv.zeros(4)
    with pytest.raises(ShapeError) as short:
        tv.split(x, [1, 2])
    with pytest.raises(ShapeError) as negative:
        tv.split(x, [5, -1])
    with pytest.raises(ShapeError) as small:
        tv.split(x, 0)
    with pytest.raises(ShapeError) as none:
        tv.chunk(x, 0)

    for error, sizes in ((short, [1, 2]), (negative, [5, -1])):
        assert str(error.value) == (
            f"split: the sizes {sizes} do not add up to 4, the size of axis 0, or one "
            "is negative."
        )
    assert str(small.value) == "split: a piece of size 0 is too small; give 1 or more."
    assert str(none.value) == "chunk: chunks=0 is less than one."


@pytest.mark.parametrize("axis", [0, 1, -1])
@pytest.mark.parametrize("size, step", [(1, 1), (2, 1), (3, 2), (2, 5)])
def test_unfold_is_pytorchs(bodies, axis, size, step):
    torch = pytest.importorskip("torch")
    x = sample(3, 4, 5)

    got = tv.unfold(tv.asarray(x), axis, size, step)

    want = torch.tensor(x).unfold(axis, size, step).numpy()
    np.testing.assert_array_equal(got.numpy(), want, strict=True)
    body = bodies.unfold_axis(x, axis=axis % 3, size=size, step=step)
    np.testing.assert_array_equal(body, want, strict=True)


@pytest.mark.parametrize("size, step", [(0, 1), (4, 1), (1, 0)])
def test_windows_that_do_not_fit_are_refused(size, step):
    with pytest.raises(ShapeError) as caught:
        tv.unfold(tv.zeros(3), 0, size, step)

    assert str(caught.value) == (
        f"unfold: windows of {size} elements with the step {step} do not fit axis 0 of "
        "size 3. Both must be 1 or more, and a window no larger."
    )


def test_writing_into_a_tensor_leaves_its_windows_alone():
    x = tv.asarray([1.0, 2.0, 3.0])
    windows = tv.unfold(x, 0, 2)

    x[0] = 9.0

    assert windows.tolist() == [[1.0, 2.0], [2.0, 3.0]]


def test_stack_of_matrices_has_no_one_diagonal():
    with pytest.raises(ShapeError) as caught:
        tv.diag(tv.zeros((2, 2, 2)))

    assert str(caught.value) == (
        "diag: a tensor of shape (2, 2, 2) is neither a vector nor a matrix. Use "
        "tv.linalg.diagonal for a stack of matrices."
    )


@pytest.mark.parametrize("axes", [None, (2, 0, 1), [0, 2, 1], (-1, 0, 1)])
def test_transpose_is_numpys(axes):
    x = np.arange(24.0).reshape((2, 3, 4))

    found = tv.transpose(tv.asarray(x), axes)

    assert np.array_equal(found.numpy(), np.transpose(x, axes))
    assert np.array_equal(tv.asarray(x).transpose(axes).numpy(), found.numpy())


def test_transpose_leaves_a_vector_and_a_number_as_they_are():
    assert tv.transpose(tv.asarray([1.0, 2.0])).tolist() == [1.0, 2.0]
    assert tv.transpose(tv.asarray(1.0)).shape == ()


def test_transpose_wants_every_axis_once():
    with pytest.raises(AxisError, match="name every axis once"):
        tv.transpose(tv.zeros((2, 3)), (0,))
