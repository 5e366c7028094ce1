"""`Forward`: a backend that computes with another one and carries tangents along."""

from collections.abc import Callable
from typing import Any, NoReturn, TypeVar

from trivet.contract import Backend
from trivet.dtypes import REAL_FLOATING
from trivet.errors import DeviceMismatchError, NotRecordingError, TangentError
from trivet_autodiff.backend import Autodiff
from trivet_autodiff.dual import Dual, new_dual
from trivet_autodiff.level import Level
from trivet_autodiff.rules.registry import Rule

__all__ = ["Forward"]

B = TypeVar("B", bound=Backend[Any])


class Forward(Level[B]):
    """Computes values and their derivatives along one direction at once.

    Nothing is recorded: memory does not grow with the number of ops. It is itself a
    backend, and wraps or is wrapped by any other level. `jvp` makes the handles.

    >>> import trivet as tv
    >>> fw = tv.backend("forward(ndarray)")
    >>> three, one = tv.asarray(3.0).handle, tv.asarray(1.0).handle
    >>> x = fw.dual(three, one)
    >>> float(fw.tangent(fw.multiply(x, x)))
    6.0
    """

    label = "forward"

    def set_up(self) -> None:
        """Each instance tells its duals by a class of their own."""
        super().set_up()
        self._kind = type("Dual", (Dual,), {"__slots__": ()})
        self._recording = Autodiff(self.inner)

    def _by_rule(self, rule: Rule, function: Callable[..., Any]) -> Callable[..., Any]:
        return rule.push(self._recording, self._kind, function)

    def dual(self, x: Any, tangent: Any, /) -> Any:
        """The inner handle `x` as the start of a direction.

        The tangent is cast to the dtype of `x`. Raises `TangentError` unless both are
        real floating and of one shape, and `DeviceMismatchError` for two devices.
        """
        inner = self.inner
        dtype, own = inner.dtype(x), inner.dtype(tangent)
        for what, found in (("tensor", dtype), ("tangent", own)):
            if found.kind not in REAL_FLOATING:
                raise TangentError(
                    f"forward: the {what} has dtype {found}, and only real floating "
                    "dtypes have derivatives. Cast it with .astype(tv.float32)."
                )
        shape, given = tuple(x.shape), tuple(tangent.shape)
        if shape != given:
            raise TangentError(
                f"forward: the tangent has shape {given}, and the tensor has {shape}. "
                "They must be the same."
            )
        here, there = inner.device(x), inner.device(tangent)
        if here != there:
            raise DeviceMismatchError(
                f"forward: the tensor is on {here} and the tangent on {there}. Nothing "
                f'is moved silently: call .to_device("{here}") on the tangent.'
            )
        if own != dtype:
            tangent = inner.astype(tangent, dtype=dtype)
        return new_dual(self._kind, x, tangent)

    def tangent(self, x: Any, /) -> Any:
        """The derivative of a handle along the direction: zeros for a constant."""
        if self.is_tracked(x):
            return x.tangent
        return self.inner.filled_like(x, 0, tuple(x.shape))

    def require_grad(self, x: Any, /) -> NoReturn:
        """Refused: there are no variables here."""
        raise NotRecordingError(
            f"require_grad: {self.name} carries tangents and records nothing. Use "
            f'trivet_autodiff.jvp, or "autodiff({self.inner.name})" for gradients.'
        )

    def backward(self, x: Any, cotangent: Any | None, /) -> NoReturn:
        """Refused: nothing was recorded."""
        raise NotRecordingError(
            f"backward: {self.name} carries tangents and records nothing. Use "
            f'trivet_autodiff.jvp, or "autodiff({self.inner.name})" for gradients.'
        )
