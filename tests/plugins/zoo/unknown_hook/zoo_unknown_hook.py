from trivet.contract import BackendSpec, hookimpl


@hookimpl
def trivet_backend():
    return BackendSpec(name="unknown_hook", cls="zoo_unknown_hook_backend:Zoo")


@hookimpl
def trivet_bakcend():
    return None
