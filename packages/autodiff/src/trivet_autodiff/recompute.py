"""`Keeper`: which saved values an `Autodiff` keeps, and how others are found again.

Each tracked value gets a `Cell`, which knows the op and the operands that it came from.
What a rule saves is then a cell instead of a value. The keeper leaves the value in some
of them; in the backward pass the others are computed from the nearest that have one,
and kept until all that want them have had them.
"""

import math
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import count
from threading import RLock
from typing import Any
from weakref import ref

from trivet.contract import Backend, Op
from trivet_autodiff.tape import Joint, Node, Out, Var

__all__ = ["Cell", "Cells", "Keeper"]

# Families of ops that take about as long as writing their result.
CHEAP = frozenset(
    {
        *("data", "comparison", "elementwise", "trigonometric", "bitwise", "shape"),
        *("creation", "indexing", "reduction", "nn", "activation", "normalization"),
        *("rearrangement", "pooling", "loss", "norms"),
    }
)
_SHORT = 6  # to compute so many twice saves next to nothing
_number = count().__next__


class Cell:
    """A value that can be computed again, and for how many rules it is saved."""

    __slots__ = (
        "__weakref__",
        "costly",
        "function",
        "left",
        "number",
        "operands",
        "source",
        "statics",
        "uses",
        "value",
    )

    def __init__(
        self,
        function: Callable[..., Any],
        operands: list[Any],
        statics: dict[str, Any],
        *,
        costly: bool,
    ) -> None:
        self.function, self.operands, self.statics = function, operands, statics
        # whether a costly op would run to compute it again
        self.costly: bool = costly or any(parent.costly for parent in self.parents())
        self.number = _number()
        self.value: Any = None  # kept, or computed again
        self.uses = 0  # how many rules save it
        self.left = 0  # of those, how many wait for a value that was computed again
        self.source: Callable[[], Var | None] = lambda: None

    def at_hand(self) -> Any:
        """The value if it is anywhere; else `None`."""
        if self.value is not None:
            return self.value
        var = self.source()
        return None if var is None else var.value

    def parents(self) -> Iterator["Cell"]:
        """The cells among the operands."""
        for operand in self.operands:
            parts = operand if isinstance(operand, list) else [operand]
            yield from (part for part in parts if isinstance(part, Cell))


class Cells(Var):
    """A tracked handle with its cell."""

    __slots__ = ("cell",)
    cell: Cell


class Keeper:
    """Decides what is kept: at most `budget` bytes, or what is best in general.

    What is saved is kept at every `stride`-th place. Where that is too much, every
    second of the kept values is let go and the stride doubles: so they stay evenly
    spread, whatever is still to come. Without a budget, too much is more than about the
    square root of the number, and what takes a costly op to compute is kept besides.
    """

    def __init__(self, inner: Backend[Any], budget: int | None) -> None:
        self.inner, self.budget = inner, budget
        self._lock = RLock()
        self._start()

    def _start(self) -> None:
        self.stride, self.place, self.total = 1, 0, 0
        self.kept: list[ref[Cell]] = []

    def thrifty(
        self,
        op: Op,
        kind: type[Any],
        function: Callable[..., Any],
        recorded: Callable[..., Any],
    ) -> Callable[..., Any]:
        """The recording form of an op, with cells for what it saves."""
        costly = op.family not in CHEAP

        def thrifty(*arrays: Any, **statics: Any) -> Any:
            out = recorded(*arrays, **statics)
            if out.__class__ is kind and not any(out is x for x in arrays):
                known: dict[int, Cell] = {}
                operands = [_operand(kind, x, known) for x in arrays]
                cell = Cell(function, operands, statics, costly=costly)
                cell.source = ref(out)
                out.cell = known[id(out.value)] = cell
                out.node = self._packed(out.node, known)
            return out

        return thrifty

    def _packed(self, node: Node, known: dict[int, Cell]) -> Node:
        """The node with cells in place of values, and rules that fetch these."""
        if isinstance(node, Joint | Out):
            return node
        parts = list(node)
        for at in range(1, len(parts), 3):
            vjp, saved = parts[at + 1 : at + 3]
            cells: list[Cell] = []
            packed = _pack(saved, known, cells)
            if cells:
                parts[at + 1 : at + 3] = self._fetching, (vjp, packed)
                for cell in cells:
                    self._save(cell)
        return tuple(parts)

    def _fetching(self, g: Any, packed: tuple[Any, Any]) -> Any:
        vjp, saved = packed
        return vjp(g, self._fetch(saved))

    def _fetch(self, saved: Any) -> Any:
        if isinstance(saved, Cell):
            return _value(saved)
        return tuple(map(self._fetch, saved)) if type(saved) is tuple else saved

    # ---- what is kept ---------------------------------------------------------------

    def _save(self, cell: Cell) -> None:
        with self._lock:
            cell.uses += 1
            if cell.uses > 1:
                return
            if cell.costly and self.budget is None:
                cell.value, cell.costly = cell.at_hand(), False
                return
            if self.kept and self.kept[0]() is None:  # the graph before is gone
                self._prune()
            self.place += 1
            if self.place % self.stride:
                return
            cell.value = cell.at_hand()
            self.kept.append(ref(cell))
            self.total += self._size(cell.value)
            if self._is_full():
                self._prune()
                while self.kept and self._is_full():
                    self._thin()

    def _is_full(self) -> bool:
        if self.budget is None:
            return len(self.kept) > 2 * self.stride + 2
        return self.total > self.budget

    def _prune(self) -> None:
        """Forget what is gone; with all gone, start anew."""
        cells = [cell for cell in (one() for one in self.kept) if cell is not None]
        if not cells:
            self._start()
        self.kept = [ref(cell) for cell in cells]
        self.total = sum(self._size(cell.value) for cell in cells)

    def _thin(self) -> None:
        """Let every second go."""
        self.stride *= 2
        for one in self.kept[::2]:
            cell = one()
            if cell is not None:
                self.total -= self._size(cell.value)
                cell.value = None
        del self.kept[::2]

    def _size(self, value: Any) -> int:
        shape: tuple[int, ...] = value.shape
        return math.prod(shape) * self.inner.dtype(value).bits // 8


def _value(cell: Cell) -> Any:
    """The value for one of the rules that save it."""
    value = cell.at_hand()
    if value is None:
        value = _computed(cell)
    if cell.left:
        cell.left -= 1
        if not cell.left:
            cell.value = None
    return value


def _computed(wanted: Cell) -> Any:
    """The value, from what is at hand. What is saved on the way stays for its rules.

    Of a long way only a part stays, evenly spread and next to the value: the rest is
    computed once more from that. So a budget that keeps next to nothing costs twice the
    time, and not the memory of keeping all.
    """
    values: dict[Cell, Any] = {}
    missing: set[Cell] = set()
    readers: Counter[Cell] = Counter([wanted])
    waiting = [wanted]
    while waiting:
        cell = waiting.pop()
        if cell in missing:
            continue
        missing.add(cell)
        for parent in cell.parents():
            readers[parent] += 1
            value = parent.at_hand()
            if value is None:
                waiting.append(parent)
            else:
                values[parent] = value
    way = sorted(missing, key=lambda cell: cell.number)  # oldest first
    staying = _staying([cell for cell in way if cell.uses])
    for cell in way:
        given = [_given(operand, values) for operand in cell.operands]
        values[cell] = cell.function(*given, **cell.statics)
        if cell in staying:
            cell.value, cell.left = values[cell], cell.uses
        for parent in cell.parents():
            readers[parent] -= 1
            if not readers[parent]:
                values.pop(parent, None)
        del given
    return values[wanted]


def _staying(saved: list[Cell]) -> set[Cell]:
    """Which of the cells stay; what comes next in the backward pass is at the end."""
    stride = math.isqrt(len(saved))
    if stride <= _SHORT:
        return set(saved)
    return {*saved[::stride], *saved[-stride:]}


def _operand(kind: type[Any], x: Any, known: dict[int, Cell]) -> Any:
    """An operand's cell, or the inner handle of one that has none."""
    if isinstance(x, list | tuple):
        return [_operand(kind, part, known) for part in x]
    if x.__class__ is not kind:
        return x
    cell = getattr(x, "cell", None)
    if cell is None:  # a variable, or made by something that is not computed again
        return x.value
    known[id(x.value)] = cell
    return cell


def _pack(saved: Any, known: dict[int, Cell], cells: list[Cell]) -> Any:
    if type(saved) is tuple:
        return tuple(_pack(part, known, cells) for part in saved)
    cell = known.get(id(saved))
    if cell is None:
        return saved
    cells.append(cell)
    return cell


def _given(operand: Any, values: dict[Cell, Any]) -> Any:
    if isinstance(operand, list):
        return [_given(part, values) for part in operand]
    return values[operand] if isinstance(operand, Cell) else operand
