"""`graph`: what a function records, as text and as pictures, with what it costs."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from trivet.contract import Backend
from trivet.dtypes import DType
from trivet.errors import GradientError
from trivet_autodiff.peel import level_of
from trivet_autodiff.recording import Recording
from trivet_autodiff.run import base_of
from trivet_autodiff.tape import Node, Var, parents_of
from trivet_autodiff.watch import place_of_call, watching

__all__ = ["Graph", "Step", "graph"]


@dataclass(frozen=True, slots=True)
class Step:
    """One op that was recorded.

    `saved` is what only this step keeps for the backward pass, in bytes: an array that
    several steps keep is counted with the first.
    """

    number: int
    op: str
    shape: tuple[int, ...]
    dtype: DType
    parents: tuple[int, ...]
    saved: int
    place: str


@dataclass(slots=True)
class Graph:
    """The steps of a computation in the order in which they were recorded.

    Variables have positive numbers, steps negative ones.

    >>> import trivet as tv
    >>> recorded = graph(lambda x: (x * x).sum(), tv.ones(3))
    >>> recorded.saved
    12
    >>> recorded.variables()
    [1]
    >>> print(recorded.text())
    t1 = multiply(x1, x1)  float32(3,)  saves 12 B  ...
    t2 = sum(t1)  float32()  saves 0 B  ...
    >>> print(recorded.dot())
    digraph {
      x1 [shape=ellipse]
      ...
    """

    steps: list[Step] = field(default_factory=list)

    @property
    def saved(self) -> int:
        """All that is kept for the backward pass, in bytes."""
        return sum(step.saved for step in self.steps)

    def variables(self) -> list[int]:
        """The numbers of the variables that steps depend on."""
        return sorted({n for step in self.steps for n in step.parents if n > 0})

    def text(self) -> str:
        """A line for each step."""
        return "\n".join(
            f"{_name(step.number)} = {step.op}({', '.join(map(_name, step.parents))})"
            f"  {step.dtype}{step.shape}  saves {step.saved} B  {step.place}"
            for step in self.steps
        )

    def memory_report(self) -> str:
        """For each op how often it was recorded, and how many bytes it keeps.

        >>> import trivet as tv
        >>> recorded = graph(lambda x: (x * x).sum(), tv.ones(3))
        >>> print(recorded.memory_report())
        op                     times    saved bytes
        multiply                   1             12
        sum                        1              0
        all                        2             12
        """
        counts, saved = Counter[str](), Counter[str]()
        for step in self.steps:
            counts[step.op] += 1
            saved[step.op] += step.saved
        lines = [f"{'op':20} {'times':>7} {'saved bytes':>14}"]
        lines += [f"{op:20} {counts[op]:7} {n:14}" for op, n in saved.most_common()]
        return "\n".join([*lines, f"{'all':20} {len(self.steps):7} {self.saved:14}"])

    def mermaid(self) -> str:
        """A flowchart in the language of Mermaid.

        >>> import trivet as tv
        >>> recorded = graph(lambda x: (x * x).sum(), tv.ones(3))
        >>> print(recorded.mermaid())
        flowchart TD
            x1([x1])
            t1["multiply float32(3,) 12 B"]
            t2["sum float32() 0 B"]
            x1 --> t1
            x1 --> t1
            t1 --> t2
        """
        nodes = [f"    {_name(n)}([{_name(n)}])" for n in self.variables()]
        nodes += [
            f'    {_name(s.number)}["{s.op} {s.dtype}{s.shape} {s.saved} B"]'
            for s in self.steps
        ]
        edges = [f"    {_name(a)} --> {_name(b)}" for a, b in self._edges()]
        return "\n".join(["flowchart TD", *nodes, *edges])

    def dot(self) -> str:
        """The graph in the language of Graphviz."""
        nodes = [f"  {_name(n)} [shape=ellipse]" for n in self.variables()]
        nodes += [
            f'  {_name(s.number)} [shape=box, label="{s.op}\\n{s.dtype}{s.shape}\\n'
            f'{s.saved} B"]'
            for s in self.steps
        ]
        edges = [f"  {_name(a)} -> {_name(b)}" for a, b in self._edges()]
        return "\n".join(["digraph {", *nodes, *edges, "}"])

    def svg(self) -> str:
        """The picture as SVG, drawn by Graphviz.

        Raises `ImportError` where the package `graphviz` is missing.
        """
        try:
            import graphviz
        except ImportError as error:
            raise ImportError(
                "svg: the package graphviz is missing. Install Graphviz itself, and "
                "pip install graphviz. Or paste .mermaid() or .dot() into a viewer."
            ) from error
        return str(graphviz.Source(self.dot()).pipe(format="svg", encoding="utf-8"))

    def _edges(self) -> Iterator[tuple[int, int]]:
        for step in self.steps:
            for parent in step.parents:
                yield parent, step.number


def _name(number: int) -> str:
    return f"x{number}" if number > 0 else f"t{-number}"


def graph(function: Callable[..., Any], *primals: Any) -> Graph:
    """What `function` records when it is differentiated at `primals`.

    Those are the steps that lead to its result. A region of `checkpoint` and a custom
    function count as one step for each result; what they keep of their own is not
    counted. Raises `GradientError` if nothing was recorded.

    >>> import trivet as tv
    >>> recorded = graph(lambda x, w: (x * w).sum(), tv.ones(3), tv.ones(3))
    >>> [step.op for step in recorded.steps], recorded.saved
    (['multiply', 'sum'], 24)
    """
    collector = _Collector()
    with watching(collector):
        places = range(len(primals))
        run = Recording("graph", function, primals, {}, places, base_of(*primals))
    run.take(run.returned)
    tracked = [x.handle for x in run.results if level_of(x) is run.backend]
    recorded = _Walk(run.backend, collector.made_by).graph(x.node for x in tracked)
    if not recorded.steps:
        raise GradientError(
            "graph: the function recorded nothing: its result does not depend on its "
            "arguments."
        )
    return recorded


@dataclass(frozen=True, slots=True)
class _Origin:
    """How a node came to be; the node itself is not kept alive."""

    op: str
    shape: tuple[int, ...]
    dtype: DType
    place: str


class _Collector:
    """Notes where each node comes from. A composite op is known by its parts."""

    def __init__(self) -> None:
        self.made_by: dict[int, _Origin] = {}

    def made(self, op: str, level: Backend[Any], arrays: Any, result: Any) -> Any:
        if isinstance(result, Var) and result.node[0] < 0:
            origin = _Origin(op, result.shape, level.dtype(result), place_of_call())
            self.made_by.setdefault(result.node[0], origin)
        return result


class _Walk:
    """Makes the graph below some nodes, with numbers of its own."""

    def __init__(self, level: Backend[Any], made_by: Mapping[int, _Origin]) -> None:
        self.level, self.made_by = level, made_by
        self._variables: dict[int, int] = {}
        self._steps: dict[int, int] = {}
        self._counted: set[int] = set()  # arrays by their ids; the nodes keep them

    def graph(self, roots: Iterable[Node]) -> Graph:
        """The steps in the order in which they were recorded."""
        found: dict[int, Node] = {}
        waiting = list(roots)
        while waiting:
            node = waiting.pop()
            if node[0] < 0 and node[0] not in found:
                found[node[0]] = node
                waiting += self._parents(node)
        newest_last = sorted(found.items(), reverse=True)
        return Graph([self._step(n, x) for n, x in newest_last if n in self.made_by])

    def _parents(self, node: Node) -> Iterator[Node]:
        """Those that are known: variables, and what watchers were told of."""
        for parent in parents_of(node):
            if parent[0] > 0 or parent[0] in self.made_by:
                yield parent
            else:
                yield from self._parents(parent)

    def _step(self, number: int, node: Node) -> Step:
        origin = self.made_by[number]
        saved = node[3::3] if type(node) is tuple else ()
        parents = [self._renumbered(parent[0]) for parent in self._parents(node)]
        return Step(
            self._renumbered(number),
            origin.op,
            origin.shape,
            origin.dtype,
            tuple(parents),
            sum(map(self._bytes, saved)),
            origin.place,
        )

    def _renumbered(self, number: int) -> int:
        """From 1 for variables and from -1 for steps, in this graph."""
        if number > 0:
            return self._variables.setdefault(number, len(self._variables) + 1)
        return self._steps.setdefault(number, -len(self._steps) - 1)

    def _bytes(self, saved: Any) -> int:
        if isinstance(saved, tuple | list):
            return sum(map(self._bytes, saved))
        if not hasattr(saved, "shape") or id(saved) in self._counted:
            return 0
        self._counted.add(id(saved))
        return self.level.size(saved) * self.level.dtype(saved).itemsize
