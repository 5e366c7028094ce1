#!/usr/bin/env python3
"""Run the demo or the tests from a clone, on a machine that has only Python.

    python3 dev.py demo [OPTION...]    train on handwritten digits; options of train.py
    python3 dev.py test                every check that guards a change
    python3 dev.py nox [OPTION...]     any nox command, for example `nox -s lint`

Installs nox and uv into `.nox/` in the clone, once per Python; nox does the rest and
keeps to the same folder. `rm -r .nox` undoes it all.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

if sys.version_info < (3, 11):  # noqa: UP036  # says so where an older Python is run
    sys.exit(
        "Trivet needs Python 3.11 or newer; this is {}.{} ({}). Run dev.py with a "
        "newer one, for example `python3.13 dev.py test`.".format(
            *sys.version_info[:2], sys.executable
        )
    )

ROOT = Path(__file__).resolve().parent
HOME = ROOT / ".nox" / "dev-{}.{}.{}".format(*sys.version_info)
PYTHON = str(HOME / ("Scripts/python.exe" if os.name == "nt" else "bin/python"))
# A path into another Python's packages would reach into every environment below.
ENVIRONMENT = {
    name: value
    for name, value in os.environ.items()
    if name not in {"PYTHONHOME", "PYTHONPATH", "VIRTUAL_ENV"}
}


def main(arguments: list[str]) -> int:
    """Runs the command named first; returns its exit code."""
    command, *rest = arguments or ["help"]
    if command == "demo":
        return nox("--session", "demo", "--", *rest)
    if command == "test" and not rest:
        # The whole suite goes last, so that its summary is what ends the output.
        checks = nox("--tags", "checks")
        return nox("--session", "family") or checks
    if command == "nox":
        return nox(*rest)
    print(__doc__)
    return 0 if command in {"help", "-h", "--help"} else 2


def nox(*options: str) -> int:
    """Runs nox, installed first where it is missing; returns its exit code."""
    if not has("nox"):
        install()
    # uv is quicker, pip is everywhere.
    backend = "uv" if has("uv") else "virtualenv"
    environment = ENVIRONMENT | {"NOX_DEFAULT_VENV_BACKEND": backend}
    return subprocess.call([PYTHON, "-m", "nox", *options], cwd=ROOT, env=environment)


def install() -> None:
    """Makes the environment that holds nox, and uv if uv can reach the index here."""
    print(f"Installing nox into {HOME}", flush=True)
    make_environment()
    if pip("install", "uv") and uv("pip", "install", "nox"):
        return
    print("uv does not work here; going on with pip, which is slower", flush=True)
    pip("uninstall", "--yes", "uv")
    if not pip("install", "nox"):
        sys.exit("pip could not install nox, for the reason above.")


def make_environment() -> None:
    """Makes an empty environment, in place of one that an interruption left broken."""
    shutil.rmtree(HOME, ignore_errors=True)
    made = subprocess.run(
        [sys.executable, "-m", "venv", HOME],
        check=False,
        env=ENVIRONMENT,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    if made.returncode:
        sys.exit(
            f"{made.stdout}\n{sys.executable} cannot make a virtual environment. "
            "Debian and Ubuntu keep that in a package of its own: "
            "`sudo apt install python3-venv`, then run this again."
        )


def pip(command: str, *arguments: str) -> bool:
    """Runs a command of pip in the environment; returns whether it worked."""
    return run("-m", "pip", command, "--quiet", *arguments)


def uv(*arguments: str) -> bool:
    """Runs a command of uv on the environment; returns whether it worked."""
    return run("-m", "uv", "--quiet", *arguments, "--python", PYTHON)


def run(*arguments: str) -> bool:
    """Runs the environment's Python; returns whether it ended well."""
    return subprocess.call([PYTHON, *arguments], env=ENVIRONMENT) == 0


def has(module: str) -> bool:
    """Returns whether the environment exists and has the module."""
    if not Path(PYTHON).exists():
        return False
    command = [PYTHON, "-c", f"import {module}"]
    return subprocess.call(command, env=ENVIRONMENT, stderr=subprocess.DEVNULL) == 0


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit(130)
