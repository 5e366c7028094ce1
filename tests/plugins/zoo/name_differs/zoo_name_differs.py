from trivet.contract import BackendSpec, hookimpl


@hookimpl
def trivet_backend():
    return BackendSpec(name="another_name", cls="zoo_another_name_backend:Zoo")
