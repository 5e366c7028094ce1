"""Nested containers: what arguments and results of transforms may be made of.

Tuples, lists and dictionaries always work, and `None` is an empty container. With
optree installed (`pip install "trivet-autodiff[containers]"`) so do named tuples, and
classes that are registered there in the namespace `"trivet"` or in the global one.
Everything else is a leaf.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache
from types import ModuleType
from typing import Any, ClassVar

from trivet import Tensor
from trivet.errors import GradientError

__all__ = ["flatten", "held", "leaves", "mapped", "shown"]


def flatten(tree: Any) -> tuple[list[Any], Any]:
    """The leaves, and the structure: `structure.unflatten(leaves)` is the tree again.

    Structures compare equal if their containers and keys are the same. Raises
    `GradientError` for a container that only optree knows, where it is missing.

    >>> leaves, structure = flatten({"w": 1.0, "b": (2.0, 3.0)})
    >>> leaves
    [2.0, 3.0, 1.0]
    >>> structure.unflatten([20.0, 30.0, 10.0])
    {'w': 10.0, 'b': (20.0, 30.0)}
    """
    if tree.__class__ in _LEAVES:  # the commonest, and quick
        return [tree], _LEAF
    optree = _optree()
    if optree:
        found, structure = optree.tree_flatten(tree, namespace="trivet")
        alone = len(found) == 1 and found[0] is tree
        return found, _LEAF if alone else structure
    found = []
    return found, _walked(tree, found)


def leaves(tree: Any) -> list[Any]:
    """The leaves of a tree.

    >>> leaves([1.0, (2.0, None)])
    [1.0, 2.0]
    """
    return flatten(tree)[0]


def mapped(function: Callable[[Any], Any], tree: Any) -> Any:
    """The tree with a function of each leaf in its place.

    >>> mapped(abs, {"a": -1.0})
    {'a': 1.0}
    """
    found, structure = flatten(tree)
    return structure.unflatten([function(leaf) for leaf in found])


def held(tree: Any) -> Any:
    """The tree with tensors of its own: later writes into the others do not reach it.

    >>> import trivet as tv
    >>> x = tv.asarray([1.0])
    >>> kept = held([x])
    >>> x[0] = 2.0
    >>> kept[0].tolist()
    [1.0]
    """
    try:
        return mapped(_apart, tree)
    except GradientError:  # a container that only optree takes apart
        return tree


def _apart(leaf: Any) -> Any:
    if isinstance(leaf, Tensor):
        return Tensor.from_handle(leaf.handle, leaf.backend)
    return leaf


def shown(tree: Any) -> str:
    """How a tree is nested, with a star for each leaf.

    >>> shown({"w": 1.0, "b": (2.0, 3.0)})
    "{'w': *, 'b': (*, *)}"
    """
    return repr(mapped(lambda leaf: _STAR, tree))


class _Star:
    def __repr__(self) -> str:
        return "*"


_STAR = _Star()


@cache
def _optree() -> ModuleType | None:
    try:
        import optree
    except ImportError:
        return None
    return optree


@dataclass(frozen=True, slots=True)
class _Leaf:
    num_leaves: ClassVar[int] = 1

    def unflatten(self, found: Iterable[Any]) -> Any:
        (leaf,) = found
        return leaf

    def take(self, found: Iterator[Any]) -> Any:
        return next(found)


_LEAF = _Leaf()
_LEAVES = (Tensor, int, float)


@dataclass(frozen=True, slots=True)
class _Node:
    """A container: keys in one order for all, and in that of its own dictionary."""

    kind: type
    parts: tuple[Any, ...]
    keys: tuple[Any, ...] = ()
    order: tuple[Any, ...] = field(default=(), compare=False)

    @property
    def num_leaves(self) -> int:
        return sum(part.num_leaves for part in self.parts)

    def unflatten(self, found: Iterable[Any]) -> Any:
        return self.take(iter(found))

    def take(self, found: Iterator[Any]) -> Any:
        parts = [part.take(found) for part in self.parts]
        if self.kind is dict:
            by_key = dict(zip(self.keys, parts, strict=True))
            return {key: by_key[key] for key in self.order}
        return None if self.kind is type(None) else self.kind(parts)


def _walked(tree: Any, found: list[Any]) -> _Leaf | _Node:
    kind = type(tree)
    if kind is dict:
        keys = _ordered(tree)
        parts = tuple(_walked(tree[key], found) for key in keys)
        return _Node(kind, parts, keys, tuple(tree))
    if kind in (tuple, list):
        return _Node(kind, tuple(_walked(part, found) for part in tree))
    if tree is None:
        return _Node(kind, ())
    if isinstance(tree, tuple | list | dict):
        raise GradientError(
            f"a {kind.__name__} is a container that optree takes apart, and optree is "
            'not installed: pip install "trivet-autodiff[containers]". Tuples, lists '
            "and dictionaries need nothing more."
        )
    found.append(tree)
    return _LEAF


def _ordered(keys: Iterable[Any]) -> tuple[Any, ...]:
    try:
        return tuple(sorted(keys))
    except TypeError:  # keys of several types: by type, then as they are written
        return tuple(sorted(keys, key=lambda key: (type(key).__name__, repr(key))))
