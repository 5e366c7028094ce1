"""Order."""

from typing import Any

from trivet_example.grid import Grid, Values
from trivet_example.reduction import Reduction

__all__ = ["Sorting"]


class Sorting(Reduction):
    """Python's sort is stable, in reverse too."""

    def argsort(self, x: Grid, /, *, axis: int, descending: bool, stable: bool) -> Grid:
        places: Values = []
        for group in self.groups(x, (axis,)):
            key = [_rank(value) for value in group]
            places += sorted(range(len(group)), key=key.__getitem__, reverse=descending)
        axes = (*(i for i in range(len(x.shape)) if i != axis), axis)
        dtype = self.default_dtypes(x.device).indexing
        turned = Grid(places, tuple(x.shape[i] for i in axes), dtype, x.device)
        return self.permute_dims(turned, axes=tuple(map(axes.index, range(len(axes)))))


def _rank(value: Any) -> tuple[bool, Any]:
    """A key that puts NaN, which Python cannot order, after all else."""
    missing = value != value  # only NaN differs from itself
    return missing, 0 if missing else value
