"""`Device`: which piece of hardware holds a tensor. A value, not a backend."""

import re
from dataclasses import dataclass

from trivet.errors import DeviceError

__all__ = ["CPU", "Device"]

_GRAMMAR = re.compile(r"([a-z][a-z0-9_]*)(?::(0|[1-9][0-9]*))?")


@dataclass(frozen=True, slots=True)
class Device:
    """A piece of hardware: a kind and, where there may be several, an index.

    Two devices are equal exactly when they are the same hardware, so every backend
    that computes on the host shares `Device("cpu")`. A device does not know which
    backends can use it.

    >>> Device.parse("cuda:1")
    Device('cuda:1')
    >>> Device.parse("cpu") == CPU
    True
    """

    kind: str
    index: int | None = None

    @classmethod
    def parse(cls, text: str) -> "Device":
        """The device that `text` names: `kind` or `kind:index`, in lower case.

        Raises `DeviceError` when `text` is anything else.
        """
        match = _GRAMMAR.fullmatch(text)
        if match is None:
            raise DeviceError(
                f"{text!r} is not a device. A device is written as its kind and, if "
                'there are several, an index: "cpu" or "cuda:1".'
            )
        kind, index = match.groups()
        return cls(kind, None if index is None else int(index))

    def __str__(self) -> str:
        return self.kind if self.index is None else f"{self.kind}:{self.index}"

    def __repr__(self) -> str:
        return f"Device({str(self)!r})"


CPU = Device("cpu")
