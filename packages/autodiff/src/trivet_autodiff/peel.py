"""A call of a custom function, apart from the level that tracks its arguments.

`custom` runs the function on the level below, and has the results tracked again here:
recorded, or paired with tangents.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

import trivet as tv
from trivet import Device, DType, Tensor
from trivet.contract import Backend, Decorator, contains
from trivet.dtypes import FLOATING
from trivet.errors import CotangentError, GradientError
from trivet_autodiff.complexes import cast
from trivet_autodiff.dual import stray
from trivet_autodiff.level import Level
from trivet_autodiff.tape import Joint, Out, new_number
from trivet_autodiff.tree import flatten, held, shown
from trivet_autodiff.watch import notice

__all__ = ["Blank", "Call", "duals", "fitted", "level_of", "recorded", "tensors_in"]


@dataclass(frozen=True, slots=True)
class Blank:
    """What is remembered of a tensor that is not saved."""

    shape: tuple[int, ...]
    dtype: DType
    device: Device

    @classmethod
    def of(cls, x: Tensor[Any]) -> "Blank":
        """What remains of `x`."""
        return cls(x.shape, x.dtype, x.device)

    @property
    def flows(self) -> bool:
        """Whether such a tensor has derivatives."""
        return self.dtype.kind in FLOATING

    def zeros(self, backend: Backend[Any]) -> Tensor[Any]:
        """Zeros like it."""
        return tv.zeros(
            self.shape, dtype=self.dtype, device=self.device, backend=backend
        )


class Call:
    """The arguments of a call, and `level`, the outermost that tracks one of them.

    `leaves` are the arguments' own; `below` has them on the level below, of which there
    is another one that tracks some if the call `is_nested`.
    """

    def __init__(self, args: tuple[Any, ...], statics: dict[str, Any]) -> None:
        self.statics = statics
        parts = [flatten(arg) for arg in args]
        self.leaves = held([x for found, _ in parts for x in found])
        self.structures = [(structure, len(found)) for found, structure in parts]
        self.level = _outermost(map(level_of, self.leaves))
        self.below = [_lowered(x, self.level) for x in self.leaves]
        self.is_nested = any(map(level_of, self.below))

    @property
    def args(self) -> tuple[Any, ...]:
        """The arguments on the level below."""
        return self.nested(self.below)

    def nested(self, leaves: Iterable[Any]) -> tuple[Any, ...]:
        """Something for each leaf, nested as the arguments are."""
        rest = iter(leaves)
        return tuple(
            structure.unflatten(list(islice(rest, count)))
            for structure, count in self.structures
        )

    @property
    def tracked(self) -> list[bool]:
        """Which of the leaves the level tracks."""
        return [level_of(x) is self.level for x in self.leaves]

    @property
    def blanks(self) -> list[Blank | None]:
        """What the tracked leaves are like; `None` for the others."""
        return [
            Blank.of(x) if own else None
            for x, own in zip(self.leaves, self.tracked, strict=True)
        ]

    def lifted(self, x: Any) -> Any:
        """A result on the backend on which the arguments meet."""
        if not isinstance(x, Tensor):
            return x
        top: Backend[Any] = self.level
        for leaf in self.leaves:
            if isinstance(leaf, Tensor) and contains(leaf.backend, top):
                top = leaf.backend
        return Tensor.from_handle(x.handle, top)


def level_of(x: Any) -> Any:
    """The outermost level that tracks a leaf; `None` if there is none."""
    backend = x.backend if isinstance(x, Tensor) else None
    while isinstance(backend, Decorator):
        if isinstance(backend, Level) and backend.is_tracked(x.handle):
            return backend
        backend = backend.inner
    return None


def _outermost(levels: Iterable[Any]) -> Any:
    found = None
    for level in levels:
        if level is not None and (found is None or contains(level, found)):
            found = level
    return found


def _lowered(x: Any, level: Any) -> Any:
    if level is None or not isinstance(x, Tensor) or not contains(x.backend, level):
        return x
    return Tensor.from_handle(level.detach(x.handle), level.inner)


def tensors_in(name: str, result: Any, level: Any) -> tuple[list[Tensor[Any]], Any]:
    """The tensors of a function's result, and its structure.

    Raises `GradientError` for what is no tensor, or is tracked already.
    """
    found, structure = flatten(result)
    for x in found:
        if not isinstance(x, Tensor):
            raise GradientError(
                f"{name}: it returned a {type(x).__name__}, not a tensor. Return "
                "tensors, alone or in containers."
            )
        if level.is_tracked(x.handle):
            raise GradientError(
                f"{name}: its result depends on a tracked tensor that is not an "
                "argument. Pass it by position, or call .detach() on it."
            )
    return found, structure


def recorded(
    name: str,
    level: Any,
    outs: Sequence[Tensor[Any]],
    leaves: Sequence[Any],
    back: Callable[[Mapping[int, Any]], Sequence[Any]],
) -> list[Tensor[Any]]:
    """The results with one node for all of them.

    `back` takes cotangents by places of results, and gives one to each tracked leaf.
    """
    add = level.inner.add
    nodes = [x.handle.node for x in leaves if level_of(x) is level]
    parents = {node[0]: node for node in nodes}
    numbers = [node[0] for node in nodes]  # one leaf may stand in several places

    def pull(weights: Mapping[int, Any], before: Sequence[Any]) -> list[Any]:
        sums = dict(zip(parents, before, strict=True))
        for number, part in zip(numbers, back(weights), strict=True):
            if part is not None:
                total = sums[number]
                sums[number] = part if total is None else add(total, part)
        return list(sums.values())

    joint = Joint(new_number(), tuple(parents.values()), pull)
    given = [x.handle if isinstance(x, Tensor) else x for x in leaves]
    tracked = []
    for place, x in enumerate(outs):
        if not Blank.of(x).flows:
            tracked.append(x)
            continue
        handle = level.attached(x.handle, Out(new_number(), joint, place))
        handle = notice(name, level, given, handle)
        tracked.append(Tensor.from_handle(handle, level))
    return tracked


def duals(
    name: str, call: Call, outs: Sequence[Tensor[Any]], tangents: Sequence[Any]
) -> list[Tensor[Any]]:
    """The results with their tangents; one whose tangent is `None` as it is.

    Raises `GradientError` where the arguments move in different directions.
    """
    level = call.level
    marks = {
        id(x.handle.mark): x.handle.mark for x in call.leaves if level_of(x) is level
    }
    if len(marks) > 1:
        raise stray()
    (mark,) = marks.values()
    given = [x.handle if isinstance(x, Tensor) else x for x in call.leaves]
    moving = []
    for x, tangent in zip(outs, tangents, strict=True):
        if tangent is None:
            moving.append(x)
            continue
        dual = notice(name, level, given, level.dual(x.handle, tangent, mark))
        moving.append(Tensor.from_handle(dual, level))
    return moving


def fitted(
    name: str,
    backend: Backend[Any],
    given: Any,
    structure: Any,
    blanks: Sequence[Blank | None],
) -> list[Any]:
    """What a rule gives, as a handle for each leaf that has a blank, and else `None`.

    Raises `CotangentError` where it is nested otherwise or does not fit a leaf.
    """
    found, own = flatten(given)
    if own != structure:
        wanted = shown(structure.unflatten([0] * len(blanks)))
        raise CotangentError(
            f"{name}: its rule returned what is nested as {shown(given)}, and it "
            f"belongs to {wanted}. They must be the same."
        )
    return [
        None if blank is None else _fit(name, backend, x, blank)
        for x, blank in zip(found, blanks, strict=True)
    ]


def _fit(name: str, backend: Backend[Any], x: Any, blank: Blank) -> Any:
    if not isinstance(x, Tensor):
        raise CotangentError(
            f"{name}: its rule returned a {type(x).__name__}, not a tensor."
        )
    if not contains(backend, x.backend):
        raise CotangentError(
            f"{name}: its rule returned a tensor on {x.backend.name}, and it works on "
            f"{backend.name}. Compute with the tensors that the rule is given."
        )
    if x.shape != blank.shape:
        raise CotangentError(
            f"{name}: its rule returned a tensor of shape {x.shape}, and it belongs to "
            f"one of shape {blank.shape}. They must be the same."
        )
    return cast(x.backend, x.handle, blank.dtype)
