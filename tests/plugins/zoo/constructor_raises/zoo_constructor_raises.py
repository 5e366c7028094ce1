from trivet.contract import BackendSpec, hookimpl


@hookimpl
def trivet_backend():
    return BackendSpec(name="constructor_raises", cls="zoo_constructor_raises_backend:Zoo")
