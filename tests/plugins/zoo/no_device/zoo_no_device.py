from trivet.contract import BackendSpec, hookimpl
from trivet.contract import Availability


def probe():
    return Availability.no("no such device was found", "Plug one in.")


@hookimpl
def trivet_backend():
    return BackendSpec(name="no_device", cls="zoo_no_device_backend:Zoo", probe=probe)
