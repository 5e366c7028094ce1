"""`Recording`: one run of a function with some of its arguments as variables.

`vjp`, `grad` and what builds on them run the function once and pull cotangents back as
often as they need.
"""

from collections.abc import Callable, Sequence
from typing import Any

from trivet import Tensor
from trivet.contract import Backend
from trivet.dtypes import FLOATING, Kind
from trivet.errors import CotangentError
from trivet_autodiff.backend import Autodiff
from trivet_autodiff.backward import pull_back
from trivet_autodiff.complexes import is_complex
from trivet_autodiff.run import (
    called,
    fitted,
    floating,
    inner,
    placed,
    require_distinct,
    results_of,
)
from trivet_autodiff.tape import Node, joined
from trivet_autodiff.tree import flatten

__all__ = ["Recording"]


class Recording:
    """The results of a function and the graph below them.

    `variables` are the leaves of the arguments at `places`, whose dtypes are of certain
    `kinds`; `structures` tell how each of these arguments is made of them. `results`
    are the leaves of what the function returned, and `structure` how it is made of
    those.
    """

    def __init__(
        self,
        what: str,
        function: Callable[..., Any],
        args: Sequence[Any],
        keywords: dict[str, Any],
        places: Sequence[int],
        base: Backend[Any],
        kinds: frozenset[Kind] = FLOATING,
        *,
        checkpoint: str | int = "none",
    ) -> None:
        self.what, self.base, self.kinds = what, base, kinds
        self.backend = Autodiff(base, checkpoint=checkpoint)
        self.variables: list[Tensor[Any]] = []
        self.structures: list[Any] = []
        arguments = list(args)
        if len(places) > 1:
            require_distinct(what, places, len(args))
        for at in places:
            arguments[at] = self._variable(args, at)
        self.returned = called(self.backend, function, arguments, keywords)

    def _variable(self, args: Sequence[Any], at: int) -> Any:
        found, structure = flatten(placed(self.what, args, at))
        self.structures.append(structure)
        place = f"argument {at}"
        own = [
            floating(self.what, place, x, self.base, self.kinds)
            .to_backend(self.backend)
            .require_grad()
            for x in found
        ]
        self.variables += own
        return structure.unflatten(own)

    def take(self, result: Any) -> None:
        """Note what is to be differentiated: what the function returned, or a part."""
        self.results, self.structure = results_of(self.what, result, self.base)

    def values(self) -> list[Tensor[Any]]:
        """The results, constants for this level."""
        return [inner(x, self.backend) for x in self.results]

    def pull(self, cotangents: Sequence[Any]) -> list[Tensor[Any]]:
        """What the variables get from one cotangent for each result.

        `None` stands for ones if there is no other, and else for zeros.
        """
        return self._pulled(*self._starts(cotangents))

    def finish(self, cotangents: Sequence[Any]) -> list[Tensor[Any]]:
        """`pull` for the last time: the graph is freed on the way."""
        nodes, weights = self._starts(cotangents)
        del self.results, self.returned
        return self._pulled(nodes, weights)

    def _starts(self, cotangents: Sequence[Any]) -> tuple[list[Node], list[Any]]:
        nodes, weights, alone = [], [], len(cotangents) == 1
        for x, cotangent in zip(self.results, cotangents, strict=True):
            weight = None
            if cotangent is not None:
                own = Tensor.from_handle(self.backend.detach(x.handle), self.base)
                weight = fitted(self.what, "cotangent", CotangentError, own, cotangent)
            tracked = x.backend is self.backend and self.backend.is_tracked(x.handle)
            if tracked and (alone or cotangent is not None):
                nodes.append(x.handle.node)
                weights.append(self._weight(x, weight))
        return nodes, weights

    def _pulled(self, nodes: list[Node], weights: list[Any]) -> list[Tensor[Any]]:
        found: dict[int, Any] = {}
        if nodes:
            root = [joined(nodes)]
            nodes.clear()  # with its last reference, a node frees what it saved
            found = pull_back(self.base, root.pop(), tuple(weights))
        return [self._gradient(v, found) for v in self.variables]

    def _weight(self, x: Tensor[Any], cotangent: Any) -> Any:
        value = x.handle.value
        if cotangent is None and not is_complex(self.base, value):
            return self.base.filled_like(value, 1, x.shape)
        if cotangent is None:
            raise CotangentError(
                f"{self.what}: the function returned a tensor of dtype {x.dtype}, and "
                "only a real one grows or shrinks. Take .real or abs, or use vjp with "
                "a cotangent."
            )
        return self.backend.weight(value, cotangent)

    def _gradient(self, variable: Tensor[Any], found: dict[int, Any]) -> Tensor[Any]:
        number = variable.handle.node[0]
        if number in found:
            return Tensor.from_handle(found[number], self.base)
        zeros = self.base.filled_like(variable.handle.value, 0, variable.shape)
        return Tensor.from_handle(zeros, self.base)

    def shaped(self, gradients: Sequence[Any]) -> tuple[Any, ...]:
        """One thing for each variable as one for each argument, nested as that is."""
        found, rest = [], list(gradients)
        for structure in self.structures:
            count = structure.num_leaves
            found.append(structure.unflatten(rest[:count]))
            rest = rest[count:]
        return tuple(found)
