"""How far predictions are from targets.

`reduction` is "mean" or "sum" over all losses, or "none" for one loss each. 16-bit
floats are computed and reduced in float32, and rounded once.
"""

import math
from typing import TypeVar

from trivet.contract.ctc import Ctc, Reduction
from trivet.contract.table import derived
from trivet.dtypes import REAL, REAL_FLOATING, DType, promote

__all__ = ["Loss", "Reduction"]

H = TypeVar("H")
_LEAST_LOG = -100.0  # PyTorch's bound: the loss of a certain mistake is finite


class Loss(Ctc[H], family="loss"):
    """Classes lie along the last axis."""

    @derived(REAL_FLOATING)
    def l1_loss(self, x: H, target: H, /, *, reduction: Reduction) -> H:
        """abs(x - target)."""
        gap, dtype = self._gap_between(x, target)
        return self._total_loss(self.abs(gap), reduction, dtype)

    @derived(REAL_FLOATING)
    def mse_loss(self, x: H, target: H, /, *, reduction: Reduction) -> H:
        """(x - target)**2."""
        gap, dtype = self._gap_between(x, target)
        return self._total_loss(self.square(gap), reduction, dtype)

    @derived(REAL_FLOATING)
    def huber_loss(
        self, x: H, target: H, /, *, delta: float, reduction: Reduction
    ) -> H:
        """gap**2 / 2 for a gap up to `delta`, and its tangent beyond."""
        gap, dtype = self._gap_between(x, target)
        return self._total_loss(self._huber(gap, delta), reduction, dtype)

    @derived(REAL_FLOATING)
    def smooth_l1_loss(
        self, x: H, target: H, /, *, beta: float, reduction: Reduction
    ) -> H:
        """`huber_loss` over `beta`, which is above 0: `l1_loss` with a round foot."""
        gap, dtype = self._gap_between(x, target)
        losses = self.divide(self._huber(gap, beta), beta)
        return self._total_loss(losses, reduction, dtype)

    def _huber(self, gap: H, delta: float) -> H:
        near = self.where(self.less(gap, delta), gap, delta)
        near = self.where(self.less(near, -delta), -delta, near)
        return self.multiply(near, self.subtract(gap, self.multiply(near, 0.5)))

    def _gap_between(self, x: H, target: H) -> tuple[H, DType]:
        x, target, dtype = self._widened_pair(x, target)
        return self.subtract(x, target), dtype

    def _widened_pair(self, x: H, target: H) -> tuple[H, H, DType]:
        """Both in a dtype fit for sums, and the dtype that they promote to."""
        dtype = promote(self.dtype(x), self.dtype(target))
        return self.widened(x)[0], self.widened(target)[0], dtype

    @derived(REAL)
    def log_softmax_at(self, logits: H, targets: H, /) -> H:
        """log(softmax(logits)) at each target class: one for each row of `logits`."""
        logp = self.log_softmax(logits, axis=len(self.shape(logits)) - 1)
        return self._picked(logp, targets)

    def _picked(self, rows: H, targets: H) -> H:
        last = len(self.shape(rows)) - 1
        column = self.expand_dims(targets, axis=(last,))
        chosen = self.take_along_axis(rows, column, axis=last)
        return self.squeeze(chosen, axis=(last,))

    @derived(REAL)
    def cross_entropy(
        self,
        logits: H,
        targets: H,
        weight: H | None,
        /,
        *,
        ignore_index: int | None,
        label_smoothing: float,
        reduction: Reduction,
    ) -> H:
        """-sum(targets * weight * log(softmax(logits))) over the classes.

        `targets` are probabilities of the shape of `logits`, or class numbers, of
        which `ignore_index` counts for nothing. The mean is over the weights of the
        classes. Smoothing moves that share of each target evenly to all classes.
        """
        logits, dtype = self.widened(logits)
        if self.is_floating(targets):
            soft = self._soft(logits, targets, weight, label_smoothing)
            return self._total_loss(soft, reduction, dtype)
        valid = self._valid(targets, ignore_index)
        if valid is not None:
            targets = self.where(valid, targets, 0)
            rows = self.expand_dims(valid, axis=(len(self.shape(valid)),))
            logits = self.where(rows, logits, 0)
        share = self._share(targets, weight, valid, logits)
        hard = self.negative(self.log_softmax_at(logits, targets))
        losses = self._shared(hard, share)
        if label_smoothing:
            even = self._even_losses(logits, weight, label_smoothing)
            even = even if valid is None else self.where(valid, even, 0)
            losses = self.add(self.multiply(losses, 1 - label_smoothing), even)
        return self._total_by_share(share, losses, reduction, dtype)

    @derived(REAL)
    def cross_entropy_slope(
        self, logits: H, targets: H, /, *, reduction: Reduction
    ) -> tuple[H, H]:
        """The `cross_entropy` of class numbers, and its derivative by the logits.

        A step of training wants both, and they share their exponentials. The derivative
        is softmax(logits), less 1 at each target; for a mean, over their number. For
        16-bit floats it is in float32: what scales a loss multiplies it only later.
        """
        shape, count = self.shape(logits), self.size(targets)
        wide, dtype = self.widened(self.reshape(logits, shape=(count, shape[-1])))
        classes = self.reshape(targets, shape=(count,))
        logp = self.log_softmax(wide, axis=1)
        losses = self.negative(self._picked(logp, classes))
        places = self.counting(classes, count), classes
        less = self.filled_like(logp, -1, ())
        slope = self.setitem_arrays(self.exp(logp), places, less, mode="add")
        if reduction == "mean":
            slope = self.divide(slope, max(count, 1))
        losses = self.reshape(losses, shape=self.shape(targets))
        loss = self._total_loss(losses, reduction, dtype)
        return loss, self.reshape(slope, shape=shape)

    def _soft(self, logits: H, targets: H, weight: H | None, smoothing: float) -> H:
        last = len(self.shape(logits)) - 1
        targets = self.cast(targets, self.dtype(logits))
        logp = self.log_softmax(logits, axis=last)
        terms = self._times(targets, logp)
        if weight is not None:
            terms = self.multiply(terms, self.cast(weight, self.dtype(logits)))
        losses = self.negative(
            self.sum(terms, axis=(last,), dtype=None, keepdims=False)
        )
        if not smoothing:
            return losses
        even = self._even_losses(logits, weight, smoothing)
        return self.add(self.multiply(losses, 1 - smoothing), even)

    def _even_losses(self, logits: H, weight: H | None, smoothing: float) -> H:
        """The part of the loss that label smoothing spreads over all classes."""
        last = len(self.shape(logits)) - 1
        logp = self.log_softmax(logits, axis=last)
        if weight is not None:
            logp = self.multiply(logp, self.cast(weight, self.dtype(logits)))
        return self.multiply(self.mean(logp, axis=(last,), keepdims=False), -smoothing)

    def _times(self, weight: H, x: H) -> H:
        """weight * x, where 0 * inf is 0."""
        nothing = self.logical_and(self.equal(weight, 0), self.isinf(x))
        return self.multiply(weight, self.where(nothing, 0, x))

    def _valid(self, targets: H, ignore_index: int | None) -> H | None:
        return None if ignore_index is None else self.not_equal(targets, ignore_index)

    def _share(
        self, targets: H, weight: H | None, valid: H | None, like: H
    ) -> H | None:
        """How much each target counts, or `None` where all count 1."""
        share = None
        if weight is not None:
            weight = self.cast(weight, self.dtype(like))
            flat = self.reshape(targets, shape=(self.size(targets),))
            share = self.take(weight, flat, axis=0)
            share = self.reshape(share, shape=self.shape(targets))
        if valid is None:
            return share
        one = self.filled_like(like, 1, ()) if share is None else share
        return self.where(valid, one, 0)

    def _shared(self, losses: H, share: H | None) -> H:
        return losses if share is None else self._times(share, losses)

    def _total_by_share(
        self, share: H | None, losses: H, reduction: Reduction, dtype: DType
    ) -> H:
        """As `_total_loss`, with a mean over the shares."""
        if share is None or reduction != "mean":
            return self._total_loss(losses, reduction, dtype)
        total = self.sum(losses, axis=None, dtype=None, keepdims=False)
        count = self.sum(share, axis=None, dtype=None, keepdims=False)
        return self.cast(self.divide(total, count), dtype)

    @derived(REAL)
    def nll_loss(
        self,
        logp: H,
        targets: H,
        weight: H | None,
        /,
        *,
        ignore_index: int | None,
        reduction: Reduction,
    ) -> H:
        """-weight * logp at each target class; otherwise as `cross_entropy`."""
        logp, dtype = self.widened(logp)
        valid = self._valid(targets, ignore_index)
        if valid is not None:
            targets = self.where(valid, targets, 0)
        share = self._share(targets, weight, valid, logp)
        picked = self._picked(logp, targets)
        if valid is not None:
            picked = self.where(valid, picked, 0)
        losses = self._shared(self.negative(picked), share)
        return self._total_by_share(share, losses, reduction, dtype)

    @derived(REAL_FLOATING)
    def binary_cross_entropy_with_logits(
        self, logits: H, targets: H, pos_weight: H | None, /, *, reduction: Reduction
    ) -> H:
        """pos_weight * targets * softplus(-logits) + (1 - targets) * softplus(logits).

        `pos_weight` broadcasts. A logit that is infinite on the right side costs 0.
        """
        logits, targets, dtype = self._widened_pair(logits, targets)
        hits = self._times(targets, self.softplus(self.negative(logits)))
        if pos_weight is not None:
            hits = self.multiply(hits, self.cast(pos_weight, self.dtype(hits)))
        misses = self._times(self.subtract(1, targets), self.softplus(logits))
        return self._total_loss(self.add(hits, misses), reduction, dtype)

    @derived(REAL_FLOATING)
    def binary_cross_entropy(self, x: H, targets: H, /, *, reduction: Reduction) -> H:
        """-targets * log(x) - (1 - targets) * log(1 - x); no logarithm below -100."""
        x, targets, dtype = self._widened_pair(x, targets)
        rest = self.subtract(1, x)
        none, whole = self._vanishing(x), self._vanishing(rest)
        log = self.where(none, _LEAST_LOG, self.log(self.where(none, 1, x)))
        inner = self.log1p(self.negative(self.where(whole, 0, x)))
        log_rest = self.where(whole, _LEAST_LOG, inner)
        gains = self.add(
            self.multiply(targets, log),
            self.multiply(self.subtract(1, targets), log_rest),
        )
        return self._total_loss(self.negative(gains), reduction, dtype)

    def _vanishing(self, x: H) -> H:
        small = self.less(x, math.exp(_LEAST_LOG))
        return self.logical_and(self.less_equal(0, x), small)

    @derived(REAL_FLOATING)
    def kl_div_loss(
        self, x: H, target: H, /, *, log_target: bool, reduction: Reduction
    ) -> H:
        """target * (log(target) - x): `x` are logarithms of probabilities.

        With `log_target`, the target is one too. A target of 0 costs 0.
        """
        x, target, dtype = self._widened_pair(x, target)
        p = self.exp(target) if log_target else target
        none = self.equal(p, 0)
        log = target if log_target else self.log(self.where(none, 1, p))
        gap = self.subtract(self.where(none, 0, log), self.where(none, 0, x))
        return self._total_loss(self.multiply(p, gap), reduction, dtype)
