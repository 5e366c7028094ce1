"""Settings that name every package do so for packages that are added later."""

import json
import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def test_mypy_knows_the_sources_of_every_package():
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["mypy"]
    sources = sorted(ROOT.glob("packages/*/src"))

    paths = [
        path.removeprefix("$MYPY_CONFIG_FILE_DIR/") for path in settings["mypy_path"]
    ]

    assert paths == [path.relative_to(ROOT).as_posix() for path in sources]


@pytest.mark.parametrize("place", ["clone", "clone/.."])
def test_mypy_does_not_mind_a_stray_package_file_around_the_clone(tmp_path, place):
    pytest.importorskip("mypy")
    clone = tmp_path / "around" / "clone"
    source = clone / "packages" / "core" / "src" / "trivet"
    source.mkdir(parents=True)
    (clone / "pyproject.toml").write_text((ROOT / "pyproject.toml").read_text())
    (source / "__init__.py").touch()
    (source / "errors.py").write_text("from trivet import __name__ as name\n")
    (tmp_path / "around" / place / "__init__.py").touch()

    done = subprocess.run(
        [sys.executable, "-m", "mypy", "packages/core/src"],
        cwd=clone,
        env=os.environ | {"MYPYPATH": "packages/core/src"},  # as an editable install
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )

    assert done.returncode == 0, done.stdout


def test_one_command_runs_the_sessions_that_guard_every_change():
    pytest.importorskip("nox")

    listed = subprocess.run(
        [sys.executable, "-m", "nox", "--list", "--json", "--tags", "checks"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    )

    names = {session["name"] for session in json.loads(listed.stdout)}
    assert names == {"anatomy", "ecosystem", "layers", "lint", "tests", "types"}
