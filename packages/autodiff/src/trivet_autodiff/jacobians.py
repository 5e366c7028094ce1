"""Matrices of derivatives: `jacobian`, `hessian`, and the products `hvp`."""

import functools
import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Literal

import trivet as tv
from trivet import Tensor
from trivet.dtypes import COMPLEX, FLOATING, REAL_FLOATING, Kind
from trivet.errors import CotangentError, GradientError
from trivet_autodiff.recording import Recording
from trivet_autodiff.run import base_of, first, places_of
from trivet_autodiff.tangents import Linearization, jvp
from trivet_autodiff.transforms import grad

__all__ = ["hessian", "hvp", "jacobian"]


def jacobian(
    function: Callable[..., Any],
    argnums: int | Sequence[int] = 0,
    mode: Literal["reverse", "forward"] = "reverse",
    *,
    holomorphic: bool = False,
) -> Callable[..., Any]:
    """A function that gives all derivatives of all elements of the result.

    For a tensor of a tensor their shape is `value.shape + argument.shape`. Nested
    results and arguments give matrices nested as the result and, within, as the
    argument; a tuple of `argnums` a tuple of arguments. `function` runs once; then the
    mode says what is walked once for each element: "reverse" for those of the result,
    "forward" for those of the arguments. Take the fewer.

    A complex result of a real argument has complex derivatives. By a complex argument,
    only a holomorphic function has a matrix: `holomorphic=True` promises that it is
    one, and the matrix has its derivatives, not conjugated. Nothing checks the promise.

    Raises `GradientError` for another mode, for a complex argument without
    `holomorphic`, and with it for a real result, which no such function has.

    >>> import trivet as tv
    >>> jacobian(lambda x: x * x)(tv.asarray([1.0, 2.0])).tolist()
    [[2.0, 0.0], [0.0, 4.0]]
    >>> jacobian(lambda z: z * z, holomorphic=True)(1 + 2j).item()
    (2+4j)
    """
    return _matrix("jacobian", function, argnums, mode, holomorphic=holomorphic)


def _matrix(
    what: str,
    function: Callable[..., Any],
    argnums: int | Sequence[int],
    mode: str,
    *,
    holomorphic: bool,
) -> Callable[..., Any]:
    if mode not in ("reverse", "forward"):
        raise GradientError(
            f'{what}: mode={mode!r} is neither "reverse" nor "forward".'
        )
    places, alone = places_of(what, argnums), not isinstance(argnums, Iterable)
    rows = _backward if mode == "reverse" else _forward
    kinds = FLOATING if holomorphic else REAL_FLOATING

    @functools.wraps(function)
    def matrix(*args: Any, **keywords: Any) -> Any:
        structure, found = rows(what, function, args, keywords, places, kinds)
        if alone:
            found = [row[0] for row in found]
        return structure.unflatten(found)

    return matrix


def _backward(
    what: str,
    function: Callable[..., Any],
    args: tuple[Any, ...],
    keywords: dict[str, Any],
    places: tuple[int, ...],
    kinds: frozenset[Kind],
) -> tuple[Any, list[Any]]:
    """For each result its derivatives, from a cotangent for each of its elements."""
    base = base_of(*first(args, places), *keywords.values())
    run = Recording(what, function, args, keywords, places, base, kinds)
    run.take(run.returned)
    values, found = run.values(), []
    _refuse_real(what, run.variables, values)
    for at, value in enumerate(values):
        none: list[Tensor[Any] | None] = [None] * len(values)
        rows = [_row(run, none, at, unit) for unit in _units(value)]
        parts = list(zip(*rows, strict=True)) or [()] * len(run.variables)
        found.append(
            run.shaped(
                [
                    _stacked(part, value, x, value.shape + x.shape, axis=0)
                    for part, x in zip(parts, run.variables, strict=True)
                ]
            )
        )
    return run.structure, found


def _row(
    run: Recording, none: list[Tensor[Any] | None], at: int, unit: Tensor[Any]
) -> list[Tensor[Any]]:
    """The derivatives of one element of a result by all variables.

    What a real variable gets of the cotangents 1 and i are the slopes of both parts. A
    complex one gets the conjugate of the derivative.
    """
    slopes = run.pull(_with(none, at, unit))
    if not _is_complex(unit):
        return slopes
    if all(map(_is_complex, slopes)):
        return [tv.conj(slope) for slope in slopes]
    turned = run.pull(_with(none, at, unit * 1j))
    return [
        tv.conj(slope) if _is_complex(slope) else slope + other * 1j
        for slope, other in zip(slopes, turned, strict=True)
    ]


def _forward(
    what: str,
    function: Callable[..., Any],
    args: tuple[Any, ...],
    keywords: dict[str, Any],
    places: tuple[int, ...],
    kinds: frozenset[Kind],
) -> tuple[Any, list[Any]]:
    """The same from a tangent for each element of the arguments."""
    line = Linearization(what, function, args, keywords, places, kinds)
    _refuse_real(what, line.primals, line.values)
    of_each: list[list[Any]] = [[] for _ in line.values]
    for at, x in enumerate(line.primals):
        none: list[Tensor[Any] | None] = [None] * len(line.primals)
        columns = [line.push(_with(none, at, unit)) for unit in _units(x)]
        parts = list(zip(*columns, strict=True)) or [()] * len(line.values)
        for own, part, value in zip(of_each, parts, line.values, strict=True):
            shape = value.shape + x.shape
            own.append(_stacked(part, value, x, shape, axis=value.ndim))
    return line.structure, [line.shaped(own) for own in of_each]


def _refuse_real(
    what: str, variables: Sequence[Tensor[Any]], values: Sequence[Tensor[Any]]
) -> None:
    """Raise `GradientError` for real results where a variable is complex."""
    if not any(map(_is_complex, variables)):
        return
    for value in values:
        if value.dtype.kind in REAL_FLOATING:
            raise GradientError(
                f"{what}: the function returned a tensor of dtype {value.dtype}, and "
                "a holomorphic function of complex arguments is complex. Use grad or "
                "vjp, or jvp and hvp for directional derivatives."
            )


def _is_complex(x: Tensor[Any]) -> bool:
    return x.dtype.kind in COMPLEX


def _with(nones: list[Tensor[Any] | None], at: int, unit: Tensor[Any]) -> list[Any]:
    return [*nones[:at], unit, *nones[at + 1 :]]


def _units(x: Tensor[Any]) -> Iterator[Tensor[Any]]:
    """The tensors like `x` that are 1 in one place and 0 elsewhere.

    Of a dtype without derivatives they do not matter: they are 0.
    """
    zeros = tv.zeros(x.size, dtype=x.dtype, device=x.device, backend=x.backend)
    moves = x.dtype.kind in FLOATING
    for place in range(x.size):
        unit = tv.at(zeros, place).set(1.0) if moves else zeros
        yield tv.reshape(unit, x.shape)


def _stacked(
    parts: Sequence[Tensor[Any]],
    value: Tensor[Any],
    variable: Tensor[Any],
    shape: tuple[int, ...],
    axis: int,
) -> Tensor[Any]:
    """The parts as one, in the variable's dtype unless only the value is complex."""
    dtype = value.dtype if _is_complex(value) else variable.dtype
    if not math.prod(shape):
        zeros: Tensor[Any] = tv.zeros(
            shape, dtype=dtype, device=value.device, backend=value.backend
        )
        return zeros
    whole: Tensor[Any] = tv.reshape(tv.stack(list(parts), axis=axis), shape)
    return whole if _is_complex(whole) else whole.astype(dtype)


def hessian(
    function: Callable[..., Any],
    argnums: int | Sequence[int] = 0,
    *,
    holomorphic: bool = False,
) -> Callable[..., Any]:
    """A function that gives the second derivatives of a scalar `function`.

    For a tensor their shape is `argument.shape + argument.shape`. Nested arguments, and
    a tuple of `argnums`, give matrices nested twice.

    With `holomorphic`, arguments and result may be complex, as those of `jacobian`. A
    real function of complex arguments has no such matrix: `hvp` gives its products.

    Raises `GradientError` and `CotangentError` as `grad` and `jacobian` do.

    >>> import trivet as tv
    >>> hessian(lambda x: x[0] * x[0] * x[1])(tv.asarray([1.0, 2.0])).tolist()
    [[4.0, 2.0], [2.0, 0.0]]
    """
    first_order = (
        _matrix("hessian", _scalar(function), argnums, "reverse", holomorphic=True)
        if holomorphic
        else grad(function, argnums)
    )
    return _matrix("hessian", first_order, argnums, "reverse", holomorphic=holomorphic)


def _scalar(function: Callable[..., Any]) -> Callable[..., Any]:
    """The function, whose result has to be one number."""

    @functools.wraps(function)
    def scalar(*args: Any, **keywords: Any) -> Tensor[Any]:
        value = function(*args, **keywords)
        if isinstance(value, Tensor) and value.size == 1:
            return tv.reshape(value, ())
        shape = f"tensor of shape {value.shape}" if isinstance(value, Tensor) else None
        raise CotangentError(
            f"hessian: the function returned a {shape or type(value).__name__}, not a "
            "scalar. Reduce it, for example with .sum(), or use jacobian twice."
        )

    return scalar


def hvp(
    function: Callable[..., Any], primals: Sequence[Any], vectors: Sequence[Any]
) -> tuple[Any, ...]:
    """The second derivatives of a scalar `function` times vectors.

    One vector for each primal, nested as that is; the result is a tuple of the
    products. It is made forward over reverse, at the cost of a few runs of `function`:
    the matrix is never there.

    For complex primals it is how the gradient of the real `function` changes along the
    vectors, in the convention of `grad`.

    >>> import trivet as tv
    >>> x, v = tv.asarray([1.0, 2.0]), tv.asarray([1.0, 0.0])
    >>> hvp(lambda x: x[0] * x[0] * x[1], (x,), (v,))[0].tolist()
    [4.0, 2.0]
    """
    gradient = grad(function, range(len(primals)))
    products: tuple[Any, ...] = jvp(gradient, primals, vectors)[1]
    return products
