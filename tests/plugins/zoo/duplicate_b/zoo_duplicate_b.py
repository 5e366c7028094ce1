from trivet.contract import BackendSpec, hookimpl


@hookimpl
def trivet_backend():
    return BackendSpec(name="duplicate", cls="zoo_duplicate_b_backend:Zoo")
