"""Trivet: one tensor program on any installed backend, gradients by wrapping.

This module is the array API namespace of the default backend. Import it as `tv`.

>>> import trivet as tv
>>> (tv.asarray([1.0, 2.0]) * 2).tolist()
[2.0, 4.0]
"""

import math as _math
from typing import Any as _Any

from trivet import errors, fft, linalg, nn, random, special
from trivet.contract import Backend, Device
from trivet.dtypes import (
    DType,
    bfloat16,
    bool,
    complex64,
    complex128,
    finfo,
    float16,
    float32,
    float64,
    iinfo,
    int8,
    int16,
    int32,
    int64,
    isdtype,
    uint8,
    uint16,
    uint32,
    uint64,
)
from trivet.errors import TrivetError
from trivet.functions import *  # noqa: F403  # the standard's functions, by family
from trivet.functions import __all__ as _functions
from trivet.namespace import Namespace, NamespaceInfo, namespace
from trivet.plugins import (
    backend,
    backends,
    explain,
    refresh,
    register_backend,
    using,
)
from trivet.tensor import Tensor
from trivet.writing import at

__all__ = [  # noqa: PLE0604  # the functions' names are strings too
    "Backend",
    "DType",
    "Device",
    "Namespace",
    "Tensor",
    "TrivetError",
    "at",
    "backend",
    "backends",
    "bfloat16",
    "bool",
    "complex64",
    "complex128",
    "e",
    "errors",
    "explain",
    "fft",
    "linalg",
    "special",
    "finfo",
    "float16",
    "float32",
    "float64",
    "iinfo",
    "inf",
    "int8",
    "int16",
    "int32",
    "int64",
    "isdtype",
    "namespace",
    "nan",
    "newaxis",
    "nn",
    "pi",
    "random",
    "refresh",
    "register_backend",
    "uint8",
    "uint16",
    "uint32",
    "uint64",
    "using",
    *_functions,
]

e = _math.e
inf = _math.inf
nan = _math.nan
newaxis = None
pi = _math.pi


def __array_namespace_info__() -> NamespaceInfo:
    """The standard's inspection of the default backend."""
    return namespace().__array_namespace_info__()


def __getattr__(name: str) -> _Any:
    """The version is read from the metadata only when it is asked for."""
    if name == "__version__":
        from importlib.metadata import version

        return version("trivet")
    raise AttributeError(f"module 'trivet' has no attribute {name!r}")
