"""What `graph` tells of a recorded function."""

import pytest

import trivet as tv
from trivet_autodiff import graph
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
