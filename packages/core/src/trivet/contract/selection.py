"""The largest and smallest elements."""

from typing import TypeVar

from trivet.contract.nn import Nn
from trivet.contract.table import derived
from trivet.dtypes import REAL

__all__ = ["Selection"]

H = TypeVar("H")


class Selection(Nn[H], family="selection"):
    """NaN is the largest, as in sorting."""

    @derived(REAL, constant="integer result")
    def argtopk(self, x: H, /, *, k: int, axis: int, largest: bool, ordered: bool) -> H:
        """The positions of the `k` largest, or smallest, elements along `axis`.

        In the index dtype, 0 <= k <= the axis's size. With `ordered`, the best comes
        first; otherwise in any order. Of equal elements, any may be taken.
        """
        order = self.argsort(x, axis=axis, descending=largest, stable=True)
        return self.part(order, axis, 0, k)
