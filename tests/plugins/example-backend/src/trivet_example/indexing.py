"""Reading and writing slices at positions that are themselves in an array."""

import math
import operator
from collections.abc import Callable
from typing import Any

from trivet.contract import UpdateMode
from trivet_example.data import Data
from trivet_example.grid import Grid, Values
from trivet_example.numbers import fit

__all__ = ["Indexing"]


def _smaller(a: Any, b: Any) -> Any:
    return a if a < b or a != a else b  # only NaN differs from itself


def _larger(a: Any, b: Any) -> Any:
    return a if a > b or a != a else b


_JOIN: dict[UpdateMode, Callable[[Any, Any], Any]] = {
    "set": lambda a, b: b,
    "add": operator.add,
    "multiply": operator.mul,
    "minimum": _smaller,
    "maximum": _larger,
}


class Indexing(Data):
    """An index outside raises Python's `IndexError`; Trivet adds which op it was."""

    def take(self, x: Grid, indices: Grid, /, *, axis: int) -> Grid:
        size, block = x.shape[axis], math.prod(x.shape[axis + 1 :])
        chosen = _positions(indices, size)
        data: Values = []
        for i in range(math.prod(x.shape[:axis])):
            for place in chosen:
                begin = (i * size + place) * block
                data += x.data[begin : begin + block]
        shape = (*x.shape[:axis], len(chosen), *x.shape[axis + 1 :])
        return Grid(data, shape, x.dtype, x.device)

    def index_update(
        self, x: Grid, indices: Grid, values: Grid, /, *, mode: UpdateMode
    ) -> Grid:
        data, block, join = list(x.data), math.prod(x.shape[1:]), _JOIN[mode]
        for k, place in enumerate(_positions(indices, x.shape[0])):
            row = values.data[k * block : (k + 1) * block]
            here = slice(place * block, (place + 1) * block)
            data[here] = map(join, data[here], row)
        if x.dtype.kind == "bool":  # Python adds booleans to integers
            data = list(map(bool, data))
        return Grid(fit(data, x.dtype), x.shape, x.dtype, x.device)


def _positions(indices: Grid, size: int) -> list[int]:
    """The indices from the front; negative ones count from the end."""
    places = range(size)
    return [places[index] for index in indices.data]
