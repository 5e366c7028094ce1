"""Connectionist temporal classification: the loss of a sequence without alignment.

Graves et al., Connectionist Temporal Classification, 2006, in logarithms. `Loss` builds
on it; its rule for gradients uses the parts.
"""

import math
from collections.abc import Sequence
from typing import Literal, TypeVar

from trivet.contract.nn import Nn
from trivet.contract.table import derived
from trivet.dtypes import REAL, DType

__all__ = ["Ctc", "Reduction"]

H = TypeVar("H")
Reduction = Literal["mean", "sum", "none"]


class Ctc(Nn[H], family="loss"):
    """A path visits states: a blank, the first label, a blank, the second, ..."""

    @derived(REAL)
    def ctc_loss(
        self,
        logp: H,
        targets: H,
        input_lengths: H,
        target_lengths: H,
        /,
        *,
        blank: int,
        zero_infinity: bool,
        reduction: Reduction,
    ) -> H:
        """-log of the probability of all paths that spell the target.

        `logp` has the shape (T, N, classes), `targets` (N, S), the lengths (N,). A
        target that no path spells costs inf, or 0 with `zero_infinity`. The mean is of
        each loss over its target's length, at least 1.
        """
        logp, dtype = self.widened(logp)
        states = self.ctc_states(targets, target_lengths, blank)
        emitted = self.ctc_emitted(logp, states)
        *_, last = self.ctc_forward(
            emitted, self.ctc_skips(states, blank), input_lengths
        )
        reached = self.where(self.ctc_ends(states, target_lengths), last, -math.inf)
        losses = self.negative(self.logsumexp(reached, axis=(1,), keepdims=False))
        if zero_infinity:
            losses = self.where(self.equal(losses, math.inf), 0, losses)
        if reduction == "mean":
            losses = self.divide(losses, self._at_least_one(target_lengths, losses))
        return self._total_loss(losses, reduction, dtype)

    def _at_least_one(self, lengths: H, like: H) -> H:
        return self.maximum(self.cast(lengths, self.dtype(like)), 1)

    def _total_loss(self, losses: H, reduction: Reduction, dtype: DType) -> H:
        if reduction == "mean":
            losses = self.mean(losses, axis=None, keepdims=False)
        elif reduction == "sum":
            losses = self.sum(losses, axis=None, dtype=None, keepdims=False)
        return self.cast(losses, dtype)

    def ctc_states(self, targets: H, target_lengths: H, blank: int) -> H:
        """The class of each state, (N, 2 S + 1); blank beyond the target."""
        n, size = self.shape(targets)
        index = self.default_dtypes(self.device(targets)).indexing
        targets = self.cast(targets, index)  # a narrow dtype may not hold `blank`
        lengths = self.reshape(target_lengths, shape=(n, 1))
        inside = self.less(self.counting(targets, size), lengths)
        labels = self.where(inside, targets, blank)
        blanks = self.filled_like(labels, blank, (n, size))
        pairs = self.reshape(self.stack((blanks, labels), axis=2), shape=(n, 2 * size))
        return self.concat((pairs, self.filled_like(labels, blank, (n, 1))), axis=1)

    def ctc_emitted(self, logp: H, states: H) -> H:
        """The log-probability of each state's class at each time, (T, N, states)."""
        return self.take_along_axis(logp, self.expand_dims(states, axis=(0,)), axis=2)

    def ctc_skips(self, states: H, blank: int) -> H:
        """Which states can follow the one two before them: other labels."""
        size = self.shape(states)[1]
        first = min(2, size)
        later = self.part(states, 1, first, size)
        earlier = self.part(states, 1, 0, size - first)
        can = self.logical_and(
            self.not_equal(later, earlier), self.not_equal(later, blank)
        )
        head = self.part(self.not_equal(states, states), 1, 0, first)
        return self.concat((head, can), axis=1)

    def ctc_ends(self, states: H, target_lengths: H) -> H:
        """Which states a path can end in: the last label and the last blank."""
        n, size = self.shape(states)
        place = self.counting(states, size)
        lengths = self.cast(target_lengths, self.dtype(place))
        end = self.multiply(self.reshape(lengths, shape=(n, 1)), 2)
        before = self.equal(self.add(place, 1), end)
        return self.logical_or(self.equal(place, end), before)

    def ctc_forward(self, emitted: H, skips: H, input_lengths: H) -> Sequence[H]:
        """For each time the log-probability of all paths into each state.

        After the end of an input it stays as it was.
        """
        times, n, size = self.shape(emitted)
        lengths = self.reshape(input_lengths, shape=(n, 1))
        start = self.less(self.counting(emitted, size), 2)
        reached = self.where(start, self.getitem(emitted, key=(0,)), -math.inf)
        all_reached = [reached]
        for time in range(1, times):
            total = self.ctc_joined(reached, skips, 1)
            moved = self.add(total, self.getitem(emitted, key=(time,)))
            reached = self.where(self.less(time, lengths), moved, reached)
            all_reached.append(reached)
        return all_reached

    def ctc_joined(self, reached: H, skips: H, step: int) -> H:
        """What arrives at each state from itself and those one and two away.

        `step` is 1 for states before, and -1 for states after.
        """
        one = self._moved(reached, step)
        if step > 0:
            two = self.where(skips, self._moved(reached, 2), -math.inf)
        else:
            two = self._moved(self.where(skips, reached, -math.inf), -2)
        arrays = self.stack((reached, one, two), axis=0)
        return self.logsumexp(arrays, axis=(0,), keepdims=False)

    def _moved(self, reached: H, by: int) -> H:
        """Each state's value `by` states later, and -inf where nothing comes from."""
        n, size = self.shape(reached)
        count = min(abs(by), size)
        fill = self.filled_like(reached, -math.inf, (n, count))
        if by > 0:
            return self.concat((fill, self.part(reached, 1, 0, size - count)), axis=1)
        return self.concat((self.part(reached, 1, count, size), fill), axis=1)
