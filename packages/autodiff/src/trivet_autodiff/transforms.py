"""Functions of functions: `grad`, `value_and_grad` and `vjp`.

They wrap their arguments' backend themselves and take and return plain tensors. A
nested transform wraps the outermost backend that is being differentiated, so inner
derivatives are functions of the outer variables.
"""

import functools
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

import trivet as tv
from trivet import Tensor
from trivet.contract import Backend, contains
from trivet.errors import CotangentError, GradientError
from trivet_autodiff.backend import Autodiff
from trivet_autodiff.mode import enable_grad

__all__ = ["grad", "value_and_grad", "vjp"]

_live: ContextVar[Backend[Any] | None] = ContextVar(
    "trivet_autodiff_live", default=None
)


def grad(
    function: Callable[..., Any], argnums: int | Sequence[int] = 0
) -> Callable[..., Any]:
    """A function that gives the gradient of a scalar `function`.

    The gradient is with respect to the positional argument `argnums`, or a tuple of
    gradients for several. Where the result does not depend on an argument, it is 0.
    Numbers count as 0-d tensors. Raises `CotangentError` if the result is no scalar.

    >>> import trivet as tv
    >>> cube = lambda x: x * x * x
    >>> float(grad(cube)(tv.asarray(2.0))), float(grad(grad(cube))(tv.asarray(2.0)))
    (12.0, 12.0)
    """
    both = value_and_grad(function, argnums)

    @functools.wraps(function)
    def gradient(*args: Any, **keywords: Any) -> Any:
        return both(*args, **keywords)[1]

    return gradient


def value_and_grad(
    function: Callable[..., Any], argnums: int | Sequence[int] = 0
) -> Callable[..., Any]:
    """Like `grad`, but the function gives the pair of value and gradient.

    >>> import trivet as tv
    >>> value, slope = value_and_grad(lambda x: x * x)(tv.asarray(3.0))
    >>> float(value), float(slope)
    (9.0, 6.0)
    """
    places = (argnums,) if isinstance(argnums, int) else tuple(argnums)

    @functools.wraps(function)
    def value_and_gradient(*args: Any, **keywords: Any) -> Any:
        recorded = _Recording("grad", function, args, keywords, places)
        value = recorded.value
        if value.size != 1:
            raise CotangentError(
                f"grad: the function returned a tensor of shape {value.shape}, not a "
                "scalar. Reduce it, for example with .sum(), or use vjp."
            )
        found = recorded.pull(None)
        return value, found[0] if isinstance(argnums, int) else found

    return value_and_gradient


def vjp(
    function: Callable[..., Any], *primals: Any
) -> tuple[Tensor[Any], Callable[[Tensor[Any]], tuple[Tensor[Any], ...]]]:
    """The value of `function`, and the pullback of its cotangents.

    The pullback takes a tensor of the value's shape and returns one for each primal.
    It can be called again.

    >>> import trivet as tv
    >>> value, pullback = vjp(lambda x: x * x, tv.asarray([1.0, 2.0]))
    >>> pullback(tv.asarray([1.0, 10.0]))[0].tolist()
    [2.0, 40.0]
    """
    places = tuple(range(len(primals)))
    recorded = _Recording("vjp", function, primals, {}, places)

    def pullback(cotangent: Tensor[Any]) -> tuple[Tensor[Any], ...]:
        return recorded.pull(cotangent)

    return recorded.value, pullback


class _Recording:
    """One run of a function with some of its arguments as variables."""

    def __init__(
        self,
        what: str,
        function: Callable[..., Any],
        args: Sequence[Any],
        keywords: dict[str, Any],
        places: tuple[int, ...],
    ) -> None:
        self.base = _base([*args, *keywords.values()])
        backend = Autodiff(self.base)
        arguments = list(args)
        for at in places:
            arguments[at] = _variable(args, at, backend)
        self.variables = [arguments[at] for at in places]
        with _running(backend), enable_grad():
            result = function(*arguments, **keywords)
        self.result = _as_result(what, result, self.base)
        self.backend = backend

    @property
    def value(self) -> Tensor[Any]:
        """The function's value, a constant for this level."""
        x = self.result
        return x.inner() if x.backend is self.backend else x

    def pull(self, cotangent: Tensor[Any] | None) -> tuple[Tensor[Any], ...]:
        """The cotangents of the variables."""
        x, grads = self.result, None
        if x.backend is self.backend and self.backend.is_tracked(x.handle):
            grads = x.backward(cotangent)
        return tuple(
            tv.zeros_like(v.inner()) if grads is None or v not in grads else grads[v]
            for v in self.variables
        )


def _base(args: Sequence[Any]) -> Backend[Any]:
    """The backend to wrap: the outermost of the arguments' and the one running."""
    base: Backend[Any] | None = None
    for backend in [*(a.backend for a in args if isinstance(a, Tensor)), _live.get()]:
        if backend is not None and (base is None or contains(backend, base)):
            base = backend
    return tv.namespace().backend if base is None else base


def _variable(args: Sequence[Any], at: int, backend: Autodiff[Any]) -> Tensor[Any]:
    if at >= len(args):
        raise GradientError(
            f"grad: argnums={at}, and the function was called with {len(args)} "
            "positional arguments. Pass what is differentiated by position."
        )
    x = args[at]
    if not isinstance(x, Tensor):
        x = tv.asarray(x, backend=backend.inner)
    on_it: Tensor[Autodiff[Any]] = x.to_backend(backend)
    return on_it.require_grad()


def _as_result(what: str, result: Any, base: Backend[Any]) -> Tensor[Any]:
    if isinstance(result, Tensor):
        return result
    if isinstance(result, int | float):
        constant: Tensor[Any] = tv.asarray(result, backend=base)
        return constant
    raise GradientError(
        f"{what}: the function returned a {type(result).__name__}, not a tensor. "
        "Return one tensor."
    )


@contextmanager
def _running(backend: Backend[Any]) -> Iterator[None]:
    token = _live.set(backend)
    try:
        yield
    finally:
        _live.reset(token)
