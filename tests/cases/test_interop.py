"""O36: awkward layouts to NumPy and back, by DLPack and by NumPy's own way."""

import subprocess
import sys
from importlib.util import find_spec

import numpy as np
import pytest

import trivet as tv

LAYOUTS = {
    "rank 0": (lambda xp: xp.asarray(2.5), 2.5),
    "empty": (lambda xp: xp.zeros((0, 3)), []),
    "column": (lambda xp: xp.reshape(xp.arange(6.0), (2, 3))[:, 1:2], [[1], [4]]),
    "strided": (lambda xp: xp.arange(10.0)[1::3], [1, 4, 7]),
    "reversed": (lambda xp: xp.arange(4.0)[::-1], [3, 2, 1, 0]),
    "boolean": (lambda xp: xp.asarray([True, False]), [True, False]),
    "offset": (lambda xp: xp.arange(10.0)[4:7], [4, 5, 6]),
}
EVERY_LAYOUT = pytest.mark.parametrize("layout", LAYOUTS)
SHAPES = {"rank 0": (), "empty": (0, 3), "column": (2, 1), "boolean": (2,)}
EXPORTERS = pytest.mark.parametrize("name", ["ndarray", "autodiff(ndarray)"])


def check(layout, found):
    """The values, the shape and the dtype, of a tensor or of an array."""
    _, values = LAYOUTS[layout]
    dtype = "bool" if layout == "boolean" else "float64"

    assert found.tolist() == values
    assert tuple(found.shape) == SHAPES.get(layout, (len(np.atleast_1d(values)),))
    assert getattr(found.dtype, "name", found.dtype) == dtype


@EVERY_LAYOUT
def test_o36_layout_goes_to_numpy_and_back(layout, backend):
    make, _ = LAYOUTS[layout]
    array = make(tv).numpy()
    back = tv.asarray(array)

    check(layout, array)
    check(layout, back)
    assert back.backend is backend


@EVERY_LAYOUT
def test_o36_layout_of_numpy_becomes_a_tensor(layout, backend):
    make, _ = LAYOUTS[layout]

    check(layout, tv.asarray(make(np)))


@EVERY_LAYOUT
@EXPORTERS
def test_o36_layout_goes_through_dlpack_and_back(layout, name):
    make, _ = LAYOUTS[layout]
    # the standard's default dtype of NumPy, so that the dtypes are the same
    source = tv.asarray(make(np), backend=name)
    array = np.from_dlpack(source)
    back = tv.from_dlpack(array, backend=name)

    check(layout, array)
    check(layout, back)
    assert back.backend is source.backend


@EVERY_LAYOUT
@EXPORTERS
def test_o36_layout_made_by_slicing_goes_through_dlpack(layout, name):
    make, _ = LAYOUTS[layout]
    with tv.using(name):
        sliced = make(tv)

    check(
        layout, np.from_dlpack(sliced).astype("bool" if layout == "boolean" else float)
    )


@pytest.mark.skipif(find_spec("torch") is None, reason="PyTorch is not installed")
def test_o36_reversed_tensor_does_not_end_a_consumers_process():
    code = """
import torch, trivet as tv
print(torch.from_dlpack(tv.arange(4.0, backend="ndarray")[::-1]).tolist())
"""
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )

    assert (done.stdout, done.returncode) == ("[3.0, 2.0, 1.0, 0.0]\n", 0), done.stderr


def read_only():
    array = np.array([1.0, 2.0, 3.0])
    array.flags.writeable = False
    return array


def test_o36_write_to_a_tensor_of_a_read_only_array_leaves_the_array(backend):
    array = read_only()
    t = tv.asarray(array)

    t[0] = 9.0

    assert t.tolist() == [9, 2, 3]
    assert array.tolist() == [1, 2, 3]


@EXPORTERS
def test_o36_write_after_dlpack_from_a_read_only_array_leaves_the_array(name):
    array = read_only()
    t = tv.from_dlpack(array, backend=name)

    t[0] = 9.0

    assert t.tolist() == [9, 2, 3]
    assert array.tolist() == [1, 2, 3]


def test_o36_pure_python_backend_says_how_else_to_exchange_arrays():
    t = tv.arange(3.0, backend="example")

    with pytest.raises(BufferError) as exported:
        np.from_dlpack(t)
    with pytest.raises(tv.errors.UnsupportedOpError) as imported:
        tv.from_dlpack(np.arange(3.0), backend="example")

    assert str(exported.value) == (
        "the backend example does not export DLPack; use .numpy() or .tolist()"
    )
    assert str(imported.value).splitlines()[0] == (
        "the backend example does not import DLPack; pass the values through "
        "tv.asarray instead."
    )
