"""`gradcheck` and `gradgradcheck`: gradients against central differences.

For authors of rules and custom ops. They work on any backend with float64.
"""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import trivet as tv
from trivet import Tensor
from trivet.errors import DTypeError, GradientError
from trivet_autodiff.transforms import vjp

__all__ = ["GradcheckError", "gradcheck", "gradgradcheck"]

_STEP = 1e-6  # the cube root of float64's precision, for values near 1


class GradcheckError(GradientError, AssertionError):
    """A gradient that differs from the central difference."""


@dataclass(frozen=True, slots=True)
class _Entry:
    """One element of one gradient, and the difference quotient it should equal."""

    argument: int
    index: tuple[int, ...]
    gradient: complex
    difference: complex

    @property
    def gap(self) -> float:
        """How far they are apart; infinite where one of them is not finite."""
        gap = abs(self.gradient - self.difference)
        return gap if math.isfinite(gap) else math.inf


def gradcheck(
    function: Callable[..., Any],
    *inputs: Tensor[Any],
    step: float = _STEP,
    rtol: float = 1e-5,
    atol: float = 1e-7,
) -> None:
    """Compare the gradients of `function` with central differences.

    `function` takes tensors of float64 or complex128 and returns one tensor of either,
    whose elements are weighed by fixed irregular numbers. Each element of each input is
    moved by `step` times its size, or `step` where that is below 1; a complex one along
    both of its axes, and the gradient then is slope + i slope. Raises `GradcheckError`
    that names the worst element if a gradient is off by more than `atol` and `rtol`
    times the difference quotient, and `DTypeError` for inputs or a result of another
    dtype, and `GradientError` for what is no tensor.

    >>> import trivet as tv
    >>> x = tv.asarray([0.5, 2.0], dtype=tv.float64)
    >>> gradcheck(lambda x: tv.sin(x) * x, x)
    """
    _require_float64(inputs)
    value, pullback = vjp(function, *inputs)
    _require_tensor("the result", value)
    weight = _irregular(value)
    gradients = [_numbers(gradient) for gradient in pullback(weight)]
    weights = _numbers(weight)

    def weighed(*moved: Tensor[Any]) -> float:
        terms = zip(weights, _numbers(function(*moved)), strict=True)
        return math.fsum((w.conjugate() * y).real for w, y in terms if w)

    entries = list(_entries(weighed, inputs, gradients, step))
    _raise_if_off(entries, rtol, atol)


def gradgradcheck(
    function: Callable[..., Any],
    *inputs: Tensor[Any],
    step: float = _STEP,
    rtol: float = 1e-4,
    atol: float = 1e-6,
) -> None:
    """`gradcheck` of the gradients of `function`: its second derivatives.

    The tolerances are wider by default, since each order loses digits.

    >>> import trivet as tv
    >>> gradgradcheck(lambda x: x**3, tv.asarray([2.0], dtype=tv.float64))
    """
    _require_float64(inputs)

    def gradients(*moved: Tensor[Any]) -> Tensor[Any]:
        value, pullback = vjp(function, *moved)
        _require_tensor("the result", value)
        found = pullback(_irregular(value))
        return tv.concat([tv.reshape(gradient, (-1,)) for gradient in found])

    gradcheck(gradients, *inputs, step=step, rtol=rtol, atol=atol)


def _require_float64(inputs: tuple[Tensor[Any], ...]) -> None:
    for place, x in enumerate(inputs):
        _require_tensor(f"input {place}", x)


def _require_tensor(what: str, x: Any) -> None:
    if not isinstance(x, Tensor):
        raise GradientError(
            f"gradcheck: {what} is a {type(x).__name__}, not a tensor. Join several "
            "with tv.concat, and make a number one with tv.asarray."
        )
    if x.dtype not in (tv.float64, tv.complex128):
        raise DTypeError(
            f"gradcheck: {what} has dtype {x.dtype}, and differences need float64. "
            "Cast it with .astype(tv.float64)."
        )


def _irregular(like: Tensor[Any]) -> Tensor[Any]:
    """Weights under which no two elements could cancel by symmetry."""
    turn = 1 + 0.7j if like.dtype == tv.complex128 else 1
    weights = [(math.sin(i + 1.0) + 1.5) * turn for i in range(like.size)]
    flat = tv.asarray(
        weights, dtype=like.dtype, device=like.device, backend=_plain(like)
    )
    return tv.reshape(flat, like.shape)


def _plain(x: Tensor[Any]) -> Any:
    """The innermost backend: constants are made there."""
    backend = x.backend
    while hasattr(backend, "inner"):
        backend = backend.inner
    return backend


def _numbers(x: Tensor[Any]) -> list[Any]:
    return list(tv.reshape(x, (-1,)).tolist())


def _entries(
    weighed: Callable[..., float],
    inputs: tuple[Tensor[Any], ...],
    gradients: list[list[Any]],
    step: float,
) -> Iterator[_Entry]:
    for argument, x in enumerate(inputs):
        numbers = _numbers(x)
        for place, number in enumerate(numbers):
            by = step * max(abs(number), 1.0)
            slopes = []
            for way in (by, 1j * by) if x.dtype == tv.complex128 else (by,):
                high = weighed(*_moved(inputs, argument, numbers, place, number + way))
                low = weighed(*_moved(inputs, argument, numbers, place, number - way))
                slopes.append((high - low) / (2 * by))
            index = _index(place, x.shape)
            gradient = gradients[argument][place]
            slope = complex(*slopes) if len(slopes) == 2 else slopes[0]
            yield _Entry(argument, index, gradient, slope)


def _moved(
    inputs: tuple[Tensor[Any], ...],
    argument: int,
    numbers: list[Any],
    place: int,
    number: complex,
) -> Iterator[Tensor[Any]]:
    for i, x in enumerate(inputs):
        if i != argument:
            yield x
            continue
        changed = [*numbers[:place], number, *numbers[place + 1 :]]
        flat = tv.asarray(changed, dtype=x.dtype, device=x.device, backend=x.backend)
        yield tv.reshape(flat, x.shape)


def _index(place: int, shape: tuple[int, ...]) -> tuple[int, ...]:
    index = []
    for size in reversed(shape):
        place, at = divmod(place, size)
        index.append(at)
    return tuple(reversed(index))


def _raise_if_off(entries: list[_Entry], rtol: float, atol: float) -> None:
    off = [e for e in entries if not e.gap <= atol + rtol * abs(e.difference)]
    if not off:
        return
    worst = max(off, key=lambda entry: entry.gap)
    raise GradcheckError(
        f"gradcheck: {len(off)} of {len(entries)} elements differ. The worst is input "
        f"{worst.argument} at {worst.index}: its gradient is {worst.gradient:.9g}, and "
        f"the central difference {worst.difference:.9g}. Check the rule there, or that "
        "the function is smooth within the step."
    )
