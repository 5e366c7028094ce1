from trivet.contract import BackendSpec, hookimpl
import trivet.plugins

LISTED = [record.name for record in trivet.plugins.backends(probe=True)]


@hookimpl
def trivet_backend():
    return BackendSpec(name="circular_import", cls="zoo_circular_import_backend:Zoo")
