"""`tv.nn`: functions of neural networks."""

from typing import TYPE_CHECKING

from trivet.functions import (
    activation,
    attention,
    convolution,
    loss,
    max_pooling,
    nn,
    normalization,
    pooling,
    resampling,
)
from trivet.functions.activation import *  # noqa: F403
from trivet.functions.attention import *  # noqa: F403
from trivet.functions.convolution import *  # noqa: F403
from trivet.functions.loss import *  # noqa: F403
from trivet.functions.max_pooling import *  # noqa: F403
from trivet.functions.nn import *  # noqa: F403
from trivet.functions.normalization import *  # noqa: F403
from trivet.functions.pooling import *  # noqa: F403
from trivet.functions.resampling import *  # noqa: F403

if not TYPE_CHECKING:  # type checkers read the lists of the families
    __all__ = [
        name
        for family in (
            activation,
            attention,
            convolution,
            loss,
            max_pooling,
            nn,
            normalization,
            pooling,
            resampling,
        )
        for name in family.__all__
    ]

    def __dir__() -> list[str]:
        return __all__
