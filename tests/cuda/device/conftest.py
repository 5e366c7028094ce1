"""Tests on a real GPU: `pytest tests/cuda/device -m device --record=FILE`.

The file gets the machine, the versions and what each edge case gave, as JSON. On the
stand-in (its `site`, as an absolute path, in PYTHONPATH) it records `"standin": true`.
"""

import json
import platform
import sys
from pathlib import Path

import pytest

from trivet.contract import Availability, prepare

STANDIN = str(Path(__file__).parents[1] / "standin" / "site")


def pytest_addoption(parser):
    parser.addoption("--record", help="write what the device gives to this JSON file")


@pytest.fixture(scope="session")
def cuda():
    """The backend, ready for use; without a GPU, the tests fail with the reason."""
    with pytest.MonkeyPatch.context() as patch:
        if STANDIN in sys.path:
            patch.setattr("trivet_cuda.library.probe", Availability.yes)
            patch.setattr("trivet_cuda.library.probe_device", Availability.yes)
        from trivet_cuda import Cuda

        backend = Cuda()
    prepare(backend)
    return backend


@pytest.fixture(scope="session")
def record(cuda, pytestconfig):
    """What was found, written at the end of the run."""
    found = machine(cuda.xp) | {"cases": {}}
    yield found["cases"]
    path = pytestconfig.getoption("--record", default=None)
    if path:
        Path(path).write_text(json.dumps(found, indent=2, sort_keys=True) + "\n")


def machine(cupy):
    runtime = cupy.cuda.runtime
    return {
        "standin": cupy.__version__.endswith("+standin"),
        "gpu": runtime.getDeviceProperties(0)["name"].decode(),
        "devices": runtime.getDeviceCount(),
        "driver": runtime.driverGetVersion(),
        "runtime": runtime.runtimeGetVersion(),
        "cupy": cupy.__version__,
        "python": platform.python_version(),
    }
