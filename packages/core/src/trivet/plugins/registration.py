"""`register_backend`: a backend without packaging, for programs, notebooks and tests.

The same validation as for installed plugins, before anything is stored: a registration
that fails leaves no trace.
"""

from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from trivet.contract.backend import Backend
from trivet.contract.decorator import Decorator
from trivet.contract.guard import prepare
from trivet.contract.version import CONTRACT_VERSION
from trivet.errors import InvalidBackendError
from trivet.plugins.refusal import Refusal, failure
from trivet.plugins.registry import REGISTRY
from trivet.plugins.states import Kind, Record, State

if TYPE_CHECKING:
    from trivet.plugins.plugin import Plugin

__all__ = ["Registration", "register_backend"]


class Registration:
    """A backend or decorator that is registered until `undo`, or to a block's end."""

    def __init__(self, plugin: "Plugin") -> None:
        self._plugin = plugin

    @property
    def record(self) -> Record:
        """The record that `trivet.plugins.backends` lists."""
        return self._plugin.record

    def undo(self) -> None:
        """Take the registration back; tensors that exist keep working."""
        REGISTRY.withdraw(self._plugin)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.undo()

    def __repr__(self) -> str:
        return f"<registration of {self.record.kind} {self.record.name!r}>"


def register_backend(
    backend: Backend[Any] | type[Backend[Any]], name: str | None = None
) -> Registration:
    """Register an instance, or a class that is called without arguments.

    The name is the backend's own. A `Decorator` class is registered as it is and needs
    `name`; it is called with each backend that it is to wrap. Raises
    `InvalidBackendError` when the name is taken or the contract is not fulfilled, and
    `BrokenBackendError` when the class raises.

    >>> import trivet as tv
    >>> from trivet_ndarray import NdArray
    >>> class Mine(NdArray):
    ...     name = "mine"
    >>> with tv.register_backend(Mine):
    ...     tv.zeros(2, backend="mine").backend.name
    'mine'
    """
    decorator = isinstance(backend, type) and issubclass(backend, Decorator)
    kind: Kind = "decorator" if decorator else "backend"
    record = Record(name=name or _provisional(backend), kind=kind)
    try:
        plugin = _plugin(record, backend, name)
    except Refusal as refusal:
        raise failure(_refused(record, refusal)) from refusal.__cause__
    REGISTRY.register(plugin)
    return Registration(plugin)


def _provisional(backend: object) -> str:
    """How messages call what has not told its name yet."""
    return getattr(backend, "__name__", type(backend).__name__)


def _plugin(record: Record, backend: Any, name: str | None) -> "Plugin":
    # Imported at the first registration: `import trivet` needs none of it.
    from trivet.plugins.boundary import boundary
    from trivet.plugins.plugin import Plugin
    from trivet.plugins.validate import (
        validate_backend,
        validate_class,
        validate_name,
    )

    cls = backend if isinstance(backend, type) else type(backend)
    validate_class(record, cls)
    if record.kind == "decorator":
        if name is None:
            raise InvalidBackendError(
                f"The decorator {cls.__qualname__} was registered without a name. "
                f'Write register_backend({cls.__qualname__}, "its_name").'
            )
        validate_name(record, name)
        return Plugin(_ready(record, name), cls)
    with boundary(record, cls.__module__):
        made = cls() if isinstance(backend, type) else backend
        own = made.name
    validate_name(record, own)
    validate_backend(record, made, name or own)
    prepare(made)
    plugin = Plugin(_ready(record, own, made), cls)
    plugin.instances[None] = made
    return plugin


def _ready(record: Record, name: str, made: Backend[Any] | None = None) -> Record:
    return record._replace(
        name=name,
        state=State.READY,
        contract=str(CONTRACT_VERSION),
        devices=() if made is None else made.devices(),
    )


def _refused(record: Record, refusal: Refusal) -> Record:
    return record._replace(
        state=refusal.state, reason=refusal.reason, remedy=refusal.remedy
    )
