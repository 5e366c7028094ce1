"""Running sums and products in one pass, where the derived bodies take several."""

from typing import Any

from trivet.dtypes import DType
from trivet_cuda.data import Array, Data

__all__ = ["Reduction"]


class Reduction(Data):
    """The statistics are derived: CuPy's take no `correction`."""

    def cumulative_sum(
        self, x: Array, /, *, axis: int, dtype: DType | None, include_initial: bool
    ) -> Array:
        return self._scan(
            self.xp.cumulative_sum, x, axis, dtype, initial=include_initial
        )

    def cumulative_prod(
        self, x: Array, /, *, axis: int, dtype: DType | None, include_initial: bool
    ) -> Array:
        return self._scan(
            self.xp.cumulative_prod, x, axis, dtype, initial=include_initial
        )

    def _scan(
        self, scan: Any, x: Array, axis: int, dtype: DType | None, *, initial: bool
    ) -> Array:
        native = self.native(dtype or self.sum_dtype(self.dtype(x)))
        return scan(x, axis=axis, dtype=native, include_initial=initial)
