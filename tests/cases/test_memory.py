"""O32: leaves and graphs that never see a backward pass, without the collector."""

import gc
import tracemalloc
import weakref
from contextlib import suppress

import pytest

import trivet as tv
from trivet import DType
from trivet_autodiff import grad
from trivet_autodiff.tape import Var

TIMES = 10_000
KEPT = 100  # the payloads that are watched


@pytest.fixture
def uncollected():
    """Python's collector of cycles is off: what goes, goes by its references."""
    gc.collect()
    gc.disable()
    yield
    gc.enable()


def records():
    """How many tracked handles and nodes of graphs there are."""
    return sum(map(is_record, gc.get_objects()))


def is_record(thing):
    # by type: some proxies of other libraries warn when asked for their __class__
    if issubclass(type(thing), Var):
        return True
    if type(thing) is not tuple or len(thing) < 2 or type(thing[0]) is not int:
        return False
    return isinstance(thing[1], DType) or type(thing[1]) is tuple


def growth(loop):
    """What the loop leaves once caches are warm: records, and bytes."""
    loop(KEPT)
    before = records()
    tracemalloc.start()
    try:
        first, _ = tracemalloc.get_traced_memory()
        loop(TIMES)
        last, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    return records() - before, last - first


def test_o32_a_record_is_seen_while_its_tensor_lives(recording, uncollected):
    before = records()

    held = tv.ones(100).require_grad() * 2 + 1

    assert records() > before
    del held
    assert records() == before


def test_o32_leaves_that_are_dropped_leave_nothing(recording, uncollected):
    payloads = []

    def leaf():
        a = tv.ones(100).require_grad()
        b = a * 2 + 1
        assert recording.is_tracked(b.handle)
        return weakref.ref(a.handle)

    def loop(times):
        payloads[:] = [leaf() for _ in range(KEPT)]
        for _ in range(times - KEPT):
            leaf()

    live, size = growth(loop)

    assert live == 0
    assert size < 1_000_000
    assert len(payloads) == KEPT
    assert [ref for ref in payloads if ref() is not None] == []


def test_o32_exceptions_inside_the_function_leave_nothing(recording, uncollected):
    payloads = []

    def failing(a):
        payloads.append(weakref.ref(a.handle))
        del payloads[:-KEPT]
        (a * 2 + 1).sum()
        raise ValueError("inside")

    def loop(times):
        for _ in range(times):
            with suppress(ValueError):
                grad(failing)(tv.ones(100))

    live, size = growth(loop)

    assert live == 0
    assert size < 1_000_000
    assert len(payloads) == KEPT
    assert [ref for ref in payloads if ref() is not None] == []
