"""Gradients by central differences: what the rules are compared with.

`Case` describes one call of an op. Its `Array` operands are float64 variables; nested
lists of ints or booleans (empty ones are of ints), tensors of rank 0 as `fixed(1)`,
Python numbers and `None` are constants; a tuple is a sequence of arrays. `check`
differentiates the case once and twice.
"""

import math
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import pytest

import trivet as tv
from trivet.contract import Backend
from trivet_autodiff import Autodiff, Forward, vjp

__all__ = [
    "Array",
    "Case",
    "array",
    "check",
    "check_layout",
    "derivative",
    "fixed",
    "gram",
    "handles_of",
    "listed",
    "on",
    "slope_derivative",
    "slopes",
    "spread",
    "tensor",
    "variables_of",
]

STEP = 1e-5  # differences err by its square, and by the rounding of values over it
RELATIVE, ABSOLUTE = 1e-6, 1e-7


@dataclass(frozen=True)
class Array:
    """A float64 array, in C order."""

    shape: tuple[int, ...]
    numbers: tuple[float, ...]

    def moved(self, at: int, by: float) -> "Array":
        """The array with one element changed."""
        numbers = list(self.numbers)
        numbers[at] += by
        return Array(self.shape, tuple(numbers))


@dataclass(frozen=True)
class Case:
    """One call of an op."""

    operands: tuple[Any, ...]
    statics: dict[str, Any]


def on(*operands: Any, **statics: Any) -> Case:
    """The case of a call with these operands and statics."""
    return Case(operands, statics)


def array(*shape: int, low: float = -2.0, high: float = 2.0) -> Array:
    """Numbers that are the same in every run, and differ from shape to shape."""
    numbers = random.Random(f"{shape} {low} {high}")
    size = math.prod(shape)
    return Array(shape, tuple(numbers.uniform(low, high) for _ in range(size)))


@dataclass(frozen=True)
class Fixed:
    """A constant of rank 0."""

    value: bool | int


def fixed(value: bool | int) -> Fixed:
    """A constant of rank 0, which a bare Python number is not."""
    return Fixed(value)


@dataclass(frozen=True)
class Gram:
    """A variable x in the place of which an op gets x @ x^H + 1.5 I."""

    factor: Array


def gram(*shape: int) -> Gram:
    """A symmetric, positive definite operand that depends on a square variable."""
    return Gram(array(*shape))


def tensor(x: Array, backend: Backend[Any], device: Any = None) -> tv.Tensor[Any]:
    """The array as a tensor."""
    where = {"backend": backend, "device": device}
    return tv.reshape(tv.asarray(list(x.numbers), dtype=tv.float64, **where), x.shape)


def listed(cases: dict[str, list[Case]]) -> list[Any]:
    """The cases for `pytest.mark.parametrize`."""
    return [
        pytest.param(op, case, id=f"{op}-{place}")
        for op, several in cases.items()
        for place, case in enumerate(several)
    ]


def slopes(backend: Backend[Any], function: Any, *values: Any) -> list[Any]:
    """What a function's arguments get at float64 values for a cotangent of ones."""
    xs = [tv.asarray(value, dtype=tv.float64, backend=backend) for value in values]
    result, pullback = vjp(function, *xs)
    return [gradient.tolist() for gradient in pullback(tv.ones_like(result))]


def check(backend: Backend[Any], op: str, case: Case) -> None:
    """Compare first and second derivatives of all variables with differences.

    Differences of the values check the gradient; differences of the gradient, now
    known to be right, check its own gradient.
    """
    variables = list(variables_of(case.operands))
    first = _compare(f"gradient of {op}", variables, _Weighted(backend, op, case))
    assert any(map(math.isfinite, first)) or not first
    _compare(f"second derivative of {op}", variables, _Slope(backend, op, case))


def variables_of(operands: Sequence[Any]) -> Iterator[Array]:
    """The variables among the operands, in order."""
    for operand in operands:
        if isinstance(operand, Array):
            yield operand
        elif isinstance(operand, Gram):
            yield operand.factor
        elif isinstance(operand, tuple):
            yield from variables_of(operand)


def check_layout(backend: Backend[Any], op: str, case: Case) -> None:
    """Compare derivatives of operands and cotangents with gaps with those without."""
    variables = list(variables_of(case.operands))
    for order in (_Weighted, _Slope):
        expected = order(backend, op, case).gradients(variables)
        found = order(backend, op, case, spread).gradients(variables)
        for x, y in zip(found, expected, strict=True):
            assert x.shape == y.shape
            assert flat(x) == pytest.approx(
                flat(y), rel=RELATIVE, abs=ABSOLUTE, nan_ok=True
            )


def flat(x: tv.Tensor[Any]) -> list[float]:
    """The elements in C order."""
    numbers: list[float] = tv.reshape(x, (-1,)).tolist() if x.size else []
    return numbers


def spread(x: tv.Tensor[Any]) -> tv.Tensor[Any]:
    """The same values in memory that has gaps, runs backwards, and in another order."""
    if not x.ndim:
        return x
    turned = tv.flip(tv.permute_dims(x, tuple(range(x.ndim))[::-1]), axis=0)
    apart = tv.stack([turned, turned * 0.5], axis=1)[:, 0]
    return tv.permute_dims(tv.flip(apart, axis=0), tuple(range(x.ndim))[::-1])


class _Weighted:
    """The weighted sum of an op's result, as a function of the variables.

    `layout` is the identity, up to how the elements lie in memory.
    """

    def __init__(
        self,
        backend: Backend[Any],
        op: str,
        case: Case,
        layout: Callable[[tv.Tensor[Any]], tv.Tensor[Any]] = lambda x: x,
    ) -> None:
        self.backend, self.op, self.case, self.layout = backend, op, case, layout
        self.recording = Autodiff(backend)

    def value(self, variables: Sequence[Array]) -> float:
        """The weighted sum, computed on the plain backend."""
        plain = [tensor(x, self.backend) for x in variables]
        return weighted([self.run(plain, self.backend)]).item()

    def gradients(self, variables: Sequence[Array]) -> list[tv.Tensor[Any]]:
        """The gradients of the weighted sum."""
        leaves = [tensor(x, self.recording).require_grad() for x in variables]
        total = weighted([self.run(leaves, self.recording)])
        return pulled_back(total, leaves)

    def run(
        self, variables: Sequence[tv.Tensor[Any]], backend: Backend[Any]
    ) -> tv.Tensor[Any]:
        """The op's result for these tensors in place of the variables."""
        handles = handles_of(
            self.case.operands, iter([self.layout(x) for x in variables]), backend
        )
        statics = self.case.statics
        if "device" in statics:  # any but the default, where there is one
            statics = statics | {"device": backend.devices()[-1]}
        handle = getattr(backend, self.op)(*handles, **statics)
        if isinstance(handle, tuple):
            handle = _in_line(handle, backend)
        return self.layout(tv.Tensor.from_handle(handle, backend))


class _Slope(_Weighted):
    """A weighted sum of the gradients of a weighted sum."""

    def value(self, variables: Sequence[Array]) -> float:
        """The sum, from gradients on the wrapped backend."""
        return weighted(super().gradients(variables)).item()

    def gradients(self, variables: Sequence[Array]) -> list[tv.Tensor[Any]]:
        """The second derivatives, from a backend that is wrapped twice."""
        twice = Autodiff(self.recording)
        outer = [tensor(x, self.recording).require_grad() for x in variables]
        inner = [x.to_backend(twice).require_grad() for x in outer]
        slopes = pulled_back(weighted([self.run(inner, twice)]), inner)
        return pulled_back(weighted(slopes), outer)


def pulled_back(
    total: tv.Tensor[Any], leaves: Sequence[tv.Tensor[Any]]
) -> list[tv.Tensor[Any]]:
    """The gradients of a scalar; zeros where it is constant."""
    backend: Any = leaves[0].backend
    if not backend.is_tracked(total.handle):
        return [tv.zeros_like(x.inner()) for x in leaves]
    grads = total.backward()
    return [grads.get(x, tv.zeros_like(x.inner())) for x in leaves]


def weighted(tensors: Sequence[tv.Tensor[Any]]) -> tv.Tensor[Any]:
    """The sum of all elements, each with a weight of its own."""
    total = None
    for place, x in enumerate(tensors):
        numbers = [math.sin(1 + 3 * i + place) + 1.5 for i in range(x.size)]
        weights = tensor(Array(x.shape, tuple(numbers)), x.backend, x.device)
        part = tv.sum(x * weights)
        total = part if total is None else total + part
    assert total is not None
    return total


def handles_of(
    operands: Sequence[Any], variables: Iterator[tv.Tensor[Any]], backend: Any
) -> Iterator[Any]:
    """The operands with the variables in their places, for an op of the backend."""
    for operand in operands:
        if isinstance(operand, Array):
            yield next(variables).handle
        elif isinstance(operand, Gram):
            x = next(variables)
            eye = tv.eye(x.shape[-1], dtype=x.dtype, device=x.device, backend=x.backend)
            yield (x @ tv.conj(x.mT) + eye * 1.5).handle
        elif isinstance(operand, tuple):
            yield list(handles_of(operand, variables, backend))
        elif isinstance(operand, list):
            dtype = None if operand else tv.int64
            yield tv.asarray(operand, dtype=dtype, backend=backend).handle
        elif isinstance(operand, Fixed):
            yield tv.asarray(operand.value, backend=backend).handle
        else:
            yield operand


def _in_line(handles: Sequence[Any], backend: Any) -> Any:
    """The floating ones of several results, one after the other."""
    flat = [
        backend.reshape(x, shape=(math.prod(x.shape),))
        for x in handles
        if backend.is_floating(x)
    ]
    return backend.concat(flat, axis=0)


def _compare(what: str, variables: Sequence[Array], function: _Weighted) -> list[float]:
    """Assert that gradients agree with differences, and return them."""
    found = []
    for place, gradient in enumerate(function.gradients(variables)):
        variable = variables[place]
        assert gradient.shape == variable.shape
        assert gradient.dtype == tv.float64
        numbers = tv.reshape(gradient, (-1,)).tolist() if gradient.size else []
        expected = list(_differences(function, variables, place))
        wrong = [
            (i, f, e)
            for i, (f, e) in enumerate(zip(numbers, expected, strict=True))
            if not math.isclose(f, e, rel_tol=RELATIVE, abs_tol=ABSOLUTE)
        ]
        assert not wrong, f"{what}, variable {place}: (at, found, expected) {wrong}"
        found += numbers
    return found


def _differences(
    function: _Weighted, variables: Sequence[Array], place: int
) -> Iterator[float]:
    for at in range(math.prod(variables[place].shape)):
        ends = []
        for by in (-STEP, STEP):
            moved = list(variables)
            moved[place] = moved[place].moved(at, by)
            ends.append(function.value(moved))
        yield (ends[1] - ends[0]) / (2 * STEP)


def derivative(backend: Backend[Any], op: str, case: Case) -> tuple[float, float]:
    """The derivative of a weighted sum along a direction, forward and backward."""
    function, variables = (
        _Weighted(backend, op, case),
        list(variables_of(case.operands)),
    )
    directions = [tensor(_direction(x), backend) for x in variables]
    level = Forward(backend)
    moving = [
        _moving(level, tensor(x, backend), v)
        for x, v in zip(variables, directions, strict=True)
    ]
    total = weighted([function.run(moving, level)])
    found = tv.Tensor.from_handle(level.tangent(total.handle), backend)
    return found.item(), _along(function.gradients(variables), directions).item()


def slope_derivative(backend: Backend[Any], op: str, case: Case) -> tuple[float, float]:
    """The same of a weighted sum of the gradients: forward over reverse, and twice."""
    variables = list(variables_of(case.operands))
    directions = [tensor(_direction(x), backend) for x in variables]
    level = Forward(backend)
    recording = Autodiff(level)
    moving = [
        _moving(level, tensor(x, backend), v)
        for x, v in zip(variables, directions, strict=True)
    ]
    leaves = [x.to_backend(recording).require_grad() for x in moving]
    function = _Weighted(backend, op, case)
    slopes = weighted(pulled_back(weighted([function.run(leaves, recording)]), leaves))
    found = tv.Tensor.from_handle(level.tangent(slopes.handle), backend)
    again = _Slope(backend, op, case).gradients(variables)
    return found.item(), _along(again, directions).item()


def _moving(
    level: Forward[Any], x: tv.Tensor[Any], v: tv.Tensor[Any]
) -> tv.Tensor[Any]:
    return tv.Tensor.from_handle(level.dual(x.handle, v.handle), level)


def _direction(x: Array) -> Array:
    return array(*x.shape, low=-1.0, high=1.0)


def _along(
    gradients: Sequence[tv.Tensor[Any]], directions: Sequence[tv.Tensor[Any]]
) -> tv.Tensor[Any]:
    """The sum of products."""
    total = tv.asarray(0.0, dtype=tv.float64, backend=gradients[0].backend)
    for g, v in zip(gradients, directions, strict=True):
        total = total + tv.sum(g * v)
    return total
