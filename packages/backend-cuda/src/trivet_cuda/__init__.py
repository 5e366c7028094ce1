"""Trivet's CUDA backend: tensors on NVIDIA GPUs, computed by CuPy.

Importing this imports no CuPy; making a `Cuda` does.
"""

from trivet_cuda.backend import Cuda

__all__ = ["Cuda"]


def __dir__() -> list[str]:
    return __all__
