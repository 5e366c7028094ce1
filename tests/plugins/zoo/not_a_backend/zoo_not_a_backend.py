from trivet.contract import BackendSpec, hookimpl


@hookimpl
def trivet_backend():
    return BackendSpec(name="not_a_backend", cls="zoo_not_a_backend_backend:Zoo")
