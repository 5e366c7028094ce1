import subprocess
import sys
from importlib.metadata import version

import pytest

from trivet.cli import main


@pytest.mark.parametrize("words", [[], ["nonsense"], ["info"], ["backends", "--js"]])
def test_main_exits_with_2_when_it_is_called_wrongly(words, capsys):
    with pytest.raises(SystemExit) as caught:
        main(words)

    assert caught.value.code == 2
    assert capsys.readouterr().err.lower().startswith("usage: trivet")


@pytest.mark.parametrize("words", [["--help"], ["backends", "--help"], ["info", "-h"]])
def test_help_tells_the_exit_codes(words, capsys):
    with pytest.raises(SystemExit) as caught:
        main(words)

    assert caught.value.code == 0
    assert "3 something cannot be used here" in " ".join(
        capsys.readouterr().out.split()
    )


def test_version_is_that_of_the_distribution(capsys):
    with pytest.raises(SystemExit):
        main(["--version"])

    assert capsys.readouterr().out == f"trivet {version('trivet')}\n"


def test_main_returns_the_exit_code(capsys):
    assert main(["info", "no_such_backend"]) == 2

    assert capsys.readouterr().err.startswith(
        "error: No installed plugin offers the backend 'no_such_backend'."
    )


def test_command_ends_quietly_when_the_reader_of_its_output_has_gone(machine):
    environment = machine.site._environment(whole=False)
    command = [sys.executable, "-S", "-m", "trivet", "backends"]
    with subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment,
        text=True,
    ) as process:
        process.stdout.close()
        said = process.stderr.read()

    assert (process.returncode, said) == (0, "")
