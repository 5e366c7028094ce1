"""What `graph` tells of a recorded function."""

import pytest

import trivet as tv
from trivet_autodiff import checkpoint, custom_vjp, grad, graph, on_gradient
from trivet_autodiff.watch import watching


@pytest.fixture
def recorded(backend):
    x = tv.ones((2, 3), dtype=tv.float64, backend=backend)
    w = tv.ones((3, 4), dtype=tv.float64, backend=backend)
    return graph(lambda x, w: tv.tanh(x @ w).sum(), x, w)


def test_graph_lists_the_ops_in_order_with_shapes_and_parents(recorded):
    assert [s.op for s in recorded.steps] == ["matmul", "tanh", "sum"]
    assert [s.shape for s in recorded.steps] == [(2, 4), (2, 4), ()]
    assert [s.parents for s in recorded.steps] == [(1, 2), (-1,), (-2,)]
    assert {s.dtype for s in recorded.steps} == {tv.float64}
    assert recorded.variables() == [1, 2]


def test_graph_counts_saved_bytes_once(recorded):
    # matmul keeps both operands: (6 + 12) * 8; tanh its result: 8 * 8; sum nothing
    assert [s.saved for s in recorded.steps] == [144, 64, 0]
    assert recorded.saved == 208


def test_array_that_two_steps_keep_is_counted_once(backend):
    x = tv.ones(5, dtype=tv.float64, backend=backend)

    twice = graph(lambda x: (tv.sin(x) + tv.cos(x)).sum(), x)

    assert twice.saved == 5 * 8


def test_graph_names_the_line_of_the_program(recorded):
    assert all("test_graphs.py:" in step.place for step in recorded.steps)


def test_text_and_pictures_hold_every_step(recorded):
    text, mermaid, dot = recorded.text(), recorded.mermaid(), recorded.dot()

    assert text.splitlines()[1].startswith("t2 = tanh(t1)  float64(2, 4)  saves 64 B")
    assert "    x2 --> t1" in mermaid.splitlines()
    assert '    t3["sum float64() 0 B"]' in mermaid.splitlines()
    assert "  t2 -> t3" in dot.splitlines()
    assert dot.startswith("digraph {")
    assert dot.endswith("}")


def test_memory_report_sorts_ops_by_what_they_keep(recorded):
    lines = [line.split() for line in recorded.memory_report().splitlines()]

    assert lines[1:] == [
        ["matmul", "1", "144"],
        ["tanh", "1", "64"],
        ["sum", "1", "0"],
        ["all", "3", "208"],
    ]


def test_graph_of_a_constant_function_is_refused(backend):
    x = tv.ones(2, backend=backend)

    with pytest.raises(tv.errors.GradientError) as raised:
        graph(lambda x: tv.zeros(1, backend=backend).sum(), x)

    assert str(raised.value) == (
        "graph: the function recorded nothing: its result does not depend on its "
        "arguments."
    )


def test_svg_says_what_is_missing_without_graphviz(recorded, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "graphviz", None)

    with pytest.raises(ImportError, match="pip install graphviz"):
        recorded.svg()


def test_ops_are_what_they_were_after_watching(backend):
    ad = tv.backend(f"autodiff({backend.name})")
    before = {name: getattr(ad, name) for name in ("add", "exp", "sum")}

    class Nothing:
        def made(self, op, level, arrays, result):
            return result

    with watching(Nothing()):
        during = {name: getattr(ad, name) for name in before}

    assert {name: getattr(ad, name) for name in before} == before
    assert all(during[name] is not before[name] for name in before)


def network(wrap):
    def block(x):
        return tv.tanh(tv.exp(x) * x)

    return lambda x: wrap(block)(wrap(block)(x)).sum()


def test_region_is_one_step_and_what_is_dropped_is_not_counted(backend):
    x = tv.ones(5, dtype=tv.float64, backend=backend)

    whole, lean = graph(network(lambda f: f), x), graph(network(checkpoint), x)

    assert whole.saved == 5 * 8 * 5  # x, and the results of exp and tanh, twice
    assert lean.saved == 0
    assert [s.op for s in lean.steps] == ["checkpoint", "checkpoint", "sum"]
    assert [s.parents for s in lean.steps] == [(1,), (-1,), (-2,)]
    assert [s.shape for s in lean.steps] == [(5,), (5,), ()]


def test_hooks_and_custom_functions_are_steps(backend):
    @custom_vjp
    def doubled(x):
        return x * 2.0

    doubled.defvjp(lambda x: (doubled(x), None), lambda saved, g: (g * 2.0,))
    x = tv.ones(2, dtype=tv.float64, backend=backend)

    found = graph(lambda x: on_gradient(doubled(x), print).sum(), x)

    assert [s.op for s in found.steps] == ["doubled", "on_gradient", "sum"]
    assert [s.parents for s in found.steps] == [(1,), (-1,), (-2,)]


def test_op_with_several_results_is_a_step_for_each_that_is_used(backend):
    x = tv.ones((3, 2), dtype=tv.float64, backend=backend)

    def f(x):
        q, r = tv.linalg.qr(x)
        return q.sum() + r.sum()

    steps = graph(f, x).steps

    assert [s.op for s in steps] == ["qr", "qr", "sum", "sum", "add"]
    assert [s.shape for s in steps[:2]] == [(3, 2), (2, 2)]
    assert {s.parents for s in steps[:2]} == {(1,)}


def test_steps_that_lead_nowhere_are_left_out(backend):
    x = tv.ones(2, dtype=tv.float64, backend=backend)

    def f(x):
        tv.exp(x)
        slope = grad(lambda y: (y * x * y).sum())(x)  # 2 x * x, by the level below
        return slope.sum()

    found = graph(f, x)

    assert "exp" not in [s.op for s in found.steps]
    known = {*found.variables(), *(s.number for s in found.steps)}
    assert {p for s in found.steps for p in s.parents} <= known
