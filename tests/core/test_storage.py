"""Tensors in files: what comes back, and what is refused."""

import json
import struct
import sys

import pytest

import trivet as tv
from trivet.dtypes import STANDARD
from trivet.errors import ArgumentError, ConversionError, DTypeError


def tensor(values, dtype=None):
    return tv.tensor(values, dtype=dtype, backend="example")


REAL = [
    d for d in STANDARD if d in tv.backend("example").dtypes(tv.Device("example", 0))
]


@pytest.mark.parametrize("dtype", REAL, ids=str)
def test_tensor_comes_back_from_a_file(tmp_path, dtype):
    path = tmp_path / "x.safetensors"
    values = [[1, 0, 1], [0, 1, 1]]

    tv.save(path, {"x": tensor(values, dtype)})
    x = tv.load(path, backend="example")["x"]

    assert x.dtype == dtype
    assert x.shape == (2, 3)
    assert x.tolist() == values


def test_names_empty_and_0d_tensors_survive(tmp_path):
    path = str(tmp_path / "x.safetensors")

    tv.save(path, {"layer.0/weight": tensor([]), "é": tensor(2.5), "": tensor([[]])})
    found = tv.load(path, backend="example")

    assert {name: x.shape for name, x in found.items()} == {
        "layer.0/weight": (0,),
        "é": (),
        "": (1, 0),
    }
    assert found["é"].item() == 2.5


def test_file_is_in_the_format_as_published(tmp_path):
    """8 bytes of length, a JSON header, the elements in C order, little-endian."""
    path = tmp_path / "x.safetensors"

    tv.save(path, {"x": tensor([1.0, 2.0], "float32")})

    data = path.read_bytes()
    (length,) = struct.unpack("<Q", data[:8])
    assert json.loads(data[8 : 8 + length]) == {
        "x": {"dtype": "F32", "shape": [2], "data_offsets": [0, 8]}
    }
    assert data[8 + length :] == struct.pack("<2f", 1, 2)


def test_saved_file_replaces_another(tmp_path):
    path = tmp_path / "x.safetensors"

    tv.save(path, {"x": tensor([1.0] * 100)})
    tv.save(path, {"y": tensor([2.0])})

    assert list(tv.load(path, backend="example")) == ["y"]


def test_loaded_tensors_are_on_the_device_that_is_asked_for(tmp_path):
    path = tmp_path / "x.safetensors"
    tv.save(path, {"x": tensor([1.0])})

    x = tv.load(path, backend="example", device="example:1")["x"]

    assert x.device == tv.Device("example", 1)


def test_what_is_no_tensor_is_refused_by_name(tmp_path):
    with pytest.raises(ConversionError) as caught:
        tv.save(tmp_path / "x", {"x": tensor([1.0]), "y": [2.0]})

    assert str(caught.value) == (
        "save: 'y' is a builtins.list, not a tensor. Call tv.asarray(...) on it first."
    )
    assert not (tmp_path / "x").exists()


def test_file_of_another_format_is_refused(tmp_path):
    path = tmp_path / "x.txt"
    path.write_text("Once upon a time there was a tensor.")

    with pytest.raises(ConversionError) as caught:
        tv.load(path, backend="example")

    assert str(caught.value) == (
        f"load: {path} is not a file in the safetensors format (Error while "
        "deserializing: header too large). Such files are written by tv.save."
    )


def test_dtype_that_the_backend_lacks_is_refused(tmp_path):
    path = tmp_path / "x.safetensors"
    header = b'{"x":{"dtype":"F16","shape":[1],"data_offsets":[0,2]}}'
    path.write_bytes(struct.pack("<Q", len(header)) + header + b"\0\0")

    with pytest.raises(DTypeError, match=r"^the backend example has no dtype float16"):
        tv.load(path, backend="example")


def test_dtype_that_we_lack_is_refused(tmp_path):
    path = tmp_path / "x.safetensors"
    header = b'{"x":{"dtype":"F8_E5M2","shape":[1],"data_offsets":[0,1]}}'
    path.write_bytes(struct.pack("<Q", len(header)) + header + b"\0")

    with pytest.raises(
        ConversionError, match=r"^load: 'x' has the dtype F8_E5M2, which"
    ):
        tv.load(path, backend="example")


def test_missing_file_is_pythons_own_error(tmp_path):
    with pytest.raises(FileNotFoundError):
        tv.load(tmp_path / "nowhere", backend="example")


@pytest.mark.parametrize("op", ["save", "load"])
def test_missing_library_is_named_with_how_to_install_it(tmp_path, monkeypatch, op):
    monkeypatch.setitem(sys.modules, "safetensors", None)

    with pytest.raises(ConversionError) as caught:
        tv.save(tmp_path / "x", {}) if op == "save" else tv.load(tmp_path / "x")

    assert str(caught.value) == (
        f"{op}: safetensors is not installed. Install it with pip install "
        '"trivet[safetensors]".'
    )


def test_save_refuses_arguments_in_the_other_order(tmp_path):
    with pytest.raises(ArgumentError) as caught:
        tv.save({"w": tv.ones(2)}, str(tmp_path / "w.safetensors"))

    assert str(caught.value) == (
        "save: a builtins.str is not a mapping of names to tensors. Call "
        'tv.save(path, {"name": tensor}).'
    )
