"""On several GPUs, every op runs on the one that holds its operands.

CuPy launches on its current device and refuses arrays of another. `Cuda` calls this
once, and only where there are several; with one device an op pays nothing.
"""

from collections.abc import Callable, Iterator
from typing import Any

from trivet.contract import OPS
from trivet_cuda.data import Data

__all__ = ["place"]

_FACTS = {"dtype", "device", "dlpack_device"}  # read from the handle: nothing launches


def place(backend: Data) -> None:
    """Wrap each op that takes handles, so that it runs on their device."""
    for name, op in OPS.items():
        first = next(iter(op.signature.parameters.values()), None)
        takes_handles = first is not None and first.kind is first.POSITIONAL_ONLY
        if takes_handles and name not in _FACTS:
            backend.bind(**{name: _placed(backend, getattr(backend, name))})


def _placed(backend: Data, function: Callable[..., Any]) -> Callable[..., Any]:
    def on_their_device(*args: Any, **statics: Any) -> Any:
        handle = next(_handles(backend, args), None)
        if handle is None:
            return function(*args, **statics)
        with handle.device:
            return function(*args, **statics)

    on_their_device.__wrapped__ = function  # type: ignore[attr-defined]
    return on_their_device


def _handles(backend: Data, args: Any) -> Iterator[Any]:
    for arg in args:
        if isinstance(arg, backend.xp.ndarray):
            yield arg
        elif isinstance(arg, tuple | list):
            yield from _handles(backend, arg)
