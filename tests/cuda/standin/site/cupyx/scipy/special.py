"""The stand-in's `cupyx.scipy.special`: SciPy's values, for the dtypes of CuPy's loops.

Where CuPy's own source shows another value than SciPy's, it is that.
"""

from typing import Any

import numpy as np
import scipy.special
from cupy._api import API
from cupy._ufunc import ufunc


def _exprel(x: Any) -> Any:
    return np.where(np.abs(x) >= 1e-16, np.expm1(x) / np.where(x == 0, 1, x), 1)


def _gammaln(x: Any) -> Any:
    return np.where(x == -np.inf, x, scipy.special.gammaln(x))


def _i0(x: Any) -> Any:
    return np.where(np.isinf(x), np.abs(x), scipy.special.i0(x))


def _i1(x: Any) -> Any:
    return np.where(np.isinf(x), x, scipy.special.i1(x))


def _sinc(x: Any) -> Any:
    return np.where(x == np.round(x), x == 0, np.sinc(x)).astype(x.dtype)


_OWN = {"exprel": _exprel, "gammaln": _gammaln, "i0": _i0, "i1": _i1, "sinc": _sinc}


def __getattr__(name: str) -> Any:
    offered = API["special"]["ufuncs"]
    if name not in offered:
        raise AttributeError(f"module 'cupyx.scipy.special' has no ufunc {name!r}")
    compute = _OWN.get(name) or getattr(scipy.special, name)
    return ufunc(name, **offered[name], compute=compute)
