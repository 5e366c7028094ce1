from trivet.contract import BackendSpec, hookimpl
from trivet.contract import ContractVersion


@hookimpl
def trivet_backend():
    return BackendSpec(name="contract_spec", cls="zoo_contract_spec_backend:Zoo", contract=ContractVersion(2, 0))
