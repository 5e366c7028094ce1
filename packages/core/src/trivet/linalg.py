"""`tv.linalg`: linear algebra."""

from typing import TYPE_CHECKING

from trivet.functions import (
    decomposition,
    eigenvalues,
    linalg,
    norms,
)
from trivet.functions.decomposition import *  # noqa: F403
from trivet.functions.eigenvalues import *  # noqa: F403
from trivet.functions.linalg import *  # noqa: F403
from trivet.functions.norms import *  # noqa: F403

if not TYPE_CHECKING:  # type checkers read the lists of the families
    __all__ = [
        name
        for family in (
            decomposition,
            eigenvalues,
            linalg,
            norms,
        )
        for name in family.__all__
    ]

    def __dir__() -> list[str]:
        return __all__
