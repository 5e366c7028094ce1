"""What a plugin's light module says about its backend or decorator.

The module named by the entry point returns one of these from its hook
(`trivet.contract.hooks`). Importing it must not import an array library: the class
is named as text and imported only when the backend is asked for.
"""

from collections.abc import Callable
from dataclasses import dataclass, field

from trivet.contract.device import Device
from trivet.contract.version import CONTRACT_VERSION, ContractVersion

__all__ = ["Availability", "BackendSpec", "DecoratorSpec"]


@dataclass(frozen=True, slots=True)
class Availability:
    """What a probe answers: can this backend run on this machine, and if not, why.

    `reason` is one sentence that says what is missing; `remedy` is what to type or
    install. Both are empty when `available` is true. `devices` are those that the
    backend will have, as far as the probe can tell without side effects; empty means
    that only loading the backend tells.

    >>> Availability.no("no NVIDIA driver", "install the NVIDIA driver").available
    False
    >>> Availability.yes(Device("cpu")).devices
    (Device('cpu'),)
    """

    available: bool
    reason: str = ""
    remedy: str = ""
    devices: tuple[Device, ...] = ()

    @classmethod
    def yes(cls, *devices: Device) -> "Availability":
        """The backend can run here, on `devices` if those are known already."""
        return cls(available=True, devices=devices)

    @classmethod
    def no(cls, reason: str, remedy: str) -> "Availability":
        """The backend cannot run here, because of `reason`; `remedy` helps."""
        return cls(available=False, reason=reason, remedy=remedy)


@dataclass(frozen=True, slots=True)
class BackendSpec:
    """A backend plugin's facts.

    `name` equals the entry point's name. `cls` is `"module:Class"`; the class is
    called without arguments. `probe` is cheap, imports no array library, has no side
    effect and does not raise. `contract` is the version the plugin was written for.
    """

    name: str
    cls: str
    aliases: tuple[str, ...] = ()
    probe: Callable[[], Availability] = field(default=Availability.yes)
    contract: ContractVersion = CONTRACT_VERSION


@dataclass(frozen=True, slots=True)
class DecoratorSpec:
    """A decorator plugin's facts; the class is called with the backend it wraps."""

    name: str
    cls: str
    aliases: tuple[str, ...] = ()
    probe: Callable[[], Availability] = field(default=Availability.yes)
    contract: ContractVersion = CONTRACT_VERSION
