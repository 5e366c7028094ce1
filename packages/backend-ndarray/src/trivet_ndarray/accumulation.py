"""Values combined at repeated positions, sooner than by a ufunc's own `at`.

What comes out is the same to the bit: at each position they are combined in turn.
"""

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

__all__ = ["accumulate_at", "accumulate_rows"]

Array = Any
Rows = Callable[[Array], Array]
_FEW = 1 << 10  # elements; below, to prepare costs more than it saves
_NARROW = 8  # elements of a row
_TURN = 1 << 11  # elements that `at` combines in the time of one more turn
_ALONE = 4  # places; of fewer, each is a reduction


def accumulate_at(
    ufunc: np.ufunc, x: Array, key: Sequence[Array], values: Array
) -> None:
    """`ufunc.at(x, key, values)` for index arrays and an `x` in C order."""
    if x.ndim == 1:  # for which NumPy has a loop of its own
        _at_one_axis(ufunc, x, key[0], values)
        return
    many = np.size(values) >= _FEW
    places = _row_numbers(x.shape, key) if many else None
    if places is None:
        ufunc.at(x, tuple(key), values)
        return
    behind = x.shape[len(key) :]
    width = math.prod(behind)
    values = np.broadcast_to(values, np.broadcast(*key).shape + behind)
    values = values.reshape(len(places), width)
    rows = x.reshape(-1, width)
    if accumulate_rows(ufunc, rows, places, lambda some: values.take(some, 0)):
        return
    if width > 1:
        places = (places[:, None] * width + np.arange(width)).reshape(-1)
    ufunc.at(x.reshape(-1), places, values.reshape(-1))


def _at_one_axis(ufunc: np.ufunc, x: Array, index: Array, values: Array) -> None:
    """NumPy's loop reads past the end of values that it repeats over more axes."""
    if index.ndim != 1:
        values = np.broadcast_to(values, index.shape).reshape(-1)
        index = index.reshape(-1)
    ufunc.at(x, index, values)


def _row_numbers(shape: tuple[int, ...], key: Sequence[Array]) -> Array | None:
    """Which row each index means, the leading axes being one; nothing if none does."""
    total: Array = None
    for n, index in zip(shape, key, strict=False):  # the axes behind are the row's
        place = index.astype(np.intp, copy=False)
        lowest = place.min()
        if lowest < -n or place.max() >= n:
            return None
        if lowest < 0:
            place = np.where(place < 0, place + n, place)
        total = place if total is None else total * n + place
    return total.reshape(-1)


def accumulate_rows(ufunc: np.ufunc, rows: Array, places: Array, values: Rows) -> bool:
    """`ufunc.at(rows, places, v)`, where `values(i)` gives the rows of v numbered i.

    First go the first values of all places, then the second ones: each place once in a
    turn. Where that would take longer than `at`, nothing is done and it says so.
    """
    if rows.shape[1] < _NARROW or not len(places):
        return False
    order, places = _in_order(places)
    starts = np.flatnonzero(np.concatenate(([True], places[1:] != places[:-1])))
    counts = np.diff(starts, append=len(places))
    left = len(starts) - np.cumsum(np.bincount(counts))  # places with more than k
    turns = int(np.count_nonzero(left >= _ALONE))
    if turns * _TURN > len(places) * rows.shape[1]:
        return False
    starts = starts[np.argsort(-counts, kind="stable")]  # those with most come first
    own = places[starts]
    totals = rows[own]
    for k, m in enumerate(left[:turns].tolist()):
        some = totals[:m]
        ufunc(some, values(order[starts[:m] + k]), out=some)
    ends = np.searchsorted(places, own[:_ALONE], "right")
    for total, start, end in zip(totals, starts + turns, ends, strict=False):
        if start < end:
            rest = np.concatenate((total[None], values(order[start:end])))
            ufunc.reduce(rest, 0, None, total)
    rows[own] = totals
    return True


def _in_order(places: Array) -> tuple[Array, Array]:
    """What sorts the places, stably, and them, sorted."""
    bits = len(places).bit_length()
    if int(places.max()) >> (62 - bits):
        order = np.argsort(places, kind="stable")
        return order, places[order]
    # sorting numbers is far quicker than sorting by them
    both = (places << bits) | np.arange(len(places))
    both.sort()
    return both & ((1 << bits) - 1), both >> bits
