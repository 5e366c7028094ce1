"""`Forward`: a backend that computes with another one and carries tangents along."""

from collections.abc import Callable
from typing import Any, TypeVar

from trivet.contract import Backend
from trivet_autodiff.backend import Autodiff
from trivet_autodiff.dual import Dual, cast_tangent, new_dual, stray
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

    def dual(self, x: Any, tangent: Any, /, mark: object = None) -> Any:
        """The inner handle `x` with the tangent of a direction.

        Duals of two marks do not meet: `jvp` has one for each run.

        The tangent is cast to the dtype of `x`. Raises `TangentError` unless both are
        floating and of one shape, and for a complex one of a real `x`; and
        `DeviceMismatchError` for two devices.
        """
        return new_dual(self._kind, x, cast_tangent(self.inner, x, tangent), mark)

    def tangent(self, x: Any, /, mark: object = None) -> Any:
        """The derivative of a handle along the direction: zeros for a constant.

        Raises `GradientError` for a handle of another direction.
        """
        if self.is_tracked(x):
            if x.mark is not mark:
                raise stray()
            return x.tangent
        return self.inner.filled_like(x, 0, tuple(x.shape))
