"""Reading and writing slices at positions that are themselves in an array."""

import math

from trivet.contract import UpdateMode
from trivet_example.data import Data
from trivet_example.grid import Grid, Values
from trivet_example.numbers import fit

__all__ = ["Indexing"]


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
        data, block = list(x.data), math.prod(x.shape[1:])
        for k, place in enumerate(_positions(indices, x.shape[0])):
            row = values.data[k * block : (k + 1) * block]
            here = slice(place * block, (place + 1) * block)
            if mode == "add":
                row = [a + b for a, b in zip(data[here], row, strict=True)]
            data[here] = row
        return Grid(fit(data, x.dtype), x.shape, x.dtype, x.device)


def _positions(indices: Grid, size: int) -> list[int]:
    """The indices from the front; negative ones count from the end."""
    places = range(size)
    return [places[index] for index in indices.data]
