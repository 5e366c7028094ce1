"""O34: pickles and copies of devices, dtypes and tensors."""

import pickle
from copy import copy, deepcopy

import pytest

import trivet as tv
from trivet.dtypes import DTYPES
from trivet.errors import ConversionError


def pickled(protocol):
    def through(thing):
        return pickle.loads(pickle.dumps(thing, protocol))

    through.__name__ = f"pickle{protocol}"
    return through


PICKLES = [pickled(protocol) for protocol in range(2, 6)]
WAYS = pytest.mark.parametrize(
    "way", [*PICKLES, copy, deepcopy], ids=lambda f: f.__name__
)
HOSTS = pytest.mark.parametrize("host", ["ndarray", "example"])
DEVICES = [
    *tv.backend("ndarray").devices(),
    *tv.backend("example").devices(),
    *tv.backend("autodiff(ndarray)").devices(),
    tv.Device("cuda", 1),
]


@WAYS
@pytest.mark.parametrize("device", DEVICES, ids=str)
def test_o34_device_comes_back_equal_and_as_the_same_key(way, device):
    back = way(device)

    assert back == device
    assert hash(back) == hash(device)
    assert {device: "original"}[back] == "original"


@WAYS
@pytest.mark.parametrize("dtype", DTYPES.values(), ids=str)
def test_o34_dtype_comes_back_the_same(way, dtype):
    back = way(dtype)

    assert back == dtype
    assert hash(back) == hash(dtype)


@WAYS
@HOSTS
@pytest.mark.parametrize("name", ["{}", "autodiff({})"])
def test_o34_tensor_keeps_values_dtype_backend_and_device(way, host, name):
    backend = tv.backend(name.format(host))
    t = tv.asarray([[1.0, 2.0], [3.0, 4.0]], dtype=tv.float32, backend=backend)

    back = way(t)

    assert back.tolist() == [[1, 2], [3, 4]]
    assert back.dtype == tv.float32
    assert (back.backend, back.device) == (backend, t.device)


@pytest.mark.parametrize("way", [*PICKLES, deepcopy], ids=lambda f: f.__name__)
@HOSTS
def test_o34_tracked_leaf_comes_back_untracked_on_its_backend(way, host):
    backend = tv.backend(f"autodiff({host})")
    t = tv.asarray(
        [[1.0, 2.0], [3.0, 4.0]], dtype=tv.float32, backend=backend
    ).require_grad()

    back = way(t)

    assert back.tolist() == [[1, 2], [3, 4]]
    assert back.dtype == tv.float32
    assert back.backend is backend
    assert not backend.is_tracked(back.handle)


@pytest.mark.parametrize("way", [*PICKLES, deepcopy], ids=lambda f: f.__name__)
@HOSTS
def test_o34_result_of_a_tracked_op_comes_back_as_an_untracked_value(way, host):
    backend = tv.backend(f"autodiff({host})")
    t = tv.asarray([[1.0, 2.0], [3.0, 4.0]], backend=backend).require_grad()
    y = t * t

    back = way(y)

    assert back.tolist() == [[1, 4], [9, 16]]
    assert back.backend is backend
    assert not backend.is_tracked(back.handle)
    assert y.sum().backward()[t].tolist() == [[2, 4], [6, 8]]


NAMES = ["{}", "autodiff({})", "autodiff({}, checkpoint=balanced)", "forward({})"]


@WAYS
@HOSTS
@pytest.mark.parametrize("name", NAMES)
def test_backend_comes_back_as_the_one_of_its_name(way, host, name):
    backend = tv.backend(name.format(host))

    assert way(backend) is backend
    assert way({"on": [backend]})["on"][0] is backend


@HOSTS
def test_gradients_are_copied_as_they_are_and_not_pickled(host):
    x = tv.asarray([1.0, 2.0], backend=f"autodiff({host})").require_grad()
    grads = (x * x).sum().backward()

    for way in (copy, deepcopy):
        assert way(grads)[x].tolist() == [2.0, 4.0]
    with pytest.raises(
        ConversionError, match="belong to the variables of this process"
    ):
        pickle.dumps(grads)
