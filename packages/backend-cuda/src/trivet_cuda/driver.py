"""The NVIDIA driver, asked through ctypes. The probe calls it.

`load` and `version` have no side effect. `device_count` initialises CUDA in this
process, after which forked children cannot use it, so that no listing calls it.
"""

import ctypes
import sys

__all__ = ["LIBRARY", "device_count", "load", "version"]

LIBRARY = "nvcuda.dll" if sys.platform == "win32" else "libcuda.so.1"


def load() -> ctypes.CDLL | None:
    """The driver's library, or `None` where there is none."""
    try:
        return ctypes.CDLL(LIBRARY)
    except OSError:
        return None


def version(library: ctypes.CDLL) -> tuple[int, int]:
    """The newest CUDA that the driver runs, as major and minor; zeros if unknown."""
    number = ctypes.c_int()
    if library.cuDriverGetVersion(ctypes.byref(number)):
        return 0, 0
    return number.value // 1000, number.value % 1000 // 10


def device_count(library: ctypes.CDLL) -> tuple[int, int]:
    """The driver's error code, 0 if all is well, and how many devices it shows."""
    error = library.cuInit(0)
    if error:
        return error, 0
    count = ctypes.c_int()
    return library.cuDeviceGetCount(ctypes.byref(count)), count.value
