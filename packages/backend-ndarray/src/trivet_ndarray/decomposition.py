"""What NumPy's LAPACK has beside the adapter's factorisations."""

import math
from functools import cache
from importlib import import_module
from typing import Any

import numpy as np

from trivet.contract import NumPyLinalg
from trivet_ndarray.data import Array, Data

__all__ = ["Decomposition"]


class Decomposition(NumPyLinalg, Data):
    """A least-squares solution comes from one call, where there is one matrix."""

    def lu(self, x: Array, /) -> tuple[Array, Array, Array]:
        """NumPy has none: SciPy's where it is installed, else elimination in place."""
        wide, dtype = self.widened(x)
        scipy = _scipy_linalg()
        if scipy is None or not x.size:
            order, lower, upper = _eliminated(wide)
        else:
            places, lower, upper = scipy.lu(wide, p_indices=True, check_finite=False)
            order = np.argsort(places, -1)
        return order, self.cast(lower, dtype), self.cast(upper, dtype)

    def cholesky(self, x: Array, /, *, upper: bool) -> Array:
        return self.run_wide("cholesky", np.linalg.cholesky, x, upper=upper)

    def lstsq(self, x1: Array, x2: Array, rtol: Any, /) -> tuple[Array, Array, Array]:
        plain = x1.ndim == x2.ndim == 2 and np.ndim(rtol) == 0
        if not plain or "e" in (x1.dtype.char, x2.dtype.char) or not x1.size:
            return super().lstsq(x1, x2, rtol)
        try:
            found = np.linalg.lstsq(x1, x2, rcond=float(rtol))
        except np.linalg.LinAlgError as error:
            raise self.linalg_fault("lstsq", x1) from error
        solution, _, rank, s = found
        return solution, np.asarray(rank, np.intp), s

    def det(self, x: Array, /) -> Array:
        found = super().det(x)
        return found if np.all(found) else _or_nan(found, x)

    def slogdet(self, x: Array, /) -> tuple[Array, Array]:
        sign, log = super().slogdet(x)
        if np.all(sign):
            return sign, log
        return _or_nan(sign, x), _or_nan(log, x)


def _or_nan(found: Array, x: Array) -> Array:
    """What was found, and NaN where LAPACK took a matrix with NaN for singular."""
    nan = np.isnan(x).any((-2, -1))
    return np.where(nan, np.nan, found).astype(found.dtype, copy=False)


@cache
def _scipy_linalg() -> Any | None:
    try:
        return import_module("scipy.linalg")
    except ImportError:
        return None


def _eliminated(x: Array) -> tuple[Array, Array, Array]:
    """The order of rows, L and U, each column's largest element as its pivot."""
    *batch, rows, cols = x.shape
    rank = min(rows, cols)
    a = x.reshape(math.prod(batch), rows, cols).copy()
    order = np.tile(np.arange(rows), (len(a), 1))
    each = np.arange(len(a))
    for k in range(rank):
        best = k + np.argmax(np.abs(a[:, k:, k]), 1)
        for one in (a, order):
            one[each, k], one[each, best] = one[each, best], one[each, k]
        pivot = a[:, k, k, None]
        a[:, k + 1 :, k] /= np.where(pivot == 0, 1, pivot)
        a[:, k + 1 :, k + 1 :] -= a[:, k + 1 :, k, None] * a[:, k, None, k + 1 :]
    lower = np.tril(a[:, :, :rank], -1)
    lower[:, np.arange(rank), np.arange(rank)] = 1
    parts = order, lower, np.triu(a[:, :rank])
    order, lower, upper = (one.reshape(*batch, *one.shape[1:]) for one in parts)
    return order, lower, upper
