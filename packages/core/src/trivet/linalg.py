"""`tv.linalg`: linear algebra."""

from trivet.functions import decomposition, linalg, norms
from trivet.functions.decomposition import *  # noqa: F403  # a sub-namespace is its families
from trivet.functions.linalg import *  # noqa: F403  # a sub-namespace is its families
from trivet.functions.norms import *  # noqa: F403  # a sub-namespace is its families

_FAMILIES = (decomposition, linalg, norms)
__all__ = [name for family in _FAMILIES for name in family.__all__]
