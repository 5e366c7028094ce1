"""`Code`: what the command's exit code says about the plugins that were asked for."""

from collections.abc import Iterable
from enum import IntEnum

from trivet.errors import (
    AmbiguousBackendError,
    BackendSpecError,
    DisabledBackendError,
    IncompatibleBackendError,
    TrivetError,
    UnavailableBackendError,
    UnknownBackendError,
)
from trivet.plugins import Record, State

__all__ = ["Code", "code_of_error", "code_of_records"]


class Code(IntEnum):
    """The exit codes of every command."""

    READY = 0
    """All that was asked for is ready."""
    BROKEN = 1
    """Something is broken or does not fulfil the contract."""
    USAGE = 2
    """The command was called wrongly, or names a plugin that is not installed."""
    UNUSABLE = 3
    """Nothing is broken, and something cannot be used here."""


_WRONGLY_CALLED = (BackendSpecError, UnknownBackendError)
_UNUSABLE = (
    AmbiguousBackendError,
    DisabledBackendError,
    IncompatibleBackendError,
    UnavailableBackendError,
)


def code_of_error(error: TrivetError) -> Code:
    """The exit code for an error that ended a command."""
    if isinstance(error, _WRONGLY_CALLED):
        return Code.USAGE
    return Code.UNUSABLE if isinstance(error, _UNUSABLE) else Code.BROKEN


def code_of_records(records: Iterable[Record]) -> Code:
    """The exit code for plugins that were asked about: the worst of their states."""
    states = {record.state for record in records}
    if states & {State.BROKEN, State.INVALID}:
        return Code.BROKEN
    return Code.READY if all(state.usable for state in states) else Code.UNUSABLE
