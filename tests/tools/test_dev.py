"""The bootstrap script dev.py, as far as it needs no network."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[2] / "dev.py"


@pytest.fixture
def clone(tmp_path):
    folder = tmp_path / "a clone"
    folder.mkdir()
    shutil.copy(SCRIPT, folder)
    return folder


def run(clone, *arguments, setup=""):
    """Runs the copy of dev.py after `setup`, in another folder than its own."""
    program = (
        f"import runpy, sys; sys.argv = ['dev.py', *{arguments!r}]; {setup}\n"
        f"runpy.run_path({str(clone / 'dev.py')!r}, run_name='__main__')"
    )
    return subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        check=False,
        cwd=clone.parent,
        text=True,
    )


def test_dev_says_what_it_can_do_when_nothing_is_asked(clone):
    result = run(clone)

    assert result.returncode == 0
    assert "python3 dev.py demo" in result.stdout
    assert not (clone / ".nox").exists()


@pytest.mark.parametrize("arguments", [["tets"], ["test", "--fast"]])
def test_dev_says_what_it_can_do_and_fails_when_the_command_is_unknown(
    clone, arguments
):
    result = run(clone, *arguments)

    assert result.returncode == 2
    assert "python3 dev.py test" in result.stdout


def test_dev_names_the_version_it_needs_when_python_is_older(clone):
    old = "sys.version_info = (3, 10, 4, 'final', 0); sys.executable = '/usr/bin/py'"

    result = run(clone, "test", setup=old)

    assert result.returncode == 1
    assert result.stderr == (
        "Trivet needs Python 3.11 or newer; this is 3.10 (/usr/bin/py). Run dev.py "
        "with a newer one, for example `python3.13 dev.py test`.\n"
    )


@pytest.mark.skipif(sys.platform == "win32", reason="the stand-in is a shell script")
def test_dev_names_the_missing_package_when_python_has_no_venv(clone):
    python = clone / "python"
    python.write_text("#!/bin/sh\necho No module named venv\nexit 1\n")
    python.chmod(0o755)

    result = run(clone, "test", setup=f"sys.executable = {str(python)!r}")

    assert result.returncode == 1
    assert result.stderr == (
        f"No module named venv\n\n{python} cannot make a virtual environment. Debian "
        "and Ubuntu keep that in a package of its own: `sudo apt install "
        "python3-venv`, then run this again.\n"
    )
