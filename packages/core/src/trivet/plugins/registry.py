"""`Registry`: every plugin that this process knows, installed or registered.

Selection asks it for plugins by name and for their backends. One lock guards loading;
it is re-entrant, because a plugin may import and use trivet while it loads.
"""

from collections.abc import Iterator
from threading import RLock
from typing import TYPE_CHECKING, Any

from trivet.contract.backend import Backend
from trivet.errors import (
    AmbiguousBackendError,
    InvalidBackendError,
    UnknownBackendError,
)
from trivet.plugins.official import OFFICIAL, SPELLINGS, canonical
from trivet.plugins.refusal import failure
from trivet.plugins.states import Kind, Record, State

if TYPE_CHECKING:
    from trivet.plugins.plugin import Plugin

__all__ = ["REGISTRY", "Registry"]


class Registry:
    """Plugins by name: found by one scan, loaded one by one as they are asked for."""

    def __init__(self) -> None:
        self.lock = RLock()
        self.answers: dict[str | None, Backend[Any]] = {}
        """Backends by the text that asked for them, the default one under `None`.

        Emptied when plugins change.
        """
        self._found: tuple[Plugin, ...] | None = None
        self._registered: tuple[Plugin, ...] = ()

    def plugins(self) -> tuple["Plugin", ...]:
        """All plugins by name. The first call scans the metadata."""
        with self.lock:
            if self._found is None:
                self._found = _scanned()
            both = self._found + self._registered
            return tuple(sorted(both, key=lambda plugin: plugin.record.name))

    def records(self, *, probe: bool = False) -> tuple[Record, ...]:
        """The plugins' records; with `probe`, after asking each whether it can run."""
        with self.lock:
            return tuple(p.probe() if probe else p.record for p in self.plugins())

    def refresh(self) -> None:
        """Scan again. Loaded plugins stay loaded; failed ones get another try."""
        with self.lock:
            loaded = {_key(p.record): p for p in self.plugins() if p.instances}
            self._found = None
            fresh = tuple(p for p in self.plugins() if p not in self._registered)
            self._found = tuple(_kept(p, loaded.get(_key(p.record))) for p in fresh)
            self.answers.clear()

    def find(self, kind: Kind, name: str, dist: str | None = None) -> "Plugin":
        """The plugin of that name or alias, from `dist` where one is given.

        An exact name never imports anything. Raises `UnknownBackendError`, or
        `AmbiguousBackendError` when the user has to choose.
        """
        found = (
            self._named(kind, name, dist)
            or self._named(kind, canonical(name), dist)
            or self._aliased(kind, name, dist)
        )
        if not found:
            raise self._unknown(kind, name, dist)
        if dist is not None:
            found[0].choose()
            return found[0]
        return _only(found)

    def register(self, plugin: "Plugin") -> None:
        """Add a plugin made at run time. `InvalidBackendError` if the name is taken."""
        with self.lock:
            record = plugin.record
            holders = self._named(record.kind, record.name, None)
            if holders:
                raise InvalidBackendError(
                    f"The name {record.name!r} is taken by {holders[0].record.label}. "
                    "Register under another name, or undo the earlier registration."
                )
            self._registered += (plugin,)
            self.answers.clear()

    def withdraw(self, plugin: "Plugin") -> None:
        """Take back a registration, and what decorators made of its backend."""
        with self.lock:
            kept = tuple(p for p in self._registered if p is not plugin)
            self._registered = kept
            self.answers.clear()
            for made in plugin.instances.values():
                self._forget(made)

    def _forget(self, inner: Backend[Any]) -> None:
        for plugin in self.plugins():
            made = plugin.instances.pop(inner, None)
            if made is not None:
                self._forget(made)

    def _named(self, kind: Kind, name: str, dist: str | None) -> tuple["Plugin", ...]:
        return tuple(
            plugin
            for plugin in self.plugins()
            if (plugin.record.kind, plugin.record.name) == (kind, name)
            and (dist is None or plugin.record.comes_from(dist))
        )

    def _aliased(self, kind: Kind, name: str, dist: str | None) -> tuple["Plugin", ...]:
        """Plugins with the alias `name`, which only their light modules can tell."""
        self.records(probe=True)
        found = tuple(
            plugin
            for plugin in self.plugins()
            if plugin.record.kind == kind
            and name in plugin.record.aliases
            and (dist is None or plugin.record.comes_from(dist))
        )
        names = {plugin.record.name for plugin in found}
        if len(names) > 1:
            owners = " and ".join(plugin.record.label for plugin in found)
            raise AmbiguousBackendError(
                f"{name!r} is an alias of several plugins: {owners}. Use the full name."
            )
        return found

    def _unknown(self, kind: Kind, name: str, dist: str | None) -> UnknownBackendError:
        where = "" if dist is None else f" in the distribution {dist!r}"
        named = sorted({r.name for r in self.records() if r.kind == kind})
        listed = ", ".join(named) or "none"
        return UnknownBackendError(
            f"No installed plugin offers the {kind} {name!r}{where}. Installed "
            f"{kind}s: {listed}. {self._hint(kind, name)}"
        )

    def _hint(self, kind: Kind, name: str) -> str:
        other: Kind = "decorator" if kind == "backend" else "backend"
        if self._named(other, canonical(name), None):
            return _written(other, name)
        official = OFFICIAL.get(canonical(name))
        if official is not None and official.kind == kind:
            return f"Install it: {official.install}"
        near = self._near(kind, name)
        if near:
            return f"Did you mean {' or '.join(map(repr, near))}?"
        return "Install the distribution that offers it."

    def _near(self, kind: Kind, name: str) -> list[str]:
        from difflib import get_close_matches  # only on a mistake

        known = {word for word, of in SPELLINGS.items() if of == kind}
        for record in self.records():
            if record.kind == kind:
                known |= {record.name, *record.aliases}
        return get_close_matches(name.lower(), sorted(known), n=2)


def _written(kind: Kind, name: str) -> str:
    if kind == "decorator":
        return f'It is a decorator and wraps a backend: "{name}(ndarray)".'
    return f'It is a backend and wraps nothing: "{name}".'


def _key(record: Record) -> tuple[str | None, ...]:
    return record.kind, record.name, record.dist, record.version, record.entry_point


def _kept(fresh: "Plugin", loaded: "Plugin | None") -> "Plugin":
    """The loaded plugin, unless the user has switched it off since."""
    allowed = fresh.record.state in (State.FOUND, State.SHADOWED)
    return loaded if loaded and allowed else fresh


def _only(found: tuple["Plugin", ...]) -> "Plugin":
    """The one of several plugins of a name that can be meant."""
    ruled_out = (State.DISABLED, State.INCOMPATIBLE)
    left = [p for p in found if p.record.state not in ruled_out] or found[:1]
    if len(left) > 1:
        raise failure(_shadowed(left[0].record, [p.record for p in left]))
    return left[0]


def _scanned() -> tuple["Plugin", ...]:
    # Imported at the first scan: `import trivet` needs none of it.
    from trivet.plugins.discover import scan
    from trivet.plugins.plugin import Plugin
    from trivet.plugins.policy import blocked

    return tuple(map(Plugin, _ranked(blocked(scan()))))


def _ranked(records: tuple[Record, ...]) -> Iterator[Record]:
    """`records`, with those `shadowed` that share a name and could be used."""
    for record in records:
        rivals = [r for r in records if _rivals(r, record)]
        yield _shadowed(record, rivals) if len(rivals) > 1 else record


def _rivals(one: Record, other: Record) -> bool:
    same = (one.kind, one.name) == (other.kind, other.name)
    return same and one.state is State.FOUND and other.state is State.FOUND


def _shadowed(record: Record, rivals: list[Record]) -> Record:
    sources = " and ".join(rival.source for rival in rivals)
    choices = " or ".join(f'"{rival.name}@{rival.dist}"' for rival in rivals)
    return record._replace(
        state=State.SHADOWED,
        reason=f"{sources} {'both' if len(rivals) == 2 else 'all'} offer it",
        remedy=f"Choose one of them: {choices}, or uninstall one.",
    )


REGISTRY = Registry()
"""The process's own registry, behind the functions of `trivet.plugins`."""
