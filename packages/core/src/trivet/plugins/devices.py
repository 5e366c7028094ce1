"""`device_of`: the device that a call means, among those of its backend.

Everything that places a tensor asks it. A device never chooses the backend.
"""

from typing import Any

from trivet.contract.backend import Backend
from trivet.contract.device import Device
from trivet.errors import DeviceError
from trivet.plugins.registry import REGISTRY

__all__ = ["device_of"]


def device_of(backend: Backend[Any], device: Device | str | None = None) -> Device:
    """One of `backend`'s devices: the one given, or its default for `None`.

    A kind without an index means the default device if that is of the kind, otherwise
    the first one. Raises `DeviceError`, naming the backends known to have the device.
    """
    if device is None:
        return backend.default_device
    wanted = _parsed(device)
    if wanted == backend.default_device:
        return wanted
    devices = backend.devices()
    if wanted in devices:
        return wanted
    for candidate in (backend.default_device, *devices):
        if wanted.index is None and candidate.kind == wanted.kind:
            return candidate
    raise _missing(backend, wanted)


def _parsed(device: object) -> Device:
    if isinstance(device, Device):
        return device
    if isinstance(device, str):
        return Device.parse(device)
    raise DeviceError(
        f'device={device!r} is neither a tv.Device nor a text, such as "cpu" or '
        '"cuda:1".'
    )


def _missing(backend: Backend[Any], wanted: Device) -> DeviceError:
    names = ", ".join(map(str, backend.devices()))
    return DeviceError(
        f"The backend {backend.name} has no device {wanted}; it has {names}. "
        f"{_advice(wanted)}"
    )


def _advice(wanted: Device) -> str:
    """Who has it, as far as is known without loading anything."""
    owners = [
        record.name
        for record in REGISTRY.records()
        if any(_fits(device, wanted) for device in record.devices)
    ]
    if not owners:
        return "No loaded backend has it; trivet.backends() lists what is installed."
    return f"Backends that have it: {', '.join(owners)}; choose one with backend=."


def _fits(device: Device, wanted: Device) -> bool:
    return device == wanted or (wanted.index is None and device.kind == wanted.kind)
