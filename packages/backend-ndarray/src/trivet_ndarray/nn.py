"""Neural-network functions in as few passes over memory as NumPy allows."""

import numpy as np

from trivet.contract import Axes
from trivet.dtypes import DType
from trivet_ndarray.blocks import BLOCK, are_alike, by_elements, by_rows, in_parts
from trivet_ndarray.columns import (
    are_slim,
    finite_tops,
    of_columns,
    over_columns,
    totals,
)
from trivet_ndarray.data import Array, Data
from trivet_ndarray.linalg import VECDOT
from trivet_ndarray.reduction import ALL, MAX, SUM

__all__ = ["Nn", "logistic", "soften"]

_SMALL = 1 << 12  # elements; below, an `errstate` costs more than an exponential


class Nn(Data):
    """The results are those of the contract's bodies; the temporaries are reused."""

    def relu(self, x: Array, /) -> Array:
        return np.maximum(x, self.scalar(x, 0))

    def sigmoid(self, x: Array, /) -> Array:
        return by_elements(logistic, x)

    def softplus(self, x: Array, /) -> Array:
        def kernel(x: Array, out: Array) -> None:
            above = np.maximum(x, 0)
            np.exp(np.negative(np.abs(x, out), out), out)
            np.add(above, np.log1p(out, out), out)

        return by_elements(kernel, x)

    def _away(self, x: Array, axis: Axes) -> tuple[Array, Array]:
        """`x` less its finite maximum along `axis`, in new memory, and that maximum."""
        # -inf stands for the maximum of nothing
        top = MAX(x, axis, keepdims=True, initial=-np.inf)
        if not ALL(np.isfinite(top), None):
            top = np.where(np.isfinite(top), top, self.scalar(x, 0))
        return np.asarray(x - top), top

    def _summed(self, e: Array, axis: Axes) -> Array:
        """The sum along `axis`; 1 where it is 0, so that a row of -inf gives zeros."""
        # it is 0 or at least 1: the largest element is the exponential of 0
        return np.maximum(SUM(e, axis, None, None, True), self.scalar(e, 1))

    def one_hot(self, x: Array, /, *, num_classes: int, dtype: DType) -> Array:
        return (x[..., None] == np.arange(num_classes)).astype(self.native(dtype))

    def softmax(self, x: Array, /, *, axis: int) -> Array:
        if are_slim(x, (axis,)):
            return of_columns(_soften_columns, x)
        if x.size > BLOCK and axis == x.ndim - 1:
            return by_rows(soften, x)
        x, dtype = self.widened(x)
        e, _ = self._away(x, (axis,))
        np.exp(e, e)
        return self.cast(np.divide(e, self._summed(e, (axis,)), e), dtype)

    def log_softmax(self, x: Array, /, *, axis: int) -> Array:
        if are_slim(x, (axis,)):
            return of_columns(_soften_logs, x)
        x, dtype = self.widened(x)
        away, _ = self._away(x, (axis,))
        total = self._summed(np.exp(away), (axis,))
        return self.cast(np.subtract(away, np.log(total), away), dtype)

    def softmax_pulled(self, g: Array, out: Array, /, *, axis: int) -> Array:
        if axis != out.ndim - 1 or not are_alike(g, out):
            return super().softmax_pulled(g, out, axis=axis)
        return in_parts(_pull_softmax, g, out, ndim=1)

    def log_softmax_pulled(self, g: Array, out: Array, /, *, axis: int) -> Array:
        if axis != out.ndim - 1 or not are_alike(g, out):
            return super().log_softmax_pulled(g, out, axis=axis)
        return in_parts(_pull_log_softmax, g, out, ndim=1)

    def logsumexp(self, x: Array, /, *, axis: Axes, keepdims: bool) -> Array:
        if are_slim(x, axis):
            with np.errstate(divide="ignore", over="ignore"):
                return over_columns(_logs_of_sums, x, keepdims=keepdims)
        x, dtype = self.widened(x)
        e, top = self._away(x, axis)
        # an infinite element leaves the others as they are, and -inf alone gives log 0
        with np.errstate(divide="ignore", over="ignore"):
            total = self.sum(np.exp(e, e), axis=axis, dtype=None, keepdims=True)
            total = self.cast(np.log(total) + top, dtype)
        return total if keepdims else np.squeeze(total, axis)


def logistic(x: Array, out: Array) -> None:
    """1 / (1 + exp(-x)); `out` may be `x` itself."""
    if x.size < _SMALL:
        upper = np.exp(np.minimum(x, 0))
        np.exp(np.negative(np.abs(x, out), out), out)
        np.divide(upper, np.add(out, 1, out), out)
        return
    with np.errstate(over="ignore"):  # 1 / inf is the limit
        np.exp(np.negative(x, out), out)
        np.reciprocal(np.add(out, 1, out), out)


def soften(rows: Array, out: Array) -> None:
    """The softmax of each row; `out` may be the rows themselves."""
    top = MAX(rows, 1, None, None, True, -np.inf)
    if not ALL(np.isfinite(top), None):
        top[~np.isfinite(top)] = 0
    np.exp(np.subtract(rows, top, out), out)
    total = SUM(out, 1, None, None, True)
    total[total == 0] = 1
    np.divide(out, total, out)


def _exponentials(columns: Array) -> Array:
    """Their exponentials, less the finite maximum of each row, in place; the maxima."""
    top = finite_tops(columns)
    np.exp(np.subtract(columns, top, columns), columns)
    return top


def _soften_columns(columns: Array) -> None:
    _exponentials(columns)
    # the sum is 0 or at least 1: the largest element is the exponential of 0
    np.divide(columns, np.maximum(totals(columns), 1), columns)


def _soften_logs(columns: Array) -> None:
    np.subtract(columns, finite_tops(columns), columns)
    total = np.maximum(totals(np.exp(columns)), 1)
    np.subtract(columns, np.log(total, total), columns)


def _logs_of_sums(columns: Array) -> Array:
    top = _exponentials(columns)
    return np.log(totals(columns)) + top


def _pull_softmax(g: Array, out: Array, goal: Array) -> None:
    total = VECDOT(g, out)[:, None]
    np.multiply(np.subtract(g, total, goal), out, goal)


def _pull_log_softmax(g: Array, out: Array, goal: Array) -> None:
    total = SUM(g, 1, None, None, True)
    np.subtract(g, np.multiply(np.exp(out, goal), total, goal), goal)
