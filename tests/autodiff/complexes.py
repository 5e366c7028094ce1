"""Directional derivatives by complex numbers, compared with central differences.

`check` compares `jvp` and `linearize` of a function with differences of its values on
the plain backend. `turned` makes such a function of a case of `numeric`: its variables
get imaginary parts.
"""

import math
import random
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from numeric import ABSOLUTE, RELATIVE, STEP, Array, Case, handles_of, variables_of

import trivet as tv
from trivet.contract import Backend
from trivet.dtypes import REAL_FLOATING
from trivet_autodiff import jvp, linearize, vjp

__all__ = [
    "along",
    "changing",
    "check",
    "numbers",
    "slopes_of",
    "takes_complex",
    "tensor",
    "turned",
]

Function = Callable[..., Any]


def tensor(values: Any, backend: Backend[Any]) -> tv.Tensor[Any]:
    """The values as complex128."""
    return tv.asarray(values, dtype=tv.complex128, backend=backend)


def along(like: tv.Tensor[Any]) -> tv.Tensor[Any]:
    """A direction for a tensor: irregular numbers of its dtype."""
    turn = 1 + 0.6j if _is_complex(like) else 1.0
    values = [math.sin(2 * i + 1) * turn**i for i in range(like.size)]
    flat = tv.asarray(
        values, dtype=like.dtype, device=like.device, backend=_plain(like.backend)
    )
    return tv.reshape(flat, like.shape)


def _plain(backend: Any) -> Any:
    return _plain(backend.inner) if hasattr(backend, "inner") else backend


def numbers(x: tv.Tensor[Any]) -> list[Any]:
    """The elements in C order."""
    return list(tv.reshape(x, (-1,)).tolist()) if x.size else []


def slopes_of(function: Function) -> Function:
    """The gradients of a function that gives several tensors, each weighed."""

    def gradients(*operands: Any) -> tuple[Any, ...]:
        values, pullback = vjp(function, *operands)
        return tuple(pullback(tuple(map(along, values))))

    return gradients


def changing(function: Function) -> Function:
    """The derivative along a direction, forward, as a function of the point."""

    def tangents(*operands: Any) -> tuple[Any, ...]:
        # another direction than that of `check`, or symmetric mistakes would be missed
        second = [along(x) * (0.5 - 1j if _is_complex(x) else -0.5) for x in operands]
        return tuple(jvp(function, operands, second)[1])

    return tangents


def _is_complex(x: tv.Tensor[Any]) -> bool:
    return tv.isdtype(x.dtype, "complex floating")


def check(function: Function, *primals: tv.Tensor[Any]) -> None:
    """Compare derivatives of `function`, which gives several tensors, along a line."""
    tangents = [along(x) for x in primals]
    values, pushed = jvp(function, primals, tangents)
    _, push = linearize(function, *primals)
    expected = _differences(function, primals, tangents)
    for value, *found, quotient in zip(
        values, pushed, push(*tangents), expected, strict=True
    ):
        for slope in found:
            assert slope.dtype == value.dtype
            assert slope.shape == value.shape
            assert numbers(slope) == pytest.approx(
                quotient, rel=RELATIVE, abs=ABSOLUTE, nan_ok=True
            )


def _differences(
    function: Function, primals: Sequence[Any], tangents: Sequence[Any]
) -> list[list[complex]]:
    ends = [
        function(*(x + v * by for x, v in zip(primals, tangents, strict=True)))
        for by in (-STEP, STEP)
    ]
    return [
        [
            (high - low) / (2 * STEP)
            for low, high in zip(*map(numbers, pair), strict=True)
        ]
        for pair in zip(*ends, strict=True)
    ]


def takes_complex(case: Case) -> bool:
    """Whether the case has variables, and complex ones do not become real by a cast."""
    dtype = case.statics.get("dtype")
    becomes_real = dtype is not None and dtype.kind in REAL_FLOATING
    return any(variables_of(case.operands)) and not becomes_real


def turned(
    backend: Backend[Any], op: str, case: Case
) -> tuple[Function, list[tv.Tensor[Any]]]:
    """The floating results of an op by its variables, and complex values for those."""

    def function(*operands: Any) -> tuple[Any, ...]:
        own = operands[0].backend
        handles = handles_of(case.operands, iter(operands), own)
        statics = case.statics
        if "device" in statics:  # as in `numeric`
            statics = statics | {"device": own.devices()[-1]}
        results = getattr(own, op)(*handles, **statics)
        several = results if isinstance(results, tuple) else (results,)
        return tuple(
            tv.Tensor.from_handle(x, own) for x in several if own.is_floating(x)
        )

    return function, [_complex(x, backend) for x in variables_of(case.operands)]


def _complex(x: Array, backend: Backend[Any]) -> tv.Tensor[Any]:
    own = random.Random(f"{x.shape} imaginary")
    values = [complex(number, own.uniform(-1.0, 1.0)) for number in x.numbers]
    return tv.reshape(tensor(values, backend), x.shape)
