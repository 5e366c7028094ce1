"""The backward pass: from a result's node to the cotangents of its variables.

Nodes are taken from a heap by number, newest first, so every node comes after all
that use it: no recursion, and no walk to find the graph beforehand. The graph is left
as it is and can be differentiated again.
"""

from heapq import heappop, heappush
from typing import Any

from trivet.contract import Backend
from trivet_autodiff.tape import Node

__all__ = ["pull_back"]


def pull_back(inner: Backend[Any], root: Node, cotangent: Any) -> dict[int, Any]:
    """The cotangents of all variables that `root` depends on, by their numbers.

    The first cotangent of a node is kept as it is, further ones are added into new
    arrays: what a vjp returned may be shared and is never written to.
    """
    if root[0] > 0:
        return _cast(inner, {root[0]: root}, {root[0]: cotangent})
    add = inner.add
    cotangents: dict[int, Any] = {}  # of nodes that wait in the heap, and of variables
    leaves: dict[int, Node] = {}
    heap: list[Node] = []
    node, g = root, cotangent
    while True:
        if len(node) == 4:
            _, parent, vjp, saved = node
        elif len(node) == 7:
            _, parent, vjp, saved, second, vjp2, saved2 = node
            part = g if vjp2 is None else vjp2(g, saved2)
            number = second[0]
            if number in cotangents:
                cotangents[number] = add(cotangents[number], part)
            else:
                cotangents[number] = part
                if number < 0:
                    heappush(heap, second)
                else:
                    leaves[number] = second
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
                if number < 0:
                    heappush(heap, second)
                else:
                    leaves[number] = second
        part = g if vjp is None else vjp(g, saved)
        number = parent[0]
        if number in cotangents:
            cotangents[number] = add(cotangents[number], part)
        elif number > 0:
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
            return _cast(inner, leaves, cotangents)
        node = heappop(heap)
        g = cotangents.pop(node[0])


def _cast(
    inner: Backend[Any], leaves: dict[int, Node], cotangents: dict[int, Any]
) -> dict[int, Any]:
    """Gradients in the dtypes of their variables: wider partners widen cotangents."""
    for number, (_, dtype) in leaves.items():
        if inner.dtype(cotangents[number]) != dtype:
            cotangents[number] = inner.astype(cotangents[number], dtype=dtype)
    return cotangents
