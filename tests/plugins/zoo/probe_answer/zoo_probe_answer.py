from trivet.contract import BackendSpec, hookimpl


@hookimpl
def trivet_backend():
    return BackendSpec(name="probe_answer", cls="zoo_probe_answer_backend:Zoo", probe=lambda: True)
