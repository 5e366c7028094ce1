"""Custom ops on backends that differentiate: through a rule, or through the body."""

import math

import pytest

import trivet as tv
from trivet.contract import OPS, custom_op
from trivet.dtypes import REAL_FLOATING
from trivet.errors import UntrackedError
from trivet_autodiff import (
    Autodiff,
    checkpoint,
    detect_anomaly,
    grad,
    graph,
    jvp,
)
from trivet_autodiff.rules import RULES
from trivet_autodiff.rules.registry import rule


@pytest.fixture
def declare():
    """Declares ops, and rules, for the time of a test."""
    ops, rules = dict(OPS), dict(RULES)
    yield custom_op
    for known, before in ((OPS, ops), (RULES, rules)):
        for name in known.keys() - before.keys():
            del known[name]


def declared(declare, name, *, constant=""):
    """cap * tanh(x / cap), as a custom op."""

    def body(backend, x, /, *, cap):
        return backend.multiply(backend.tanh(backend.divide(x, cap)), cap)

    body.__name__ = body.__qualname__ = name
    return declare(REAL_FLOATING, constant=constant)(body)


def ruled(name, calls):
    """A rule that counts its vjps."""

    @rule(name)
    def declared_rule(b):
        def pull(g, saved):
            out, cap = saved
            calls.append(name)
            slope = b.subtract(1, b.square(b.divide(out, cap)))
            return b.multiply(g, slope)

        def record(out, x, *, cap):
            return ((pull, (out, cap)),)

        return record


def slopes(op, backend):
    """Value and derivatives to the third order, at 0.5 with a cap of 2."""
    x = tv.asarray(0.5, dtype=tv.float64, backend=backend)
    function, found = lambda x: op(x, cap=2.0), []
    for _ in range(4):
        found.append(function(x).item())
        function = grad(function)
    return found


def expected():
    """The same of 2 tanh(x / 2)."""
    t = math.tanh(0.25)
    s = 1 - t * t
    return [2 * t, s, -t * s, (3 * t * t - 1) * s / 2]


def test_op_without_a_rule_is_differentiated_through_its_body(backend, declare):
    op = declared(declare, "limited_by_body")

    assert slopes(op, backend) == pytest.approx(expected())


def test_op_with_a_rule_is_differentiated_by_it(backend, declare):
    calls = []
    op = declared(declare, "limited_by_rule")
    ruled("limited_by_rule", calls)

    assert slopes(op, backend) == pytest.approx(expected())
    assert calls


def test_op_is_followed_forward_too(backend, declare):
    x = tv.asarray(0.5, dtype=tv.float64, backend=backend)
    ops = [declared(declare, f"limited_forward_{i}") for i in range(2)]
    ruled("limited_forward_1", [])

    for op in ops:
        value, slope = jvp(lambda x, op=op: op(x, cap=2.0), (x,), (x,))
        assert [value.item(), slope.item() * 2] == pytest.approx(expected()[:2])


def test_kernel_of_the_inner_backend_runs_where_there_is_a_rule(backend, declare):
    class Quick(type(backend)):
        ran = 0

        def limited_natively(self, x, /, *, cap):
            type(self).ran += 1
            return self.multiply(self.tanh(self.divide(x, cap)), cap)

    op = declared(declare, "limited_natively")
    ruled("limited_natively", [])
    x = tv.asarray([0.5], dtype=tv.float64, backend=Autodiff(Quick())).require_grad()

    slope = op(x, cap=2.0).sum().backward()[x]

    assert slope.tolist() == pytest.approx([expected()[1]])
    assert Quick.ran == 1


def test_op_is_computed_again_in_a_region(backend, declare):
    op = declared(declare, "limited_again")

    assert slopes(checkpoint(op), backend) == pytest.approx(expected())


def test_op_without_derivative_is_a_constant(ad, declare):
    op = declared(declare, "limited_constant", constant="by decree")
    x = tv.asarray(0.5, dtype=tv.float64, backend=ad).require_grad()

    with pytest.raises(UntrackedError):
        op(x, cap=2.0).backward()


def test_op_that_is_declared_while_somebody_watches_is_seen_and_stays(backend, declare):
    ad = tv.backend(f"autodiff({backend.name})")
    x = tv.asarray([0.5], dtype=tv.float64, backend=ad).require_grad()
    calls = []

    with detect_anomaly():
        op = declared(declare, "late_with_rule")
        ruled("late_with_rule", calls)
        recorded = graph(lambda x: op(x, cap=2.0), x.inner())

    again = graph(lambda x: op(x, cap=2.0), x.inner())
    assert [step.op for step in recorded.steps] == ["late_with_rule"]
    assert [step.op for step in again.steps] == ["late_with_rule"]
    assert op(x, cap=2.0).backward()[x].item() == pytest.approx(
        1 - math.tanh(0.25) ** 2, rel=1e-14
    )


def test_op_that_is_declared_again_while_somebody_watches_is_the_new_one(
    backend, declare
):
    ad = tv.backend(f"autodiff({backend.name})")
    x = tv.asarray(1.0, dtype=tv.float64, backend=ad)

    def of(number):
        @declare(REAL_FLOATING)
        def declared_twice(backend, x, /):
            return backend.multiply(x, number)

        return declared_twice

    assert of(2.0)(x).item() == 2.0
    with detect_anomaly():
        again = of(3.0)
    unused = again(x).item()
    with detect_anomaly():
        last = of(4.0)
        inside = last(x).item()

    assert (unused, inside, last(x).item()) == (3.0, 4.0, 4.0)
