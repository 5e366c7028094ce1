"""Rules for losses whose bodies would keep much, or walk along long sequences."""

import math
from typing import Any

from trivet.contract import Backend
from trivet.contract.loss import Reduction
from trivet_autodiff.rules.registry import at_once, rule

__all__: list[str] = []


@rule("log_softmax_at")
def log_softmax_at(b: Backend[Any]) -> Any:
    """1 at the target, less softmax(logits)."""

    def pull(g: Any, saved: Any) -> Any:
        logits, targets = saved
        width = logits.shape[-1]
        count = math.prod(targets.shape)
        g, targets = (b.reshape(one, shape=(count,)) for one in (g, targets))
        p = b.softmax(b.reshape(logits, shape=(count, width)), axis=1)
        others = b.multiply(p, b.negative(b.expand_dims(g, axis=(1,))))
        places = b.counting(targets, count), targets
        done = b.setitem_arrays(others, places, g, mode="add")
        return b.reshape(done, shape=tuple(logits.shape))

    def record(out: Any, logits: Any, targets: Any) -> Any:
        return (pull, (logits, targets)), None

    return record


@at_once("cross_entropy")
def cross_entropy(b: Backend[Any]) -> Any:
    """softmax(logits), less 1 at the target, where only class numbers are given."""

    def pull(g: Any, saved: Any) -> Any:
        slope, dtype = saved
        return b.cast(b.multiply(slope, g), dtype)

    def pull_each(g: Any, saved: Any) -> Any:
        return pull(b.expand_dims(g, axis=(len(g.shape),)), saved)

    def run(
        logits: Any,
        targets: Any,
        weight: Any,
        *,
        ignore_index: int | None,
        label_smoothing: float,
        reduction: Reduction,
    ) -> Any:
        plain = weight is None and ignore_index is None and not label_smoothing
        if not plain or len(targets.shape) == len(logits.shape):  # probabilities
            return None
        loss, slope = b.cross_entropy_slope(logits, targets, reduction=reduction)
        saved = slope, b.dtype(logits)
        return loss, ((pull_each if reduction == "none" else pull, saved),)

    return run


@rule("ctc_loss")
def ctc_loss(b: Backend[Any]) -> Any:
    """Minus the probability of each class at each time, given the target.

    It is the share of the paths through a state among all paths: what reaches the
    state from the start, times what leads from it to an end.
    """

    def pull(g: Any, saved: Any) -> Any:
        logp, targets, lengths, target_lengths, statics = saved
        logp, dtype = b.widened(logp)
        states = b.ctc_states(targets, target_lengths, statics["blank"])
        shares = _shares(b, logp, states, lengths, target_lengths, statics["blank"])
        weights = _weights(b, b.widened(g)[0], target_lengths, statics["reduction"])
        column = b.reshape(weights, shape=(1, weights.shape[0], 1))
        parts = b.multiply(shares, column)
        return b.cast(b.negative(_by_class(b, logp, states, parts)), dtype)

    def record(out: Any, *arrays: Any, **statics: Any) -> Any:
        return (pull, (*arrays, statics)), None, None, None

    return record


def _weights(b: Backend[Any], g: Any, lengths: Any, reduction: str) -> Any:
    """The cotangent of each sample's own loss."""
    n = lengths.shape[0]
    if reduction != "mean":
        return b.broadcast_to(g, shape=(n,))
    longest = b.maximum(b.astype(lengths, dtype=b.dtype(g)), 1)
    return b.divide(b.divide(g, n), longest)


def _shares(
    b: Backend[Any],
    logp: Any,
    states: Any,
    lengths: Any,
    target_lengths: Any,
    blank: int,
) -> Any:
    """The share of paths through each state at each time; 0 where there is no path."""
    emitted, skips = b.ctc_emitted(logp, states), b.ctc_skips(states, blank)
    ends = b.ctc_ends(states, target_lengths)
    before = b.ctc_forward(emitted, skips, lengths)
    whole = b.where(ends, before[-1], -math.inf)
    whole = b.logsumexp(whole, axis=(1,), keepdims=True)
    whole = b.where(b.isinf(whole), 0, whole)
    column = b.reshape(lengths, shape=(lengths.shape[0], 1))
    last = b.where(ends, b.filled_like(whole, 0, ()), -math.inf)
    after = b.where(b.equal(states, states), -math.inf, last)
    found = []
    for time in reversed(range(logp.shape[0])):
        onward = b.ctc_joined(after, skips, -1)
        onward = b.where(b.equal(column, time + 1), last, onward)
        onward = b.where(b.less(time, column), onward, -math.inf)
        share = b.exp(b.subtract(b.add(before[time], onward), whole))
        found.append(share)
        after = b.add(onward, b.getitem(emitted, key=(time,)))
    return b.stack(found[::-1], axis=0)


def _by_class(b: Backend[Any], logp: Any, states: Any, parts: Any) -> Any:
    """What belongs to states, added up by their classes."""
    times, n, _ = logp.shape
    index = (
        b.reshape(b.counting(states, times), shape=(times, 1, 1)),
        b.reshape(b.counting(states, n), shape=(1, n, 1)),
        b.expand_dims(states, axis=(0,)),
    )
    zeros = b.filled_like(logp, 0, tuple(logp.shape))
    return b.setitem_arrays(zeros, index, parts, mode="add")
