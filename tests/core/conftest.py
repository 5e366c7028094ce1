"""The tests of core run on `trivet-example`, without NumPy.

`check` compares one op's result with values that a test gives. It writes arrays as
`written` has them: `([1, 2], "int8")`, `(2.5, "float64")`. A bare number is a Python
number.
"""

import math
from collections.abc import Callable
from typing import Any

import pytest
from trivet_example import Example, Grid
from written import flat, is_typed, natural_dtype, shape_of

from trivet.contract import OPS, Device, prepare
from trivet.dtypes import DTYPES
from trivet.shapes import strides

FIRST = Device("example", 0)
DIGITS = {"float64": 1e-14, "float32": 1e-6}


@pytest.fixture(scope="session")
def backend() -> Example:
    """The example backend as Trivet hands it out: with its device guard."""
    backend = Example()
    prepare(backend)
    return backend


@pytest.fixture(scope="session")
def device() -> Device:
    """The default device of the example backend."""
    return FIRST


@pytest.fixture(scope="session")
def grid(backend: Example) -> Callable[..., Grid]:
    """Makes an array of nested lists, on the first device unless told otherwise."""

    def make(values: Any, dtype: str | None = None, device: Device = FIRST) -> Grid:
        shape = shape_of(values)
        elements = flat(values, len(shape))
        known = DTYPES[dtype] if dtype else natural_dtype(elements)
        made = Grid(elements, shape, known, device)
        return backend.from_host(
            backend.to_host(made), shape=shape, dtype=known, device=device
        )

    return make


@pytest.fixture(scope="session")
def check(backend: Example, grid: Callable[..., Grid]) -> Callable[..., None]:
    """Runs an op and compares: dtype, shape, values, NaN, and the signs of zeros.

    `expected` is an array as the module's docstring has it, a list of them where the
    op gives a tuple, or the exception that it raises. Floats agree to `digits`, the
    relative error, unless they are zero, infinite or NaN: then exactly.
    """

    def run(
        op: str,
        operands: tuple[Any, ...],
        statics: dict[str, Any],
        expected: Any,
        digits: float | None = None,
    ) -> None:
        handles = [as_operand(operand, grid) for operand in operands]
        if isinstance(expected, type):
            with pytest.raises(expected):
                getattr(backend, op)(*handles, **statics)
            return
        found = getattr(backend, op)(*handles, **statics)
        if isinstance(found, tuple):
            assert len(found) == len(expected)
            for one, other in zip(found, expected, strict=True):
                compare(one, as_operand(other, grid), digits)
            return
        compare(found, as_operand(expected, grid), digits)

    return run


@pytest.fixture(scope="session")
def derived_ops() -> Callable[[str], set[str]]:
    """The names of a family's derived ops."""

    def names(family: str) -> set[str]:
        return {
            op.name
            for op in OPS.values()
            if op.family == family and op.tier == "derived"
        }

    return names


def as_operand(operand: Any, grid: Callable[..., Grid]) -> Any:
    """What an op receives for an operand as a test writes it."""
    if isinstance(operand, list):
        return grid(operand)
    if is_typed(operand):
        return grid(*operand)
    if isinstance(operand, tuple):
        return [as_operand(one, grid) for one in operand]
    return operand


def compare(found: Grid, expected: Grid, digits: float | None) -> None:
    """Assert that two arrays are the same to the precision of their dtype."""
    assert found.dtype == expected.dtype
    assert found.shape == expected.shape
    relative = DIGITS.get(found.dtype.name, 0) if digits is None else digits
    pairs = zip(found.data, expected.data, strict=True)
    wrong = [(f, e) for f, e in pairs if not same(f, e, relative)]
    assert not wrong, f"(found, expected): {wrong[:5]}"


def same(found: Any, expected: Any, relative: float) -> bool:
    """Whether two elements are the same: of one type, and one sign if they are zero."""
    if type(found) is not type(expected):
        return False
    if isinstance(expected, float) and math.isnan(expected):
        return math.isnan(found)
    if isinstance(expected, float) and expected == 0:
        return found == 0 and math.copysign(1, found) == math.copysign(1, expected)
    return math.isclose(found, expected, rel_tol=relative)


def nested(x: Grid) -> Any:
    """The elements as nested lists."""
    steps = strides(x.shape)

    def level(axis: int, start: int) -> Any:
        if axis == len(x.shape):
            return x.data[start]
        return [level(axis + 1, start + i * steps[axis]) for i in range(x.shape[axis])]

    return level(0, 0)


@pytest.fixture(scope="session")
def tolist() -> Callable[[Grid], Any]:
    """Gives the elements of an array as nested lists."""
    return nested
