"""`stop_gradient`: a value that every level takes for a constant."""

from typing import Any

from trivet import Tensor
from trivet.contract import Decorator, Tracker
from trivet_autodiff.tree import mapped

__all__ = ["stop_gradient"]


def stop_gradient(x: Any) -> Any:
    """The same value, a constant for all derivatives, however nested.

    Containers are walked; what is no tensor stays as it is. `.detach()` is the method
    for one level, on tensors of a backend that tracks.

    >>> import trivet as tv
    >>> from trivet_autodiff import grad
    >>> grad(lambda x: x * stop_gradient(x))(tv.asarray(3.0)).item()
    3.0
    """
    return mapped(_stopped, x)


def _stopped(x: Any) -> Any:
    if not isinstance(x, Tensor):
        return x
    backend, handle = x.backend, x.handle
    while isinstance(backend, Decorator):
        if isinstance(backend, Tracker):
            handle = backend.detach(handle)
        backend = backend.inner
    return Tensor.from_handle(handle, x.backend)
