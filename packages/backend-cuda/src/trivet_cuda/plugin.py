"""The light entry point: what `trivet` learns about this plugin without CuPy."""

from trivet.contract import BackendSpec, hookimpl
from trivet_cuda.probe import probe


@hookimpl
def trivet_backend() -> BackendSpec:
    """The CuPy backend."""
    return BackendSpec(
        name="cuda", cls="trivet_cuda.backend:Cuda", aliases=("cupy",), probe=probe
    )
