"""The command line in a fresh interpreter: core, pluggy, and what a test installs."""

import pytest

BACKEND = """
from zoo_stub import Stub
from trivet.contract import CPU, DefaultDTypes, Device
from trivet.dtypes import DTYPES

STORAGE = frozenset(["storage"])
ALL = frozenset(["storage", "arithmetic", "accelerated"])

class Two(Stub):
    name = {name!r}

    def devices(self):
        return {devices}

    def dtypes(self, device):
        float32, int64, boolean = map(DTYPES.get, ("float32", "int64", "bool"))
        if device == CPU:
            return dict([(float32, ALL), (int64, ALL), (boolean, STORAGE)])
        return dict([(float32, ALL)])

    def default_dtypes(self, device):
        float32, int64 = DTYPES["float32"], DTYPES["int64"]
        return DefaultDTypes(float32, DTYPES["complex64"], int64, int64)

    def mean(self, x, /, *, axis, keepdims):
        raise NotImplementedError
"""
PLUGIN = """
from trivet.contract import CPU, Availability, BackendSpec, hookimpl

def probe():
    return {answer}

@hookimpl
def trivet_backend():
    return BackendSpec(name={name!r}, cls={cls!r}, aliases={aliases}, probe=probe)
"""
DECORATOR = """
from trivet.contract import Decorator, DecoratorSpec, hookimpl

@hookimpl
def trivet_decorator():
    return DecoratorSpec(name="wrap", cls="wrap_plugin:Wrap")

class Wrap(Decorator):
    label = "wrap"
"""


class Machine:
    """A site, and `trivet` on it in plain text and 80 columns."""

    def __init__(self, site):
        self.site = site

    def trivet(self, *words, whole=False, **variables):
        plain = {"COLUMNS": "80", "FORCE_COLOR": "", "NO_COLOR": ""} | variables
        arguments = ("-W", "error", "-m", "trivet", *words)
        return self.site.start(*arguments, whole=whole, **plain)

    def offer(
        self,
        name,
        *,
        answer="Availability.yes()",
        aliases=(),
        version="1.0",
        devices='CPU, Device("gpu", 0)',
    ):
        """Install a plugin whose probe gives `answer`."""
        module, cls = f"{name}_plugin", f"{name}_backend:Two"
        text = PLUGIN.format(name=name, cls=cls, answer=answer, aliases=aliases)
        self.site.write(module, text)
        self.site.write(f"{name}_backend", BACKEND.format(name=name, devices=devices))
        self.site.add(name, version=version, backends_v1={name: module})

    def offer_decorator(self):
        self.site.write("wrap_plugin", DECORATOR)
        self.site.add("wrap", version="1.0", decorators_v1={"wrap": "wrap_plugin"})


@pytest.fixture
def machine(site):
    return Machine(site)
