"""`detect_anomaly`: the first NaN or infinity, forward or backward, and who made it."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import trivet as tv
from trivet import Tensor
from trivet.contract import Backend
from trivet.errors import GradientError
from trivet_autodiff.tape import Var, flat
from trivet_autodiff.watch import place_of_call, watching

__all__ = ["AnomalyError", "detect_anomaly"]


class AnomalyError(GradientError, ArithmeticError):
    """An op that made a NaN or an infinity out of finite numbers."""


@contextmanager
def detect_anomaly() -> Iterator[None]:
    """Raise `AnomalyError` at the first NaN or infinity made of finite numbers.

    It names the op, its operands, the line of the program that called it, and whether
    it was the op itself or its backward pass. The backward pass must run inside the
    block too, or of a graph that was recorded inside. Every result is read back, so
    programs run slowly; the block holds for the whole process.

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
        if not isinstance(result, Var) or type(result.node) is not tuple:
            return result
        inner: Backend[Any] = level.inner  # type: ignore[attr-defined]
        place = place_of_call()
        operands = [a.value if isinstance(a, Var) else a for a in flat(arrays)]
        odd = _oddity(inner, result.value)
        fine = all(_oddity(inner, x) is None for x in operands)
        if odd is not None and fine:
            listed = ", ".join(_words(inner, x) for x in operands)
            raise AnomalyError(
                f"{op}: a result of shape {result.shape} is infinite or NaN at {odd}. "
                f"The operands are finite: {listed}. It was called at {place}."
            )
        if result.node[0] < 0:
            result.node = _checked(inner, op, place, result.node)
        return result


def _checked(inner: Backend[Any], op: str, place: str, node: Any) -> tuple[Any, ...]:
    """The node with each vjp followed by a check, once."""
    parts = list(node)
    for at in range(2, len(parts), 3):
        if not hasattr(parts[at], "checks"):
            parts[at] = _checked_vjp(inner, op, place, parts[at])
    return tuple(parts)


def _checked_vjp(
    inner: Backend[Any], op: str, place: str, vjp: Callable[[Any, Any], Any] | None
) -> Callable[[Any, Any], Any]:
    def checked(g: Any, saved: Any) -> Any:
        part = g if vjp is None else vjp(g, saved)
        odd = _oddity(inner, part)
        if odd is not None and _oddity(inner, g) is None:
            raise AnomalyError(
                f"backward of {op}: a cotangent of shape {tuple(part.shape)} became "
                f"infinite or NaN at {odd}. It came in finite. The op was called at "
                f"{place}."
            )
        return part

    checked.checks = op  # type: ignore[attr-defined]  # so that it is not done twice
    return checked


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
