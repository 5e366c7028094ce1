"""`Device`: which piece of hardware holds a tensor. A value, not a backend."""

from typing import NoReturn

from trivet.errors import DeviceError

__all__ = ["CPU", "Device"]

_GRAMMAR = r"([a-z][a-z0-9_]*)(?::(0|[1-9][0-9]*))?"


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

    # By hand, as `DType`: the module dataclasses costs `import trivet` a fifth.
    __slots__ = ("index", "kind")

    kind: str
    index: int | None

    def __init__(self, kind: str, index: int | None = None) -> None:
        object.__setattr__(self, "kind", kind)
        object.__setattr__(self, "index", index)

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"a device cannot be changed: {self!r}.{name}")

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Device):
            return NotImplemented
        return self.kind == other.kind and self.index == other.index

    def __hash__(self) -> int:
        return hash((self.kind, self.index))

    def __reduce__(self) -> tuple[type["Device"], tuple[str, int | None]]:
        return Device, (self.kind, self.index)

    @classmethod
    def parse(cls, text: str) -> "Device":
        """The device that `text` names: `kind` or `kind:index`, in lower case.

        Raises `DeviceError` when `text` is anything else.
        """
        import re  # the pattern is compiled when the first device is parsed

        match = re.fullmatch(_GRAMMAR, text)
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
