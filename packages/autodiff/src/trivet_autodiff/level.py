"""`Level`: what both directions of differentiation share.

A level is a backend around another one. Some of its handles are tracked, in a class of
its own; the others are the inner backend's. `Autodiff` and `Forward` derive from it and
say what an op with a rule becomes.
"""

from collections.abc import Callable
from types import MethodType
from typing import Any, TypeVar

from trivet.contract import Backend, Op, Tracker
from trivet.errors import GradientError
from trivet_autodiff.mode import PAUSES, is_paused
from trivet_autodiff.rules import RULES
from trivet_autodiff.rules.registry import Rule, body_of
from trivet_autodiff.tape import is_tracked_among, value_of
from trivet_autodiff.watch import appear, seen

__all__ = ["Level"]

B = TypeVar("B", bound=Backend[Any])


class Level(Tracker[B]):
    """A backend with tracked handles.

    An op with a rule runs the inner backend's kernel. One without a rule is
    differentiated through its body. Untracked operands go straight to the inner
    backend.
    """

    _kind: type[Any]

    def __init__(self, inner: B, **options: Any) -> None:
        super().__init__(inner, **options)
        appear(self)

    def ready(self, op: Op) -> Callable[..., Any]:
        """What a custom op is here, also for those who watch."""
        return seen(self, op.name, super().ready(op))

    def set_up(self) -> None:
        """What numbers are for the inner backend, they are here."""
        self.floats, self.ints = self.inner.floats, self.inner.ints

    def forward(self, op: Op, function: Callable[..., Any]) -> Callable[..., Any]:
        """What an op becomes: by its rule, its body, or not tracked at all."""
        if op.name in RULES:
            return self._by_rule(RULES[op.name], function)
        if not op.differentiable:
            return self._constant(op, function)
        body = body_of(op)
        if body is None:
            return self._refusing(op, function)
        return self._through_body(MethodType(body, self), function)

    def _by_rule(self, rule: Rule, function: Callable[..., Any]) -> Callable[..., Any]:
        raise NotImplementedError

    def _constant(self, op: Op, function: Callable[..., Any]) -> Callable[..., Any]:
        kind = self._kind

        def constant_of_one(x: Any, /) -> Any:
            return function(x.value if x.__class__ is kind else x)

        code = op.function.__code__
        if (code.co_argcount, code.co_kwonlyargcount) == (2, 0):
            return constant_of_one  # such as `dtype`, which is asked all the time

        def constant(*arrays: Any, **statics: Any) -> Any:
            return function(*[value_of(kind, x) for x in arrays], **statics)

        return constant

    def _through_body(
        self, body: Callable[..., Any], function: Callable[..., Any]
    ) -> Callable[..., Any]:
        kind = self._kind

        def through_body(*arrays: Any, **statics: Any) -> Any:
            if not is_tracked_among(kind, arrays):
                return function(*arrays, **statics)
            if PAUSES and is_paused():  # the inner backend may have a kernel
                return function(*[value_of(kind, x) for x in arrays], **statics)
            return body(*arrays, **statics)

        return through_body

    def _refusing(self, op: Op, function: Callable[..., Any]) -> Callable[..., Any]:
        kind = self._kind

        def refusing(*arrays: Any, **statics: Any) -> Any:
            if is_tracked_among(kind, arrays) and not (PAUSES and is_paused()):
                raise GradientError(
                    f"{op.name}: there is no gradient rule for this op. Call .detach() "
                    "on its operands if it should count as a constant."
                )
            return function(*[value_of(kind, x) for x in arrays], **statics)

        return refusing

    def accumulate(self, total: Any, x: Any, /) -> Any:
        """The inner backend's sum, and a new one where either is tracked.

        Backward passes over this level call it often, so it has no general form.
        """
        kind = self._kind
        if total.__class__ is kind or x.__class__ is kind:
            return self.add(total, x)
        return self.inner.accumulate(total, x)

    def adopt(self, obj: Any, /) -> Any:
        """What the inner backend adopts."""
        return self.inner.adopt(obj)

    def is_tracked(self, x: Any, /) -> bool:
        """Whether the handle depends on what this instance differentiates by."""
        return x.__class__ is self._kind

    def detach(self, x: Any, /) -> Any:
        """The inner handle."""
        return value_of(self._kind, x)
