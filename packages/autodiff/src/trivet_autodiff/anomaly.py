"""`detect_anomaly`: the first NaN or infinity, forward or backward, and who made it."""

from cmath import isfinite
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import trivet as tv
from trivet import Tensor
from trivet.contract import Backend
from trivet.errors import GradientError
from trivet_autodiff.dual import Dual
from trivet_autodiff.recompute import Cell
from trivet_autodiff.tape import Node, Out, Var, flat
from trivet_autodiff.watch import place_of_call, watching

__all__ = ["AnomalyError", "detect_anomaly"]


class AnomalyError(GradientError, ArithmeticError):
    """An op that made a NaN or an infinity out of finite numbers."""


@contextmanager
def detect_anomaly() -> Iterator[None]:
    """Raise `AnomalyError` at the first NaN or infinity made of finite numbers.

    It names the op, its operands, the line of the program that called it, and whether
    it was the op itself, its backward pass, or its derivative forward. Hooks and custom
    functions are named likewise. Only results that depend on a variable are looked at.
    The backward pass must run inside the block too, or of a graph that was recorded
    inside. Every result is read back, so programs run slowly; the block holds for the
    whole process.

    >>> import numpy as np
    >>> import trivet as tv
    >>> x = tv.asarray([4.0, 0.0], backend="autodiff(ndarray)").require_grad()
    >>> with np.errstate(all="ignore"), detect_anomaly():
    ...     try:
    ...         tv.sqrt(x).sum().backward()
    ...     except AnomalyError as error:
    ...         print(str(error).partition(". It")[0])
    backward of sqrt: a cotangent of shape (2,) became infinite or NaN at (1,)
    """
    with watching(_Detector()):
        yield


class _Detector:
    """Checks each tracked result, and lets each vjp of it be checked."""

    def made(self, op: str, level: Backend[Any], arrays: Any, result: Any) -> Any:
        if not isinstance(result, Var | Dual):
            return result
        inner: Backend[Any] = level.inner  # type: ignore[attr-defined]
        operands, place = flat(arrays), place_of_call()
        values = [x.value if isinstance(x, Var | Dual) else x for x in operands]
        odd, fine = _oddity(inner, result.value), _are_finite(inner, values)
        if odd is not None and fine:
            listed = ", ".join(_words(inner, x) for x in values)
            raise AnomalyError(
                f"{op}: a result of shape {result.shape} is infinite or NaN at {odd}. "
                f"The operands are finite: {listed}. It was called at {place}."
            )
        if isinstance(result, Dual):
            tangents = [x.tangent for x in operands if isinstance(x, Dual)]
            if fine and _are_finite(inner, tangents):
                _require_finite(inner, f"derivative of {op}: a tangent", place, result)
        elif isinstance(result.node, Out):
            if fine:  # what is saved is not seen, but came from the operands
                result.node = _checked_result(inner, op, place, result.node)
        elif result.node[0] < 0:
            result.node = _checked(inner, op, place, result.node)
        return result


def _checked(inner: Backend[Any], op: str, place: str, node: Node) -> Node:
    """The node with each vjp followed by a check, once."""
    parts = list(node)
    for at in range(2, len(parts), 3):
        if not hasattr(parts[at], "checks"):
            parts[at] = _checked_vjp(inner, op, place, parts[at])
    return tuple(parts)


def _checked_result(inner: Backend[Any], op: str, place: str, node: Out) -> Node:
    """The same for one of several results."""
    pull = node.joint.pull
    if hasattr(pull, "checks"):
        return node
    pull = _checked_pull(inner, op, place, pull)
    return node._replace(joint=node.joint._replace(pull=pull))


def _checked_vjp(
    inner: Backend[Any], op: str, place: str, vjp: Callable[[Any, Any], Any] | None
) -> Callable[[Any, Any], Any]:
    def checked(g: Any, saved: Any) -> Any:
        part = g if vjp is None else vjp(g, saved)
        if _are_finite(inner, [g, saved]):
            _require_finite(inner, f"backward of {op}: a cotangent", place, part)
        return part

    checked.checks = op  # type: ignore[attr-defined]  # so that it is not done twice
    return checked


def _checked_pull(
    inner: Backend[Any], op: str, place: str, pull: Callable[..., Sequence[Any]]
) -> Callable[..., Sequence[Any]]:
    def checked(slots: Mapping[int, Any], before: Sequence[Any]) -> Sequence[Any]:
        parts = pull(slots, before)
        if _are_finite(inner, [*slots.values(), *before]):
            for part in parts:
                _require_finite(inner, f"backward of {op}: a cotangent", place, part)
        return parts

    checked.checks = op  # type: ignore[attr-defined]  # as above
    return checked


def _require_finite(inner: Backend[Any], what: str, place: str, x: Any) -> None:
    """Raise for a cotangent, or for the tangent of a result."""
    x = x.tangent if isinstance(x, Dual) else x
    odd = _oddity(inner, x)
    if odd is not None:
        raise AnomalyError(
            f"{what} of shape {tuple(x.shape)} became infinite or NaN at {odd}. It "
            f"came in finite. The op was called at {place}."
        )


def _are_finite(inner: Backend[Any], values: Iterable[Any]) -> bool:
    """Whether all are, arrays and numbers, also what is nested or computed again."""
    for x in values:
        if isinstance(x, list | tuple):
            fine = _are_finite(inner, x)
        elif isinstance(x, Cell):
            fine = _oddity(inner, x.at_hand()) is None
        elif isinstance(x, float | complex):
            fine = isfinite(x)
        else:
            fine = _oddity(inner, x) is None
        if not fine:
            return False
    return True


def _oddity(inner: Backend[Any], x: Any) -> tuple[int, ...] | None:
    """Where the first element is that is infinite or NaN; `None` if there is none."""
    if not hasattr(x, "shape") or not inner.is_floating(x):
        return None
    odd = ~tv.isfinite(Tensor.from_handle(x, inner))
    if not tv.any(odd):
        return None
    if not odd.ndim:
        return ()
    return tuple(int(places[0]) for places in tv.nonzero(odd))


def _words(inner: Backend[Any], x: Any) -> str:
    if hasattr(x, "shape"):
        return f"{inner.dtype(x)}{tuple(x.shape)}"
    return repr(x)
