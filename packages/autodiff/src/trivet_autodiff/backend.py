"""`Autodiff`: a backend that computes with another one and records for gradients."""

from collections.abc import Callable
from typing import Any, TypeVar

from trivet.contract import Backend, Op, Recorder
from trivet.dtypes import COMPLEX, FLOATING, REAL_FLOATING
from trivet.errors import CotangentError, DeviceMismatchError, GradientError
from trivet_autodiff.backward import pull_back
from trivet_autodiff.complexes import conjugate, is_complex
from trivet_autodiff.gradients import Gradients
from trivet_autodiff.level import Level
from trivet_autodiff.recompute import Cells, Keeper
from trivet_autodiff.recorders import record_at_once
from trivet_autodiff.rules.registry import AT_ONCE, RULES, Rule
from trivet_autodiff.tape import Node, Var, new_leaf

__all__ = ["Autodiff"]

B = TypeVar("B", bound=Backend[Any])


class Autodiff(Level[B], Recorder[B]):
    """Computes with `inner` and records what gradients need.

    It is itself a backend, so wrapping twice gives second derivatives.

    `checkpoint` is the policy for values that the backward pass needs. With "none" all
    are saved. With "balanced" most results of cheap ops are computed again, so that of
    a chain of n about the square root of n are kept. A number is how many bytes are
    kept at most; what is computed again from them comes on top for a while. Gradients
    are the same to the bit.

    >>> import trivet as tv
    >>> ad = Autodiff(tv.backend("ndarray"))
    >>> ad is tv.backend("autodiff(ndarray)")
    True
    """

    label = "autodiff"

    def set_up(self) -> None:
        """Each instance tells its tracked handles by a class of their own."""
        super().set_up()
        self._keeper: Keeper | None = None
        base, policy = Var, self.options.get("checkpoint")
        if policy is not None:
            base, budget = Cells, None if policy == "balanced" else policy
            self._keeper = Keeper(self.inner, budget)
        self._kind = type("Var", (base,), {"__slots__": ()})

    @classmethod
    def settled(cls, *, checkpoint: str | int = "none") -> dict[str, Any]:
        """The policy for saved values, unless that is to keep all.

        Raises `GradientError` for a policy that there is not.
        """
        if checkpoint == "none":
            return {}
        if checkpoint == "balanced" or (type(checkpoint) is int and checkpoint >= 0):
            return {"checkpoint": checkpoint}
        raise GradientError(
            f"autodiff: checkpoint={checkpoint!r} is no policy for saved values. It is "
            '"none", "balanced", or a number of bytes.'
        )

    def __init__(self, inner: B, *, checkpoint: str | int = "none") -> None:
        super().__init__(inner, checkpoint=checkpoint)

    def _by_rule(self, rule: Rule, function: Callable[..., Any]) -> Callable[..., Any]:
        return rule.record(self.inner, self._kind, function)

    def forward(self, op: Op, function: Callable[..., Any]) -> Callable[..., Any]:
        """The recording form of an op, which saves as the policy says."""
        recorded = super().forward(op, function)
        if self._keeper is None and op.name in AT_ONCE:
            return record_at_once(self._kind, recorded, AT_ONCE[op.name](self.inner))
        if self._keeper is None or op.name not in RULES:
            return recorded
        return self._keeper.thrifty(op, self._kind, function, recorded)

    def require_grad(self, x: Any, /) -> Any:
        """A variable with the value of `x`; a variable is returned as it is.

        Raises `GradientError` for the result of a tracked op, and for a dtype that has
        no gradient.
        """
        if x.__class__ is self._kind:
            if x.node[0] > 0:
                return x
            raise GradientError(
                "require_grad: the tensor is the result of a tracked op, not a "
                "variable. Call .detach() first to start a new graph from its value."
            )
        dtype = self.inner.dtype(x)
        if dtype.kind not in FLOATING:
            raise GradientError(
                f"require_grad: a tensor of dtype {dtype} has no gradient; only "
                "floating dtypes have. Cast it first, for example with "
                ".astype(tv.float32)."
            )
        return new_leaf(self._kind, x, dtype)

    def attached(self, x: Any, node: Node, /) -> Any:
        """The inner handle `x`, tracked by a node of the caller's making."""
        var = self._kind()
        var.value, var.shape, var.node = x, tuple(x.shape), node
        return var

    def backward(self, x: Any, cotangent: Any | None, /) -> Gradients:
        """The gradients of the tracked handle `x`.

        Raises `CotangentError` for a cotangent that is not floating, for a complex one
        of a real tensor, and for none of a complex tensor; and `DeviceMismatchError`
        for one on another device.
        """
        g = self.first_cotangent(x.value, cotangent)
        nodes = [x.node]
        del x, cotangent  # with its last reference, a node frees what it saved
        return Gradients(self, pull_back(self.inner, nodes.pop(), g))

    def first_cotangent(self, value: Any, cotangent: Any | None) -> Any:
        """What a backward pass starts with at a value: ones unless one is given.

        Both are handles of the inner backend. Raises `CotangentError` and
        `DeviceMismatchError` as `backward` does.
        """
        if cotangent is not None:
            return self.weight(value, cotangent)
        if is_complex(self.inner, value):
            raise CotangentError(
                f"backward: the tensor has dtype {self.inner.dtype(value)}, and only a "
                "real one grows or shrinks. Take .real or abs, or pass a cotangent."
            )
        return self.inner.filled_like(value, 1, tuple(value.shape))

    def weight(self, value: Any, cotangent: Any) -> Any:
        """The cotangent in the dtype of the value that it weighs, conjugated.

        Both are handles of the inner backend. Raises `CotangentError` and
        `DeviceMismatchError` as `backward` does.
        """
        inner = self.inner
        own, dtype = inner.dtype(cotangent), inner.dtype(value)
        if own.kind not in REAL_FLOATING | {dtype.kind}:
            remedy = f"Cast it with .astype(tv.{dtype})."
            if own.kind in COMPLEX:  # which no cast makes real
                remedy = "Take its real part with tv.real(...)."
            raise CotangentError(
                f"backward: the cotangent has dtype {own}, and one of a tensor of "
                f"dtype {dtype} is {dtype.kind}. {remedy}"
            )
        here, there = inner.device(value), inner.device(cotangent)
        if here != there:
            raise DeviceMismatchError(
                f"backward: the tensor is on {here} and the cotangent on {there}. "
                f'Nothing is moved silently: call .to_device("{here}") on the '
                "cotangent."
            )
        if own != dtype:
            cotangent = inner.astype(cotangent, dtype=dtype)
        return conjugate(inner, cotangent)
