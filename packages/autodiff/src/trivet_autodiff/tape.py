"""What is recorded: tracked values, nodes, and the functions that make them.

A tracked handle is a `Var`: the inner handle, its node, and its shape. An untracked
handle is the inner backend's own, so constants cost nothing. Each `Autodiff` has a
`Var` class of its own: with backends nested, `x.__class__ is Var` tells the levels
apart, and so no perturbation is confused with another.

A node is a plain tuple, for speed and so that long chains are freed without
recursion:

    (number, parent, vjp, saved[, parent, vjp, saved ...])   made by an op
    (number, dtype)                                          of a variable
    Joint, Out                                               of a region, see `Joint`

Numbers count down from -1, the newest is the smallest; variables count up from 1. A
`vjp(g, saved)` takes the cotangent of the op's result to that of the parent; `None`
in its place passes `g` on.

`recorders` makes the functions that compute and record.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import count
from operator import getitem
from typing import Any, NamedTuple

__all__ = [
    "IN1",
    "IN2",
    "NOTHING",
    "OUT",
    "Binary",
    "Joint",
    "Node",
    "Out",
    "Pull",
    "Var",
    "flat",
    "is_tracked_among",
    "joined",
    "new_leaf",
    "new_number",
    "parents_of",
    "value_of",
]

Node = tuple[Any, ...]
Pull = Callable[[Any, Any], Any] | None
Binary = tuple[tuple[Pull, str], tuple[Pull, str]]

NOTHING, IN1, IN2, OUT = "nothing", "x1", "x2", "out"
_MANY = (list, tuple)
_number = new_number = count(-1, -1).__next__
_leaf_number = count(1).__next__


class Var:
    """A tracked handle of one `Autodiff`; derived once for each of them."""

    __slots__ = ("__weakref__", "node", "shape", "value")
    value: Any
    node: Node
    shape: tuple[int, ...]

    @property
    def dtype(self) -> Any:
        """The inner handle's own dtype object, by which `Backend.floats` is keyed."""
        return self.value.dtype


class Joint(NamedTuple):
    """The node of a computation with several results, such as a region or custom op.

    `pull` takes the cotangents of the results by their places, as far as there are any,
    and for each parent the sum so far, or `None`. It gives the new sums, or `None`.
    """

    number: int
    parents: tuple[Node, ...]
    pull: Callable[[Mapping[int, Any], Sequence[Any]], Sequence[Any]]


class Out(NamedTuple):
    """The node of one of its results."""

    number: int
    joint: Joint
    place: int


def new_leaf(kind: type[Var], value: Any, dtype: Any) -> Var:
    """A variable: its node has no parents."""
    leaf = kind()
    leaf.value = value
    leaf.shape = tuple(value.shape)
    leaf.node = (_leaf_number(), dtype)
    return leaf


def parents_of(node: Node) -> Sequence[Node]:
    """The nodes that get a cotangent from `node`."""
    if isinstance(node, Out):
        return (node.joint,)
    return node.parents if isinstance(node, Joint) else node[1::3]


def joined(nodes: Iterable[Node]) -> Node:
    """One node above several results: its cotangent is the tuple of theirs."""
    parts: list[Any] = []
    for place, node in enumerate(nodes):
        parts += (node, getitem, place)
    return (_number(), *parts)


def flat(arrays: Sequence[Any]) -> Sequence[Any]:
    """The arguments with the members of sequences in their place."""
    for array in arrays:
        if array.__class__ in _MANY:
            break
    else:  # the commonest, and quick
        return arrays
    found: list[Any] = []
    for array in arrays:
        if array.__class__ in _MANY:
            found += array
        else:
            found.append(array)
    return found


def is_tracked_among(kind: type[Any], arrays: Sequence[Any]) -> bool:
    """Whether an argument, or a member of one, is tracked at this level."""
    for array in arrays:
        own = array.__class__
        if own is kind:
            return True
        if own in _MANY and any(x.__class__ is kind for x in array):
            return True
    return False


def value_of(kind: type[Any], array: Any) -> Any:
    """The inner handle of an argument; of a sequence, of each member."""
    own = array.__class__
    if own is kind:
        return array.value
    if own in _MANY:
        return [value_of(kind, member) for member in array]
    return array
