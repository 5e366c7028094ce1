"""`tv.nn`: functions of neural networks."""

from trivet.functions.nn import *  # noqa: F403  # a sub-namespace is its family
from trivet.functions.nn import __all__ as __all__
