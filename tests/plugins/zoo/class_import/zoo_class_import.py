from trivet.contract import BackendSpec, hookimpl


@hookimpl
def trivet_backend():
    return BackendSpec(name="class_import", cls="zoo_class_import_backend:Zoo")
