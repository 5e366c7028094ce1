from trivet.contract import BackendSpec, hookimpl


@hookimpl
def trivet_backend():
    return BackendSpec(name="backend_name_differs", cls="zoo_backend_name_differs_backend:Zoo")
