"""The stand-in's devices: numbers, of which one is current in each thread."""

import threading
from collections import Counter
from types import SimpleNamespace
from typing import Self

COUNTS: Counter[str] = Counter()
"""How often the host waited ("waits"), memory was freed ("frees"), and what ran on
which device ("launches on 0")."""
DEVICES = 1
"""How many there are; tests set it before they make a backend."""
_state = threading.local()


def current() -> int:
    return getattr(_state, "device", 0)


def launched() -> None:
    COUNTS[f"launches on {current()}"] += 1


class Device:
    def __init__(self, device: int | None = None) -> None:
        self.id = current() if device is None else device
        self._before: list[int] = []

    def __enter__(self) -> Self:
        self._before.append(current())
        _state.device = self.id
        return self

    def __exit__(self, *_: object) -> None:
        _state.device = self._before.pop()

    def __int__(self) -> int:
        return self.id

    def synchronize(self) -> None:
        COUNTS["waits"] += 1


runtime = SimpleNamespace(
    getDeviceCount=lambda: DEVICES,
    memGetInfo=lambda: (300, 400),
    driverGetVersion=lambda: 13000,
    runtimeGetVersion=lambda: 13000,
    getDeviceProperties=lambda device: {"name": b"stand-in, no GPU"},
)
