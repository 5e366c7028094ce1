"""The backends that every case runs on: NumPy and pure Python, with float64 as default.

The cases' own language is a module beside the tests, which pytest imports by path.
"""

import sys
from pathlib import Path

import numpy as np
import pytest
from trivet_example import Example

import trivet as tv
from trivet.contract import DefaultDTypes, Device, prepare
from trivet_autodiff import Autodiff
from trivet_ndarray import NdArray

sys.path.append(str(Path(__file__).parent))


class DoubleExample(Example):
    """The pure-Python backend with the cases' default dtype."""

    def default_dtypes(self, device: Device) -> DefaultDTypes:
        defaults = super().default_dtypes(device)
        return defaults._replace(real_floating=tv.float64)


PLAIN = {"ndarray": NdArray(default_float="float64"), "example": DoubleExample()}
for one in PLAIN.values():
    prepare(one)
RECORDING = {f"autodiff({name})": Autodiff(one) for name, one in PLAIN.items()}


def current(backend):
    """Makes it the default; NumPy says nothing of infinities and NaN, the subject."""
    with tv.using(backend), np.errstate(all="ignore"):
        yield backend


@pytest.fixture(params=PLAIN | RECORDING)
def backend(request):
    """All four by turns, each as the default backend."""
    yield from current((PLAIN | RECORDING)[request.param])


@pytest.fixture(params=RECORDING)
def recording(request):
    """The two that record gradients by turns, each as the default backend."""
    yield from current(RECORDING[request.param])


@pytest.fixture(params=PLAIN)
def unrecorded(request):
    """The two that do not, each as the default backend."""
    yield from current(PLAIN[request.param])
