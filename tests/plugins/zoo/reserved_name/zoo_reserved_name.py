from trivet.contract import BackendSpec, hookimpl


@hookimpl
def trivet_backend():
    return BackendSpec(name="auto", cls="zoo_auto_backend:Zoo")
