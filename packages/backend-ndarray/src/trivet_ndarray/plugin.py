"""The light entry point: what `trivet` learns about this plugin without NumPy."""

from trivet.contract import CPU, Availability, BackendSpec, hookimpl


@hookimpl
def trivet_backend() -> BackendSpec:
    """The NumPy backend."""
    return BackendSpec(
        name="ndarray",
        cls="trivet_ndarray.backend:NdArray",
        aliases=("numpy",),
        probe=probe,
    )


def probe() -> Availability:
    """NumPy runs wherever the plugin is installed, on the host alone."""
    return Availability.yes(CPU)
