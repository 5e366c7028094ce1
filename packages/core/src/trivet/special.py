"""`tv.special`: special functions."""

from trivet.functions import special
from trivet.functions.special import *  # noqa: F403  # a sub-namespace is its families

_FAMILIES = (special,)
__all__ = [name for family in _FAMILIES for name in family.__all__]
