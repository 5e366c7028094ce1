"""Plugins: which backends there are, which one is meant, and what became of each.

Found by one scan of the installed metadata, loaded one by one when first asked for.
"""

from collections.abc import Sequence

from trivet.plugins.devices import device_of
from trivet.plugins.explain import Explanation, explain
from trivet.plugins.registration import Registration, register_backend
from trivet.plugins.registry import REGISTRY
from trivet.plugins.select import backend, resolve, using
from trivet.plugins.states import Record, State
from trivet.plugins.warning import PluginWarning

__all__ = [
    "Explanation",
    "PluginWarning",
    "Record",
    "Registration",
    "State",
    "backend",
    "backends",
    "device_of",
    "explain",
    "refresh",
    "register_backend",
    "resolve",
    "using",
]


def backends(*, probe: bool = False) -> Sequence[Record]:
    """A record for every plugin that is installed or registered, by name.

    Nothing is imported. With `probe`, each usable plugin's light module is, so that its
    record tells `ready` from `unavailable`; array libraries still are not.

    >>> import trivet as tv
    >>> [record.kind for record in tv.backends() if record.name == "ndarray"]
    ['backend']
    """
    return REGISTRY.records(probe=probe)


def refresh() -> None:
    """Look again at what is installed.

    Plugins that have made a backend stay as they are, since code cannot be unloaded.
    Others start anew, so that one that failed gets another try.

    >>> import trivet as tv
    >>> nd = tv.backend("ndarray")
    >>> tv.refresh()
    >>> tv.backend("ndarray") is nd
    True
    """
    REGISTRY.refresh()
