"""`on_gradient` and `keep_gradient`: looking at cotangents on their way."""

from collections.abc import Callable
from typing import Any

from trivet import Tensor
from trivet.errors import CotangentError, UntrackedError
from trivet_autodiff.backend import Autodiff
from trivet_autodiff.forward import Forward
from trivet_autodiff.peel import level_of
from trivet_autodiff.tape import new_leaf, new_number
from trivet_autodiff.watch import notice

__all__ = ["keep_gradient", "on_gradient"]


def on_gradient(x: Tensor[Any], hook: Callable[[Tensor[Any]], Any]) -> Tensor[Any]:
    """`x` with a hook: a backward pass calls it with the gradient of what is returned.

    The hook gets a tensor on the inner backend. What it returns goes on in its place,
    a tensor of the same shape, or with `None` the gradient as it is. Compute with what
    is returned; `x` itself has no hook. Raises `UntrackedError` if `x` is not tracked,
    and during the pass `CotangentError` for an answer that does not fit.

    >>> import trivet as tv
    >>> x = tv.asarray([3.0], backend="autodiff(ndarray)").require_grad()
    >>> clipped = on_gradient(x, lambda g: tv.clip(g, -1.0, 1.0))
    >>> (clipped * clipped).sum().backward()[x].tolist()
    [1.0]
    """
    level = _level("on_gradient", x)
    inner = level.inner

    def pull(g: Any, _: None) -> Any:
        answer = hook(Tensor.from_handle(g, inner))
        if answer is None:
            return g
        if not isinstance(answer, Tensor) or answer.shape != x.shape:
            shape = getattr(answer, "shape", None)
            raise CotangentError(
                f"on_gradient: the hook returned {type(answer).__name__} of shape "
                f"{shape}, not a tensor of shape {x.shape}, nor None."
            )
        return answer.handle

    node = (new_number(), x.handle.node, pull, None)
    hooked = level.attached(x.handle.value, node)
    hooked = notice("on_gradient", level, [x.handle], hooked)
    return Tensor.from_handle(hooked, x.backend)


def keep_gradient(x: Tensor[Any]) -> tuple[Tensor[Any], Tensor[Any]]:
    """`x`, which is no variable, and a variable that stands for its gradient.

    Compute with the first; the gradients of the result hold that of `x` under the
    second. Raises `UntrackedError` if `x` is not tracked.

    >>> import trivet as tv
    >>> x = tv.asarray([3.0], backend="autodiff(ndarray)").require_grad()
    >>> square, mark = keep_gradient(x * x)
    >>> grads = (square * 2).sum().backward()
    >>> grads[mark].tolist(), grads[x].tolist()
    ([2.0], [12.0])
    """
    level = _level("keep_gradient", x)
    value = x.handle.value
    zeros = level.inner.filled_like(value, 0, x.shape)
    leaf = new_leaf(type(x.handle), zeros, level.inner.dtype(value))
    node = (new_number(), x.handle.node, None, None, leaf.node, None, None)
    kept = notice("keep_gradient", level, [x.handle], level.attached(value, node))
    return Tensor.from_handle(kept, x.backend), Tensor.from_handle(leaf, x.backend)


def _level(what: str, x: Tensor[Any]) -> Autodiff[Any]:
    level = level_of(x)
    if isinstance(level, Autodiff):
        return level
    if isinstance(level, Forward):
        raise UntrackedError(
            f"{what}: the tensor moves along a tangent, as in jvp, and no gradient "
            "comes back to it. Hang the hook on a tensor outside."
        )
    raise UntrackedError(
        f"{what}: the tensor is not tracked. Compute it from what .require_grad() "
        "returned, on a backend such as autodiff(ndarray)."
    )
