"""The pluggy hooks that a plugin's light module implements.

pluggy checks and calls them when a plugin loads; nothing here is on an op's path.
"""

import pluggy

from trivet.contract.spec import BackendSpec, DecoratorSpec

__all__ = ["PROJECT", "hookimpl", "hookspec", "trivet_backend", "trivet_decorator"]

PROJECT = "trivet"
hookspec = pluggy.HookspecMarker(PROJECT)
hookimpl = pluggy.HookimplMarker(PROJECT)


@hookspec(firstresult=True)
def trivet_backend() -> BackendSpec:  # type: ignore[empty-body]  # a hook's signature
    """Return the facts of the backend that this plugin offers. Since contract 1.0."""


@hookspec(firstresult=True)
def trivet_decorator() -> DecoratorSpec:  # type: ignore[empty-body]  # as above
    """Return the facts of the decorator that this plugin offers. Since contract 1.0."""
