"""`Record`: what is known of one plugin, and the `State` that it is in.

Discovery makes records from metadata, loading refines them, and users read them
through `trivet.plugins.backends`. A record is a value: a changed state is a new one.
"""

import re
from enum import Enum
from typing import Any, Literal, NamedTuple

from trivet.contract.device import Device

__all__ = ["Kind", "Record", "State", "normalized"]

Kind = Literal["backend", "decorator"]


class State(Enum):
    """How far a plugin has come, or what stopped it."""

    FOUND = "found"
    """Its metadata was read; nothing of it has been imported."""
    DISABLED = "disabled"
    """The user has switched it off."""
    SHADOWED = "shadowed"
    """Another distribution offers the same name, and the user has not chosen."""
    INCOMPATIBLE = "incompatible"
    """It speaks another contract, or needs another trivet. Never imported."""
    BROKEN = "broken"
    """Its own code raised."""
    INVALID = "invalid"
    """It loaded, and what it offers does not fulfil the contract."""
    UNAVAILABLE = "unavailable"
    """It is in order, and this machine cannot run it."""
    READY = "ready"
    """Its probe said yes, and nothing since has failed."""

    @property
    def usable(self) -> bool:
        """Whether asking for the plugin by name can still succeed.

        >>> State.FOUND.usable, State.BROKEN.usable
        (True, False)
        """
        return self in (State.FOUND, State.READY)


class Record(NamedTuple):
    """One plugin: where it comes from, its state, and why.

    `dist` and `version` are those of the distribution, or `None` for a backend that
    was registered at run time. `contract` is `"v1"` while only the entry-point group
    is known, and `"1.0"` once the plugin has said. `reason` and `remedy` are empty
    when nothing is wrong. `error` is the exception that the plugin raised, with its
    traceback. `seconds` is the time spent in loading it so far.

    >>> record = Record(name="fast", kind="backend", dist="fast-arrays", version="2.1")
    >>> record.label
    "Backend 'fast' (fast-arrays 2.1)"
    """

    name: str
    kind: Kind
    dist: str | None = None
    version: str | None = None
    entry_point: str = ""
    state: State = State.FOUND
    reason: str = ""
    remedy: str = ""
    contract: str = ""
    aliases: tuple[str, ...] = ()
    devices: tuple[Device, ...] = ()
    error: BaseException | None = None
    seconds: float = 0.0

    @property
    def source(self) -> str:
        """Who offers the plugin: its distribution and version."""
        if self.dist is None:
            return "registered at run time"
        return f"{self.dist} {self.version}"

    @property
    def label(self) -> str:
        """How messages name the plugin."""
        return f"{self.kind.capitalize()} {self.name!r} ({self.source})"

    def comes_from(self, dist: str) -> bool:
        """Whether `dist`, however it is spelled, offers the plugin."""
        return self.dist is not None and normalized(self.dist) == normalized(dist)

    def to_json(self) -> dict[str, Any]:
        """The record as plain strings, numbers and lists.

        >>> Record(name="fast", kind="backend").to_json()["state"]
        'found'
        """
        return {
            "name": self.name,
            "kind": self.kind,
            "dist": self.dist,
            "version": self.version,
            "entry_point": self.entry_point,
            "state": self.state.value,
            "reason": self.reason,
            "remedy": self.remedy,
            "contract": self.contract,
            "aliases": list(self.aliases),
            "devices": [str(device) for device in self.devices],
            "error": None if self.error is None else type(self.error).__name__,
            "seconds": self.seconds,
        }


def normalized(name: str) -> str:
    """A distribution's name as the packaging standard compares names.

    >>> normalized("Trivet_NDArray")
    'trivet-ndarray'
    """
    return re.sub(r"[-_.]+", "-", name).lower()
