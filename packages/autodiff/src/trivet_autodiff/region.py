"""`checkpoint`: a region of a computation that is computed again when it is needed.

The region runs and is recorded as usual. Then its results get a node that stands for
the whole region, the record is dropped, and with it all that was saved. The backward
pass runs the region again and goes through the new record. So the function may use
tracked tensors that are not its arguments, and is differentiated to any order: the
backward pass is such a region itself for the levels below.
"""

import functools
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextvars import copy_context
from typing import Any

from trivet import Tensor, random
from trivet.contract import Decorator
from trivet.errors import GradientError
from trivet_autodiff.backend import Autodiff
from trivet_autodiff.backward import cotangents_of
from trivet_autodiff.dual import Dual, new_dual
from trivet_autodiff.peel import level_of
from trivet_autodiff.tape import Joint, Node, Out, Var, joined, new_number, parents_of
from trivet_autodiff.tree import flatten, held
from trivet_autodiff.watch import notice

__all__ = ["checkpoint"]


def checkpoint(function: Callable[..., Any]) -> Callable[..., Any]:
    """The function, computed again in the backward pass instead of saving values.

    What it saves is its arguments. Results and gradients are the same to the bit, and
    so are random numbers: a generator deals the same keys the second time. Regions
    nest. The function must compute the same when it is called again: on its arguments
    as they were, and so it must not depend on anything else that changes in between.
    Raises `GradientError` in the backward pass if
    it then uses other tracked tensors.

    >>> import trivet as tv
    >>> from trivet_autodiff import grad
    >>> block = checkpoint(lambda x: tv.tanh(tv.exp(x)))
    >>> grad(lambda x: block(x).sum())(tv.asarray([0.0])).tolist()
    [0.41997432708740234]
    """

    @functools.wraps(function)
    def checkpointed(*args: Any, **keywords: Any) -> Any:
        structure: Any = None
        kept = [held(arg) for arg in args], {k: held(v) for k, v in keywords.items()}

        def run() -> list[Any]:
            nonlocal structure
            found, structure = flatten(function(*args, **keywords))
            return found

        def again() -> list[Any]:
            own, named = kept  # the function may write into them again
            result = function(*map(held, own), **{k: held(v) for k, v in named.items()})
            return flatten(result)[0]

        found = recomputed(run, again)
        return structure.unflatten(found)

    return checkpointed


def recomputed(
    run: Callable[[], list[Any]], rerun: Callable[[], list[Any]]
) -> list[Any]:
    """What `run` gives, its tensors recorded as results of one node for each level.

    The nodes get it from `rerun`, in a copy of the context of the first time, in which
    the same keys of random numbers are dealt.
    """
    mark, context = new_number(), copy_context()
    with random.noted_keys() as keys:
        found = run()

    def again() -> list[Any]:
        with random.same_keys(keys):
            return rerun()

    nodes: dict[int, Node] = {}
    for level in _levels(found):
        inside = _inside(level, found, mark)
        if inside:
            region = _Region(level, lambda: context.copy().run(again), mark, inside)
            nodes |= region.outs()
    return [_result(x, nodes) if isinstance(x, Tensor) else x for x in found]


def _result(x: Tensor[Any], nodes: Mapping[int, Node]) -> Tensor[Any]:
    handle = _renewed(x.handle, nodes)
    level = level_of(Tensor.from_handle(handle, x.backend))
    if isinstance(level, Autodiff) and x.handle.node[0] in nodes:
        handle = notice("checkpoint", level, [x.handle], handle)
    return Tensor.from_handle(handle, x.backend)


class _Region:
    """What one level keeps of a region: how to run it, and what its results need."""

    def __init__(
        self,
        level: Autodiff[Any],
        again: Callable[[], list[Any]],
        mark: int,
        inside: Sequence[Node],
    ) -> None:
        self.level, self.again = level, again
        self.parents = tuple(_older(mark, inside))
        self.numbers = [node[0] for node in inside]

    def outs(self) -> dict[int, Node]:
        """The new nodes of the results, by the numbers of those that they replace."""
        joint = Joint(new_number(), self.parents, self.pull)
        return {
            number: Out(new_number(), joint, place)
            for place, number in enumerate(self.numbers)
        }

    def pull(self, slots: Mapping[int, Any], before: Sequence[Any]) -> list[Any]:
        """The cotangents of the parents. For the levels below, this is a region too."""

        def run() -> list[Any]:
            return [
                None if part is None else Tensor.from_handle(part, self.level.inner)
                for part in self._pulled(slots, before)
            ]

        return [part if part is None else part.handle for part in recomputed(run, run)]

    def _pulled(self, slots: Mapping[int, Any], before: Sequence[Any]) -> list[Any]:
        mark = new_number()
        inside = _inside(self.level, self.again(), mark)
        if len(inside) != len(self.numbers):
            raise _differs(f"{len(inside)} of its results are tracked", self.numbers)
        numbers = [node[0] for node in self.parents]
        sums = {n: g for n, g in zip(numbers, before, strict=True) if g is not None}
        roots = [joined(inside[place] for place in slots)]
        used: dict[int, Node] = {}
        del inside  # the new record is freed as it is used up
        found = cotangents_of(
            self.level.inner, roots.pop(), tuple(slots.values()), used, mark, sums
        )
        if not used.keys() <= set(numbers):
            raise _differs("other tracked tensors are used", [])
        return [found.get(number) for number in numbers]


def _differs(what: str, before: Sequence[int]) -> GradientError:
    count = f", not {len(before)}" if before else ""
    return GradientError(
        f"checkpoint: the function did something else when it ran again: {what}{count}."
        " Let it depend on its arguments alone, and create no variables in it."
    )


def _levels(found: Iterable[Any]) -> list[Autodiff[Any]]:
    """All levels of the tensors' backends that record."""
    levels: dict[int, Autodiff[Any]] = {}
    tensors = (x for x in found if isinstance(x, Tensor))
    waiting = list({id(x.backend): x.backend for x in tensors}.values())
    while waiting:
        backend = waiting.pop()
        if isinstance(backend, Autodiff):
            levels[id(backend)] = backend
        if isinstance(backend, Decorator):
            waiting.append(backend.inner)
    return list(levels.values())


def _inside(level: Autodiff[Any], found: Iterable[Any], mark: int) -> list[Node]:
    """The nodes of this level that were made since `mark`, each once, in order."""
    nodes = {
        record.node[0]: record.node
        for x in found
        if isinstance(x, Tensor)
        for record in _records(x.handle)
        if level.is_tracked(record) and record.node[0] < mark
    }
    return list(nodes.values())


def _records(handle: Any) -> Iterator[Var]:
    """The handle's own record and those below it."""
    if isinstance(handle, Dual):
        yield from _records(handle.tangent)
    elif isinstance(handle, Var):
        yield handle
    else:
        return
    yield from _records(handle.value)


def _renewed(handle: Any, nodes: Mapping[int, Node]) -> Any:
    """The handle with other nodes in place of those whose numbers are in `nodes`."""
    if isinstance(handle, Dual):
        return new_dual(
            type(handle),
            _renewed(handle.value, nodes),
            _renewed(handle.tangent, nodes),
            handle.mark,
        )
    if not isinstance(handle, Var):
        return handle
    new = type(handle)()
    new.value, new.shape = _renewed(handle.value, nodes), handle.shape
    new.node = nodes.get(handle.node[0], handle.node)
    return new


def _older(mark: int, nodes: Iterable[Node]) -> list[Node]:
    """The nearest nodes below `nodes` that are older than `mark`."""
    found: dict[int, Node] = {}
    seen: set[int] = set()
    waiting = list(nodes)
    while waiting:
        node = waiting.pop()
        number = node[0]
        if number >= mark:
            found[number] = node
        elif number not in seen:
            seen.add(number)
            waiting += parents_of(node)
    return list(found.values())
