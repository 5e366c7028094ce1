"""A stand-in for CuPy. NO GPU CODE RUNS HERE, and its numbers are NumPy's.

It is stricter than NumPy wherever CuPy is: it has only the names in `cupy-14.2.json`
and takes only their keywords, gives 0-d arrays where NumPy gives scalars, refuses NumPy
arrays and arrays of another device, and counts each time the host waits for the device.
A test on it shows that the backend calls CuPy as CuPy can be called, and no more.
"""

from typing import Any

import numpy as np

from cupy import _functions, cuda, fft, linalg
from cupy._api import API
from cupy._array import ndarray
from cupy._kernel import ElementwiseKernel
from cupy._ufunc import ufunc

__version__ = f"{API['version']}+standin"
__all__ = ["ElementwiseKernel", "cuda", "fft", "linalg", "ndarray", "ufunc"]


class _Pool:
    """CuPy's memory pool: here it never holds anything, but knows its device."""

    def used_bytes(self) -> int:
        return 100 + cuda.current()

    def total_bytes(self) -> int:
        return 200 + cuda.current()

    def free_all_blocks(self) -> None:
        cuda.COUNTS["frees"] += 1


def get_default_memory_pool() -> _Pool:
    return _Pool()


def __getattr__(name: str) -> Any:
    offered = API["cupy"]
    if name in offered["ufuncs"]:
        found: Any = ufunc(name, **offered["ufuncs"][name])
    elif name in offered["functions"]:
        found = _functions.function(name, offered["functions"][name])
    elif name in offered["types"] and hasattr(np, name):
        found = getattr(np, name)
    else:
        raise AttributeError(f"module 'cupy' has no attribute {name!r}")
    globals()[name] = found
    return found
