"""The stand-in's `cupy.linalg`: NumPy's values, with CuPy's blindness.

Outside of `cupyx.errstate(linalg="raise")` a factorisation that fails is not noticed,
and leaves NaN; inside, each look at whether it failed is a wait.
"""

import threading
from typing import Any

import numpy as np

from cupy import _functions, cuda
from cupy._api import API

LinAlgError = np.linalg.LinAlgError
GEEV = True
"""Whether this CUDA's cuSOLVER is new enough for `eig`; tests unset it."""
state = threading.local()

# how often CuPy looks whether it went well, where that is asked for
_LOOKS = {"inv": 2, "solve": 2, "cholesky": 1}
_HERE = {"det", "slogdet", "qr", "svd", "eigh", "eigvalsh", "eig", "eigvals", *_LOOKS}


def __getattr__(name: str) -> Any:
    if name not in API["linalg"]["functions"]:
        raise AttributeError(f"module 'cupy.linalg' has no attribute {name!r}")
    if name not in _HERE:
        raise NotImplementedError(f"the stand-in has no counterpart of linalg.{name}")
    parameters = API["linalg"]["functions"][name]
    return _functions.function(name, parameters, _factorisation(name))


def _factorisation(name: str) -> Any:
    compute = getattr(np.linalg, name)

    def run(a: Any, *args: Any, **keywords: Any) -> Any:
        _refuse(name, a, *args)
        raises = getattr(state, "linalg", "ignore") == "raise"
        cuda.COUNTS["waits"] += raises * _LOOKS.get(name, 1)
        try:
            return _as_cupy(name, compute(a, *args, **keywords))
        except LinAlgError:
            if raises:
                raise
        one = np.broadcast_to(np.eye(*a.shape[-2:], dtype=a.dtype), a.shape)
        return _nan(_as_cupy(name, compute(one, *args, **keywords)))

    return run


def _refuse(name: str, a: Any, *args: Any) -> None:
    if any(getattr(x, "dtype", None) == "float16" for x in (a, *args)):
        raise TypeError("float16 is unsupported in linalg")
    if name == "solve" and a.shape[:-1] != args[0].shape[:-1]:
        raise ValueError(
            "a must have (..., M, M) shape and b must have (..., M, K) for "
            "multidimensional b"
        )
    if name in {"eig", "eigvals"} and not GEEV:
        raise RuntimeError("geev is not available")


def _as_cupy(name: str, result: Any) -> Any:
    """Plain tuples, and complex eigenvalues of whatever matrix."""
    if isinstance(result, tuple):
        return tuple(_as_cupy(name, part) for part in result)
    wide = np.result_type(result.dtype, "complex64")
    return result.astype(wide) if name in {"eig", "eigvals"} else result


def _nan(result: Any) -> Any:
    if isinstance(result, tuple):
        return tuple(map(_nan, result))
    return np.full_like(result, np.nan)
