"""Environments with nothing in them but wheels of ours, and what these wheels need."""

import json
import os
import subprocess
import sys
from pathlib import Path
from textwrap import dedent

import pytest

ROOT = Path(__file__).parents[2]
SCRIPTS = "Scripts" if os.name == "nt" else "bin"
FAMILY = (
    "packages/core",
    "packages/backend-ndarray",
    "packages/backend-cuda",
    "packages/autodiff",
)


class Environment:
    """A fresh virtual environment."""

    def __init__(self, folder):
        call(sys.executable, "-m", "virtualenv", "--quiet", folder)
        self.folder = folder
        self.scripts = folder / SCRIPTS
        self.python = self.scripts / "python"

    def install(self, *wheels):
        call(self.python, "-I", "-m", "pip", "install", "--quiet", *wheels)

    def uninstall(self, name):
        call(self.python, "-I", "-m", "pip", "uninstall", "--quiet", "--yes", name)

    def run(self, *code):
        """What the pieces of `code` print as JSON; each warning is an error."""
        program = "".join(map(dedent, code))
        return json.loads(call(self.python, "-I", "-W", "error", "-c", program))

    def trivet(self, *words):
        """The finished process of the script `trivet`."""
        return start(self.scripts / "trivet", *words)


def call(*command):
    """What a command prints, which succeeds."""
    done = start(*command)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def start(*command):
    hidden = ("TRIVET_", "PYTHON", "VIRTUAL_ENV")
    kept = {k: v for k, v in os.environ.items() if not k.startswith(hidden)}
    return subprocess.run(
        [str(part) for part in command],
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
        env=kept,
    )


@pytest.fixture(scope="session")
def wheel(tmp_path_factory):
    """Builds the wheel of a folder of this repository, once."""
    built = {}

    def build(source):
        if source not in built:
            folder = tmp_path_factory.mktemp("wheel")
            options = ["--wheel", "--no-isolation", "--outdir", folder]
            call(sys.executable, "-m", "build", *options, ROOT / source)
            (built[source],) = folder.glob("*.whl")
        return built[source]

    return build


@pytest.fixture(scope="session")
def installed(wheel, tmp_path_factory):
    """Makes an environment with the wheels of some folders of this repository."""

    def install(*sources):
        environment = Environment(tmp_path_factory.mktemp("environment"))
        environment.install(*map(wheel, sources))
        return environment

    return install


@pytest.fixture(scope="session")
def family(installed):
    """The environment with the four packages of this repository; leave it as it is."""
    return installed(*FAMILY)


@pytest.fixture(scope="session")
def bare(installed):
    """An environment from which trivet-ndarray has gone again."""
    environment = installed(*FAMILY)
    environment.uninstall("trivet-ndarray")
    return environment
