"""The command line: `trivet` and `python -m trivet`.

It needs core alone. With the extra `trivet[cli]` the same words come in colour.
"""

from collections.abc import Sequence

from trivet.cli.codes import code_of_error
from trivet.cli.parser import parse
from trivet.cli.screen import hang_up, say_error
from trivet.errors import TrivetError

__all__ = ["main"]


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code; `argv` is `sys.argv[1:]` for `None`.

    What Trivet raises is printed as one message on stderr. Raises `SystemExit` for
    wrong usage and after `--help`, as argparse does.
    """
    arguments = parse(argv)
    try:
        return int(arguments.run(arguments))
    except TrivetError as error:
        say_error(error, traceback=arguments.traceback)
        return code_of_error(error)
    except BrokenPipeError:  # `trivet info ndarray | head -3`
        hang_up()
        return 0
