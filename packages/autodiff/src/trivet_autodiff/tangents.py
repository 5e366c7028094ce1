"""Functions of functions, forward: `jvp`, and `linearize` for many directions."""

from collections.abc import Callable, Sequence
from typing import Any

import trivet as tv
from trivet import Tensor
from trivet.dtypes import FLOATING, Kind
from trivet.errors import TangentError
from trivet_autodiff.backend import Autodiff
from trivet_autodiff.backward import pull_back
from trivet_autodiff.complexes import conjugate
from trivet_autodiff.dual import cast_tangent
from trivet_autodiff.forward import Forward
from trivet_autodiff.mode import enable_grad
from trivet_autodiff.recording import Recording
from trivet_autodiff.run import (
    base_of,
    called,
    first,
    fitted,
    floating,
    inner,
    results_of,
)
from trivet_autodiff.tape import joined
from trivet_autodiff.tree import flatten, shown

__all__ = ["Linearization", "jvp", "linearize"]


def jvp(
    function: Callable[..., Any], primals: Sequence[Any], tangents: Sequence[Any]
) -> tuple[Any, Any]:
    """The value of `function`, and its derivative along a direction.

    `primals` are the arguments, and `tangents` one tangent for each, nested as that is,
    of its shape. Value and derivative are computed together, and nothing is recorded:
    memory does not grow with the number of ops. Numbers count as 0-d tensors.

    A complex primal moves along a complex tangent: the derivative is that of
    `function(z + t * tangent)` by a real t at 0, whether or not it is holomorphic.

    Raises `TangentError` for tangents that do not fit, and `GradientError` for a primal
    without derivatives, such as one of integers.

    >>> import trivet as tv
    >>> value, slope = jvp(lambda x, y: x * y, (2.0, 3.0), (1.0, 10.0))
    >>> value.item(), slope.item()
    (6.0, 23.0)
    >>> jvp(lambda z: z * tv.conj(z), (1 + 2j,), (1j,))[1].item()
    (4+0j)
    """
    found, structure = flatten(tuple(primals))
    directions = _matching("jvp", tuple(tangents), tuple(primals), structure)
    base = base_of(*primals, *tangents)
    level, mark = Forward(base), object()
    moving = [
        _moving(level, floating("jvp", "a primal", x, base), v, mark)
        for x, v in zip(found, directions, strict=True)
    ]
    returned = called(level, function, structure.unflatten(moving), {})
    results, nested = results_of("jvp", returned, base)
    value = nested.unflatten([inner(x, level) for x in results])
    return value, nested.unflatten([_tangent(level, x, mark) for x in results])


def _matching(what: str, tangents: Any, primals: Any, structure: Any) -> list[Any]:
    """The leaves of the tangents, which are nested as the primals."""
    found, own = flatten(tangents)
    if own == structure:
        return found
    raise TangentError(
        f"{what}: the tangents are nested as {shown(tangents)}, and the primals as "
        f"{shown(primals)}. They must be the same."
    )


def _moving(
    level: Forward[Any], x: Tensor[Any], tangent: Any, mark: object
) -> Tensor[Any]:
    own = x.to_backend(level).inner()
    along = fitted("jvp", "tangent", TangentError, own, tangent)
    return Tensor.from_handle(level.dual(own.handle, along, mark), level)


def _tangent(level: Forward[Any], x: Tensor[Any], mark: object) -> Tensor[Any]:
    if x.backend is not level:
        return tv.zeros_like(x)
    return Tensor.from_handle(level.tangent(x.handle, mark), level.inner)


def linearize(
    function: Callable[..., Any], *primals: Any
) -> tuple[Any, Callable[..., Any]]:
    """The value of `function`, and its linear part: a function of tangents.

    It gives what `jvp` gives, without running `function` again: for many directions at
    one point. It takes one tangent for each primal and can be called again.

    Raises `GradientError` and `TangentError` as `jvp` does.

    >>> import trivet as tv
    >>> value, push = linearize(lambda x: x * x, tv.asarray([1.0, 2.0]))
    >>> push(tv.asarray([1.0, 0.0])).tolist(), push(tv.asarray([0.0, 1.0])).tolist()
    ([2.0, 0.0], [0.0, 4.0])
    """
    _, structure = flatten(primals)
    line = Linearization("linearize", function, primals, {}, range(len(primals)))

    def push(*tangents: Any) -> Any:
        found = _matching("linearize", tangents, primals, structure)
        return line.structure.unflatten(line.push(found))

    return line.structure.unflatten(line.values), push


class Linearization:
    """The linear part of a function at one point: its pullback, recorded and turned.

    The pullback is linear in the cotangents. Recorded once, at zeros, it is pulled back
    itself: what the cotangents then get is the derivative along the directions. What
    goes into a pullback, and what comes out, is conjugated; that twice is nothing.
    """

    def __init__(
        self,
        what: str,
        function: Callable[..., Any],
        args: Sequence[Any],
        keywords: dict[str, Any],
        places: Sequence[int],
        kinds: frozenset[Kind] = FLOATING,
    ) -> None:
        self.what, self.base = what, base_of(*first(args, places), *keywords.values())
        self.level = Autodiff(self.base)
        run = Recording(what, function, args, keywords, places, self.level, kinds)
        run.take(run.returned)
        self.structure, self.shaped = run.structure, run.shaped
        self.values = [inner(x, self.level) for x in run.values()]
        self.cotangents = [self._zeros(x) for x in self.values]
        self.primals = [v.inner().inner() for v in run.variables]
        with enable_grad():
            self.pulled = run.pull(self.cotangents)

    def _zeros(self, x: Tensor[Any]) -> Tensor[Any] | None:
        """A cotangent to record with, if the result can have one."""
        if x.dtype.kind not in FLOATING:
            return None
        on_it: Tensor[Autodiff[Any]] = tv.zeros_like(x).to_backend(self.level)
        return on_it.require_grad()

    def push(self, tangents: Sequence[Any]) -> list[Tensor[Any]]:
        """The derivatives of all results; `None` is a tangent of zeros."""
        nodes, weights = [], []
        for x, pulled, tangent in zip(self.primals, self.pulled, tangents, strict=True):
            if tangent is None:
                continue
            along = fitted(self.what, "tangent", TangentError, x, tangent)
            along = cast_tangent(self.base, x.handle, along)
            if self.level.is_tracked(pulled.handle):
                nodes.append(pulled.handle.node)
                weights.append(conjugate(self.base, along))
        found = pull_back(self.base, joined(nodes), tuple(weights)) if nodes else {}
        return [
            self._derivative(value, cotangent, found)
            for value, cotangent in zip(self.values, self.cotangents, strict=True)
        ]

    def _derivative(
        self, value: Tensor[Any], cotangent: Tensor[Any] | None, found: dict[int, Any]
    ) -> Tensor[Any]:
        number = 0 if cotangent is None else cotangent.handle.node[0]
        if number in found:
            return Tensor.from_handle(found[number], self.base)
        return tv.zeros_like(value)
