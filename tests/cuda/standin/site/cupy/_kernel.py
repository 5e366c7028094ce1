"""`ElementwiseKernel`: the kernel's own text, compiled for the host by g++.

So a kernel's arithmetic is checked without a GPU; how CUDA compiles it is not.
"""

import ctypes
import functools
import subprocess
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

from cupy import cuda
from cupy._array import ndarray, unwrap

_TYPES = {"uint64": "unsigned long long"}


class ElementwiseKernel:
    """For kernels whose inputs are numbers and whose output is one array."""

    def __init__(self, in_params: str, out_params: str, operation: str, name: str):
        self.inputs = [part.split() for part in in_params.split(",")]
        self.output = out_params.split()
        self.operation, self.name = operation, name

    def __call__(self, *args: Any) -> ndarray:
        *numbers, out = args
        assert isinstance(out, ndarray)
        assert out.dtype == self.output[0]
        assert all(isinstance(number, np.generic) for number in numbers)
        cuda.launched()
        values = unwrap(out)
        pointer = values.ctypes.data_as(ctypes.c_void_p)
        wide = [ctypes.c_uint64(int(number)) for number in numbers]
        _compiled(self.source())(pointer, ctypes.c_size_t(values.size), *wide)
        return out

    def source(self) -> str:
        scalars = ", ".join(f"{_TYPES[kind]} {name}" for kind, name in self.inputs)
        kind, name = _TYPES[self.output[0]], self.output[1]
        return f"""
        extern "C" void run({kind} *all, unsigned long n, {scalars}) {{
            for (long i = 0; i < (long)n; ++i) {{
                {kind} &{name} = all[i];
                {self.operation}
            }}
        }}
        """


@functools.cache
def _compiled(source: str) -> Any:
    folder = tempfile.mkdtemp(prefix="standin-")
    library = Path(folder) / "kernel.so"
    subprocess.run(
        ["g++", "-shared", "-fPIC", "-x", "c++", "-", "-o", str(library)],
        input=source,
        text=True,
        check=True,
    )
    return ctypes.CDLL(str(library)).run
