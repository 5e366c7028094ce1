"""Matrices of derivatives: `jacobian`, `hessian`, and the products `hvp`."""

import functools
import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Literal

import trivet as tv
from trivet import Tensor
from trivet.errors import GradientError
from trivet_autodiff.recording import Recording
from trivet_autodiff.run import base_of, first
from trivet_autodiff.tangents import Linearization, jvp
from trivet_autodiff.transforms import grad

__all__ = ["hessian", "hvp", "jacobian"]


def jacobian(
    function: Callable[..., Any],
    argnums: int | Sequence[int] = 0,
    mode: Literal["reverse", "forward"] = "reverse",
) -> Callable[..., Any]:
    """A function that gives all derivatives of all elements of the result.

    For a tensor of a tensor their shape is `value.shape + argument.shape`. Nested
    results and arguments give matrices nested as the result and, within, as the
    argument; a tuple of `argnums` a tuple of arguments. `function` runs once; then the
    mode says what is walked once for each element: "reverse" for those of the result,
    "forward" for those of the arguments. Take the fewer.

    Raises `GradientError` for another mode, and where the result has no derivative.

    >>> import trivet as tv
    >>> jacobian(lambda x: x * x)(tv.asarray([1.0, 2.0])).tolist()
    [[2.0, 0.0], [0.0, 4.0]]
    """
    if mode not in ("reverse", "forward"):
        raise GradientError(
            f'jacobian: mode={mode!r} is neither "reverse" nor "forward".'
        )
    places = (argnums,) if isinstance(argnums, int) else tuple(argnums)
    rows = _backward if mode == "reverse" else _forward

    @functools.wraps(function)
    def matrix(*args: Any, **keywords: Any) -> Any:
        structure, found = rows(function, args, keywords, places)
        if isinstance(argnums, int):
            found = [row[0] for row in found]
        return structure.unflatten(found)

    return matrix


def _backward(
    function: Callable[..., Any],
    args: tuple[Any, ...],
    keywords: dict[str, Any],
    places: tuple[int, ...],
) -> tuple[Any, list[Any]]:
    """For each result its derivatives, from a cotangent for each of its elements."""
    base = base_of(*first(args, places), *keywords.values())
    run = Recording("jacobian", function, args, keywords, places, base)
    run.take(run.returned)
    values, found = run.values(), []
    for at, value in enumerate(values):
        none: list[Tensor[Any] | None] = [None] * len(values)
        rows = [run.pull(_with(none, at, unit)) for unit in _units(value)]
        shapes = [v.shape for v in run.variables]
        parts = list(zip(*rows, strict=True)) or [()] * len(shapes)
        found.append(
            run.shaped(
                [
                    _stacked(part, value, value.shape + shape, axis=0)
                    for part, shape in zip(parts, shapes, strict=True)
                ]
            )
        )
    return run.structure, found


def _forward(
    function: Callable[..., Any],
    args: tuple[Any, ...],
    keywords: dict[str, Any],
    places: tuple[int, ...],
) -> tuple[Any, list[Any]]:
    """The same from a tangent for each element of the arguments."""
    line = Linearization("jacobian", function, args, keywords, places)
    of_each: list[list[Any]] = [[] for _ in line.values]
    for at, x in enumerate(line.primals):
        none: list[Tensor[Any] | None] = [None] * len(line.primals)
        columns = [line.push(_with(none, at, unit)) for unit in _units(x)]
        parts = list(zip(*columns, strict=True)) or [()] * len(line.values)
        for own, part, value in zip(of_each, parts, line.values, strict=True):
            shape = value.shape + x.shape
            own.append(_stacked(part, value, shape, axis=value.ndim))
    return line.structure, [line.shaped(own) for own in of_each]


def _with(nones: list[Tensor[Any] | None], at: int, unit: Tensor[Any]) -> list[Any]:
    return [*nones[:at], unit, *nones[at + 1 :]]


def _units(x: Tensor[Any]) -> Iterator[Tensor[Any]]:
    """The tensors like `x` that are 1 in one place and 0 elsewhere."""
    zeros = tv.zeros(x.size, dtype=x.dtype, device=x.device, backend=x.backend)
    for place in range(x.size):
        yield tv.reshape(tv.at(zeros, place).set(1.0), x.shape)


def _stacked(
    parts: Sequence[Tensor[Any]], value: Tensor[Any], shape: tuple[int, ...], axis: int
) -> Tensor[Any]:
    if not math.prod(shape):
        zeros: Tensor[Any] = tv.zeros(
            shape, dtype=value.dtype, device=value.device, backend=value.backend
        )
        return zeros
    return tv.reshape(tv.stack(list(parts), axis=axis), shape)


def hessian(
    function: Callable[..., Any], argnums: int | Sequence[int] = 0
) -> Callable[..., Any]:
    """A function that gives the second derivatives of a scalar `function`.

    For a tensor their shape is `argument.shape + argument.shape`. Nested arguments, and
    a tuple of `argnums`, give matrices nested twice. Raises `GradientError` as `grad`.

    >>> import trivet as tv
    >>> hessian(lambda x: x[0] * x[0] * x[1])(tv.asarray([1.0, 2.0])).tolist()
    [[4.0, 2.0], [2.0, 0.0]]
    """
    return jacobian(grad(function, argnums), argnums)


def hvp(
    function: Callable[..., Any], primals: Sequence[Any], vectors: Sequence[Any]
) -> tuple[Any, ...]:
    """The second derivatives of a scalar `function` times vectors.

    One vector for each primal, nested as that is; the result is a tuple of the
    products. It is made forward over reverse, at the cost of a few runs of `function`:
    the matrix is never there.

    >>> import trivet as tv
    >>> x, v = tv.asarray([1.0, 2.0]), tv.asarray([1.0, 0.0])
    >>> hvp(lambda x: x[0] * x[0] * x[1], (x,), (v,))[0].tolist()
    [4.0, 2.0]
    """
    gradient = grad(function, range(len(primals)))
    products: tuple[Any, ...] = jvp(gradient, primals, vectors)[1]
    return products
