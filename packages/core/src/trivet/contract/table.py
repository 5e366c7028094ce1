"""The op table: what the contract's methods say about themselves.

Op methods are marked `required`, `derived` or `optional`; a family class collects
its marked methods into `OPS` when it is defined. Decorator forwarding, load-time
validation, capability listings, docs and tests all read `OPS`; nothing is listed by
hand a second time.
"""

from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, Any, Generic, Literal, NamedTuple, TypeVar

from trivet.dtypes import ANY, Kind

if TYPE_CHECKING:
    import inspect
    from weakref import WeakSet

__all__ = ["OPS", "Family", "Op", "Tier", "derived", "optional", "required"]

Tier = Literal["required", "derived", "optional"]
H = TypeVar("H")
F = TypeVar("F", bound=Callable[..., Any])


class Op(NamedTuple):
    """One op of the contract.

    `kinds` are the dtype kinds it takes; `constant` says in a few words why no
    gradient can flow through it, and is empty if one can; `function` is the contract's
    own method: the default body of a derived op, the documentation of the others.
    """

    name: str
    family: str
    tier: Tier
    kinds: frozenset[Kind]
    constant: str
    function: Callable[..., Any]

    @property
    def differentiable(self) -> bool:
        """Whether a gradient can flow through the op."""
        return not self.constant

    @property
    def signature(self) -> "inspect.Signature":
        """The op's signature without `self`."""
        return _signature(self.function)

    @property
    def summary(self) -> str:
        """The first line of the op's docstring."""
        return (self.function.__doc__ or "").strip().split("\n", 1)[0]


@cache
def _signature(function: Callable[..., Any]) -> "inspect.Signature":
    import inspect  # five milliseconds that `import trivet` need not pay

    whole = inspect.signature(function)
    return whole.replace(parameters=list(whole.parameters.values())[1:])


OPS: dict[str, Op] = {}
READY: dict[str, "WeakSet[Any]"] = {}  # backends that got a custom op on first use


class Family(Generic[H]):
    """The base of the op families; `H` is the backend's own array, its handle.

    Defining a family with an op that another has raises `ValueError`.
    """

    def __init_subclass__(cls, family: str | None = None, **keywords: Any) -> None:
        super().__init_subclass__(**keywords)
        if family is None:
            return
        for name, function in vars(cls).items():
            if hasattr(function, "__op__"):
                _enter(name, family, function)


def _enter(name: str, family: str, function: Callable[..., Any]) -> None:
    if name in OPS:
        raise ValueError(
            f"the family {family} defines the op {name}, and the family "
            f"{OPS[name].family} has one of that name. Give one of them another."
        )
    tier, kinds, constant = function.__op__  # type: ignore[attr-defined]
    OPS[name] = Op(name, family, tier, kinds, constant, function)


def _mark(tier: Tier, kinds: frozenset[Kind], constant: str) -> Callable[[F], F]:
    def mark(function: F) -> F:
        function.__op__ = (tier, kinds, constant)  # type: ignore[attr-defined]
        return function

    return mark


def required(kinds: frozenset[Kind] = ANY, *, constant: str = "") -> Callable[[F], F]:
    """Mark an op that every backend implements."""
    return _mark("required", kinds, constant)


def derived(kinds: frozenset[Kind] = ANY, *, constant: str = "") -> Callable[[F], F]:
    """Mark an op whose body over other ops holds until a backend has a faster one."""
    return _mark("derived", kinds, constant)


def optional(kinds: frozenset[Kind] = ANY, *, constant: str = "") -> Callable[[F], F]:
    """Mark an op that is missing until a backend implements it."""
    return _mark("optional", kinds, constant)
