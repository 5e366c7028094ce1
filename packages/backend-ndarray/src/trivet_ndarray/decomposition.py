"""Factorisations by NumPy's LAPACK."""

import math
from collections.abc import Callable
from functools import cache
from importlib import import_module
from typing import Any

import numpy as np

from trivet.dtypes import complex64, complex128
from trivet.errors import SingularMatrixError
from trivet_ndarray.data import Array, Data

__all__ = ["Decomposition"]

_FACTORS = {"inv", "solve", "cholesky"}


class Decomposition(Data):
    """16-bit floats are computed in float32: LAPACK has none."""

    def _run_wide(
        self, op: str, function: Callable[..., Any], x: Array, **statics: Any
    ) -> Any:
        """The function's results for `x` in the dtypes that go with its own."""
        try:
            if x.dtype.char != "e":
                return function(x, **statics)
            results = function(x.astype(np.float32), **statics)
        except np.linalg.LinAlgError as error:
            raise self._linalg_fault(op, x) from error
        if isinstance(results, tuple):
            return tuple(one.astype(x.dtype) for one in results)
        return results.astype(x.dtype)

    def _linalg_fault(self, op: str, x: Array) -> SingularMatrixError:
        if op in _FACTORS:
            return self.refusal(op, x)
        return SingularMatrixError(
            f"{op}: the iteration does not converge on a matrix in the tensor of shape "
            f"{x.shape}. Look for NaN and infinities: isfinite(x).all()."
        )

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

    def det(self, x: Array, /) -> Array:
        return self._run_wide("det", np.linalg.det, x)

    def slogdet(self, x: Array, /) -> tuple[Array, Array]:
        sign, log = self._run_wide("slogdet", np.linalg.slogdet, x)
        return sign, log

    def inv(self, x: Array, /) -> Array:
        return self._run_wide("inv", np.linalg.inv, x)

    def solve(self, x1: Array, x2: Array, /) -> Array:
        dtype = np.result_type(x1, x2)
        if dtype.char == "e":
            x1, x2 = x1.astype(np.float32), x2.astype(np.float32)
        try:
            return np.linalg.solve(x1, x2).astype(dtype, copy=False)
        except np.linalg.LinAlgError as error:
            raise self._linalg_fault("solve", x1) from error

    def cholesky(self, x: Array, /, *, upper: bool) -> Array:
        return self._run_wide("cholesky", np.linalg.cholesky, x, upper=upper)

    def qr(self, x: Array, /, *, complete: bool) -> tuple[Array, Array]:
        mode = "complete" if complete else "reduced"
        q, r = self._run_wide("qr", np.linalg.qr, x, mode=mode)
        return q, r

    def svd(self, x: Array, /, *, full_matrices: bool) -> tuple[Array, Array, Array]:
        u, s, vh = self._run_wide("svd", np.linalg.svd, x, full_matrices=full_matrices)
        return u, s, vh

    def svdvals(self, x: Array, /) -> Array:
        return self._run_wide("svdvals", np.linalg.svd, x, compute_uv=False)

    def lstsq(self, x1: Array, x2: Array, rtol: Any, /) -> tuple[Array, Array, Array]:
        plain = x1.ndim == x2.ndim == 2 and np.ndim(rtol) == 0
        if not plain or np.result_type(x1, x2).char == "e" or not x1.size:
            return super().lstsq(x1, x2, rtol)
        try:
            found = np.linalg.lstsq(x1, x2, rcond=float(rtol))
        except np.linalg.LinAlgError as error:
            raise self._linalg_fault("lstsq", x1) from error
        solution, _, rank, s = found
        return solution, np.asarray(rank), s

    def eigh(self, x: Array, /) -> tuple[Array, Array]:
        values, vectors = self._run_wide("eigh", np.linalg.eigh, x)
        return values, vectors

    def eigvalsh(self, x: Array, /) -> Array:
        return self._run_wide("eigvalsh", np.linalg.eigvalsh, x)

    def eig(self, x: Array, /) -> tuple[Array, Array]:
        """NumPy gives real results where all eigenvalues are real."""
        values, vectors = self._made_complex("eig", np.linalg.eig, x)
        return values, vectors

    def eigvals(self, x: Array, /) -> Array:
        return self._made_complex("eigvals", np.linalg.eigvals, x)

    def _made_complex(self, op: str, function: Callable[..., Any], x: Array) -> Any:
        twin = complex128 if x.dtype.char in "dD" else complex64
        dtype = self.native(twin)
        wide = x.astype(np.float32) if x.dtype.char == "e" else x
        results = self._run_wide(op, function, wide)
        if isinstance(results, tuple):
            return tuple(one.astype(dtype, copy=False) for one in results)
        return results.astype(dtype, copy=False)


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
