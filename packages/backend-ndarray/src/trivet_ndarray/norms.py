"""Norms in as few passes over memory as NumPy allows."""

import math
from typing import Any

import numpy as np

from trivet.contract import Axes
from trivet_ndarray.data import Array, Data
from trivet_ndarray.linalg import VECDOT
from trivet_ndarray.reduction import SUM

__all__ = ["Norms"]

# a norm outside of this overflowed, or its squares may have lost digits
_SAFE = {
    kind: (float(np.finfo(kind).tiny ** 0.5 / np.finfo(kind).eps), math.inf)
    for kind in "fd"
}


class Norms(Data):
    """Powers are summed as they are; the body, which scales them, does the rest."""

    def vector_norm(
        self, x: Array, /, *, axis: Axes, keepdims: bool, ord: float
    ) -> Array:
        if ord == 0:
            count = np.count_nonzero(x, axis=axis, keepdims=keepdims)
            return np.asarray(count).astype(x.real.dtype)
        if ord == 1 or math.isinf(ord) or x.dtype.char == "e" or not x.size:
            return super().vector_norm(x, axis=axis, keepdims=keepdims, ord=ord)
        with np.errstate(all="ignore"):
            norm = self._unscaled_norm(x, axis, ord, keepdims=keepdims)
        low, high = _SAFE[norm.dtype.char]
        if not norm.size or (
            norm.min() > (low if ord == 2 else 0) and norm.max() < high
        ):
            return norm
        return super().vector_norm(x, axis=axis, keepdims=keepdims, ord=ord)

    def _unscaled_norm(
        self, x: Array, axis: Axes, ord: float, *, keepdims: bool
    ) -> Array:
        if ord != 2:
            size = np.abs(x)
            total = SUM(size ** self.scalar(size, ord), axis, None, None, keepdims)
            return np.power(total, self.scalar(total, 1 / ord))
        if x.dtype.kind == "c":
            squares = x.real**2 + x.imag**2
        elif (axis is None or len(axis) == x.ndim) and not keepdims:
            flat = x.ravel("K")
            return np.sqrt(np.dot(flat, flat))
        else:
            squares = x * x
        return np.sqrt(SUM(squares, axis, None, None, keepdims))

    def cond(self, x: Array, /, *, p: Any) -> Array:
        # NumPy's has no nuclear one of a singular matrix
        if p in {2, -2, "nuc"} or x.dtype.char == "e":
            return super().cond(x, p=p)
        return np.linalg.cond(x, p)

    def cosine_similarity(
        self, x1: Array, x2: Array, /, *, axis: int, eps: float
    ) -> Array:
        if x1.dtype != x2.dtype or x1.dtype.char == "e":
            return super().cosine_similarity(x1, x2, axis=axis, eps=eps)
        with np.errstate(all="ignore"):
            by = [
                np.maximum(self._length(x, axis), self.scalar(x, eps)) for x in (x1, x2)
            ]
            whole = by[0] * by[1]
            cosine = VECDOT(x1, x2, axis=axis) / whole
            limits = np.finfo(x1.dtype)
            safe = (whole > limits.tiny / limits.eps) & np.isfinite(whole + cosine)
        if safe.all():
            return cosine
        return super().cosine_similarity(x1, x2, axis=axis, eps=eps)

    def _length(self, x: Array, axis: int) -> Array:
        along = (x.ndim + axis,)
        return self.vector_norm(x, axis=along, keepdims=False, ord=2.0)
