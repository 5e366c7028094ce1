"""`on_gradient` and `keep_gradient`: looking at cotangents on their way."""

from collections.abc import Callable
from typing import Any

from trivet import DType, Tensor
from trivet.contract import Backend, contains
from trivet.dtypes import COMPLEX
from trivet.errors import CotangentError, UntrackedError
from trivet_autodiff.backend import Autodiff
from trivet_autodiff.complexes import cast, conjugate
from trivet_autodiff.forward import Forward
from trivet_autodiff.peel import level_of
from trivet_autodiff.tape import new_leaf, new_number
from trivet_autodiff.watch import notice

__all__ = ["keep_gradient", "on_gradient"]


def on_gradient(x: Tensor[Any], hook: Callable[[Tensor[Any]], Any]) -> Tensor[Any]:
    """`x` with a hook: a backward pass calls it with the gradient of what is returned.

    The hook gets a tensor on the inner backend, like `x` in shape and dtype; that of a
    complex one is as `backward` gives it. What it returns goes on in its place,
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
    inner, shape, dtype = level.inner, x.shape, x.dtype

    def pull(g: Any, _: None) -> Any:
        seen = conjugate(inner, cast(inner, g, dtype))
        answer = hook(Tensor.from_handle(seen, inner))
        if answer is None:
            return g
        _require_fitting(inner, shape, dtype, answer)
        return conjugate(inner, cast(inner, answer.handle, dtype))

    node = (new_number(), x.handle.node, pull, None)
    hooked = level.attached(x.handle.value, node)
    hooked = notice("on_gradient", level, [x.handle], hooked)
    return Tensor.from_handle(hooked, x.backend)


def _require_fitting(
    inner: Backend[Any], shape: tuple[int, ...], dtype: DType, answer: Any
) -> None:
    """Raise `CotangentError` for an answer that is no gradient of the tensor."""
    if not isinstance(answer, Tensor) or answer.shape != shape:
        raise CotangentError(
            f"on_gradient: the hook returned {type(answer).__name__} of shape "
            f"{getattr(answer, 'shape', None)}, not a tensor of shape {shape}, nor "
            "None."
        )
    if not contains(inner, answer.backend):
        raise CotangentError(
            f"on_gradient: the hook returned a tensor on {answer.backend.name}, and "
            f"gradients are on {inner.name}. Compute with constants: call .inner() on "
            "what is tracked."
        )
    if answer.dtype.kind in COMPLEX and dtype.kind not in COMPLEX:
        raise CotangentError(
            f"on_gradient: the hook returned a tensor of dtype {answer.dtype}, and the "
            f"gradient of one of dtype {dtype} is real. Take tv.real(...) of it."
        )


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
