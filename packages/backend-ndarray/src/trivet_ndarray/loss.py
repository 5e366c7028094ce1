"""Losses, part by part: with a sum or a mean no temporary is larger than a part."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from trivet.contract.loss import Reduction
from trivet_ndarray.bfloat import result_type
from trivet_ndarray.blocks import BLOCK
from trivet_ndarray.columns import are_slim, finite_tops, totals
from trivet_ndarray.data import Array, Data
from trivet_ndarray.reduction import ALL, MAX, SUM

__all__ = ["Loss"]

Kernel = Callable[[Array, Array, Array], object]
_LOGITS = 2 * BLOCK  # elements: each row has a price of its own beside theirs
_FEW = 256  # classes


class Loss(Data):
    """A kernel writes the losses of predictions and targets into `out`."""

    def mse_loss(self, x: Array, target: Array, /, *, reduction: Reduction) -> Array:
        def kernel(x: Array, target: Array, out: Array) -> None:
            np.square(np.subtract(x, target, out), out)

        return _losses(kernel, x, target, reduction)

    def l1_loss(self, x: Array, target: Array, /, *, reduction: Reduction) -> Array:
        def kernel(x: Array, target: Array, out: Array) -> None:
            np.abs(np.subtract(x, target, out), out)

        return _losses(kernel, x, target, reduction)

    def huber_loss(
        self, x: Array, target: Array, /, *, delta: float, reduction: Reduction
    ) -> Array:
        def kernel(x: Array, target: Array, out: Array) -> None:
            gap = np.subtract(x, target)
            near = np.clip(gap, -delta, delta)
            np.subtract(gap, np.multiply(near, 0.5, out), gap)
            np.multiply(gap, near, out)

        return _losses(kernel, x, target, reduction)

    def smooth_l1_loss(
        self, x: Array, target: Array, /, *, beta: float, reduction: Reduction
    ) -> Array:
        def kernel(x: Array, target: Array, out: Array) -> None:
            gap = np.subtract(x, target)
            near = np.clip(gap, -beta, beta)
            np.subtract(gap, np.multiply(near, 0.5, out), gap)
            np.multiply(gap, np.divide(near, beta, near), out)

        return _losses(kernel, x, target, reduction)

    def binary_cross_entropy_with_logits(
        self,
        logits: Array,
        targets: Array,
        pos_weight: Array | None,
        /,
        *,
        reduction: Reduction,
    ) -> Array:
        if pos_weight is not None:
            return super().binary_cross_entropy_with_logits(
                logits, targets, pos_weight, reduction=reduction
            )
        return _losses(_logistic, logits, targets, reduction)

    def binary_cross_entropy(
        self, x: Array, targets: Array, /, *, reduction: Reduction
    ) -> Array:
        def kernel(x: Array, targets: Array, out: Array) -> None:
            log, rest = np.log(x), np.log1p(np.negative(x))
            np.multiply(np.maximum(log, -100, out=log), targets, log)
            np.maximum(rest, -100, out=rest)
            np.multiply(rest, np.subtract(1, targets, out), rest)
            np.negative(np.add(log, rest, log), out)

        with np.errstate(divide="ignore"):
            return _losses(kernel, x, targets, reduction)

    def kl_div_loss(
        self, x: Array, target: Array, /, *, log_target: bool, reduction: Reduction
    ) -> Array:
        def kernel(x: Array, target: Array, out: Array) -> None:
            p = np.exp(target) if log_target else target
            log = target if log_target else np.log(p, out)
            np.multiply(np.subtract(log, x, out), p, out)
            if not p.all():  # a target of 0 costs nothing, whatever its logarithm
                out[p == 0] = 0

        with np.errstate(divide="ignore", invalid="ignore"):
            return _losses(kernel, x, target, reduction)

    def log_softmax_at(self, logits: Array, targets: Array, /) -> Array:
        width = logits.shape[-1]
        rows, classes = logits.reshape(targets.size, width), targets.reshape(-1)
        wide = np.float32 if logits.dtype.itemsize == 2 else logits.dtype
        step = max(_LOGITS // max(width, 1), 1)
        if len(rows) <= step and rows.dtype == wide:  # all of it is one part
            found = _picked(rows, classes, np.empty_like(rows))
            return found.reshape(targets.shape)
        out = np.empty(len(rows), logits.dtype)
        buffer = np.empty((min(step, len(rows)), width), wide)
        for part in _parts(len(rows), step):
            some = rows[part].astype(wide, copy=False)
            out[part] = _picked(some, classes[part], buffer[: len(some)])
        return out.reshape(targets.shape)

    def cross_entropy_slope(
        self, logits: Array, targets: Array, /, *, reduction: Reduction
    ) -> tuple[Array, Array]:
        dtype, width = logits.dtype, logits.shape[-1]
        rows = logits.reshape(targets.size, width)
        if dtype.itemsize == 2:
            rows = rows.astype(np.float32)
        classes = targets.reshape(-1).astype(np.intp, copy=False)
        share = max(len(classes), 1) if reduction == "mean" else 1
        losses, slope = _sloped(rows, classes, share)
        slope = slope.reshape(logits.shape)
        if reduction == "none":
            return losses.reshape(targets.shape).astype(dtype, copy=False), slope
        nothing = reduction == "mean" and not losses.size
        total = rows.dtype.type(np.nan) if nothing else SUM(losses) / share
        return total.astype(dtype, copy=False), slope

    def ctc_joined(self, reached: Array, skips: Array, step: int) -> Array:
        one, two = np.full((2, *reached.shape), -np.inf, reached.dtype)
        if step > 0:
            one[:, 1:] = reached[:, :-1]
            np.copyto(two[:, 2:], reached[:, :-2], where=skips[:, 2:])
        else:
            one[:, :-1] = reached[:, 1:]
            np.copyto(two[:, :-2], reached[:, 2:], where=skips[:, 2:])
        top = np.maximum(np.maximum(reached, one), two)
        # finite, so that -inf stays -inf without a difference of infinities
        np.maximum(top, np.finfo(top.dtype).min, out=top)
        total = sum(np.exp(x - top) for x in (reached, one, two))
        with np.errstate(divide="ignore"):
            return np.log(total) + top


def _parts(count: int, step: int) -> Iterator[slice]:
    return (slice(start, start + step) for start in range(0, count, step))


def _sloped(rows: Array, classes: Array, share: int) -> tuple[Array, Array]:
    """The loss of each row, and its derivative by the row over `share`."""
    count, width = rows.shape
    losses, slope = np.empty(count, rows.dtype), _room(count, width, rows.dtype)
    if rows.size <= _LOGITS:
        _slope(rows, classes, losses, slope, share)
        return losses, slope
    for part in _parts(count, max(_LOGITS // width, 1)):
        _slope(rows[part], classes[part], losses[part], slope[part], share)
    return losses, slope


def _slope(
    rows: Array, classes: Array, losses: Array, slope: Array, share: int
) -> None:
    slope[...] = rows
    np.subtract(slope, _top(slope), slope)
    each = np.arange(len(rows)), classes
    chosen = slope[each]
    np.exp(slope, slope)
    total = SUM(slope, 1)
    np.maximum(total, 1, out=total)  # a row of -inf sums to 0, and stays -inf
    np.subtract(np.log(total), chosen, losses)
    total *= share
    np.divide(slope, total[:, None], slope)
    slope[each] -= 1 / share


def _room(count: int, width: int, dtype: np.dtype[Any]) -> Array:
    """Memory for rows; class by class where these are few, so that loops are long."""
    if width > _FEW:
        return np.empty((count, width), dtype)
    return np.empty((width, count), dtype).T


def _top(rows: Array) -> Array:
    """The largest of each row, as a column; 0 in the place of an infinite one."""
    top = MAX(rows, 1, None, None, True, -np.inf)
    finite = np.isfinite(top)
    return top if ALL(finite, None) else np.where(finite, top, 0)


def _picked(rows: Array, classes: Array, e: Array) -> Array:
    top, total = _summed(rows, e)
    np.maximum(total, 1, out=total)  # a row of -inf sums to 0, and stays -inf
    chosen = rows[np.arange(len(rows)), classes.astype(np.intp, copy=False)]
    return chosen - top - np.log(total)


def _summed(rows: Array, e: Array) -> tuple[Array, Array]:
    """The finite maximum of each row, and the sum of exponentials less that."""
    if are_slim(rows, (1,)):
        columns = rows.T.copy()
        top = finite_tops(columns)
        return top, totals(np.exp(np.subtract(columns, top, columns), columns))
    top = _top(rows)
    return top[:, 0], SUM(np.exp(np.subtract(rows, top, e), e), 1)


def _logistic(x: Array, targets: Array, out: Array) -> None:
    """softplus(x) - targets * x, where softplus(x) is relu(x) and a small rest."""
    far = np.isinf(x)
    finite = np.where(far, 0, x) if far.any() else x
    rest = np.negative(np.abs(finite, out), out)
    np.log1p(np.exp(rest, rest), rest)
    above = np.maximum(finite, 0)
    np.subtract(above, np.multiply(finite, targets), above)
    np.add(above, rest, out)
    if finite is not x:
        out[far] = np.where(targets[far] == (x[far] > 0), 0, np.inf)


def _losses(kernel: Kernel, x: Array, target: Array, reduction: Reduction) -> Array:
    """The losses or their total, in the dtype that both arrays promote to."""
    dtype = result_type(x, target)
    wide = np.dtype(np.float32) if dtype.itemsize == 2 else dtype
    shape, x, target = x.shape, x.reshape(-1), target.reshape(-1)
    every = np.empty(x.shape, dtype) if reduction == "none" else None
    buffer = np.empty(min(BLOCK, x.size), wide)
    total = 0.0
    for part in _parts(x.size, BLOCK):
        xs, targets = (a[part].astype(wide, copy=False) for a in (x, target))
        out = buffer[: xs.size]
        kernel(xs, targets, out)
        if every is None:
            total += float(SUM(out))
        else:
            every[part] = out
    if every is not None:
        return every.reshape(shape)
    if reduction == "mean":
        total = total / x.size if x.size else np.nan
    return np.asarray(total, dtype)
