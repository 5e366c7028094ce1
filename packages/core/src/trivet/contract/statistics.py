"""Order statistics, histograms, and reductions that leave out NaN."""

from typing import TypeVar

from trivet.contract.nn import Nn

__all__ = ["Statistics"]

H = TypeVar("H")


class Statistics(Nn[H], family="statistics"):
    """Order statistics, histograms, and reductions that leave out NaN."""
