"""What a command prints: lines on stdout, errors on stderr.

In colour where rich is installed and the stream is a terminal, or `FORCE_COLOR` says to
treat it as one.
"""

import json
import os
import shutil
import sys
import warnings
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, redirect_stdout
from traceback import format_exception
from typing import IO, TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from rich.console import Console

__all__ = [
    "Line",
    "Span",
    "hang_up",
    "plugins_aside",
    "say",
    "say_error",
    "say_json",
    "width",
]


class Span(NamedTuple):
    """Text in one style, which is a rich style or empty."""

    text: str
    style: str = ""


Line = tuple[Span, ...]


def say(lines: Iterable[Line]) -> None:
    """Print lines that are already as short as they have to be."""
    _print(lines, sys.stdout)


def say_json(value: Any) -> None:
    """Print a value as indented JSON, and nothing else."""
    _print([(Span(json.dumps(value, indent=2)),)], sys.stdout, plain=True)


def say_error(error: BaseException, *, traceback: bool) -> None:
    """Print an error's message and notes on stderr, under its traceback if wanted."""
    if traceback:
        sys.stderr.write("".join(format_exception(error)))
        return
    notes = getattr(error, "__notes__", ())
    lines: list[Line] = [(Span("error: ", "bold red"), Span(str(error)))]
    lines += [(Span(note),) for note in notes]
    _print(lines, sys.stderr)


def width() -> int:
    """The columns that there are: those of the terminal, or 80."""
    return shutil.get_terminal_size().columns


@contextmanager
def plugins_aside() -> Iterator[None]:
    """Plugins run in here: what they print and warn of goes to stderr, not stdout."""
    from trivet.plugins import PluginWarning

    def show(message: Warning | str, *_: Any, **__: Any) -> None:
        sys.stderr.write(f"warning: {message}\n")

    with redirect_stdout(sys.stderr), warnings.catch_warnings():
        warnings.simplefilter("always", PluginWarning)  # a filter must not stop a list
        warnings.showwarning = show
        yield


def hang_up() -> None:
    """The reader of stdout has gone: keep Python from writing to it at its end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _print(lines: Iterable[Line], file: IO[str], *, plain: bool = False) -> None:
    console = None if plain else _console(file)
    for line in lines:
        if console is None:
            file.write("".join(span.text for span in line).rstrip() + "\n")
            continue
        for span in line:
            console.print(span.text, style=span.style, end="", soft_wrap=True)
        console.print()
    file.flush()  # here, where a closed pipe is expected, not when Python ends


def _console(file: IO[str]) -> "Console | None":
    """A console where rich is installed and `file` is a terminal or forced to be."""
    try:
        from rich.console import Console
    except ImportError:
        return None
    console = Console(file=file, highlight=False, markup=False, emoji=False)
    return console if console.is_terminal else None
