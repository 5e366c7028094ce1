"""Combining the elements along axes."""

import math
from collections.abc import Callable
from typing import Any

from trivet.contract import Axes
from trivet.dtypes import FLOATING, DType
from trivet.shapes import reduced
from trivet_example.grid import Grid, Values
from trivet_example.numbers import fit
from trivet_example.shape import Shape

__all__ = ["Reduction"]


class Reduction(Shape):
    """Each result is a function of a list: the elements that it combines."""

    def sum(
        self, x: Grid, /, *, axis: Axes, dtype: DType | None, keepdims: bool
    ) -> Grid:
        return self._accumulate(sum, 0, x, axis, dtype, keepdims=keepdims)

    def prod(
        self, x: Grid, /, *, axis: Axes, dtype: DType | None, keepdims: bool
    ) -> Grid:
        return self._accumulate(_product, 1, x, axis, dtype, keepdims=keepdims)

    def _accumulate(
        self,
        function: Callable[[Values, Any], Any],
        start: int,
        x: Grid,
        axis: Axes,
        dtype: DType | None,
        *,
        keepdims: bool,
    ) -> Grid:
        x = self.astype(x, dtype=dtype or self.sum_dtype(x.dtype))
        first = float(start) if x.dtype.kind in FLOATING else start
        values = [function(group, first) for group in self.groups(x, axis)]
        shape = reduced(x.shape, axis, keepdims=keepdims)
        return Grid(fit(values, x.dtype), shape, x.dtype, x.device)

    def max(self, x: Grid, /, *, axis: Axes, keepdims: bool) -> Grid:
        self.take_kinds("max", x.dtype)
        values = [group[_place_of_max(group)] for group in self.groups(x, axis)]
        shape = reduced(x.shape, axis, keepdims=keepdims)
        return Grid(values, shape, x.dtype, x.device)

    def argmax(self, x: Grid, /, *, axis: int | None, keepdims: bool) -> Grid:
        self.take_kinds("argmax", x.dtype)
        axes = None if axis is None else (axis,)
        places = [_place_of_max(group) for group in self.groups(x, axes)]
        dtype = self.default_dtypes(x.device).indexing
        shape = reduced(x.shape, axes, keepdims=keepdims)
        return Grid(places, shape, dtype, x.device)

    def groups(self, x: Grid, axis: Axes) -> list[Values]:
        """For each result of a reduction over `axis`, the elements it is made of."""
        all_axes = range(len(x.shape))
        gone = tuple(all_axes) if axis is None else axis
        kept = tuple(i for i in all_axes if i not in gone)
        turned = self.permute_dims(x, axes=(*kept, *gone))
        size = math.prod(x.shape[i] for i in gone)
        count = math.prod(x.shape[i] for i in kept)
        return [turned.data[i * size : (i + 1) * size] for i in range(count)]


def _product(values: Values, start: float) -> Any:
    return math.prod(values, start=start)


def _place_of_max(values: Values) -> int:
    """The position of the first NaN, or else of the first largest element."""
    largest = max(values)
    for i, value in enumerate(values):
        if value != value:  # only NaN differs from itself
            return i
    return values.index(largest)
