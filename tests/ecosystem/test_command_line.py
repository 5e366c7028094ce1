"""`trivet` as a user has it: the four wheels, built and installed, beside pluggy alone.

The listing needs no array library, so that none is installed here.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PACKAGES = ("core", "backend-ndarray", "backend-cuda", "autodiff")
HIDDEN = ("TRIVET_", "PYTHON", "VIRTUAL_ENV")


class Environment:
    """A virtual environment; `trivet` is its own script."""

    def __init__(self, folder):
        self.folder = folder
        self.scripts = folder / ("Scripts" if os.name == "nt" else "bin")

    def run(self, *command, check=True):
        kept = {k: v for k, v in os.environ.items() if not k.startswith(HIDDEN)}
        return subprocess.run(
            [str(word) for word in command],
            check=check,
            capture_output=True,
            text=True,
            env=kept,
            cwd=self.folder,
        )

    def pip(self, command, *arguments):
        python = self.scripts / "python"
        uv = (sys.executable, "-m", "uv", "pip", command, "--python", python)
        self.run(*uv, *arguments)

    def trivet(self, *words):
        return self.run(self.scripts / "trivet", *words, check=False)


@pytest.fixture(scope="module")
def wheels(tmp_path_factory):
    pytest.importorskip("build")
    pytest.importorskip("hatchling")
    folder = tmp_path_factory.mktemp("wheels")
    build = (sys.executable, "-m", "build", "--wheel", "--no-isolation")
    for package in PACKAGES:
        source = ROOT / "packages" / package
        subprocess.run(
            [*build, "--outdir", folder, source], check=True, capture_output=True
        )
    return sorted(folder.glob("*.whl"))


@pytest.fixture
def environment(wheels, tmp_path):
    pytest.importorskip("uv")
    made = Environment(tmp_path / "environment")
    made.folder.mkdir()
    made.run(
        sys.executable, "-m", "uv", "venv", "--python", sys.executable, made.folder
    )
    made.pip("install", "pluggy")
    made.pip("install", "--no-deps", *wheels)
    return made


def test_script_lists_ndarray_ready_and_cuda_unavailable_with_the_reason(environment):
    done = environment.trivet("backends", "--json")

    records = {record["name"]: record for record in json.loads(done.stdout)}
    states = {name: record["state"] for name, record in records.items()}
    assert states == {"autodiff": "ready", "cuda": "unavailable", "ndarray": "ready"}
    assert records["ndarray"]["devices"] == ["cpu"]
    assert records["cuda"]["reason"].startswith("CuPy is not installed")
    assert "pip install" in records["cuda"]["remedy"]
    assert (done.returncode, done.stderr) == (0, "")


def test_script_says_what_to_install_when_ndarray_was_uninstalled(environment):
    environment.pip("uninstall", "trivet-ndarray")

    listed = environment.trivet("backends")
    asked = environment.trivet("info", "ndarray")

    assert 'pip install "trivet[ndarray]"' in listed.stdout
    assert (listed.returncode, listed.stderr) == (0, "")
    assert asked.stderr == (
        "error: No installed plugin offers the backend 'ndarray'. Installed backends: "
        'cuda. Install it: pip install "trivet[ndarray]"\n'
    )
    assert asked.returncode == 2


@pytest.fixture
def zoo(site):
    """A site with every plugin that misbehaves."""
    for member in (ROOT / "tests" / "plugins" / "zoo").iterdir():
        if (member / "pyproject.toml").exists() and member.name != "stub":
            site.install(member.name)
    return site


def test_listing_survives_every_plugin_that_misbehaves(zoo):
    table = zoo.start("-m", "trivet", "backends", "--load", COLUMNS="80")
    listed = zoo.start("-m", "trivet", "backends", "--load", "--json")

    records = json.loads(listed.stdout)
    failed = [r for r in records if r["state"] not in ("ready", "found")]
    assert len(records) > 30
    assert all(record["reason"] and record["remedy"] for record in failed)
    assert max(map(len, table.stdout.splitlines())) <= 80
    assert (table.returncode, listed.returncode) == (0, 0)
    assert "Traceback" not in table.stderr
