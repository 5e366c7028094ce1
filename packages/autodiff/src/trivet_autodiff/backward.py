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
    add = inner.add
    cotangents = {root[0]: cotangent}
    if root[0] > 0:
        return _cast(inner, {root[0]: root}, cotangents)
    heap = [root]
    leaves: dict[int, Node] = {}
    take = cotangents.pop
    while heap:
        node = heappop(heap)
        g = take(node[0])
        for at in range(1, len(node), 3):
            parent, vjp = node[at], node[at + 1]
            part = g if vjp is None else vjp(g, node[at + 2])
            number = parent[0]
            if number in cotangents:
                cotangents[number] = add(cotangents[number], part)
                continue
            cotangents[number] = part
            if number < 0:
                heappush(heap, parent)
            else:
                leaves[number] = parent
    return _cast(inner, leaves, cotangents)


def _cast(
    inner: Backend[Any], leaves: dict[int, Node], cotangents: dict[int, Any]
) -> dict[int, Any]:
    """Gradients in the dtypes of their variables: wider partners widen cotangents."""
    for number, (_, dtype) in leaves.items():
        if inner.dtype(cotangents[number]) != dtype:
            cotangents[number] = inner.astype(cotangents[number], dtype=dtype)
    return cotangents
