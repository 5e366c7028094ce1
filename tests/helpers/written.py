"""Arrays as the tests of derived ops write them: nested lists, perhaps with a dtype.

Lists are of bool, of int (int64) or of float (float64). A pair of values and the name
of a dtype stands for an array of another dtype or of rank 0.
"""

from typing import Any

from trivet.dtypes import DTYPES, DType


def is_typed(value: Any) -> bool:
    """Whether a value is a pair of values and the name of a dtype."""
    return isinstance(value, tuple) and bool(value) and isinstance(value[-1], str)


def shape_of(values: Any) -> tuple[int, ...]:
    """The shape of nested lists; an empty list ends it.

    >>> shape_of([[1, 2], [3, 4], [5, 6]]), shape_of([[], []])
    ((3, 2), (2, 0))
    """
    if not isinstance(values, list):
        return ()
    return (len(values), *(shape_of(values[0]) if values else ()))


def flat(values: Any, depth: int) -> list[Any]:
    """The numbers in nested lists, in order."""
    if depth == 0:
        return [values]
    return [number for part in values for number in flat(part, depth - 1)]


def natural_dtype(elements: list[Any]) -> DType:
    """The dtype that a test means when it names none."""
    if any(isinstance(element, float) for element in elements) or not elements:
        return DTYPES["float64"]
    boolean = all(isinstance(element, bool) for element in elements)
    return DTYPES["bool" if boolean else "int64"]
