"""O33: gradients from eight threads at once."""

import sys
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest

import trivet as tv
from trivet_autodiff import grad

THREADS = 8


@pytest.fixture(autouse=True)
def quick_switches():
    """Threads take turns as often as Python lets them."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


def at_once(act):
    """What `act(k)` gives in thread k, all threads starting together."""
    start = Barrier(THREADS)

    def run(k):
        start.wait(timeout=30)
        return act(k)

    with ThreadPoolExecutor(THREADS) as pool:
        return list(pool.map(run, range(THREADS), timeout=30))


def test_o33_threads_with_graphs_of_their_own_do_not_mix(recording):
    def wrong(k):
        x = (tv.arange(100.0, backend=recording) + k).require_grad()
        expected = [2 * (i + k) for i in range(100)]
        found = [(x**2).sum().backward()[x].tolist() for _ in range(200)]
        return [slope for slope in found if slope != expected]

    assert at_once(wrong) == [[]] * THREADS


def test_o33_transforms_in_threads_do_not_mix(unrecorded):
    def wrong(k):
        x = tv.arange(100.0, backend=unrecorded) + k
        expected = [2 * (i + k) for i in range(100)]
        slope = grad(lambda x: (x**2).sum())
        return [found for _ in range(200) if (found := slope(x).tolist()) != expected]

    assert at_once(wrong) == [[]] * THREADS


def test_o33_threads_that_share_a_leaf_get_each_its_own_gradient(recording):
    s = tv.ones(10).require_grad()

    found = at_once(lambda k: (s * (k + 1)).sum().backward()[s].tolist())

    assert found == [[k + 1.0] * 10 for k in range(THREADS)]
