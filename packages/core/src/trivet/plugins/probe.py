"""`probe`: whether a plugin's backend can run on this machine.

Asks the plugin's own cheap answer, before its class or an array library is imported.
"""

from trivet.contract.device import Device
from trivet.contract.spec import Availability, BackendSpec, DecoratorSpec
from trivet.plugins.boundary import boundary
from trivet.plugins.refusal import Refusal
from trivet.plugins.states import Record, State

__all__ = ["probe"]


def probe(record: Record, spec: BackendSpec | DecoratorSpec) -> tuple[Device, ...]:
    """The devices that the plugin knows of already, when it can run here.

    Raises the `Refusal` when it cannot, or when its answer is none.
    """
    with boundary(record, record.entry_point):
        answer: object = spec.probe()  # a plugin may break its word
        if not isinstance(answer, Availability):
            what = f"returned {type(answer).__name__} instead of an Availability"
            raise _invalid(record, what)
        if not answer.available:
            reason = answer.reason.strip().rstrip(".") or "its probe gives no reason"
            raise Refusal(State.UNAVAILABLE, reason, answer.remedy.strip())
        return _devices(record, answer)


def _devices(record: Record, answer: Availability) -> tuple[Device, ...]:
    for device in answer.devices:
        if not isinstance(device, Device):
            raise _invalid(record, f"names the device {device!r}, which is no Device")
    return tuple(answer.devices)


def _invalid(record: Record, what: str) -> Refusal:
    remedy = f"Report this to the authors of {record.dist}."
    return Refusal(State.INVALID, f"its probe {what}", remedy)
