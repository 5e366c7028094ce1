"""The device guard: on a backend with several devices, operands must share one.

A backend with one device pays nothing. On others, every op that takes several arrays
is wrapped once, so no op can forget the check.
"""

from collections.abc import Callable, Iterator
from functools import wraps
from threading import Lock
from typing import TYPE_CHECKING, Any

from trivet.contract.table import OPS, READY, Op
from trivet.errors import DeviceMismatchError

if TYPE_CHECKING:
    from trivet.contract.backend import Backend

__all__ = ["guarded", "prepare"]

_preparing = Lock()


def prepare(backend: "Backend[Any]") -> None:
    """Make a backend ready for use: install the device guard where it is needed.

    Every way to a backend leads through here; doing it again changes nothing.
    Afterwards an op on arrays of several devices raises `DeviceMismatchError`.
    """
    if "_prepared" in backend.__dict__:
        return
    with _preparing:
        if "_prepared" in backend.__dict__:
            return
        if not hasattr(backend, "inner") and len(backend.devices()) > 1:
            _guard(backend)
        backend.__dict__["_prepared"] = True


def _guard(backend: "Backend[Any]") -> None:
    for op in OPS.values():
        if _takes_several(op):
            function = getattr(backend, op.name)
            if backend not in READY.get(op.name, ()):  # or it came with its guard
                backend.bind(**{op.name: _guarded(backend, op.name, function)})


def guarded(
    backend: "Backend[Any]", op: Op, function: Callable[..., Any]
) -> Callable[..., Any]:
    """The function with the guard, where its op and the backend need one."""
    several = not hasattr(backend, "inner") and len(backend.devices()) > 1
    if not (several and _takes_several(op)):
        return function
    return _guarded(backend, op.name, function)


def _takes_several(op: Op) -> bool:
    parameters = op.signature.parameters.values()
    data = [p.name for p in parameters if p.kind is not p.KEYWORD_ONLY]
    return len(data) > 1 or data == ["arrays"]


def _guarded(
    backend: "Backend[Any]", op: str, function: Callable[..., Any]
) -> Callable[..., Any]:
    @wraps(function)
    def on_one_device(*args: Any, **statics: Any) -> Any:
        given = (*args, *statics.values())  # clip's limits may come by keyword
        devices = {backend.device(handle) for handle in _handles(given)}
        if len(devices) > 1:
            first, second, *_ = sorted(devices, key=str)
            raise DeviceMismatchError(
                f"{op}: the operands are on {first} and {second} of the backend "
                f"{backend.name}. Nothing is moved silently: call "
                f'.to_device("{first}") or .to_device("{second}") on one of them.'
            )
        return function(*args, **statics)

    return on_one_device


def _handles(args: tuple[Any, ...]) -> Iterator[Any]:
    for arg in args:
        if isinstance(arg, tuple | list):
            yield from _handles(tuple(arg))
        elif hasattr(arg, "shape"):
            yield arg
