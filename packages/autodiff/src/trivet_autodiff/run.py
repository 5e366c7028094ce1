"""Where a transform works: the backend that it wraps, and the one now running.

A nested transform wraps the outermost backend that is being differentiated, so inner
derivatives are functions of the outer variables, and no level sees another's.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextvars import ContextVar
from typing import Any

import trivet as tv
from trivet import Tensor, dispatch
from trivet.arguments import integer
from trivet.contract import Backend, Tracker, contains
from trivet.dtypes import COMPLEX, FLOATING, Kind
from trivet.errors import BackendMismatchError, GradientError
from trivet_autodiff.mode import enable_grad, is_paused
from trivet_autodiff.tree import flatten, leaves

__all__ = [
    "base_of",
    "called",
    "first",
    "fitted",
    "floating",
    "inner",
    "placed",
    "places_of",
    "require_distinct",
    "results_of",
]

_live: ContextVar[Backend[Any] | None] = ContextVar(
    "trivet_autodiff_live", default=None
)


def called(
    backend: Backend[Any],
    function: Callable[..., Any],
    args: Sequence[Any],
    keywords: Mapping[str, Any],
) -> Any:
    """What `function` returns, with `backend` as the outermost that differentiates."""
    token = _live.set(backend)
    try:
        if not is_paused():
            return function(*args, **keywords)
        with enable_grad():
            return function(*args, **keywords)
    finally:
        _live.reset(token)


def base_of(*arguments: Any) -> Backend[Any]:
    """The backend to wrap: the outermost of the tensors' and the one running.

    Where backends have nothing to do with each other, that of the first tensor.
    """
    base = None
    for backend in (*_backends(arguments), _live.get()):
        if backend is base:
            continue
        if base is None or (backend is not None and contains(backend, base)):
            base = backend
    return tv.namespace().backend if base is None else base


def _backends(arguments: Sequence[Any]) -> Iterator[Backend[Any]]:
    for argument in arguments:
        if argument.__class__ is Tensor:
            yield argument.backend
        else:
            yield from (x.backend for x in leaves(argument) if isinstance(x, Tensor))


def first(args: Sequence[Any], places: Sequence[int]) -> list[Any]:
    """What is differentiated, and then all arguments."""
    count = len(args)
    return [*(args[at] for at in places if -count <= at < count), *args]


def places_of(what: str, argnums: Any) -> tuple[int, ...]:
    """The positions that `argnums` names. Raises `ArgumentError` for what is none."""
    if isinstance(argnums, Iterable) and not isinstance(argnums, str | bytes):
        return tuple(integer(what, "argnums", at) for at in argnums)
    return (integer(what, "argnums", argnums),)


def require_distinct(what: str, places: Sequence[int], count: int) -> None:
    """Raise `GradientError` if two places are the same of `count` arguments."""
    if len({at % count if count else at for at in places}) < len(places):
        raise GradientError(
            f"{what}: argnums={tuple(places)} names an argument twice, of {count} "
            "positional ones. Name each once."
        )


def placed(what: str, args: Sequence[Any], at: int) -> Any:
    """The argument at a position. Raises `GradientError` if there is none."""
    if -len(args) <= at < len(args):
        return args[at]
    raise GradientError(
        f"{what}: argnums={at}, and the function was called with {len(args)} "
        "positional arguments. Pass what is differentiated by position."
    )


def floating(
    what: str,
    place: str,
    x: Any,
    base: Backend[Any],
    kinds: frozenset[Kind] = FLOATING,
) -> Tensor[Any]:
    """A leaf of an argument as a tensor that has derivatives.

    Raises `GradientError` if it has none: it is no number, its dtype has gaps, or is of
    other `kinds` than those wanted. And `BackendMismatchError` if it is on a backend
    that `base` does not wrap.
    """
    if not isinstance(x, Tensor):
        is_number = hasattr(x, "__float__") or hasattr(x, "__complex__")
        if isinstance(x, str | bytes) or not is_number:
            raise GradientError(
                f"{what}: {place} holds a {type(x).__name__}, which is not a tensor. "
                "Pass it by keyword, or leave its position out of what is "
                "differentiated."
            )
        x = tv.asarray(x, backend=base)
    elif not contains(base, x.backend):
        raise BackendMismatchError(
            f"{what}: {place} is on {x.backend.name}, and what comes before it on "
            f"{base.name}. Nothing is moved silently: call "
            f".to_backend({base.name!r}) on it."
        )
    if x.dtype.kind in kinds:
        return x  # type: ignore[no-any-return]
    if x.dtype.kind in COMPLEX:
        raise GradientError(
            f"{what}: {place} has dtype {x.dtype}, and only a holomorphic function has "
            "one derivative for each pair of elements there. Pass holomorphic=True if "
            "it is one. Of others there are directional derivatives, by jvp and hvp, "
            "and those by real and imaginary parts as real arguments."
        )
    raise GradientError(
        f"{what}: {place} has dtype {x.dtype}; its values cannot change by a little, "
        "so it has no derivative. Cast it, for example with .astype(tv.float32), or "
        "leave it out of what is differentiated."
    )


def fitted(
    what: str,
    noun: str,
    error: type[GradientError],
    own: Tensor[Any],
    given: Any,
) -> Any:
    """The handle of a tangent or cotangent on the backend of what it belongs to.

    Numbers count as 0-d tensors. Raises `error` for another shape, for a complex number
    of a real tensor, and for one that is tracked further out, where its own derivative
    would be lost.
    """
    if not isinstance(given, Tensor):
        if own.dtype.kind not in COMPLEX and _is_complex(given, own.backend):
            raise error(
                f"{what}: the {noun} is the complex number {given}, and the tensor has "
                f"dtype {own.dtype}. Pass a real number."
            )
        given = tv.asarray(
            given, dtype=own.dtype, device=own.device, backend=own.backend
        )
    if given.shape != own.shape:
        raise error(
            f"{what}: the {noun} has shape {given.shape}, and the tensor has "
            f"{own.shape}. They must be the same."
        )
    dispatch.common(what, (own, given))  # raises unless one wraps the other
    outer = given.backend
    while not contains(own.backend, outer):
        if isinstance(outer, Tracker) and outer.is_tracked(given.handle):
            raise error(
                f"{what}: the {noun} is tracked by {outer.name}, and the tensor is on "
                f"{own.backend.name}. Call .detach() on the {noun}, or differentiate "
                "where both are tracked."
            )
        outer = outer.inner
    return given.handle


def _is_complex(number: Any, backend: Backend[Any]) -> bool:
    """Whether a number is complex, also where it is another library's."""
    if isinstance(number, int | float):
        return False
    own: Tensor[Any] = tv.asarray(number, backend=backend)
    return own.dtype.kind in COMPLEX


def results_of(what: str, result: Any, base: Backend[Any]) -> tuple[list[Any], Any]:
    """The tensors of a function's result, and its structure."""
    found, structure = flatten(result)
    return [_as_tensor(what, x, base) for x in found], structure


def _as_tensor(what: str, x: Any, base: Backend[Any]) -> Tensor[Any]:
    if isinstance(x, Tensor):
        return x
    if isinstance(x, int | float | complex):
        constant: Tensor[Any] = tv.asarray(x, backend=base)
        return constant
    raise GradientError(
        f"{what}: the function returned a {type(x).__name__}, not a tensor. Return "
        "tensors, alone or in tuples, lists and dictionaries."
    )


def inner(x: Any, level: Tracker[Any]) -> Any:
    """A leaf of a result without this level; what is no tensor as it is."""
    return x.inner() if isinstance(x, Tensor) and x.backend is level else x
