"""Devices are values: parsed, printed, compared, pickled."""

import copy
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trivet.contract import CPU, Device
from trivet.errors import DeviceError

kinds = st.from_regex(r"[a-z][a-z0-9_]*", fullmatch=True)


@given(kind=kinds, index=st.none() | st.integers(0, 10**6))
def test_device_parses_from_what_it_prints(kind, index):
    device = Device(kind, index)

    assert Device.parse(str(device)) == device


def test_device_prints_its_kind_and_its_index_if_it_has_one():
    assert str(CPU) == "cpu"
    assert str(Device("cuda", 0)) == "cuda:0"
    assert repr(Device("cuda", 1)) == "Device('cuda:1')"


@pytest.mark.parametrize(
    "text", ["", "CPU", "cuda:", "cuda:-1", "cuda:01", ":0", "cuda:0:1", " cpu", "1a"]
)
def test_parse_refuses_what_is_no_device(text):
    with pytest.raises(DeviceError) as error:
        Device.parse(text)

    assert str(error.value) == (
        f"{text!r} is not a device. A device is written as its kind and, if there are "
        'several, an index: "cpu" or "cuda:1".'
    )


def test_devices_are_equal_when_they_are_the_same_hardware():
    assert Device("cpu") == CPU
    assert Device("cuda", 0) != Device("cuda", 1)
    assert Device("cuda") != Device("cuda", 0)
    assert CPU != "cpu"
    assert len({Device("cuda", 0), Device("cuda", 0), Device("cuda", 1)}) == 2


def test_device_cannot_be_changed():
    with pytest.raises(AttributeError) as error:
        CPU.kind = "gpu"

    assert str(error.value) == "a device cannot be changed: Device('cpu').kind"


def test_device_survives_pickling_and_copying():
    device = Device("cuda", 3)

    assert pickle.loads(pickle.dumps(device)) == device
    assert copy.deepcopy(device) == device
