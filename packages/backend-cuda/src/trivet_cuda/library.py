"""The one place that imports CuPy, after asking whether that can work."""

from typing import Any

from trivet.errors import UnavailableBackendError
from trivet_cuda.probe import probe, probe_device

__all__ = ["Library", "load", "special"]

Library = Any  # CuPy ships no types


def load() -> tuple[Library, Library]:
    """The modules `cupy` and `cupyx`.

    Raises `UnavailableBackendError` with the probe's reason and remedy where there is
    no CuPy, no driver or no device. Initialises CUDA.
    """
    for answer in (probe, probe_device):
        found = answer()
        if not found.available:
            raise UnavailableBackendError(f"{found.reason}. {found.remedy}")
    import cupy
    import cupyx

    return cupy, cupyx


def special() -> Library:
    """The module `cupyx.scipy.special`, imported when it is first asked for."""
    import cupyx.scipy.special

    return cupyx.scipy.special
