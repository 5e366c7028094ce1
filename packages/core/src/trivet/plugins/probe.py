"""`probe`: whether a plugin's backend can run on this machine.

Asks the plugin's own cheap answer, before its class or an array library is imported.
"""

from trivet.contract.spec import Availability, BackendSpec, DecoratorSpec
from trivet.plugins.boundary import boundary
from trivet.plugins.refusal import Refusal
from trivet.plugins.states import Record, State

__all__ = ["probe"]


def probe(record: Record, spec: BackendSpec | DecoratorSpec) -> None:
    """Return when the plugin can run here; otherwise raise the `Refusal`."""
    with boundary(record, record.entry_point):
        answer = spec.probe()
    if not isinstance(answer, Availability):
        raise Refusal(
            State.INVALID,
            f"its probe returned {type(answer).__name__} instead of an Availability",
            f"Report this to the authors of {record.dist}.",
        )
    if not answer.available:
        reason = answer.reason.strip().rstrip(".") or "its probe gives no reason"
        raise Refusal(State.UNAVAILABLE, reason, answer.remedy.strip())
