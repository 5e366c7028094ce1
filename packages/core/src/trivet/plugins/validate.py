"""Does what a plugin offers fulfil the contract? Spec, class and instance.

Loading and runtime registration ask the same three questions. Each returns what it was
given, now trusted, or raises the `Refusal` that shows what differs.
"""

import inspect
import re
from collections.abc import Iterator
from typing import Any

from trivet.contract.backend import Backend
from trivet.contract.decorator import Decorator
from trivet.contract.device import Device
from trivet.contract.spec import BackendSpec, DecoratorSpec
from trivet.contract.table import OPS, Op
from trivet.contract.version import CONTRACT_VERSION
from trivet.plugins.boundary import boundary
from trivet.plugins.grammar import NAME, RESERVED
from trivet.plugins.refusal import Refusal
from trivet.plugins.states import Record, State

__all__ = ["validate_backend", "validate_class", "validate_name", "validate_spec"]

_Spec = BackendSpec | DecoratorSpec


def validate_name(record: Record, name: object) -> None:
    """Refuse a name or alias that a backend string could not spell."""
    if not isinstance(name, str) or re.fullmatch(NAME, name) is None:
        reason = (
            f"{name!r} is not a backend name, which is a lower-case letter and then "
            "lower-case letters, digits and underscores"
        )
        raise _invalid(record, reason)
    if name in RESERVED:
        words = ", ".join(sorted(RESERVED))
        raise _invalid(record, f"the name {name!r} is reserved, as are all of: {words}")


def validate_spec(record: Record, spec: Any) -> _Spec:
    """The spec that the plugin's hook returned, when it is one and its names agree."""
    wanted = BackendSpec if record.kind == "backend" else DecoratorSpec
    if not isinstance(spec, wanted):
        got = "nothing" if spec is None else f"an object of type {type(spec).__name__}"
        reason = (
            f"the hook trivet_{record.kind} of {record.entry_point!r} returned {got} "
            f"instead of a {wanted.__name__}"
        )
        raise _invalid(record, reason)
    for name in (record.name, *spec.aliases):
        validate_name(record, name)
    if spec.name != record.name:
        reason = f"its entry point is named {record.name!r} and its spec {spec.name!r}"
        raise _invalid(record, reason)
    if spec.contract[0] != CONTRACT_VERSION.major:
        raise _other_major(record, spec)
    return spec


def _other_major(record: Record, spec: _Spec) -> Refusal:
    reason = (
        f"its spec says contract {'.'.join(map(str, spec.contract))}, and this trivet "
        f"supports contract {CONTRACT_VERSION}"
    )
    late = spec.contract[0] > CONTRACT_VERSION.major
    what = ("trivet", "trivet") if late else ("the plugin", record.dist)
    remedy = f"Upgrade {what[0]}: pip install --upgrade {what[1]}"
    return Refusal(State.INCOMPATIBLE, reason, remedy)


def validate_class(record: Record, cls: Any) -> type[Backend[Any]]:
    """The class, when it is of its kind and keeps the signatures of the ops."""
    wanted = Backend if record.kind == "backend" else Decorator
    if not (isinstance(cls, type) and issubclass(cls, wanted)):
        found = cls.__qualname__ if isinstance(cls, type) else repr(cls)
        raise _invalid(record, f"{found} is not a subclass of {wanted.__name__}")
    if record.kind == "backend" and issubclass(cls, Decorator):
        reason = f"{cls.__qualname__} is a Decorator and is offered as a backend"
        raise _invalid(record, reason)
    for op, attribute in _overrides(cls):
        _check_override(record, cls, op, attribute)
    return cls


def _overrides(cls: type) -> Iterator[tuple[Op, Any]]:
    """Each op that a class outside the contract defines, as it stands in that class."""
    for op in OPS.values():
        owner = next((base for base in cls.__mro__ if op.name in vars(base)), None)
        if owner and not owner.__module__.startswith("trivet.contract."):
            yield op, vars(owner)[op.name]


def _check_override(record: Record, cls: type, op: Op, attribute: Any) -> None:
    found = _method_signature(attribute)
    if found is not None and _shape(found) != _shape(op.signature):
        raise _differs(record, cls, op, found)
    if found is None and not callable(getattr(cls, op.name)):
        raise _invalid(record, f"{cls.__qualname__}.{op.name} is not callable")


def _method_signature(attribute: Any) -> inspect.Signature | None:
    """The signature that callers see; `None` where only native code could tell."""
    if isinstance(attribute, staticmethod):
        return inspect.signature(attribute.__func__)
    if isinstance(attribute, classmethod):
        attribute = attribute.__func__
    if not inspect.isfunction(attribute):
        return None
    whole = inspect.signature(attribute)
    return whole.replace(parameters=list(whole.parameters.values())[1:])


def _shape(signature: inspect.Signature) -> tuple[list[Any], set[Any]]:
    """What must agree: names, kinds, defaults, and the order of all but keywords."""
    ordered, keywords = [], set()
    for parameter in signature.parameters.values():
        facts = (parameter.name, parameter.kind, repr(parameter.default))
        if parameter.kind is inspect.Parameter.KEYWORD_ONLY:
            keywords.add(facts)
        else:
            ordered.append(facts)
    return ordered, keywords


def _differs(record: Record, cls: type, op: Op, found: inspect.Signature) -> Refusal:
    reason = (
        f"{cls.__qualname__}.{op.name} has another signature than the contract's op. "
        f"The contract: {op.name}{_bare(op.signature)}. "
        f"The plugin: {op.name}{_bare(found)}"
    )
    return _invalid(record, reason)


def _bare(signature: inspect.Signature) -> inspect.Signature:
    """The signature without annotations, as short as a message wants it."""
    empty = inspect.Parameter.empty
    bare = [p.replace(annotation=empty) for p in signature.parameters.values()]
    return inspect.Signature(bare)


def validate_backend(record: Record, backend: Backend[Any], name: str) -> None:
    """Check an instance: its name, devices, required ops and bound functions."""
    with boundary(record, type(backend).__module__):
        _check_identity(record, backend, name)
        _check_required(record, backend)
    for op in OPS.values():
        bound = vars(backend).get(op.name)
        if not inspect.isfunction(bound):
            continue
        found = inspect.signature(bound, follow_wrapped=False)
        if not _accepts(found, op):
            raise _differs(record, type(backend), op, found)


def _check_identity(record: Record, backend: Backend[Any], name: str) -> None:
    if backend.name != name:
        reason = f"its instance is named {backend.name!r} and should be {name!r}"
        raise _invalid(record, reason)
    devices: object = backend.devices()
    if not (isinstance(devices, tuple) and devices):
        raise _invalid(record, "its devices() is not a tuple of at least one Device")
    strange = [device for device in devices if not isinstance(device, Device)]
    if strange:
        raise _invalid(record, f"its devices() holds {strange[0]!r}, not a Device")
    if backend.default_device not in devices:
        reason = f"its default device {backend.default_device} is not in its devices()"
        raise _invalid(record, reason)


def _check_required(record: Record, backend: Backend[Any]) -> None:
    missing = [
        op.name
        for op in OPS.values()
        if op.tier == "required" and backend.support(op.name) == "missing"
    ]
    if missing:
        raise _invalid(record, f"it lacks the required ops: {', '.join(missing)}")


def _accepts(found: inspect.Signature, op: Op) -> bool:
    """Whether a bound function takes every call that the contract allows.

    Such a function comes from a library: it may name its data arguments as it likes
    and take more, as long as the contract's keywords exist with the same defaults.
    """
    parameters = list(op.signature.parameters.values())
    data = [p for p in parameters if p.kind is not inspect.Parameter.KEYWORD_ONLY]
    statics = [p for p in parameters if p.kind is inspect.Parameter.KEYWORD_ONLY]
    try:
        found.bind(*data, **{static.name: static for static in statics})
    except TypeError:
        return False
    return all(_same_default(found, parameter) for parameter in parameters)


def _same_default(found: inspect.Signature, wanted: inspect.Parameter) -> bool:
    if wanted.default is wanted.empty:
        return True
    taken = found.parameters.get(wanted.name)
    return taken is None or repr(taken.default) == repr(wanted.default)


def _invalid(record: Record, reason: str) -> Refusal:
    if record.dist is None:
        return Refusal(
            State.INVALID, reason, "Correct the class and register it again."
        )
    remedy = f"Report this to the authors of {record.dist}."
    return Refusal(State.INVALID, reason, remedy)
