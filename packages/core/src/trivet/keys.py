"""Keys of random draws: dealt from a seed, noted, and dealt again.

`trivet.random.Generator` draws with them. A computation that is repeated asks for the
same keys, and so has the same numbers.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from threading import Lock

from trivet.errors import ArgumentError

__all__ = ["Keys", "noted_keys", "same_keys"]

_MASK = 2**64 - 1
_GOLDEN = 0x9E3779B97F4A7C15
_deal: ContextVar[Callable[[Callable[[], int]], int] | None] = ContextVar(
    "trivet_random_deal", default=None
)


@contextmanager
def noted_keys() -> Iterator[list[int]]:
    """A block of this thread or task whose keys are noted, to be dealt again.

    >>> import trivet as tv
    >>> generator = tv.random.Generator(0)
    >>> with tv.random.noted_keys() as keys:
    ...     first = generator.normal(3)
    >>> with tv.random.same_keys(keys):
    ...     again = generator.normal(3)
    >>> first.tolist() == again.tolist()
    True
    """
    keys: list[int] = []
    outer = _deal.get()

    def deal(fresh: Callable[[], int]) -> int:
        keys.append(fresh() if outer is None else outer(fresh))
        return keys[-1]

    token = _deal.set(deal)
    try:
        yield keys
    finally:
        _deal.reset(token)


@contextmanager
def same_keys(keys: Sequence[int]) -> Iterator[None]:
    """A block in which every generator deals these keys, and none moves on.

    Raises `ValueError` if more keys are drawn than there are.

    >>> import trivet as tv
    >>> generator = tv.random.Generator(0)
    >>> with tv.random.same_keys([7]):
    ...     first = generator.uniform(3)
    >>> with tv.random.same_keys([7]):
    ...     first.tolist() == generator.uniform(3).tolist()
    True
    """
    left = iter(keys)

    def deal(_: Callable[[], int]) -> int:
        for key in left:
            return key
        raise ArgumentError(
            f"same_keys: more random numbers are drawn than the first time, when there "
            f"were {len(keys)} draws. Draw the same in every run."
        )

    token = _deal.set(deal)
    try:
        yield
    finally:
        _deal.reset(token)


class Keys:
    """The keys of one seed, in order.

    >>> one, other = Keys(7), Keys(7)
    >>> one.next() == other.next()
    True
    """

    def __init__(self, seed: int, dealt: int = 0) -> None:
        self.seed = seed
        self._dealt = dealt
        self._lock = Lock()

    def __reduce__(self) -> tuple[type["Keys"], tuple[int, int]]:
        return Keys, (self.seed, self._dealt)

    def next(self) -> int:
        """The next key, or the one that `same_keys` says."""
        deal = _deal.get()
        return self._fresh() if deal is None else deal(self._fresh)

    def _fresh(self) -> int:
        """SplitMix64 of the seed and the number of keys before."""
        with self._lock:
            self._dealt += 1
            z = (self.seed + self._dealt * _GOLDEN) & _MASK
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & _MASK
        return z ^ (z >> 31)
