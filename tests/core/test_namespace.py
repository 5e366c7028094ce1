"""Namespaces: one object for each backend, with a name and defaults of its own."""

import copy
import pickle

import pytest
from trivet_example import Example

import trivet as tv

VERSION = "2025.12"


def test_namespace_is_the_same_object_however_it_is_asked_for():
    xp = tv.namespace("example")

    assert tv.namespace(tv.backend("example")) is xp
    assert tv.zeros(1, backend="example").__array_namespace__() is xp
    assert tv.zeros(1, backend="example").__array_namespace__(api_version=VERSION) is xp
    assert copy.copy(xp) is copy.deepcopy(xp) is xp
    assert pickle.loads(pickle.dumps(xp)) is xp
    assert {xp: 1}[xp] == 1


def test_namespaces_of_two_instances_have_two_names():
    first, second = tv.namespace(Example()), tv.namespace(Example())

    assert first is not second
    assert len({first.__name__, second.__name__}) == 2
    assert all(xp.__name__.startswith("trivet.example") for xp in (first, second))


def test_namespace_makes_arrays_on_its_backend():
    xp = tv.namespace("example")

    for x in (xp.zeros(2), xp.asarray([1]), xp.linspace(0, 1, 3), xp.fft.fftfreq(4)):
        assert x.backend is tv.backend("example")
        assert x.device == xp.__array_namespace_info__().default_device()


def test_namespace_and_module_tell_the_version_of_the_standard():
    assert tv.namespace("example").__array_api_version__ == VERSION
    assert tv.__array_api_version__ == VERSION
    with pytest.raises(ValueError) as caught:
        tv.namespace("example", api_version="2031.12")
    assert str(caught.value) == (
        "api_version='2031.12' is later than 2025.12, the one that Trivet follows."
    )


@pytest.mark.parametrize("part", ["", "linalg", "fft", "special", "nn"])
def test_namespace_has_what_the_module_exports(part):
    xp, module = tv.namespace("example"), tv
    if part:
        xp, module = getattr(xp, part), getattr(tv, part)
    names = module.__all__ if part else tv.functions.TOP_LEVEL

    assert not [name for name in names if not hasattr(xp, name)]


def test_missing_name_is_named_with_its_namespace():
    xp = tv.namespace("example")

    with pytest.raises(AttributeError) as caught:
        _ = xp.quaternion
    assert str(caught.value) == (f"the namespace {xp.__name__} has no 'quaternion'")
    with pytest.raises(AttributeError) as caught:
        _ = xp.linalg.quaternion
    assert str(caught.value) == (
        f"the namespace {xp.__name__}.linalg has no 'quaternion'"
    )


def test_info_tells_what_the_standard_asks_for():
    info = tv.namespace("example").__array_namespace_info__()

    assert info.capabilities() == {
        "boolean indexing": True,
        "data-dependent shapes": True,
        "max dimensions": None,
    }
    assert info.default_device() == tv.backend("example").default_device
    assert info.devices() == tv.backend("example").devices()
    assert info.default_dtypes() == {
        "real floating": tv.float32,
        "complex floating": tv.complex64,
        "integral": tv.int64,
        "indexing": tv.int64,
    }
    assert info.dtypes(kind="unsigned integer") == {
        "uint8": tv.uint8,
        "uint16": tv.uint16,
        "uint32": tv.uint32,
        "uint64": tv.uint64,
    }
    assert info.dtypes(kind=("bool", "signed integer")).keys() == {
        "bool",
        "int8",
        "int16",
        "int32",
        "int64",
    }
    assert "float16" not in info.dtypes()


def test_module_is_the_namespace_of_the_default_backend():
    with tv.using("example"):
        info = tv.__array_namespace_info__()

        assert info.default_device() == tv.backend("example").default_device
