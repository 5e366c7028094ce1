"""`custom_vjp` and `custom_jvp`: functions that bring their own derivative.

A call peels off the outermost level that tracks an argument, runs on the level below,
and makes tracked results by the function's rule. The rule is a function of tensors too:
the levels below differentiate it, and meet the custom function again.
"""

import functools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from trivet import Tensor
from trivet.contract import Backend
from trivet.errors import GradientError
from trivet_autodiff.backend import Autodiff
from trivet_autodiff.backward import pull_back
from trivet_autodiff.complexes import cast, conjugate
from trivet_autodiff.forward import Forward
from trivet_autodiff.mode import PAUSES, is_paused
from trivet_autodiff.peel import (
    Blank,
    Call,
    duals,
    fitted,
    level_of,
    recorded,
    tensors_in,
)
from trivet_autodiff.run import called
from trivet_autodiff.tape import joined
from trivet_autodiff.tree import flatten, held, mapped

__all__ = ["custom_jvp", "custom_vjp"]

Rule = Callable[..., Any]


class _Custom:
    """A function whose positional arguments are differentiated by a rule."""

    def __init__(self, function: Callable[..., Any]) -> None:
        functools.update_wrapper(self, function)
        self.function = function
        self.name = getattr(function, "__name__", type(function).__name__)

    def __call__(self, *args: Any, **statics: Any) -> Any:
        """The function's result, tracked where an argument is."""
        for key, x in statics.items():
            if level_of(x):
                raise GradientError(
                    f"{self.name}: the keyword {key} is a tracked tensor, and keywords "
                    "are static. Pass it by position, or call .detach() on it."
                )
        call = Call(args, statics)
        if call.level is None:
            return self.function(*args, **statics)
        if PAUSES and is_paused():
            return mapped(call.lifted, self(*call.args, **statics))
        return mapped(call.lifted, self._tracked(call))

    def _tracked(self, call: Call) -> Any:
        raise NotImplementedError

    def _ruleless(self, setter: str) -> GradientError:
        return GradientError(
            f"{self.name}: an argument is tracked, and there is no rule yet. Set it "
            f"with {self.name}.{setter}."
        )


class custom_vjp(_Custom):  # noqa: N801  # a decorator, as users know it
    """A function with a backward rule of its own, set by `defvjp`.

    Positional arguments are differentiated: tensors, alone or in containers. Keywords
    are static, and reach the rule too. The result is a tensor, or several in
    containers. Forward mode transposes the rule.

    >>> import trivet as tv
    >>> from trivet_autodiff import grad
    >>> @custom_vjp
    ... def rounded(x):
    ...     return tv.round(x)
    >>> rounded.defvjp(
    ...     forward=lambda x: (rounded(x), None),
    ...     backward=lambda saved, cotangent: (cotangent,),
    ... )
    >>> grad(lambda x: (rounded(x) * x).sum())(tv.asarray([1.5, 2.0])).tolist()
    [3.5, 4.0]
    """

    _rules: tuple[Rule, Rule] | None = None

    def defvjp(self, forward: Rule, backward: Rule) -> None:
        """Set the rule.

        `forward` takes what the function takes. It returns the pair of the result and
        whatever is to be saved; tensors of it may be in containers. `backward(saved,
        cotangent, **statics)` gets a cotangent nested as the result is, and returns a
        tuple with one for each positional argument; `None` stands for zeros.
        """
        self._rules = forward, backward

    def _tracked(self, call: Call) -> Any:
        if self._rules is None:
            raise self._ruleless("defvjp(forward, backward)")
        forward, backward = self._rules
        args, statics, level = call.args, call.statics, call.level
        result, saved = _pair(self.name, "forward", forward(*args, **statics))
        if call.is_nested:
            result, saved = _exchanged(result, self(*args, **statics), saved)
        outs, shape = tensors_in(self.name, result, level)
        pull = _Backward(
            self.name,
            functools.partial(backward, **statics),
            held(saved),
            ([Blank.of(x) for x in outs], shape),
            call.blanks,
            call.structures,
        )
        if isinstance(level, Forward):
            tangents = [x.handle.tangent for x in call.leaves if level_of(x) is level]
            return shape.unflatten(
                duals(self.name, call, outs, pull.pushed(level, tangents))
            )
        back = functools.partial(pull, level.inner)
        return shape.unflatten(recorded(self.name, level, outs, call.leaves, back))


def _pair(name: str, what: str, result: Any) -> tuple[Any, Any]:
    if isinstance(result, tuple) and len(result) == 2:
        return result
    raise GradientError(
        f"{name}: its {what} rule returned a {type(result).__name__}, not a pair."
    )


def _exchanged(old: Any, new: Any, saved: Any) -> tuple[Any, Any]:
    """`new` for the result, also where the old one is saved.

    It is from the custom function itself, so that the levels below use its rule.
    """
    by = {id(x): y for x, y in zip(flatten(old)[0], flatten(new)[0], strict=True)}
    return new, mapped(lambda x: by.get(id(x), x), saved)


@dataclass(frozen=True, slots=True)
class _Backward:
    """A backward rule with what it saved, and what results and arguments are like."""

    name: str
    rule: Rule
    saved: Any
    outs: tuple[Sequence[Blank], Any]
    leaves: Sequence[Blank | None]
    structures: Sequence[tuple[Any, int]]

    def __call__(self, backend: Backend[Any], weights: Mapping[int, Any]) -> list[Any]:
        """What the tracked arguments get from cotangents on `backend`."""
        blanks, shape = self.outs
        given = [
            Tensor.from_handle(_outside(backend, weights[place], blank), backend)
            if place in weights
            else blank.zeros(backend)
            for place, blank in enumerate(blanks)
        ]
        found = self._by_argument(self.rule(held(self.saved), shape.unflatten(given)))
        handles: list[Any] = []
        rest = iter(self.leaves)
        for one, (structure, count) in zip(found, self.structures, strict=True):
            own = list(islice(rest, count))
            known = one is not None and any(own)
            fit = fitted(self.name, backend, one, structure, own) if known else own
            handles += [
                conjugate(backend, h) if known else None
                for h, b in zip(fit, own, strict=True)
                if b
            ]
        return handles

    def _by_argument(self, found: Any) -> tuple[Any, ...]:
        count = len(self.structures)
        if isinstance(found, tuple) and len(found) == count:
            return found
        got = f"{len(found)}" if isinstance(found, tuple) else type(found).__name__
        raise GradientError(
            f"{self.name}: its backward rule returned {got}, not a tuple of {count}, "
            "one for each positional argument. None stands for zeros."
        )

    def pushed(self, level: Any, tangents: Sequence[Any]) -> list[Any]:
        """The tangents of the results: the rule is linear, its pullback transposes it.

        The cotangents at which that is done do not matter.
        """
        inner = level.inner
        level = Autodiff(inner)
        dots = {
            place: level.require_grad(blank.zeros(inner).handle)
            for place, blank in enumerate(self.outs[0])
            if blank.flows
        }
        pulled = called(level, self, (level, dots), {})
        pairs = [
            (x.node, tangent)
            for x, tangent in zip(pulled, tangents, strict=True)
            if level.is_tracked(x)
        ]
        found = _pulled(inner, pairs)
        return [
            found.get(dots[place].node[0], None) if place in dots else None
            for place in range(len(self.outs[0]))
        ]


def _outside(backend: Backend[Any], weight: Any, blank: Blank) -> Any:
    """A cotangent as users know it."""
    return conjugate(backend, cast(backend, weight, blank.dtype))


def _pulled(inner: Backend[Any], pairs: Sequence[tuple[Any, Any]]) -> dict[int, Any]:
    if not pairs:
        return {}
    nodes, weights = zip(*pairs, strict=True)
    return pull_back(inner, joined(nodes), weights, transposed=True)


class custom_jvp(_Custom):  # noqa: N801  # as above
    """A function with a forward rule of its own, set by `defjvp`.

    Arguments and results are those of `custom_vjp`. The rule is linear in its tangents,
    so the backward pass transposes it.

    >>> import trivet as tv
    >>> from trivet_autodiff import grad
    >>> @custom_jvp
    ... def cube(x):
    ...     return x**3
    >>> @cube.defjvp
    ... def rule(primals, tangents):
    ...     (x,), (t,) = primals, tangents
    ...     return cube(x), 3 * x * x * t
    >>> grad(cube)(2.0).item(), grad(grad(cube))(2.0).item()
    (12.0, 12.0)
    """

    _rule: Rule | None = None

    def defjvp(self, rule: Rule) -> Rule:
        """Set the rule, and return it.

        `rule(primals, tangents, **statics)` gets two tuples with an entry for each
        positional argument. It returns the pair of result and tangent, nested alike.
        """
        self._rule = rule
        return rule

    def _tracked(self, call: Call) -> Any:
        if self._rule is None:
            raise self._ruleless("defjvp(rule)")
        push = _Push(self.name, self._rule, call)
        if not isinstance(call.level, Forward):
            result = self(*call.args, **call.statics)
            outs, shape = tensors_in(self.name, result, call.level)
            back = functools.partial(
                push.transposed, shape, [Blank.of(x) for x in outs]
            )
            return shape.unflatten(
                recorded(self.name, call.level, outs, call.leaves, back)
            )
        result, parts = push(call.level.inner, push.tangents())
        if call.is_nested:
            result = self(*call.args, **call.statics)
        outs, shape = tensors_in(self.name, result, call.level)
        blanks = [Blank.of(x) for x in outs]
        found = fitted(self.name, call.level.inner, parts, shape, blanks)
        return shape.unflatten(duals(self.name, call, outs, found))


@dataclass(frozen=True, slots=True)
class _Push:
    """A forward rule at the arguments of a call."""

    name: str
    rule: Rule
    call: Call

    def __call__(self, backend: Backend[Any], tangents: Sequence[Any]) -> Any:
        """The result and its tangent, from tangents of the leaves."""
        call = self.call
        given = [
            Tensor.from_handle(t, backend) if isinstance(x, Tensor) else t
            for x, t in zip(call.leaves, tangents, strict=True)
        ]
        dots = call.nested(given)
        return _pair(self.name, "forward", self.rule(call.args, dots, **call.statics))

    def tangents(self) -> list[Any]:
        """The leaves' own tangents; zeros for what is not tracked."""
        call = self.call
        return [
            x.handle.tangent if own else self._zero(x)
            for x, own in zip(call.leaves, call.tracked, strict=True)
        ]

    def _zero(self, x: Any) -> Any:
        if not isinstance(x, Tensor):
            return 0.0
        return Blank.of(x).zeros(self.call.level.inner).handle

    def transposed(
        self, shape: Any, blanks: Sequence[Blank], weights: Mapping[int, Any]
    ) -> list[Any]:
        """What the tracked leaves get from cotangents, by the places of results."""
        call, level = self.call, self.call.level
        zeros = [self._zero(x) for x in call.leaves]
        dots = [
            level.require_grad(t) if own else t
            for t, own in zip(zeros, call.tracked, strict=True)
        ]
        _, parts = called(level, self, (level, dots), {})
        found = fitted(self.name, level, parts, shape, blanks)
        pairs = [
            (x.node, weights[place])
            for place, x in enumerate(found)
            if place in weights and level.is_tracked(x)
        ]
        sums = _pulled(level.inner, pairs)
        return [
            sums.get(t.node[0])
            for t, own in zip(dots, call.tracked, strict=True)
            if own
        ]
