"""The one argument parser: argparse. `main` asks it.

With rich-argparse installed its help comes in colour.
"""

from argparse import ArgumentParser, HelpFormatter, Namespace
from collections.abc import Sequence

from trivet.cli import backends, info

__all__ = ["parse"]

_EXIT_CODES = (
    "exit codes: 0 all that was asked for is ready; 1 something is broken or invalid; "
    "2 wrong usage, or no such plugin; 3 something cannot be used here"
)


def parse(argv: Sequence[str] | None) -> Namespace:
    """The arguments, with the chosen command as `run`. Raises `SystemExit`."""
    parser = ArgumentParser(
        prog="trivet",
        description="What Trivet finds on this machine.",
        epilog=_EXIT_CODES,
        formatter_class=_formatter(),
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"trivet {_version()}")
    commands = parser.add_subparsers(metavar="COMMAND", required=True)
    for command in (backends, info):
        sub = commands.add_parser(
            command.NAME,
            help=command.SUMMARY,
            description=command.DESCRIPTION,
            epilog=_EXIT_CODES,
            formatter_class=_formatter(),
            allow_abbrev=False,
        )
        command.add_arguments(sub)
        _add_common(sub)
        sub.set_defaults(run=command.run)
    return parser.parse_args(argv)


def _add_common(parser: ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument(
        "--traceback", action="store_true", help="print the traceback of an error too"
    )


def _formatter() -> type[HelpFormatter]:
    try:
        from rich_argparse import RichHelpFormatter
    except ImportError:
        return HelpFormatter
    return RichHelpFormatter


def _version() -> str:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("trivet")
    except PackageNotFoundError:
        return "(not installed: it runs from its source)"
