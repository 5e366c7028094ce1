"""Trivet: one tensor program on any installed backend, gradients by wrapping.

This module is the array API namespace of the default backend. Import it as `tv`.

>>> import trivet as tv
>>> (tv.asarray([1.0, 2.0]) * 2).tolist()
[2.0, 4.0]
"""

import math as _math
import typing as _typing
from typing import TYPE_CHECKING

from trivet import (
    errors as errors,
)
from trivet import (
    fft as fft,
)
from trivet import (
    linalg as linalg,
)
from trivet import (
    nn as nn,
)
from trivet import (
    random as random,
)
from trivet import (
    special as special,
)
from trivet.contract import Backend as Backend
from trivet.contract import Device as Device
from trivet.dtypes import (
    DType as DType,
)
from trivet.dtypes import (
    bfloat16 as bfloat16,
)
from trivet.dtypes import (
    bool as bool,
)
from trivet.dtypes import (
    complex64 as complex64,
)
from trivet.dtypes import (
    complex128 as complex128,
)
from trivet.dtypes import (
    finfo as finfo,
)
from trivet.dtypes import (
    float16 as float16,
)
from trivet.dtypes import (
    float32 as float32,
)
from trivet.dtypes import (
    float64 as float64,
)
from trivet.dtypes import (
    iinfo as iinfo,
)
from trivet.dtypes import (
    int8 as int8,
)
from trivet.dtypes import (
    int16 as int16,
)
from trivet.dtypes import (
    int32 as int32,
)
from trivet.dtypes import (
    int64 as int64,
)
from trivet.dtypes import (
    isdtype as isdtype,
)
from trivet.dtypes import (
    uint8 as uint8,
)
from trivet.dtypes import (
    uint16 as uint16,
)
from trivet.dtypes import (
    uint32 as uint32,
)
from trivet.dtypes import (
    uint64 as uint64,
)
from trivet.errors import TrivetError as TrivetError
from trivet.functions import TOP_LEVEL as _TOP_LEVEL
from trivet.functions.arithmetic import *  # noqa: F403
from trivet.functions.averages import *  # noqa: F403
from trivet.functions.bitwise import *  # noqa: F403
from trivet.functions.bounds import *  # noqa: F403
from trivet.functions.calculus import *  # noqa: F403
from trivet.functions.closeness import *  # noqa: F403
from trivet.functions.comparison import *  # noqa: F403
from trivet.functions.complexes import *  # noqa: F403
from trivet.functions.creation import *  # noqa: F403
from trivet.functions.data import *  # noqa: F403
from trivet.functions.division import *  # noqa: F403
from trivet.functions.einsum import *  # noqa: F403
from trivet.functions.exponential import *  # noqa: F403
from trivet.functions.indexing import *  # noqa: F403
from trivet.functions.interpolation import *  # noqa: F403
from trivet.functions.joining import *  # noqa: F403
from trivet.functions.linalg import *  # noqa: F403
from trivet.functions.nanreduction import *  # noqa: F403
from trivet.functions.positions import *  # noqa: F403
from trivet.functions.quantiles import *  # noqa: F403
from trivet.functions.ranges import *  # noqa: F403
from trivet.functions.rearrangement import *  # noqa: F403
from trivet.functions.reduction import *  # noqa: F403
from trivet.functions.repetition import *  # noqa: F403
from trivet.functions.rounding import *  # noqa: F403
from trivet.functions.running import *  # noqa: F403
from trivet.functions.scatter import *  # noqa: F403
from trivet.functions.selection import *  # noqa: F403
from trivet.functions.sets import *  # noqa: F403
from trivet.functions.shape import *  # noqa: F403
from trivet.functions.signs import *  # noqa: F403
from trivet.functions.sorting import *  # noqa: F403
from trivet.functions.spacing import *  # noqa: F403
from trivet.functions.statistics import *  # noqa: F403
from trivet.functions.trigonometric import *  # noqa: F403
from trivet.namespace import (
    VERSION as __array_api_version__,  # noqa: F401, N811  # the standard's name
)
from trivet.namespace import (
    Namespace as Namespace,
)
from trivet.namespace import (
    NamespaceInfo as NamespaceInfo,
)
from trivet.namespace import (
    namespace as namespace,
)
from trivet.plugins import (
    backend as backend,
)
from trivet.plugins import (
    backends as backends,
)
from trivet.plugins import (
    explain as explain,
)
from trivet.plugins import (
    refresh as refresh,
)
from trivet.plugins import (
    register_backend as register_backend,
)
from trivet.plugins import (
    using as using,
)
from trivet.printing import (
    PrintOptions as PrintOptions,
)
from trivet.printing import (
    get_printoptions as get_printoptions,
)
from trivet.printing import (
    printoptions as printoptions,
)
from trivet.printing import (
    set_printoptions as set_printoptions,
)
from trivet.storage import load as load
from trivet.storage import save as save
from trivet.tensor import Tensor as Tensor
from trivet.writing import at as at

if TYPE_CHECKING:
    from trivet import testing as testing

if not TYPE_CHECKING:  # as in `functions`
    __all__ = [  # noqa: PLE0604  # the functions' names are strings too
        "Backend",
        "DType",
        "Device",
        "Namespace",
        "PrintOptions",
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
        "get_printoptions",
        "iinfo",
        "inf",
        "int8",
        "int16",
        "int32",
        "int64",
        "isdtype",
        "load",
        "namespace",
        "nan",
        "newaxis",
        "nn",
        "pi",
        "printoptions",
        "random",
        "refresh",
        "register_backend",
        "save",
        "set_printoptions",
        "testing",
        "uint8",
        "uint16",
        "uint32",
        "uint64",
        "using",
        *_TOP_LEVEL,
    ]

    def __dir__() -> list[str]:
        return __all__


e = _math.e
inf = _math.inf
nan = _math.nan
newaxis = None
pi = _math.pi


def __array_namespace_info__() -> NamespaceInfo:
    """The standard's inspection of the default backend."""
    return namespace().__array_namespace_info__()


__version__: str
if not _typing.TYPE_CHECKING:  # a checker would take every name for one that exists

    def __getattr__(name: str) -> _typing.Any:
        """The version and the parts for tests are read only when asked for."""
        if name == "__version__":
            from importlib.metadata import version

            return version("trivet")
        if name == "testing":
            from importlib import import_module

            return import_module("trivet.testing")
        raise AttributeError(f"module 'trivet' has no attribute {name!r}")
