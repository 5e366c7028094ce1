"""`Decorator`: a backend that computes with another one and adds an ability.

A decorator states only what it adds. Every op that it does not override is forwarded
to `inner`, generated from the op table, so it keeps the inner backend's native
kernels and survives ops that are added later.
"""

from collections.abc import Callable, Mapping
from threading import RLock
from typing import Any, ClassVar, Generic, Self, TypeVar

from trivet.contract.backend import Backend, Support
from trivet.contract.data import DefaultDTypes, Usage
from trivet.contract.device import Device
from trivet.contract.guard import prepare
from trivet.contract.table import OPS, Op
from trivet.dtypes import DType

__all__ = ["Decorator", "Recorder", "Tracker", "contains", "tracker_of"]

B = TypeVar("B", bound=Backend[Any])
_making = RLock()


class Decorator(Backend[Any], Generic[B]):
    """Wraps `inner`. There is one instance per class, inner backend and options.

    Every inner handle is also a handle of the decorator: a constant. So tensors of
    both meet in one op without conversion.
    """

    label: ClassVar[str]
    inner: B
    options: dict[str, Any]

    def __new__(cls, inner: B, **options: Any) -> Self:
        """The one instance of this class over `inner` with these options."""
        settled = cls.settled(**options)
        key = (cls, *sorted(settled.items())) if settled else (cls,)
        with _making:
            made = inner.__dict__.setdefault("_decorators", {})
            if key not in made:
                made[key] = super().__new__(cls)
            return made[key]  # type: ignore[no-any-return]

    @classmethod
    def settled(cls) -> dict[str, Any]:
        """The options that differ from the defaults. Override it to take any."""
        return {}

    def __init__(self, inner: B, **options: Any) -> None:
        if "_complete" in self.__dict__:  # __new__ returned one made before
            return
        with _making:
            if "_complete" in self.__dict__:  # or another thread has just made it
                return
            prepare(inner)
            self.inner = inner
            self.options = self.settled(**options)
            shown = [f"{key}={value}" for key, value in self.options.items()]
            self.name = f"{self.label}({', '.join([inner.name, *shown])})"
            self.max_dimensions = inner.max_dimensions
            self.data_dependent_shapes = inner.data_dependent_shapes
            self.set_up()
            for op in OPS.values():
                if not self._overrides(op):
                    self.bind(**{op.name: self.forward(op, getattr(inner, op.name))})
            self.__dict__["_complete"] = True

    def set_up(self) -> None:
        """Prepare what `forward` needs; bind the ops that this decorator adds to."""

    def forward(self, op: Op, function: Callable[..., Any]) -> Callable[..., Any]:
        """What stands for `op` here, given the inner backend's `function` for it."""
        return function

    def ready(self, op: Op) -> Callable[..., Any]:
        """What a custom op is here: what `forward` makes of the inner backend's."""
        return self.forward(op, getattr(self.inner, op.name))

    def _overrides(self, op: Op) -> bool:
        own = getattr(type(self), op.name, op.function) is not op.function
        return own or op.name in self.__dict__

    def support(self, op: str) -> Support:
        """As the inner backend supports it."""
        return self.inner.support(op)

    def devices(self) -> tuple[Device, ...]:
        """The inner backend's devices: wrapping does not change hardware."""
        return self.inner.devices()

    def dtypes(self, device: Device) -> Mapping[DType, Usage]:
        """The inner backend's dtypes."""
        return self.inner.dtypes(device)

    def default_dtypes(self, device: Device) -> DefaultDTypes:
        """The inner backend's defaults."""
        return self.inner.default_dtypes(device)

    def synchronize(self, device: Device) -> None:
        """Wait for the inner backend."""
        self.inner.synchronize(device)

    def memory_stats(self, device: Device) -> Mapping[str, int]:
        """The inner backend's figures."""
        return self.inner.memory_stats(device)

    def free_unused_memory(self, device: Device) -> None:
        """Pass the wish on."""
        self.inner.free_unused_memory(device)


class Tracker(Decorator[B]):
    """A decorator some of whose handles carry more than a value: a derivative.

    Such a handle must not lose it without a word, so core asks before it hands the
    value to another library or writes into it.
    """

    def is_tracked(self, x: Any, /) -> bool:
        """Whether the handle depends on what this level differentiates by."""
        raise NotImplementedError

    def detach(self, x: Any, /) -> Any:
        """The inner handle: the same value, not tracked by this level."""
        raise NotImplementedError


class Recorder(Tracker[B]):
    """A tracker that records gradients: what `.backward()` on a tensor needs.

    Core knows this much of automatic differentiation and no more.
    """

    def require_grad(self, x: Any, /) -> Any:
        """A variable with the value of the untracked handle `x`."""
        raise NotImplementedError

    def backward(self, x: Any, cotangent: Any | None, /) -> Any:
        """The gradients of `x`, weighted by `cotangent`, as an immutable mapping."""
        raise NotImplementedError


def tracker_of(backend: Backend[Any], x: Any) -> Tracker[Any] | None:
    """The outermost level of a backend that tracks the handle, if there is one."""
    while isinstance(backend, Decorator):
        if isinstance(backend, Tracker) and backend.is_tracked(x):
            return backend
        backend = backend.inner
    return None


def contains(outer: Backend[Any], inner: Backend[Any]) -> bool:
    """Whether `outer` is `inner`, or wraps it at any depth."""
    while outer is not inner:
        if not isinstance(outer, Decorator):
            return False
        outer = outer.inner
    return True
