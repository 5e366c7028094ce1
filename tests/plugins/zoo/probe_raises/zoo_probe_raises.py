from trivet.contract import BackendSpec, hookimpl


def probe():
    raise OSError("the device file is locked")


@hookimpl
def trivet_backend():
    return BackendSpec(name="probe_raises", cls="zoo_probe_raises_backend:Zoo", probe=probe)
