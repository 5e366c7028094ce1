"""The gradient rules, by the contract's families.

A rule is written with the functions of the backend that is wrapped, so it runs on any
backend, and can itself be differentiated. `RULES` maps an op's name to its
declaration, which serves both directions.
"""

from trivet_autodiff.rules import (
    activation,
    attention,
    convolution,
    creation,
    data,
    decomposition,
    eigenvalues,
    elementwise,
    fft,
    indexing,
    linalg,
    loss,
    nn,
    normalization,
    norms,
    orthogonal,
    pooling,
    reduction,
    resampling,
    shape,
    special,
    statistics,
    trigonometric,
)
from trivet_autodiff.rules.registry import RULES

__all__ = [
    "RULES",
    "activation",
    "attention",
    "convolution",
    "creation",
    "data",
    "decomposition",
    "eigenvalues",
    "elementwise",
    "fft",
    "indexing",
    "linalg",
    "loss",
    "nn",
    "normalization",
    "norms",
    "orthogonal",
    "pooling",
    "reduction",
    "resampling",
    "shape",
    "special",
    "statistics",
    "trigonometric",
]
