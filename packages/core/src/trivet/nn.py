"""`tv.nn`: functions of neural networks."""

from trivet.functions import nn as _nn
from trivet.functions.nn import *  # noqa: F403  # a sub-namespace is its family

__all__ = list(_nn.__all__)
