"""`gradients_as_ready`: gradients handed out while the backward pass still runs.

For training on several machines: the gradients of the last layers can be summed over
the network while those of the first are still being computed.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from trivet import Tensor
from trivet.errors import UntrackedError
from trivet.recording import checked_cotangent
from trivet_autodiff.backend import Autodiff
from trivet_autodiff.backward import cotangents_of
from trivet_autodiff.complexes import cast, conjugate
from trivet_autodiff.peel import level_of
from trivet_autodiff.tape import Node, joined, parents_of

__all__ = ["gradients_as_ready"]


def gradients_as_ready(
    y: Tensor[Any], variables: Sequence[Tensor[Any]], cotangent: Any = None
) -> Iterator[tuple[int, Tensor[Any]]]:
    """Pairs of a variable's place and its gradient, each as soon as it is final.

    `y` is tracked, and a scalar unless there is a `cotangent` of its shape. The
    backward pass goes on when the next pair is asked for. A variable that `y` does not
    depend on is left out. Raises `UntrackedError` where `y` is not tracked or one of
    `variables` is none of its backend, and `CotangentError` as `backward` does.

    >>> import trivet as tv
    >>> ad = tv.backend("autodiff(ndarray)")
    >>> first, last = (tv.ones(2, backend=ad).require_grad() for _ in range(2))
    >>> y = (tv.exp(first) * last).sum()
    >>> [place for place, gradient in gradients_as_ready(y, [first, last])]
    [1, 0]
    """
    level = level_of(y)
    if not isinstance(level, Autodiff):
        raise UntrackedError(
            "gradients_as_ready: the tensor depends on no variable. Compute it from "
            "what .require_grad() returned."
        )
    places: dict[int, list[int]] = {}
    for place, variable in enumerate(variables):
        places.setdefault(_number(level, place, variable), []).append(place)
    given = checked_cotangent(Tensor.from_handle(y.handle, level), cotangent)
    weight = level.first_cotangent(y.handle.value, given)
    return _stream(level, y.handle.node, weight, places)


def _number(level: Autodiff[Any], place: int, x: Any) -> int:
    handle: Any = getattr(x, "handle", None)
    number: int = handle.node[0] if level.is_tracked(handle) else 0
    if number > 0:
        return number
    raise UntrackedError(
        f"gradients_as_ready: variable {place} is none of {level.name}. Pass what "
        ".require_grad() returned."
    )


def _stream(
    level: Autodiff[Any], root: Node, weight: Any, places: Mapping[int, list[int]]
) -> Iterator[tuple[int, Tensor[Any]]]:
    """Run the backward pass down to one last use after another."""
    inner = level.inner
    nodes: dict[int, Node] = {root[0]: root}
    cotangents: dict[int, Any] = {root[0]: weight}
    for last, variable in sorted(
        (last, number) for number, last in _last_uses(root).items()
    ):
        newer = [number for number in nodes if number <= min(last, -1)]
        if newer:
            start = joined([nodes.pop(number) for number in newer])
            weights = tuple(cotangents.pop(number) for number in newer)
            cotangents = cotangents_of(
                inner, start, weights, nodes, last + 1, cotangents
            )
        if variable in places:
            gradient = cotangents.pop(variable)
            dtype = nodes.pop(variable)[1]
            gradient = conjugate(inner, cast(inner, gradient, dtype))
            for place in places[variable]:
                yield place, Tensor.from_handle(gradient, inner)


def _last_uses(root: Node) -> dict[int, int]:
    """For each variable the oldest node that uses it: the last in a backward pass."""
    last: dict[int, int] = {}
    seen, stack = {root[0]}, [root]
    if root[0] > 0:
        return {root[0]: root[0]}
    while stack:
        node = stack.pop()
        for parent in parents_of(node):
            number = parent[0]
            if number > 0:
                last[number] = max(node[0], last.get(number, node[0]))
            elif number not in seen:
                seen.add(number)
                stack.append(parent)
    return last
