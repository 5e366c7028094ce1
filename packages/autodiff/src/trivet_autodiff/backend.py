"""`Autodiff`: a backend that computes with another one and records for gradients."""

from collections.abc import Callable
from types import MethodType
from typing import Any, TypeVar

from trivet.contract import Backend, Op, Recorder
from trivet.dtypes import REAL_FLOATING
from trivet.errors import CotangentError, DeviceMismatchError, GradientError
from trivet_autodiff.backward import pull_back
from trivet_autodiff.gradients import Gradients
from trivet_autodiff.rules import RULES
from trivet_autodiff.tape import Var, is_tracked_among, new_leaf, value_of

__all__ = ["Autodiff"]

B = TypeVar("B", bound=Backend[Any])


class Autodiff(Recorder[B]):
    """Computes with `inner` and records what gradients need.

    It is itself a backend, so wrapping twice gives second derivatives.
    An op with a rule runs the inner backend's kernel. One without a rule is
    differentiated through its derived body. Untracked operands go straight to the
    inner backend.

    >>> import trivet as tv
    >>> ad = Autodiff(tv.backend("ndarray"))
    >>> ad is tv.backend("autodiff(ndarray)")
    True
    """

    label = "autodiff"

    def set_up(self) -> None:
        """Each instance tells its tracked handles by a class of their own."""
        self._kind = type("Var", (Var,), {"__slots__": ()})
        self.floats, self.ints = self.inner.floats, self.inner.ints

    def forward(self, op: Op, function: Callable[..., Any]) -> Callable[..., Any]:
        """The recording form of an op: by its rule, its body, or not at all."""
        if op.name in RULES:
            return RULES[op.name](self.inner, self._kind, function)
        if not op.differentiable:
            return self._constant(function)
        if op.tier == "derived":
            return self._through_body(op, function)
        return self._refusing(op, function)

    def _constant(self, function: Callable[..., Any]) -> Callable[..., Any]:
        kind = self._kind

        def constant(*arrays: Any, **statics: Any) -> Any:
            return function(*[value_of(kind, x) for x in arrays], **statics)

        return constant

    def _through_body(self, op: Op, function: Callable[..., Any]) -> Callable[..., Any]:
        kind, body = self._kind, MethodType(op.function, self)

        def through_body(*arrays: Any, **statics: Any) -> Any:
            tracked = is_tracked_among(kind, arrays)
            return (body if tracked else function)(*arrays, **statics)

        return through_body

    def _refusing(self, op: Op, function: Callable[..., Any]) -> Callable[..., Any]:
        kind = self._kind

        def refusing(*arrays: Any, **statics: Any) -> Any:
            if is_tracked_among(kind, arrays):
                raise GradientError(
                    f"{op.name}: there is no gradient rule for this op. Call .detach() "
                    "on its operands if it should count as a constant."
                )
            return function(*arrays, **statics)

        return refusing

    def adopt(self, obj: Any, /) -> Any:
        """What the inner backend adopts."""
        return self.inner.adopt(obj)

    def require_grad(self, x: Any, /) -> Any:
        """A variable with the value of `x`; a variable is returned as it is."""
        if self.is_tracked(x):
            if x.node[0] > 0:
                return x
            raise GradientError(
                "require_grad: the tensor is the result of a tracked op, not a "
                "variable. Call .detach() first to start a new graph from its value."
            )
        dtype = self.inner.dtype(x)
        if dtype.kind not in REAL_FLOATING:
            raise GradientError(
                f"require_grad: a tensor of dtype {dtype} has no gradient; only real "
                "floating dtypes have. Cast it first, for example with "
                ".astype(tv.float32)."
            )
        return new_leaf(self._kind, x, dtype)

    def is_tracked(self, x: Any, /) -> bool:
        """Whether the handle depends on a variable of this instance."""
        return x.__class__ is self._kind

    def detach(self, x: Any, /) -> Any:
        """The inner handle."""
        return value_of(self._kind, x)

    def backward(self, x: Any, cotangent: Any | None, /) -> Gradients:
        """The gradients of the tracked handle `x`.

        Raises `CotangentError` for a cotangent that is not real floating, and
        `DeviceMismatchError` for one on another device.
        """
        inner, value = self.inner, x.value
        if cotangent is None:
            g = inner.filled_like(value, 1, x.shape)
        else:
            g = self._weight(value, cotangent)
        return Gradients(self, pull_back(inner, x.node, g))

    def _weight(self, value: Any, cotangent: Any) -> Any:
        """The cotangent in the dtype of the value that it weighs."""
        inner = self.inner
        own, dtype = inner.dtype(cotangent), inner.dtype(value)
        if own.kind not in REAL_FLOATING:
            raise CotangentError(
                f"backward: the cotangent has dtype {own}, and gradients are real "
                f"floating. Cast it with .astype(tv.{dtype})."
            )
        here, there = inner.device(value), inner.device(cotangent)
        if here != there:
            raise DeviceMismatchError(
                f"backward: the tensor is on {here} and the cotangent on {there}. "
                f'Nothing is moved silently: call .to_device("{here}") on the '
                "cotangent."
            )
        return cotangent if own == dtype else inner.astype(cotangent, dtype=dtype)
