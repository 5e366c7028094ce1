"""`graph`: what a function records, as text and as pictures, with what it costs."""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from trivet.contract import Backend
from trivet.dtypes import DType
from trivet.errors import GradientError
from trivet_autodiff.tape import Var
from trivet_autodiff.transforms import vjp
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

    A region of `checkpoint` and a custom function are left out, since they keep nodes
    of their own kind. Raises `GradientError` if nothing was recorded.

    >>> import trivet as tv
    >>> recorded = graph(lambda x, w: (x * w).sum(), tv.ones(3), tv.ones(3))
    >>> [step.op for step in recorded.steps], recorded.saved
    (['multiply', 'sum'], 24)
    """
    collector = _Collector()
    with watching(collector):
        _, pullback = vjp(function, *primals)
    if not collector.graph.steps:
        raise GradientError(
            "graph: the function recorded nothing: its result does not depend on its "
            "arguments."
        )
    del pullback  # it kept the saved arrays alive until they were counted
    return collector.graph


class _Collector:
    """Notes each op as it is recorded. A composite op is known by its parts."""

    def __init__(self) -> None:
        self.graph = Graph()
        self._variables: dict[int, int] = {}
        self._steps: dict[int, int] = {}
        self._arrays: dict[int, Any] = {}  # alive, so that no other gets its id

    def made(self, op: str, level: Backend[Any], arrays: Any, result: Any) -> Any:
        if not isinstance(result, Var) or type(result.node) is not tuple:
            return result
        number, *parts = result.node
        if number > 0 or number in self._steps:
            return result
        self.graph.steps.append(
            Step(
                self._renumbered(number),
                op,
                result.shape,
                level.dtype(result),
                tuple(self._renumbered(parent[0]) for parent in parts[::3]),
                sum(self._bytes(level, saved) for saved in parts[2::3]),
                place_of_call(),
            )
        )
        return result

    def _renumbered(self, number: int) -> int:
        """From 1 for variables and from -1 for steps, in this graph."""
        if number > 0:
            return self._variables.setdefault(number, len(self._variables) + 1)
        return self._steps.setdefault(number, -len(self._steps) - 1)

    def _bytes(self, level: Backend[Any], saved: Any) -> int:
        if isinstance(saved, tuple | list):
            return sum(self._bytes(level, part) for part in saved)
        if not hasattr(saved, "shape") or id(saved) in self._arrays:
            return 0
        self._arrays[id(saved)] = saved
        return level.size(saved) * level.dtype(saved).itemsize
