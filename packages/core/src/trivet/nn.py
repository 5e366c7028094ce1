"""`tv.nn`: functions of neural networks."""

from trivet.functions import (
    activation,
    attention,
    convolution,
    loss,
    nn,
    normalization,
    pooling,
    resampling,
)
from trivet.functions.activation import *  # noqa: F403  # a sub-namespace is its families
from trivet.functions.attention import *  # noqa: F403  # a sub-namespace is its families
from trivet.functions.convolution import *  # noqa: F403  # a sub-namespace is its families
from trivet.functions.loss import *  # noqa: F403  # a sub-namespace is its families
from trivet.functions.nn import *  # noqa: F403  # a sub-namespace is its families
from trivet.functions.normalization import *  # noqa: F403  # a sub-namespace is its families
from trivet.functions.pooling import *  # noqa: F403  # a sub-namespace is its families
from trivet.functions.resampling import *  # noqa: F403  # a sub-namespace is its families

_FAMILIES = (
    activation,
    attention,
    convolution,
    loss,
    nn,
    normalization,
    pooling,
    resampling,
)
__all__ = [name for family in _FAMILIES for name in family.__all__]
