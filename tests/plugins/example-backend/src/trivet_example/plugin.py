"""The light entry point: what Trivet learns before anyone asks for this backend.

It imports nothing that computes. A backend over a real library names a `probe` too,
which says in a sentence why the library cannot run on this machine.
"""

from trivet.contract import BackendSpec, hookimpl

__all__ = ["trivet_backend"]


@hookimpl
def trivet_backend() -> BackendSpec:
    """The facts: the name that users type, and where the class is."""
    return BackendSpec(name="example", cls="trivet_example.backend:Example")
