from trivet.contract import BackendSpec, hookimpl


@hookimpl
def trivet_backend():
    return BackendSpec(name="wrong_signature", cls="zoo_wrong_signature_backend:Zoo")
