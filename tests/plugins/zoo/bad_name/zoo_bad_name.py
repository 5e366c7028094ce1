from trivet.contract import BackendSpec, hookimpl


@hookimpl
def trivet_backend():
    return BackendSpec(name="bad-name", cls="zoo_bad-name_backend:Zoo")
