"""`boundary`: the one place where a plugin's exceptions are caught.

Whoever runs plugin code (import, hook, probe, class, construction) does it inside. An
`Exception` or `SystemExit` becomes a `Refusal`; Ctrl-C passes through.
"""

from collections.abc import Iterator
from contextlib import contextmanager

from trivet.errors import UnavailableBackendError
from trivet.plugins.refusal import Refusal
from trivet.plugins.states import Record, State

__all__ = ["boundary"]


@contextmanager
def boundary(record: Record, target: str) -> Iterator[None]:
    """Run code of `record`'s plugin; `target` is the `"module:object"` being run."""
    try:
        yield
    except Refusal:
        raise
    except UnavailableBackendError as error:
        raise Refusal(State.UNAVAILABLE, _text(error), "") from error
    except (Exception, SystemExit) as error:
        reason = f"{type(error).__name__}: {_text(error)}{_where(error, target)}"
        raise Refusal(State.BROKEN, reason, _remedy(record, error, target)) from error


def _text(error: BaseException) -> str:
    try:
        return " ".join(str(error).split()).rstrip(".")
    except Exception:  # noqa: BLE001  # a plugin's __str__ is plugin code too
        return "(its message cannot be printed)"


def _where(error: BaseException, target: str) -> str:
    """The last frame in the plugin's own package, or nothing if it has none."""
    if isinstance(error, SyntaxError) and error.filename is not None:
        return f", at {error.filename}:{error.lineno}"
    from traceback import walk_tb  # only on a failure

    package = _package(target)
    place = ""
    for frame, line in walk_tb(error.__traceback__):
        if str(frame.f_globals.get("__name__")).partition(".")[0] == package:
            code = frame.f_code
            place = f", at {code.co_filename}:{line} in {code.co_name}"
    return place


def _package(target: str) -> str:
    return target.partition(":")[0].partition(".")[0]


def _remedy(record: Record, error: BaseException, target: str) -> str:
    if record.dist is None:
        return "Correct the class that was registered."
    if isinstance(error, ModuleNotFoundError):
        if error.name == _package(target):
            return f"Reinstall it: pip install --force-reinstall {record.dist}"
        return f"Install what it needs: pip install {record.dist}"
    return (
        f"Try another release (pip install --upgrade {record.dist}), or report this to "
        "its authors."
    )
