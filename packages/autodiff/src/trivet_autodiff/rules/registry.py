"""How a rule is declared: `unary`, `binary` or `rule`, over a function of the backend.

The declared function is called once for each wrapped backend and returns the vjps.
One declaration serves both directions: `record` makes the op that notes them for a
backward pass, `push` the op that carries tangents along.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from trivet.contract import OPS, Backend, Op, Recorder
from trivet_autodiff.complexes import is_complex
from trivet_autodiff.dual import (
    Dual,
    push_binary,
    push_general,
    push_linear,
    push_several,
    push_unary,
)
from trivet_autodiff.recorders import (
    record_binary,
    record_general,
    record_one,
    record_several,
    record_two,
    record_unary,
)
from trivet_autodiff.tape import IN1, NOTHING, Binary, Pull, Var

__all__ = [
    "AT_ONCE",
    "RULES",
    "BinaryRule",
    "GeneralRule",
    "Rule",
    "SeveralRule",
    "UnaryRule",
    "at_once",
    "binary",
    "body",
    "body_of",
    "rule",
    "several",
    "unary",
]

Function = Callable[..., Any]


@dataclass(frozen=True, slots=True)
class UnaryRule:
    """`vjp(g, saved)` of an elementwise op of one array, and what it saves."""

    vjp_for: Callable[[Backend[Any]], Pull]
    saves: str
    analytic: bool = True

    def record(self, inner: Backend[Any], kind: type[Var], f: Function) -> Function:
        """The op that notes what its backward pass needs."""
        return record_unary(kind, f, self.vjp_for(inner), self.saves)

    def push(self, recording: Recorder[Any], kind: type[Dual], f: Function) -> Function:
        """The op that carries tangents along."""
        inner, saves = recording.inner, self.saves
        pushed = push_unary(kind, f, self.vjp_for(inner), saves)
        if self.analytic:
            return pushed
        vjp = self.vjp_for(recording)

        def record(out: Any, x: Any) -> Any:
            return ((vjp, x if saves == IN1 else out),)

        turned = push_general(recording, kind, f, record)

        def op(x: Any, /) -> Any:
            if x.__class__ is kind and is_complex(inner, x.value):
                return turned(x)
            return pushed(x)

        return op


@dataclass(frozen=True, slots=True)
class BinaryRule:
    """`((vjp1, saves1), (vjp2, saves2))` of an elementwise op of two operands."""

    pair_for: Callable[[Backend[Any]], Binary]

    def record(self, inner: Backend[Any], kind: type[Var], f: Function) -> Function:
        """The op that notes what its backward pass needs."""
        return record_binary(inner, kind, f, self.pair_for(inner))

    def push(self, recording: Recorder[Any], kind: type[Dual], f: Function) -> Function:
        """The op that carries tangents along."""
        inner = recording.inner
        return push_binary(inner, kind, f, self.pair_for(inner))


@dataclass(frozen=True, slots=True)
class GeneralRule:
    """`record(out, *arrays, **statics)` of any other op, see `record_general`.

    `keywords` are names of arrays that may come by keyword, after those by position: a
    tracked one must not be missed. `recorder` fits how many arrays there are. `linear`
    tells that the op is linear in each array by which it is differentiated.
    """

    record_for: Callable[[Backend[Any]], Any]
    keywords: tuple[str, ...]
    linear: bool
    recorder: Callable[[type[Var], Function, Function], Function]

    def record(self, inner: Backend[Any], kind: type[Var], f: Function) -> Function:
        """The op that notes what its backward pass needs."""
        return self._by_position(self.recorder(kind, f, self.record_for(inner)))

    def push(self, recording: Recorder[Any], kind: type[Dual], f: Function) -> Function:
        """The op that carries tangents along."""
        if self.linear:
            inner = recording.inner
            return push_linear(inner, kind, f, self.record_for(inner))
        pushed = push_general(recording, kind, f, self.record_for(recording))
        return self._by_position(pushed)

    def _by_position(self, op: Function) -> Function:
        names = self.keywords
        if not names:
            return op

        def by_position(x: Any, /, *arrays: Any, **named: Any) -> Any:
            return op(x, *arrays, *map(named.get, names[len(arrays) :]))

        return by_position


@dataclass(frozen=True, slots=True)
class SeveralRule:
    """`record(outs, *arrays, **statics)` of an op with results in a tuple."""

    record_for: Callable[[Backend[Any]], Any]

    def record(self, inner: Backend[Any], kind: type[Var], f: Function) -> Function:
        """The op that notes what its backward pass needs."""
        return record_several(kind, f, self.record_for(inner))

    def push(self, recording: Recorder[Any], kind: type[Dual], f: Function) -> Function:
        """The op that carries tangents along."""
        return push_several(recording, kind, f, self.record_for(recording))


Rule = UnaryRule | BinaryRule | GeneralRule | SeveralRule
RULES: dict[str, Rule] = {}
_BODIES: dict[str, Function] = {}
AT_ONCE: dict[str, Callable[[Backend[Any]], Function]] = {}


def unary(
    *names: str, saves: str = NOTHING, analytic: bool = True
) -> Callable[[Callable[[Backend[Any]], Pull]], Callable[[Backend[Any]], Pull]]:
    """Declare `vjp(g, saved)` of elementwise ops of one array.

    `saves` is `OUT` for the result, `IN1` for the argument. The Jacobian of such an op
    is diagonal, so the vjp of a real array is its jvp too, and of a complex one if the
    function is `analytic`.
    """

    def declare(vjp_for: Callable[[Backend[Any]], Pull]) -> Callable[..., Pull]:
        RULES.update(dict.fromkeys(names, UnaryRule(vjp_for, saves, analytic)))
        return vjp_for

    return declare


def binary(
    name: str,
) -> Callable[[Callable[[Backend[Any]], Binary]], Callable[[Backend[Any]], Binary]]:
    """Declare `((vjp1, saves1), (vjp2, saves2))` of an elementwise op of two operands.

    Each `saves` names what its vjp needs: some of "x1", "x2" and "out", in that order.
    """

    def declare(pair_for: Callable[[Backend[Any]], Binary]) -> Callable[..., Binary]:
        RULES[name] = BinaryRule(pair_for)
        return pair_for

    return declare


def rule(
    name: str, *, keywords: tuple[str, ...] = (), linear: bool = False
) -> Callable[[Callable[[Backend[Any]], Any]], Callable[[Backend[Any]], Any]]:
    """Declare `record(out, *arrays, **statics)` of any other op: `record_general`.

    Every vjp is linear in its cotangent; the jvp is found by transposing it. With
    `linear`, which says that the op is linear in each array by which it is
    differentiated, it is found by the op itself.
    """

    def declare(record_for: Callable[[Backend[Any]], Any]) -> Callable[..., Any]:
        RULES[name] = GeneralRule(record_for, keywords, linear, _recorder(name))
        return record_for

    return declare


def _recorder(name: str) -> Callable[[type[Var], Function, Function], Function]:
    """The leanest recorder that does for the op's arrays; these may be unknown."""
    function = OPS[name].function
    count = function.__code__.co_argcount - 1  # those of clip may come by keyword
    arrays = function.__code__.co_varnames[1 : count + 1]
    told = [str(function.__annotations__.get(array, "Any")) for array in arrays]
    if any("Sequence" in one or "Any" in one for one in told):
        return record_general
    return {1: record_one, 2: record_two}.get(count, record_general)


def several(
    name: str,
) -> Callable[[Callable[[Backend[Any]], Any]], Callable[[Backend[Any]], Any]]:
    """Declare `record(outs, *arrays, **statics)` of an op with results in a tuple.

    It gives a row of pairs for each result: `record_several`.
    """

    def declare(record_for: Callable[[Backend[Any]], Any]) -> Callable[..., Any]:
        RULES[name] = SeveralRule(record_for)
        return record_for

    return declare


def body(name: str) -> Callable[[Function], Function]:
    """Declare `body(b, *arrays, **statics)` of an op that has none in the contract.

    With tracked operands it takes the op's place, on the backend that tracks them.
    """

    def declare(function: Function) -> Function:
        _BODIES[name] = function
        return function

    return declare


def body_of(op: Op) -> Function | None:
    """What an op without a rule is differentiated through, if there is anything."""
    return op.function if op.tier == "derived" else _BODIES.get(op.name)


def at_once(
    name: str,
) -> Callable[[Callable[[Backend[Any]], Function]], Callable[[Backend[Any]], Function]]:
    """Declare `run(*arrays, **statics)` of an op with a body: `record_at_once`.

    For ops of which a backend finds result and derivative together. Only a backward
    pass uses it; forward, and where `run` gives `None`, the body is differentiated.
    """

    def declare(run_for: Callable[[Backend[Any]], Function]) -> Callable[..., Function]:
        AT_ONCE[name] = run_for
        return run_for

    return declare
