"""The probe meets each way in which a machine can lack CUDA, in its own interpreter.

The driver is a library compiled here, the wheels are metadata, and `cupy` is a module
that fails when it is imported, so that a probe which imports it fails too.
"""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ASK = """
import json, sys
from trivet_cuda.probe import {probe}
answer = {probe}()
print(json.dumps({{
    "available": answer.available,
    "reason": answer.reason,
    "remedy": answer.remedy,
    "imported": sorted({{"cupy", "numpy"}} & set(sys.modules)),
}}))
"""


class Machine:
    """A folder with wheels, and one with a driver; `ask` runs the probe there."""

    def __init__(self, folder):
        self.wheels = folder / "wheels"
        self.libraries = folder / "libraries"
        self.log = folder / "calls"
        self.wheels.mkdir()
        self.libraries.mkdir()

    def install(self, name, version="14.2.0"):
        info = self.wheels / f"{name.replace('-', '_')}-{version}.dist-info"
        info.mkdir()
        text = f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n"
        (info / "METADATA").write_text(text)
        (self.wheels / "cupy.py").write_text("raise ImportError('nobody imports me')")

    def run(self, code, **variables):
        kept = {k: v for k, v in os.environ.items() if k != "CUDA_VISIBLE_DEVICES"}
        path = os.pathsep.join([str(self.wheels), *filter(None, sys.path)])
        places = {"PYTHONPATH": path, "LD_LIBRARY_PATH": str(self.libraries)}
        done = subprocess.run(
            [sys.executable, "-W", "error", "-c", code],
            capture_output=True,
            text=True,
            check=False,
            env=kept | places | {"FAKE_LOG": str(self.log)} | variables,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    def ask(self, probe="probe", **variables):
        return json.loads(self.run(ASK.format(probe=probe), **variables))


@pytest.fixture(scope="session")
def driver(tmp_path_factory):
    compiler = shutil.which("gcc") or shutil.which("cc")
    if compiler is None:
        pytest.skip("no C compiler to make the driver of these tests with")
    library = tmp_path_factory.mktemp("driver") / "libcuda.so.1"
    source = Path(__file__).parent / "fake_driver.c"
    subprocess.run([compiler, "-shared", "-fPIC", "-o", library, source], check=True)
    return library


@pytest.fixture
def bare(tmp_path):
    """A machine with neither CuPy nor a driver."""
    return Machine(tmp_path)


@pytest.fixture
def machine(bare, driver):
    """A machine with a driver."""
    shutil.copy(driver, bare.libraries)
    return bare


def test_probe_says_that_cupy_and_driver_are_absent_on_a_bare_machine(bare):
    answer = bare.ask()

    assert answer == {
        "available": False,
        "reason": "CuPy is not installed, nor is an NVIDIA driver (libcuda.so.1)",
        "remedy": 'On a machine with an NVIDIA GPU: pip install "trivet-cuda[cuda13]"',
        "imported": [],
    }


@pytest.mark.parametrize(
    "number, dotted, extra",
    [("12040", "12.4", "cuda12"), ("13020", "13.2", "cuda13")],
)
def test_probe_names_the_extra_that_fits_the_driver_when_cupy_is_absent(
    machine, number, dotted, extra
):
    answer = machine.ask(FAKE_VERSION=number)

    assert answer["reason"] == f"CuPy is not installed (the driver runs CUDA {dotted})"
    assert answer["remedy"] == f'pip install "trivet-cuda[{extra}]"'


def test_probe_says_that_the_driver_is_absent_when_only_cupy_is_there(bare):
    bare.install("cupy-cuda13x")

    answer = bare.ask()

    assert not answer["available"]
    assert answer["reason"] == (
        "there is no NVIDIA driver (libcuda.so.1 was not found)"
    )
    assert answer["remedy"] == (
        "Install the driver from https://www.nvidia.com/drivers, or start the "
        "container with the GPU (docker run --gpus all)."
    )


def test_probe_names_both_wheels_when_two_are_installed(machine):
    machine.install("cupy-cuda12x")
    machine.install("cupy-cuda13x", "14.1.0")

    answer = machine.ask()

    assert not answer["available"]
    assert answer["reason"] == (
        "several CuPy wheels are installed (cupy-cuda12x 14.2.0, cupy-cuda13x "
        "14.1.0), and they overwrite each other's files"
    )
    assert answer["remedy"] == (
        "pip uninstall cupy-cuda12x cupy-cuda13x, then "
        'pip install "trivet-cuda[cuda13]"'
    )


def test_probe_names_the_version_that_is_needed_when_cupy_is_too_old(machine):
    machine.install("cupy-cuda12x", "13.6.0")

    answer = machine.ask()

    assert not answer["available"]
    assert answer["reason"] == (
        "cupy-cuda12x 13.6.0 is too old: the backend needs CuPy 14"
    )
    assert answer["remedy"] == "pip install --upgrade cupy-cuda12x"


@pytest.mark.parametrize(
    "number, dotted, remedy",
    [
        (
            "12040",
            "12.4",
            (
                "Update the driver, or replace cupy-cuda13x: "
                'pip install "trivet-cuda[cuda12]"'
            ),
        ),
        ("11080", "11.8", "Update the NVIDIA driver."),
    ],
)
def test_probe_names_both_versions_when_the_driver_is_too_old(
    machine, number, dotted, remedy
):
    machine.install("cupy-cuda13x")

    answer = machine.ask(FAKE_VERSION=number)

    assert not answer["available"]
    assert answer["reason"] == (
        f"the NVIDIA driver runs CUDA up to {dotted}, and cupy-cuda13x 14.2.0 needs "
        "CUDA 13"
    )
    assert answer["remedy"] == remedy


@pytest.mark.parametrize("wheel", ["cupy-cuda12x", "cupy-cuda13x", "cupy"])
def test_probe_says_yes_when_the_driver_is_new_enough(machine, wheel):
    machine.install(wheel)

    answer = machine.ask(FAKE_VERSION="13000")

    assert answer == {"available": True, "reason": "", "remedy": "", "imported": []}


def test_probe_does_not_initialise_cuda(machine):
    machine.install("cupy-cuda13x")

    machine.ask()

    assert machine.log.read_text().split() == ["cuDriverGetVersion"]


def test_device_probe_says_yes_when_there_is_a_device(machine):
    assert machine.ask("probe_device")["available"]
    assert machine.log.read_text().split() == ["cuInit", "cuDeviceGetCount"]


def test_device_probe_says_that_the_driver_is_absent_on_a_bare_machine(bare):
    reason = bare.ask("probe_device")["reason"]

    assert reason == "there is no NVIDIA driver (libcuda.so.1 was not found)"


@pytest.mark.parametrize(
    "error, reason, remedy",
    [
        (
            3,
            "CUDA was in use before this process was forked",
            'Start the process by the method "spawn" or "forkserver".',
        ),
        (
            34,
            "the driver's library is a stub, which is for linking only",
            "Take the folder named stubs out of LD_LIBRARY_PATH.",
        ),
        (
            100,
            "the NVIDIA driver sees no GPU",
            "Check that nvidia-smi lists one, and start containers with --gpus all.",
        ),
        (
            803,
            (
                "the NVIDIA driver's library and its kernel module are of different "
                "versions"
            ),
            "Restart the machine, so that both are those that were installed last.",
        ),
        (
            804,
            "the CUDA compatibility library does not support this GPU",
            "Update the NVIDIA driver, or take cuda-compat out of LD_LIBRARY_PATH.",
        ),
        (
            999,
            "the NVIDIA driver failed for a reason that it does not know",
            "Run nvidia-smi; where it fails too, restart the machine.",
        ),
        (
            46,
            "the NVIDIA driver failed with the code 46",
            "Look the code up under CUresult in the CUDA driver API.",
        ),
    ],
)
def test_device_probe_puts_the_drivers_error_into_words(machine, error, reason, remedy):
    answer = machine.ask("probe_device", FAKE_INIT=str(error))

    assert not answer["available"]
    assert answer["reason"] == f"{reason} (error {error})"
    assert answer["remedy"] == remedy


@pytest.mark.parametrize("variables", [{"FAKE_INIT": "100"}, {"FAKE_COUNT": "0"}])
def test_device_probe_shows_the_variable_when_it_hides_all_devices(machine, variables):
    answer = machine.ask("probe_device", CUDA_VISIBLE_DEVICES="7", **variables)

    assert answer["reason"] == (
        "the NVIDIA driver sees no GPU (error 100, CUDA_VISIBLE_DEVICES is '7')"
    )
    assert answer["remedy"].startswith(
        "Unset CUDA_VISIBLE_DEVICES, or list existing GPUs in it. "
    )


def test_plugin_imports_no_array_library(bare):
    loaded = bare.run(
        "import sys, trivet_cuda.plugin;"
        "print(sorted({'cupy', 'numpy'} & set(sys.modules)))"
    )

    assert loaded.strip() == "[]"


def test_probe_takes_less_than_fifty_milliseconds(machine):
    machine.install("cupy-cuda13x")

    seconds = machine.run(
        "from time import perf_counter; from trivet_cuda.probe import probe;"
        "start = perf_counter(); probe(); print(perf_counter() - start)"
    )

    assert float(seconds) < 0.05


LISTED = """
import trivet as tv
record = next(r for r in tv.backends(probe=True) if r.name == "cuda")
print(record.state.value, record.reason, record.remedy, sep="|")
try:
    tv.backend("cuda")
except tv.errors.UnavailableBackendError as error:
    print(error)
record = next(r for r in tv.backends(probe=True) if r.name == "cuda")
print(record.state.value)
"""
LABEL = "Backend 'cuda' (trivet-cuda 0.1.0) cannot run on this machine: "


def test_backend_is_listed_as_unavailable_and_raises_the_same_reason(bare):
    listed, raised, after = bare.run(LISTED).splitlines()

    reason = "CuPy is not installed, nor is an NVIDIA driver (libcuda.so.1)"
    remedy = 'On a machine with an NVIDIA GPU: pip install "trivet-cuda[cuda13]"'
    assert listed == f"unavailable|{reason}|{remedy}"
    assert raised == f"{LABEL}{reason}. {remedy}"
    assert after == "unavailable"


def test_backend_becomes_unavailable_when_it_is_asked_for_and_has_no_device(machine):
    machine.install("cupy-cuda13x")

    listed, raised, after = machine.run(LISTED, FAKE_INIT="100").splitlines()

    assert listed == "ready||"
    assert raised == (
        f"{LABEL}the NVIDIA driver sees no GPU (error 100). Check that nvidia-smi "
        "lists one, and start containers with --gpus all."
    )
    assert after == "unavailable"


def test_class_raises_the_probes_reason_when_it_is_called(bare):
    raised = bare.run(
        "from trivet_cuda import Cuda\n"
        "from trivet.errors import UnavailableBackendError\n"
        "try: Cuda()\n"
        "except UnavailableBackendError as error: print(error)"
    )

    assert raised.strip() == (
        "CuPy is not installed, nor is an NVIDIA driver (libcuda.so.1). On a machine "
        'with an NVIDIA GPU: pip install "trivet-cuda[cuda13]"'
    )
