import json

import pytest

from trivet import plugins
from trivet.contract import CPU, Device
from trivet.plugins import Record, State


def test_record_is_json_with_its_error_by_class():
    record = Record(
        name="fast",
        kind="backend",
        dist="fast-arrays",
        version="2.1",
        state=State.BROKEN,
        reason="RuntimeError: no",
        remedy="Try again.",
        contract="1.0",
        aliases=("quick",),
        devices=(CPU,),
        error=RuntimeError("no"),
        entry_point="fast.plugin",
        seconds=0.5,
    )

    assert json.loads(json.dumps(record.to_json())) == {
        "name": "fast",
        "kind": "backend",
        "dist": "fast-arrays",
        "version": "2.1",
        "entry_point": "fast.plugin",
        "state": "broken",
        "reason": "RuntimeError: no",
        "remedy": "Try again.",
        "contract": "1.0",
        "aliases": ["quick"],
        "devices": ["cpu"],
        "error": "RuntimeError",
        "seconds": 0.5,
    }


@pytest.mark.parametrize("state", State)
def test_only_found_and_ready_plugins_are_usable(state):
    assert state.usable is (state in {State.FOUND, State.READY})


def test_record_follows_its_plugin_from_found_to_ready(installed):
    installed.add_backend("mine")

    [found] = plugins.backends()
    [probed] = plugins.backends(probe=True)
    plugins.backend("mine")
    [loaded] = plugins.backends()

    assert (found.state, found.contract, found.devices) == (State.FOUND, "v1", ())
    assert (probed.state, probed.contract, probed.devices) == (State.READY, "1.0", ())
    assert (loaded.state, loaded.devices) == (State.READY, (CPU,))
    assert 0 == found.seconds < probed.seconds < loaded.seconds


def test_failed_plugin_leaves_no_hook_registered(installed):
    installed.install("name_differs")
    from trivet.plugins.load import hooks

    before = list(hooks().get_plugins())
    [record] = plugins.backends(probe=True)

    assert record.state is State.INVALID
    assert list(hooks().get_plugins()) == before


PROBED = """
from trivet.contract import Availability, BackendSpec, Device, hookimpl

def probe():
    return Availability(True, devices={devices})

@hookimpl
def trivet_backend():
    return BackendSpec(name="one", cls="nowhere:Fake", probe=probe)
"""


def test_record_has_the_devices_that_a_probe_tells(installed):
    installed.add("one", backends_v1={"one": "one_plugin"})
    devices = '(Device("gpu", 0), Device("gpu", 1))'
    installed.write("one_plugin", PROBED.format(devices=devices))

    [record] = plugins.backends(probe=True)

    assert record.devices == (Device("gpu", 0), Device("gpu", 1))


@pytest.mark.parametrize(
    "devices, state, reason",
    [
        (
            '("gpu",)',
            State.INVALID,
            "its probe names the device 'gpu', which is no Device",
        ),
        (
            "3",
            State.BROKEN,
            "TypeError: 'int' object is not iterable",
        ),
    ],
)
def test_probe_that_tells_something_else_than_devices_stops_its_plugin(
    installed, devices, state, reason
):
    installed.add("one", backends_v1={"one": "one_plugin"})
    installed.write("one_plugin", PROBED.format(devices=devices))

    [record] = plugins.backends(probe=True)

    assert (record.state, record.reason) == (state, reason)
