"""Watching ops while they are recorded: what `anomaly` and `graph` stand on.

While a watcher is set, every op of every `Autodiff` tells it what was made. Without
one the ops are what they were: watching costs nothing when it is off. It holds for the
whole process, so it is for looking at one computation at a time.
"""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import RLock
from typing import Any, Protocol
from weakref import WeakSet

from trivet.contract import OPS, Backend

__all__ = ["Watcher", "appear", "place_of_call", "watching"]


class Watcher(Protocol):
    """What is told of each op."""

    def made(self, op: str, level: Backend[Any], arrays: Any, result: Any) -> Any:
        """The result to go on with, which may stand for `result`."""


_levels: WeakSet[Backend[Any]] = WeakSet()
_watchers: list[Watcher] = []
_plain: dict[tuple[int, str], Callable[..., Any]] = {}
_lock = RLock()


def appear(level: Backend[Any]) -> None:
    """Let watchers see the ops of a level, if it is a new one."""
    with _lock:
        if level in _levels:
            return
        _levels.add(level)
        if _watchers:
            _watch(level)


@contextmanager
def watching(watcher: Watcher) -> Iterator[None]:
    """Tell `watcher` of every op inside the block."""
    with _lock:
        _watchers.append(watcher)
        if len(_watchers) == 1:
            for level in _levels:
                _watch(level)
    try:
        yield
    finally:
        with _lock:
            _watchers.remove(watcher)
            if not _watchers:
                _restore()


def _watch(level: Backend[Any]) -> None:
    for name in OPS:
        plain = getattr(level, name)
        _plain[id(level), name] = plain
        level.bind(**{name: _told(level, name, plain)})


def _restore() -> None:
    for level in _levels:
        for name in OPS:
            level.bind(**{name: _plain[id(level), name]})
    _plain.clear()


def _told(
    level: Backend[Any], op: str, plain: Callable[..., Any]
) -> Callable[..., Any]:
    def told(*arrays: Any, **statics: Any) -> Any:
        result = plain(*arrays, **statics)
        for watcher in tuple(_watchers):
            result = watcher.made(op, level, arrays, result)
        return result

    return told


def place_of_call() -> str:
    """The line of the user's program that is being run: `file:line`."""
    frame = sys._getframe(1)  # noqa: SLF001  # the only way to a caller's line
    while frame.f_back is not None:
        module = frame.f_globals.get("__name__", "").partition(".")[0]
        if module not in {"trivet", "trivet_autodiff"}:
            break
        frame = frame.f_back
    return f"{frame.f_code.co_filename}:{frame.f_lineno}"
