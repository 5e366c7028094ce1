"""A stand-in for cupyx: scattering, for the dtypes that CUDA has atomics for."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
from cupy import cuda
from cupy import linalg as _linalg
from cupy._array import ndarray, unwrap

# from CuPy's source; the documentation lists fewer
_ADDED = "iILQefdFD"
_COMPARED = "iILQfd"


def scatter_add(a: ndarray, slices: Any, value: Any) -> None:
    _scatter(np.add, _ADDED, a, slices, value)


def scatter_max(a: ndarray, slices: Any, value: Any) -> None:
    _scatter(np.maximum, _COMPARED, a, slices, value)


def _scatter(op: Any, chars: str, a: ndarray, slices: Any, value: Any) -> None:
    if a.dtype.char not in chars:
        raise TypeError(f"scattering does not support {a.dtype}")
    cuda.launched()
    op.at(unwrap(a), a._key(slices), unwrap(value))


@contextmanager
def errstate(*, linalg: str) -> Iterator[None]:
    """In this thread, whether to look for failures; CuPy has no more than that."""
    before = getattr(_linalg.state, "linalg", "ignore")
    _linalg.state.linalg = linalg
    try:
        yield
    finally:
        _linalg.state.linalg = before
