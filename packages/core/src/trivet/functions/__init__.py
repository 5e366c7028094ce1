"""The tensor functions, by family; `trivet` exports them all."""

from trivet.functions import (
    bitwise,
    comparison,
    creation,
    data,
    einsum,
    elementwise,
    indexing,
    linalg,
    rearrangement,
    reduction,
    scatter,
    selection,
    sets,
    shape,
    sorting,
    statistics,
    trigonometric,
)
from trivet.functions.bitwise import *  # noqa: F403  # each family says what it offers
from trivet.functions.comparison import *  # noqa: F403
from trivet.functions.creation import *  # noqa: F403
from trivet.functions.data import *  # noqa: F403
from trivet.functions.einsum import *  # noqa: F403
from trivet.functions.elementwise import *  # noqa: F403
from trivet.functions.indexing import *  # noqa: F403
from trivet.functions.linalg import *  # noqa: F403
from trivet.functions.rearrangement import *  # noqa: F403
from trivet.functions.reduction import *  # noqa: F403
from trivet.functions.scatter import *  # noqa: F403
from trivet.functions.selection import *  # noqa: F403
from trivet.functions.sets import *  # noqa: F403
from trivet.functions.shape import *  # noqa: F403
from trivet.functions.sorting import *  # noqa: F403
from trivet.functions.statistics import *  # noqa: F403
from trivet.functions.trigonometric import *  # noqa: F403

_FAMILIES = (
    sets,
    statistics,
    selection,
    scatter,
    rearrangement,
    einsum,
    bitwise,
    comparison,
    creation,
    data,
    elementwise,
    indexing,
    linalg,
    reduction,
    shape,
    sorting,
    trigonometric,
)
__all__ = [name for family in _FAMILIES for name in family.__all__]
