from trivet.contract import hookimpl


@hookimpl
def trivet_backend():
    return {"name": "wrong_object"}
