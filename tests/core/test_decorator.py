"""Decorators: every op is forwarded, and what is overridden is not."""

import threading
from typing import ClassVar

import pytest
from counting import Counting
from trivet_example import Example

from trivet.contract import OPS, Backend, Decorator, Op, Recorder, contains, prepare
from trivet.dtypes import ANY, float64


class Plain(Decorator):
    """Adds nothing."""

    label = "plain"


class Doubling(Decorator):
    """Adds twice as much."""

    label = "doubling"

    def add(self, x1, x2, /):
        return self.inner.add(self.inner.add(x1, x2), x2)


@pytest.mark.parametrize("op", OPS)
def test_op_is_forwarded_to_what_the_inner_backend_has_for_it(backend, op):
    assert getattr(Plain(backend), op) == getattr(backend, op)


def test_forwarded_op_computes_with_the_inner_backend(backend, grid):
    x = grid([1.0, -2.0])

    assert Plain(backend).abs(x).data == [1.0, 2.0]


def test_op_that_is_added_later_is_forwarded_too(monkeypatch, grid):
    def later(self, x, /):
        return x

    monkeypatch.setattr(Backend, "later", later, raising=False)
    op = Op("later", "data", "derived", ANY, constant="integer result", function=later)
    monkeypatch.setitem(OPS, "later", op)
    x = grid([1.0])

    counting = Counting(Example())

    assert counting.later(x) is x
    assert counting.calls == {"later": 1}


def test_forwarded_derived_op_stays_within_the_inner_backend(grid):
    counting = Counting(Example())

    counting.softmax(grid([[1.0, 2.0]]), axis=1)

    assert counting.calls == {"softmax": 1}


def test_native_kernel_of_the_inner_backend_is_kept(grid):
    class Quick(Example):
        def softmax(self, x, /, *, axis):
            return x

    x = grid([1.0])

    assert Plain(Quick()).softmax(x, axis=0) is x


def test_decorator_states_only_the_op_that_it_changes(backend, grid):
    doubling = Doubling(backend)
    x, y = grid([1.0]), grid([10.0])

    assert doubling.add(x, y).data == [21.0]
    assert doubling.subtract(x, y).data == [-9.0]
    assert backend.add(x, y).data == [11.0]


def test_there_is_one_instance_per_class_and_inner_backend():
    inner, other = Example(), Example()

    assert Plain(inner) is Plain(inner)
    assert Plain(inner) is not Plain(other)
    assert Plain(inner) is not Counting(inner)


def test_asking_again_does_not_set_up_again(grid):
    inner = Example()
    counting = Counting(inner)
    counting.abs(grid([1.0]))

    assert Counting(inner).calls == {"abs": 1}


def test_many_threads_get_the_same_finished_instance():
    inner, found = Example(), []
    start = threading.Barrier(8)

    def ask():
        start.wait()
        found.append(Plain(inner))

    threads = [threading.Thread(target=ask) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert len(set(map(id, found))) == 1
    assert all("matmul" in vars(one) for one in found)


def test_decorators_nest_and_are_named_as_calls(backend, grid):
    outer = Doubling(Counting(backend))

    assert outer.name == "doubling(counting(example))"
    assert repr(outer) == "<backend doubling(counting(example))>"
    assert outer.add(grid([1.0]), grid([10.0])).data == [21.0]
    assert outer.inner.calls["add"] == 2


def test_contains_finds_a_backend_at_any_depth(backend):
    outer = Doubling(Counting(backend))

    assert contains(outer, outer)
    assert contains(outer, Counting(backend))
    assert contains(outer, backend)
    assert not contains(outer, Example())
    assert not contains(backend, outer)
    assert not contains(Counting(backend), outer)


def test_facts_are_those_of_the_inner_backend(backend, device):
    plain = Plain(backend)

    assert plain.devices() == backend.devices()
    assert plain.default_device == backend.default_device
    assert plain.dtypes(device) == backend.dtypes(device)
    assert plain.default_dtypes(device) == backend.default_dtypes(device)
    assert [plain.support(op) for op in OPS] == [backend.support(op) for op in OPS]


def test_memory_is_that_of_the_inner_backend(device):
    class Remembering(Example):
        waited: ClassVar[list] = []

        def memory_stats(self, device):
            return {"in_use": 3}

        def synchronize(self, device):
            self.waited.append(("synchronize", device))

        def free_unused_memory(self, device):
            self.waited.append(("free", device))

    plain = Plain(Remembering())

    plain.synchronize(device)
    plain.free_unused_memory(device)

    assert plain.memory_stats(device) == {"in_use": 3}
    assert Remembering.waited == [("synchronize", device), ("free", device)]


def test_wrapping_makes_the_inner_backend_ready(grid):
    inner = Example()

    Plain(inner)

    before = dict(vars(inner))
    prepare(inner)
    assert vars(inner) == before
    assert hasattr(inner.add, "__wrapped__")


def test_handle_of_the_inner_backend_is_one_of_the_decorator(backend, grid):
    plain, x = Plain(backend), grid([[1.0, 2.0]])

    assert plain.shape(x) == (1, 2)
    assert plain.size(x) == 2
    assert plain.dtype(x) == float64
    assert plain.is_floating(x)
    assert plain.filled_like(x, 7.0, (1,)).data == [7.0]


@pytest.mark.parametrize(
    "act",
    [
        lambda r, x: r.require_grad(x),
        lambda r, x: r.is_tracked(x),
        lambda r, x: r.detach(x),
        lambda r, x: r.backward(x, None),
    ],
)
def test_recorder_leaves_recording_to_its_author(backend, grid, act):
    class Bare(Recorder):
        label = "bare"

    with pytest.raises(NotImplementedError):
        act(Bare(backend), grid([1.0]))
