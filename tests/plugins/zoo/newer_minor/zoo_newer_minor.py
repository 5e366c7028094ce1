from trivet.contract import BackendSpec, hookimpl
from trivet.contract import ContractVersion


@hookimpl
def trivet_backend():
    return BackendSpec(name="newer_minor", cls="zoo_newer_minor_backend:Zoo", contract=ContractVersion(1, 9))
