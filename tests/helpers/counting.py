"""`Counting`: a decorator that tells which ops ran, and how often."""

from collections import Counter

from trivet.contract import Decorator


class Counting(Decorator):
    """Counts the calls of every op."""

    label = "counting"

    def set_up(self):
        self.calls = Counter()

    def forward(self, op, function):
        def counted(*args, **statics):
            self.calls[op.name] += 1
            return function(*args, **statics)

        return counted
