"""The backend on the stand-in for CuPy. NumPy computes; no GPU code runs."""

import shutil
import sys
from pathlib import Path

import pytest

from trivet.contract import Availability, prepare

SITE = Path(__file__).parent / "site"


@pytest.fixture(scope="module")
def standin():
    """The stand-in as the module `cupy`, for the tests of one file."""
    pytest.importorskip("numpy", reason="the stand-in computes with NumPy")
    before = {name: sys.modules.pop(name) for name in _loaded()}
    sys.path.insert(0, str(SITE))
    import cupy

    assert cupy.__version__.endswith("+standin")
    yield cupy
    sys.path.remove(str(SITE))
    for name in _loaded():
        del sys.modules[name]
    sys.modules.update(before)


def _loaded():
    return [name for name in sys.modules if name.split(".")[0] in {"cupy", "cupyx"}]


@pytest.fixture
def make(standin, monkeypatch):
    """Makes the backend with so many devices, ready for use."""
    monkeypatch.setattr("trivet_cuda.library.probe", Availability.yes)
    monkeypatch.setattr("trivet_cuda.library.probe_device", Availability.yes)

    def made(*, devices):
        from trivet_cuda import Cuda

        monkeypatch.setattr(standin.cuda, "DEVICES", devices)
        backend = Cuda()
        prepare(backend)
        standin.cuda.COUNTS.clear()
        return backend

    return made


@pytest.fixture
def cuda(make):
    """The backend on one device."""
    return make(devices=1)


@pytest.fixture
def compiler():
    """Skips what runs a kernel's text where nothing can compile it."""
    if shutil.which("g++") is None:
        pytest.skip("no g++ to compile the kernel's text with")
