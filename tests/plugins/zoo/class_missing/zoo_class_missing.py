from trivet.contract import BackendSpec, hookimpl


@hookimpl
def trivet_backend():
    return BackendSpec(name="class_missing", cls="zoo_class_missing_backend:Nothing")
