"""Functions of functions, backward: `grad`, `value_and_grad` and `vjp`.

They wrap their arguments' backend themselves and take and return plain tensors, alone
or nested in containers.
"""

import functools
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from trivet.errors import CotangentError, GradientError
from trivet_autodiff.backend import Autodiff
from trivet_autodiff.recording import Recording
from trivet_autodiff.run import base_of, first, inner, places_of
from trivet_autodiff.tree import flatten, mapped, shown

__all__ = ["grad", "value_and_grad", "vjp"]


def grad(
    function: Callable[..., Any],
    argnums: int | Sequence[int] = 0,
    *,
    has_aux: bool = False,
    checkpoint: str | int = "none",
) -> Callable[..., Any]:
    """A function that gives the gradient of a scalar `function`.

    The gradient is with respect to the positional argument `argnums`, or a tuple of
    gradients for several. An argument may be nested; its gradient is nested likewise.
    Where the result does not depend on an argument, it is 0. Numbers count as 0-d
    tensors. With `has_aux` the function returns a pair of the scalar and anything
    else, and so does the new one: the gradient and the rest. `checkpoint` is the policy
    for what the backward pass needs, as `Autodiff` has it: "none", "balanced", or a
    number of bytes.

    Raises `CotangentError` if the result is no scalar, and `GradientError` for an
    argument without derivatives, such as one of integers, for one that is named twice,
    and for another policy.

    >>> import trivet as tv
    >>> cube = lambda x: x * x * x
    >>> float(grad(cube)(tv.asarray(2.0))), float(grad(grad(cube))(tv.asarray(2.0)))
    (12.0, 12.0)
    """
    both = _differentiated("grad", function, argnums, checkpoint, has_aux=has_aux)

    @functools.wraps(function)
    def gradient(*args: Any, **keywords: Any) -> Any:
        value, slope = both(*args, **keywords)
        return (slope, value[1]) if has_aux else slope

    return gradient


def value_and_grad(
    function: Callable[..., Any],
    argnums: int | Sequence[int] = 0,
    *,
    has_aux: bool = False,
    checkpoint: str | int = "none",
) -> Callable[..., Any]:
    """Like `grad`, but the function gives the pair of value and gradient.

    With `has_aux` the value is the pair that the function returned.

    >>> import trivet as tv
    >>> value, slope = value_and_grad(lambda x: x * x)(tv.asarray(3.0))
    >>> float(value), float(slope)
    (9.0, 6.0)
    """
    return _differentiated(
        "value_and_grad", function, argnums, checkpoint, has_aux=has_aux
    )


def _differentiated(
    what: str,
    function: Callable[..., Any],
    argnums: int | Sequence[int],
    checkpoint: str | int,
    *,
    has_aux: bool,
) -> Callable[..., Any]:
    places, alone = places_of(what, argnums), not isinstance(argnums, Iterable)
    options = Autodiff.settled(checkpoint=checkpoint)

    @functools.wraps(function)
    def value_and_gradient(*args: Any, **keywords: Any) -> Any:
        base = base_of(*first(args, places), *keywords.values())
        run = Recording(what, function, args, keywords, places, base, **options)
        result, aux = _parted(what, run.returned) if has_aux else (run.returned, None)
        _take_scalar(run, result)
        value: Any = run.values()[0]
        if has_aux:
            value = value, mapped(lambda x: inner(x, run.backend), aux)
        del result, aux  # so that the graph can be freed
        found = run.shaped(run.finish((None,)))
        return value, found[0] if alone else found

    return value_and_gradient


def _parted(what: str, result: Any) -> tuple[Any, Any]:
    if isinstance(result, tuple) and len(result) == 2:
        return result
    raise GradientError(
        f"{what}: has_aux=True, and the function returned a {type(result).__name__}, "
        "not a pair of a scalar and the rest."
    )


def _take_scalar(run: Recording, result: Any) -> None:
    """Note the one scalar that a gradient is of."""
    nested, _ = flatten(result)
    if len(nested) != 1 or nested[0] is not result:
        raise GradientError(
            f"{run.what}: the function returned a {type(result).__name__}, not a "
            "tensor. Return one tensor, or use vjp."
        )
    run.take(result)
    (value,) = run.results
    if value.size != 1:
        raise CotangentError(
            f"{run.what}: the function returned a tensor of shape {value.shape}, not a "
            "scalar. Reduce it, for example with .sum(), or use vjp."
        )


def vjp(
    function: Callable[..., Any], *primals: Any, checkpoint: str | int = "none"
) -> tuple[Any, Callable[..., Any]]:
    """The value of `function`, and the pullback of its cotangents.

    The pullback takes a cotangent for the value, nested as that is, and returns a tuple
    of what each primal gets. It can be called again. So several outputs are
    differentiated at once: return them as a tuple. `checkpoint` is as in `grad`.

    Raises `GradientError` for a primal without derivatives and for another policy, and
    the pullback `CotangentError` for a cotangent that does not fit the value.

    >>> import trivet as tv
    >>> value, pullback = vjp(lambda x: x * x, tv.asarray([1.0, 2.0]))
    >>> pullback(tv.asarray([1.0, 10.0]))[0].tolist()
    [2.0, 40.0]
    """
    base, places = base_of(*primals), range(len(primals))
    options = Autodiff.settled(checkpoint=checkpoint)
    run = Recording("vjp", function, primals, {}, places, base, **options)
    run.take(run.returned)
    value = run.structure.unflatten(run.values())

    def pullback(cotangent: Any) -> tuple[Any, ...]:
        found, structure = flatten(cotangent)
        if structure != run.structure:
            raise CotangentError(
                f"vjp: the cotangent is nested as {shown(cotangent)}, and the value "
                f"as {shown(value)}. They must be the same."
            )
        return run.shaped(run.pull(found))

    return value, pullback
