"""Can this machine run the backend, and if not, why not? Imports no CuPy.

`probe` looks and touches nothing: the plugin's listing calls it. `probe_device` also
initialises CUDA; it is called once the backend is really asked for.
"""

import os

from trivet.contract import Availability
from trivet_cuda import driver, wheel
from trivet_cuda.wheel import Wheel

__all__ = ["probe", "probe_device"]

_ERRORS = {
    3: (
        "CUDA was in use before this process was forked",
        'Start the process by the method "spawn" or "forkserver".',
    ),
    34: (
        "the driver's library is a stub, which is for linking only",
        "Take the folder named stubs out of LD_LIBRARY_PATH.",
    ),
    100: (
        "the NVIDIA driver sees no GPU",
        "Check that nvidia-smi lists one, and start containers with --gpus all.",
    ),
    101: (
        "the NVIDIA driver does not know the device that was chosen",
        "Check that nvidia-smi lists it.",
    ),
    802: (
        "the GPUs of this machine are not ready yet",
        "Start the service nvidia-fabricmanager.",
    ),
    803: (
        "the NVIDIA driver's library and its kernel module are of different versions",
        "Restart the machine, so that both are those that were installed last.",
    ),
    804: (
        "the CUDA compatibility library does not support this GPU",
        "Update the NVIDIA driver, or take cuda-compat out of LD_LIBRARY_PATH.",
    ),
    999: (
        "the NVIDIA driver failed for a reason that it does not know",
        "Run nvidia-smi; where it fails too, restart the machine.",
    ),
}
_CHOSEN = {100, 101}  # what CUDA_VISIBLE_DEVICES can cause


def probe() -> Availability:
    """Whether CuPy and a driver that is new enough are installed.

    It says nothing about devices: asking for those has side effects.
    """
    return _check_cupy() or _check_driver() or Availability.yes()


def probe_device() -> Availability:
    """Whether the driver shows a device. Initialises CUDA in this process."""
    library = driver.load()
    if library is None:
        return _no_driver()
    error, count = driver.device_count(library)
    if error:
        return _failed(error)
    return Availability.yes() if count else _failed(100)


def _check_cupy() -> Availability | None:
    wheels = wheel.installed()
    if len(wheels) > 1:
        return _several(wheels)
    if not wheel.importable():
        return _no_cupy()
    if wheels and wheels[0].major < wheel.OLDEST:
        reason = f"{wheels[0]} is too old: the backend needs CuPy {wheel.OLDEST}"
        return Availability.no(reason, f"pip install --upgrade {wheels[0].name}")
    return None


def _check_driver() -> Availability | None:
    library = driver.load()
    if library is None:
        return _no_driver()
    built_for = next(iter(wheel.installed()), None)
    runs = driver.version(library)
    if built_for and built_for.cuda and runs[0] < built_for.cuda:
        return _too_old(built_for, runs)
    return None


def _no_cupy() -> Availability:
    library = driver.load()
    if library is None:
        reason = f"CuPy is not installed, nor is an NVIDIA driver ({driver.LIBRARY})"
        return Availability.no(reason, f"On a machine with an NVIDIA GPU: {_pip(13)}")
    runs = driver.version(library)
    reason = f"CuPy is not installed (the driver runs CUDA {_dotted(runs)})"
    return Availability.no(reason, _pip(runs[0]))


def _several(wheels: tuple[Wheel, ...]) -> Availability:
    reason = (
        f"several CuPy wheels are installed ({', '.join(map(str, wheels))}), and they "
        "overwrite each other's files"
    )
    names = " ".join(wheel.name for wheel in wheels)
    majors = [w.cuda for w in wheels if w.cuda]
    remedy = f"pip uninstall {names}, then {_pip(max(majors, default=13))}"
    return Availability.no(reason, remedy)


def _no_driver() -> Availability:
    reason = f"there is no NVIDIA driver ({driver.LIBRARY} was not found)"
    remedy = (
        "Install the driver from https://www.nvidia.com/drivers, or start the "
        "container with the GPU (docker run --gpus all)."
    )
    return Availability.no(reason, remedy)


def _too_old(built_for: Wheel, runs: tuple[int, int]) -> Availability:
    reason = (
        f"the NVIDIA driver runs CUDA up to {_dotted(runs)}, and {built_for} needs "
        f"CUDA {built_for.cuda}"
    )
    remedy = "Update the NVIDIA driver."
    if runs[0] >= 12:
        remedy = f"Update the driver, or replace {built_for.name}: {_pip(runs[0])}"
    return Availability.no(reason, remedy)


def _failed(error: int) -> Availability:
    unknown = (
        f"the NVIDIA driver failed with the code {error}",
        "Look the code up under CUresult in the CUDA driver API.",
    )
    reason, remedy = _ERRORS.get(error, unknown)
    chosen = os.environ.get("CUDA_VISIBLE_DEVICES")
    if chosen is None:
        return Availability.no(f"{reason} (error {error})", remedy)
    if error in _CHOSEN:
        remedy = f"Unset CUDA_VISIBLE_DEVICES, or list existing GPUs in it. {remedy}"
    evidence = f"error {error}, CUDA_VISIBLE_DEVICES is {chosen!r}"
    return Availability.no(f"{reason} ({evidence})", remedy)


def _dotted(version: tuple[int, int]) -> str:
    return ".".join(map(str, version))


def _pip(cuda: int) -> str:
    return f'pip install "trivet-cuda[cuda{12 if cuda <= 12 else 13}]"'
