"""Which backend: `backend`, `using` and `resolve`.

Four rules in order: the call's own argument, the innermost `using` block, the variable
`TRIVET_BACKEND`, and the default. Everything that makes a tensor asks `resolve`.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar, overload

from trivet.contract.backend import Backend
from trivet.contract.guard import prepare
from trivet.errors import BackendError, BackendSpecError, UnknownBackendError
from trivet.plugins.official import DEFAULT, OFFICIAL
from trivet.plugins.registry import REGISTRY
from trivet.plugins.states import Record, State

if TYPE_CHECKING:
    from trivet.plugins.grammar import Spec

__all__ = [
    "VARIABLE",
    "Answer",
    "backend",
    "default",
    "environment",
    "resolve",
    "scope",
    "using",
]

B = TypeVar("B", bound=Backend[Any])

VARIABLE = "TRIVET_BACKEND"
_SCOPE: ContextVar[Backend[Any] | None] = ContextVar("trivet_backend", default=None)


class Answer(NamedTuple):
    """What one rule says: a backend string, or nothing, and why."""

    spec: str | None
    said: str


@overload
def backend(spec: B) -> B: ...


@overload
def backend(spec: str) -> Any: ...  # only at run time is it known whether it records


def backend(spec: str | Backend[Any]) -> Any:
    """The backend that `spec` names, loading its plugin if it is the first to ask.

    `spec` is `"name"`, `"name@distribution"`, `"decorator(spec)"`, or a backend, which
    is returned as it is. Equal specs give the same object. Raises `BackendSpecError`,
    `UnknownBackendError`, `AmbiguousBackendError`, or the error that tells the state
    of the plugin.

    >>> import trivet as tv
    >>> tv.backend("autodiff(ndarray)").inner is tv.backend("ndarray")
    True
    """
    if isinstance(spec, Backend):
        prepare(spec)
        return spec
    if not isinstance(spec, str):
        raise BackendSpecError(
            "A backend is given as text or as a Backend, not as "
            f'{type(spec).__name__}: {spec!r}. Write for example backend="ndarray".'
        )
    made = REGISTRY.answers.get(spec)
    if made is not None:
        return made
    from trivet.plugins.grammar import Spec  # only for a text not seen before

    with REGISTRY.lock:
        made = _made(Spec.parse(spec))
        REGISTRY.answers[spec] = made
    return made


def _made(spec: "Spec") -> Backend[Any]:
    if spec.inner is None:
        return REGISTRY.find("backend", spec.name, spec.dist).instance()
    decorator = REGISTRY.find("decorator", spec.name, spec.dist)
    return decorator.instance(_made(spec.inner), spec.options)


@contextmanager
def using(spec: str | Backend[Any]) -> Iterator[Backend[Any]]:
    """Make `spec` the default backend inside a `with` block.

    It holds for the block's own thread and asyncio task alone. Raises what
    `backend` raises, on entry.

    >>> import trivet as tv
    >>> with tv.using("autodiff(ndarray)"):
    ...     x = tv.zeros(2)
    >>> x.backend.name
    'autodiff(ndarray)'
    """
    chosen = backend(spec)
    token = _SCOPE.set(chosen)
    try:
        yield chosen
    finally:
        _SCOPE.reset(token)


Backend.by_name = backend  # the contract knows no plugins


def resolve(spec: str | Backend[Any] | None = None) -> Backend[Any]:
    """The backend to use: `spec`, or what the later rules say when it is `None`."""
    if spec is not None:
        found: Backend[Any] = backend(spec)
        return found
    active = _SCOPE.get()
    if active is not None:
        return active
    named = os.environ.get(VARIABLE)
    if named:
        return _from_environment(named)
    return REGISTRY.answers.get(None) or _from_default()


def _from_environment(named: str) -> Backend[Any]:
    try:
        return resolve(named)
    except BackendError as error:
        error.add_note(f"The environment variable {VARIABLE} asks for {named!r}.")
        raise


def _from_default() -> Backend[Any]:
    with REGISTRY.lock:
        answer = default()
        if answer.spec is None:
            raise UnknownBackendError(
                f"There is no default backend: {answer.said}. {_what_to_do()}"
            )
        made: Backend[Any] = backend(answer.spec)
        REGISTRY.answers[None] = made
    return made


def _what_to_do() -> str:
    usable = [r.name for r in REGISTRY.records() if r.kind == "backend"]
    install = f"Install the default one: {OFFICIAL[DEFAULT].install}"
    if not usable:
        return install
    return f'Choose one with trivet.using("...") or {VARIABLE}. {install}'


def scope() -> Answer:
    """What the innermost `using` block says."""
    active = _SCOPE.get()
    if active is None:
        return Answer(None, "no block is active")
    return Answer(active.name, f"the innermost block uses {active.name}")


def environment() -> Answer:
    """What `TRIVET_BACKEND` says."""
    named = os.environ.get(VARIABLE)
    if not named:
        return Answer(None, "not set")
    return Answer(named, f"set to {named!r}")


def default() -> Answer:
    """The published default if it is installed, otherwise the only usable backend.

    Plugins that are only considered here are probed; one that fails is passed over.
    """
    records = [r for r in REGISTRY.records() if r.kind == "backend"]
    official = [r for r in records if r.name == DEFAULT]
    if any(record.state is not State.DISABLED for record in official):
        return Answer(DEFAULT, f"{DEFAULT} is installed, and it is the default")
    if not records:
        return Answer(None, "no backend is installed")
    return _sole([r for r in REGISTRY.records(probe=True) if r.kind == "backend"])


def _sole(records: list[Record]) -> Answer:
    usable = [record for record in records if record.state.usable]
    others = [f"{r.name} is {r.state.value}" for r in records if not r.state.usable]
    passed = "".join(f"; {other}" for other in others)
    if len(usable) == 1:
        name = usable[0].name
        return Answer(name, f"{name} is the only usable backend{passed}")
    if not usable:
        return Answer(None, "no installed backend is usable" + passed)
    names = ", ".join(record.name for record in usable)
    return Answer(None, f"several backends are installed ({names})")
