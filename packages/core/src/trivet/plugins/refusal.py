"""`Refusal`: why a plugin is not ready. Inside an exception, outside a public error.

Loading and validating raise refusals; the plugin that meets one stores it in its
record, and `failure` turns such a record into the error that users see.
"""

from trivet.errors import (
    AmbiguousBackendError,
    BackendError,
    BrokenBackendError,
    DisabledBackendError,
    IncompatibleBackendError,
    InvalidBackendError,
    UnavailableBackendError,
)
from trivet.plugins.states import Record, State

__all__ = ["Refusal", "failure"]

_ERRORS: dict[State, tuple[type[BackendError], str]] = {
    State.DISABLED: (DisabledBackendError, "is switched off"),
    State.SHADOWED: (AmbiguousBackendError, "is not the only one of its name"),
    State.INCOMPATIBLE: (IncompatibleBackendError, "does not fit this trivet"),
    State.BROKEN: (BrokenBackendError, "failed to load"),
    State.INVALID: (InvalidBackendError, "does not fulfil the contract"),
    State.UNAVAILABLE: (UnavailableBackendError, "cannot run on this machine"),
}


class Refusal(Exception):  # noqa: N818  # never leaves this package
    """A plugin stops here: the state it gets, the evidence, and what to do."""

    def __init__(self, state: State, reason: str, remedy: str) -> None:
        super().__init__(reason)
        self.state = state
        self.reason = reason
        self.remedy = remedy


def failure(record: Record) -> BackendError:
    """The error for asking for `record`'s plugin; raise it from `record.error`.

    It is made anew each time: one exception raised twice collects both tracebacks.
    """
    error, headline = _ERRORS[record.state]
    text = f"{record.label} {headline}: {record.reason}. {record.remedy}"
    return error(text.rstrip())  # an error that the plugin raised has its remedy inside
