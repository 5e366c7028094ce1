"""`tv.special`: special functions."""

from typing import TYPE_CHECKING

from trivet.functions import (
    probability,
    special,
)
from trivet.functions.probability import *  # noqa: F403
from trivet.functions.special import *  # noqa: F403

if not TYPE_CHECKING:  # type checkers read the lists of the families
    __all__ = [name for family in (probability, special) for name in family.__all__]

    def __dir__() -> list[str]:
        return __all__
