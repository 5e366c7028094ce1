"""The plugin system within one process, on a registry that is put back afterwards."""

import sys
from pathlib import Path

import pytest

import trivet.contract.hooks  # imported while pluggy can still be found  # noqa: F401
from trivet.contract import Decorator, Device
from trivet.plugins.load import hooks
from trivet.plugins.registry import REGISTRY, Registry

VARIABLES = ("TRIVET_BACKEND", "TRIVET_PLUGINS_ALLOW", "TRIVET_PLUGINS_BLOCK")


@pytest.fixture
def installed(site, monkeypatch):
    """A site whose distributions are the only ones that this process sees."""
    hidden = {p for p in sys.path if any(Path(p).glob("*.dist-info"))}
    seen = [str(site.folder), *(p for p in sys.path if p not in hidden)]
    modules = set(sys.modules)
    registry, plugins = dict(vars(REGISTRY)), list(hooks().get_plugins())
    monkeypatch.setattr(sys, "path", seen)
    for variable in VARIABLES:
        monkeypatch.delenv(variable, raising=False)
    vars(REGISTRY).update(vars(Registry()))
    yield site
    vars(REGISTRY).update(registry)
    for plugin in set(hooks().get_plugins()) - set(plugins):
        hooks().unregister(plugin)
    for name in set(sys.modules) - modules:
        if str(getattr(sys.modules[name], "__file__", "")).startswith(str(site.folder)):
            del sys.modules[name]


@pytest.fixture
def stub(installed):
    """A class of backends in which every required op is in place and none computes."""
    from zoo_stub import Stub

    return Stub


@pytest.fixture
def make(stub):
    """Backends by name, on the devices given."""

    def make(name, *devices):
        body = {"name": name}
        if devices:
            body["devices"] = lambda self: tuple(map(Device.parse, devices))
        return type("Fake", (stub,), body)()

    return make


@pytest.fixture
def wrapper(installed):
    """A decorator class that adds nothing."""

    class Wrap(Decorator):
        label = "wrap"

    return Wrap
