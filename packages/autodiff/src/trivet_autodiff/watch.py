"""Watching ops while they are recorded: what `anomaly` and `graph` stand on.

While a watcher is set, every op of every level tells it what was made, and so do hooks,
regions and custom functions. Without one the ops are what they were: watching costs
nothing when it is off. It holds for the whole process, so it is for looking at one
computation at a time.
"""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import RLock
from typing import Any, Protocol
from weakref import WeakKeyDictionary, WeakSet

from trivet.contract import OPS, Backend

__all__ = ["Watcher", "appear", "notice", "place_of_call", "seen", "watching"]


class Watcher(Protocol):
    """What is told of each op; of one with several results, for each of these."""

    def made(self, op: str, level: Backend[Any], arrays: Any, result: Any) -> Any:
        """The result to go on with, which may stand for `result`."""


_levels: WeakSet[Backend[Any]] = WeakSet()
_watchers: list[Watcher] = []
# for each level and op what is bound while somebody watches, and what was before
_bound: WeakKeyDictionary[
    Backend[Any], dict[str, tuple[Callable[..., Any], Callable[..., Any]]]
] = WeakKeyDictionary()
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


def seen(
    level: Backend[Any], op: str, function: Callable[..., Any]
) -> Callable[..., Any]:
    """What a level binds for an op: the function, told of while anybody watches."""
    with _lock:
        if not _watchers or level not in _levels:
            return function
        told = _told(level, op, function)
        _bound.setdefault(level, {})[op] = told, function
        return told


def _watch(level: Backend[Any]) -> None:
    for name in tuple(OPS):
        function = getattr(level, name)
        if name not in _bound.get(level, ()):  # a custom op comes seen on first use
            level.bind(**{name: seen(level, name, function)})


def _restore() -> None:
    for level, bound in _bound.items():
        for name, (told, plain) in bound.items():
            # an op that was declared again in between is bound anew, or not yet
            if vars(level).get(name) is told:
                level.bind(**{name: plain})
    _bound.clear()


def _told(
    level: Backend[Any], op: str, plain: Callable[..., Any]
) -> Callable[..., Any]:
    def told(*arrays: Any, **statics: Any) -> Any:
        result = plain(*arrays, **statics)
        if type(result) is tuple:
            return tuple(notice(op, level, arrays, one) for one in result)
        return notice(op, level, arrays, result)

    return told


def notice(op: str, level: Backend[Any], arrays: Any, result: Any) -> Any:
    """Tell all watchers what was made: also of what is no op, by its name."""
    for watcher in tuple(_watchers):
        result = watcher.made(op, level, arrays, result)
    return result


def place_of_call() -> str:
    """The line of the user's program that is being run: `file:line`."""
    frame = sys._getframe(1)  # noqa: SLF001  # the only way to a caller's line
    while frame.f_back is not None:
        module = frame.f_globals.get("__name__", "").partition(".")[0]
        if module not in {"trivet", "trivet_autodiff"}:
            break
        frame = frame.f_back
    return f"{frame.f_code.co_filename}:{frame.f_lineno}"
