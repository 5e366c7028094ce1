import pytest

from trivet import plugins
from trivet.contract import Device
from trivet.errors import DeviceError


@pytest.mark.parametrize(
    "given, meant",
    [
        (None, "gpu:0"),
        ("gpu:1", "gpu:1"),
        (Device("gpu", 1), "gpu:1"),
        ("gpu", "gpu:0"),
        ("cpu", "cpu"),
        ("tpu", "tpu:3"),
    ],
)
def test_device_is_one_of_the_backends_own(make, given, meant):
    backend = make("fake", "gpu:0", "gpu:1", "tpu:3", "tpu:4", "cpu")

    assert plugins.device_of(backend, given) == Device.parse(meant)


def test_device_error_names_the_loaded_backends_that_have_it(installed, make):
    plugins.register_backend(make("far", "moon:0"))
    plugins.register_backend(make("farther", "moon:1"))

    with pytest.raises(DeviceError) as caught:
        plugins.device_of(make("near", "cpu"), "moon")

    assert str(caught.value) == (
        "The backend near has no device moon; it has cpu. Backends that have it: far, "
        "farther; choose one with backend=."
    )


def test_device_error_loads_no_plugin_to_find_owners(installed, make):
    installed.add_backend("other")

    with pytest.raises(DeviceError) as caught:
        plugins.device_of(make("near", "cpu", "gpu:0"), "gpu:1")

    assert str(caught.value) == (
        "The backend near has no device gpu:1; it has cpu, gpu:0. No loaded backend "
        "has it; trivet.backends() lists what is installed."
    )
    assert plugins.backends()[0].state is plugins.State.FOUND


def test_device_error_when_the_text_is_no_device(make):
    with pytest.raises(DeviceError, match="'CPU!' is not a device"):
        plugins.device_of(make("near"), "CPU!")
