"""The stand-in's `cupy.fft`: NumPy's transforms, where cuFFT has the same ones."""

from typing import Any

import numpy as np

from cupy import _functions
from cupy._api import API


def __getattr__(name: str) -> Any:
    if name not in API["fft"]["functions"]:
        raise AttributeError(f"module 'cupy.fft' has no attribute {name!r}")
    if name == "irfftn":  # of several axes, cuFFT's is another function than NumPy's
        raise NotImplementedError("the stand-in has no counterpart of fft.irfftn")
    return _functions.function(name, API["fft"]["functions"][name], _transform(name))


def _transform(name: str) -> Any:
    def run(a: Any, *args: Any, **keywords: Any) -> Any:
        if 0 in a.shape:
            raise ValueError("Invalid number of FFT data points (0) specified.")
        return getattr(np.fft, name)(a, *args, **keywords)

    return run
