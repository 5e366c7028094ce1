"""What a tensor asks of a backend that tracks it, checked before it is asked.

`Tensor` calls it; what tracks is a `Tracker` of the contract, and a `Recorder` if it
records gradients.
"""

from typing import TYPE_CHECKING, Any

from trivet.contract import Recorder, Tracker
from trivet.dispatch import common, require_tensor
from trivet.errors import CotangentError, NotRecordingError, UntrackedError

if TYPE_CHECKING:
    from trivet.tensor import Tensor

__all__ = ["checked_cotangent", "recorder", "tracker"]


def recorder(x: "Tensor[Any]", what: str) -> Recorder[Any]:
    """The backend of `x`. Raises `NotRecordingError` unless it records gradients."""
    backend = x.backend
    if isinstance(backend, Recorder):
        return backend
    raise _records_nothing(x, what)


def tracker(x: "Tensor[Any]", what: str) -> Tracker[Any]:
    """The backend of `x`. Raises `NotRecordingError` unless it tracks tensors."""
    backend = x.backend
    if isinstance(backend, Tracker):
        return backend
    raise _records_nothing(x, what)


def _records_nothing(x: "Tensor[Any]", what: str) -> NotRecordingError:
    name = x.backend.name
    return NotRecordingError(
        f"{what}: the backend {name} records no gradients. Wrap it and put the "
        f'tensor there: .to_backend("autodiff({name})").'
    )


def checked_cotangent(
    x: "Tensor[Recorder[Any]]", cotangent: "Tensor[Any] | None"
) -> Any:
    """The handle that weighs the elements of `x`, or `None` where none is needed.

    Raises `UntrackedError` or `CotangentError`.
    """
    backend = x.backend
    if not backend.is_tracked(x.handle):
        raise UntrackedError(
            f"backward: {_described(x)} depends on no variable. Call .require_grad() "
            "on the inputs whose gradients you want, and compute with what it returns."
        )
    if cotangent is None:
        if not x.shape or x.size == 1:
            return None
        raise CotangentError(
            f"backward: {_described(x)} is not a scalar. Reduce it, for example with "
            ".sum(), or pass a cotangent of the same shape."
        )
    require_tensor("backward", x, cotangent)
    if cotangent.shape != x.shape:
        raise CotangentError(
            f"backward: the cotangent has shape {cotangent.shape}, and the tensor has "
            f"{x.shape}. They must be the same."
        )
    shared, (_, weight) = common("backward", (x, cotangent))
    if shared is not backend:
        raise CotangentError(
            f"backward: the cotangent is on {shared.name}, which wraps the tensor's "
            f"backend {backend.name}. Call .inner() on the cotangent."
        )
    return backend.detach(weight)


def _described(x: "Tensor[Any]") -> str:
    return f"a tensor of shape {x.shape} and dtype {x.dtype} on {x.backend.name}"
