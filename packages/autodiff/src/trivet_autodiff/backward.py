"""The backward pass: from a result's node to the cotangents of its variables.

Nodes are taken from a heap by number, newest first, so every node comes after all
that use it: no recursion, and no walk to find the graph beforehand. The graph is left
as it is and can be differentiated again. What nobody else refers to is freed on the
way: of a temporary's graph, each node with all that it saved.
"""

from collections.abc import Mapping
from heapq import heappop, heappush
from typing import Any

from trivet.contract import Backend
from trivet.dtypes import COMPLEX
from trivet_autodiff.complexes import cast
from trivet_autodiff.tape import Joint, Node, Out

__all__ = ["cotangents_of", "pull_back"]


def pull_back(
    inner: Backend[Any], root: Node, cotangent: Any, *, transposed: bool = False
) -> dict[int, Any]:
    """The gradients of all variables that `root` depends on, by their numbers.

    Those of complex variables are conjugated, unless the graph is only `transposed`.
    """
    roots = [root]
    del root
    leaves: dict[int, Node] = {}
    cotangents = cotangents_of(inner, roots.pop(), cotangent, leaves, 0)
    for number, (_, dtype) in leaves.items():
        # wider partners widen cotangents
        if inner.dtype(cotangents[number]) != dtype:
            cotangents[number] = cast(inner, cotangents[number], dtype)
        if dtype.kind in COMPLEX and not transposed:
            cotangents[number] = inner.conj(cotangents[number])
    return cotangents


def cotangents_of(
    inner: Backend[Any],
    root: Node,
    cotangent: Any,
    leaves: dict[int, Node],
    end: int,
    before: Mapping[int, Any] | None = None,
) -> dict[int, Any]:
    """The cotangents of the nodes that `root` depends on and that are older than `end`.

    Those count as variables, and go into `leaves`; the numbers of true ones are above
    0. Cotangents that they have `before` are added to. The first cotangent of a node is
    kept as it is, because what a vjp returned may be shared. The second is added into a
    new array, further ones into that.
    """
    if root[0] >= end:
        leaves[root[0]] = root
        return {root[0]: cotangent}
    add, accumulate = inner.add, inner.accumulate
    # of nodes that wait in the heap, and of variables
    cotangents: dict[int, Any] = {} if before is None else dict(before)
    sums: set[int] = set()  # whose cotangent is an array of this pass alone
    heap: list[Node] = []
    node, g = root, cotangent
    del root, cotangent  # so that they can be freed
    while True:
        if len(node) == 4:
            _, parent, vjp, saved = node
        elif len(node) == 7:
            _, parent, vjp, saved, second, vjp2, saved2 = node
            part = g if vjp2 is None else vjp2(g, saved2)
            number = second[0]
            if number in cotangents:
                if number in sums:
                    try:
                        cotangents[number] = accumulate(cotangents[number], part)
                    except TypeError:  # a complex part does not fit into a real sum
                        cotangents[number] = add(cotangents[number], part)
                else:
                    cotangents[number] = add(cotangents[number], part)
                    sums.add(number)
            else:
                cotangents[number] = part
                if number < end:
                    heappush(heap, second)
                else:
                    leaves[number] = second
            second = None  # or it would keep the graph below, when that is used up
        elif node.__class__ is Joint or node.__class__ is Out:
            parent = None  # as above
            for second in _pull_joint(node, g, cotangents):
                if second[0] < end:
                    heappush(heap, second)
                else:
                    leaves[second[0]] = second
            second = None
            sums.clear()  # what a joint node returned may be shared
            if not heap:
                return cotangents
            node = heappop(heap)
            g = cotangents.pop(node[0])
            continue
        else:
            _, parent, vjp, saved, *others = node
            for at in range(0, len(others), 3):
                second, vjp2, saved2 = others[at : at + 3]
                part = g if vjp2 is None else vjp2(g, saved2)
                number = second[0]
                if number in cotangents:
                    cotangents[number] = add(cotangents[number], part)
                    continue
                cotangents[number] = part
                if number < end:
                    heappush(heap, second)
                else:
                    leaves[number] = second
            second, others = None, []
        part = g if vjp is None else vjp(g, saved)
        number = parent[0]
        if number in cotangents:
            if number in sums:
                try:
                    cotangents[number] = accumulate(cotangents[number], part)
                except TypeError:  # as above
                    cotangents[number] = add(cotangents[number], part)
            else:
                cotangents[number] = add(cotangents[number], part)
                sums.add(number)
        elif number >= end:
            cotangents[number] = part
            leaves[number] = parent
        elif not heap or number < heap[0][0]:
            # nothing that waits is newer, so nothing can add to this cotangent
            node, g = parent, part
            continue
        else:
            cotangents[number] = part
            heappush(heap, parent)
        if not heap:
            return cotangents
        node = heappop(heap)
        g = cotangents.pop(node[0])


def _pull_joint(node: Joint | Out, g: Any, cotangents: dict[int, Any]) -> list[Node]:
    """Hand on the cotangent of one result, or those of all to the parents.

    Returns the nodes that get their first cotangent. A joint node is older than its
    results, so that they all come before it.
    """
    if isinstance(node, Out):
        joint = node.joint
        first = joint.number not in cotangents
        cotangents.setdefault(joint.number, {})[node.place] = g
        return [joint] if first else []
    numbers = [parent[0] for parent in node.parents]
    sums = node.pull(g, [cotangents.get(number) for number in numbers])
    found = {
        n: total for n, total in zip(numbers, sums, strict=True) if total is not None
    }
    new = [parent for parent in node.parents if parent[0] in found.keys() - cotangents]
    cotangents |= found
    return new
