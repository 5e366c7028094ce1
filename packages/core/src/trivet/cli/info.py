"""`trivet info NAME`: the devices, dtypes and ops of one backend, which is loaded."""

from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from typing import Any

from trivet.cli.codes import Code
from trivet.cli.parts import parts
from trivet.cli.screen import Line, Span, plugins_aside, say, say_json, width
from trivet.cli.table import Table, paragraph
from trivet.contract import OPS, Backend, Device
from trivet.plugins import backend
from trivet.plugins.registry import REGISTRY

__all__ = ["DESCRIPTION", "NAME", "SUMMARY", "add_arguments", "run"]

NAME = "info"
SUMMARY = "show the devices, dtypes and ops of a backend"
DESCRIPTION = (
    "Load a backend and show its devices, its dtypes with what they are good for, and "
    "which ops it has natively, which are derived from others, and which are missing."
)
SCHEMA = 1
"""Counts changes of meaning in the JSON; new keys don't count."""

_USAGES = ("storage", "arithmetic", "accelerated")
_SUPPORTS = ("native", "derived", "missing")


def add_arguments(parser: ArgumentParser) -> None:
    """Declare what the command takes."""
    parser.add_argument(
        "name", metavar="NAME", help='such as ndarray or "autodiff(ndarray)"'
    )


def run(arguments: Namespace) -> Code:
    """Print what the backend says about itself. Raises as `trivet.backend` does."""
    with plugins_aside():
        facts = _facts(arguments.name, backend(arguments.name))
    if arguments.json:
        say_json(facts)
    else:
        say(_lines(facts, width()))
    return Code.READY


def _facts(text: str, made: Backend[Any]) -> dict[str, Any]:
    cls = type(made)
    return {
        "schema": SCHEMA,
        "name": made.name,
        "class": f"{cls.__module__}.{cls.__qualname__}",
        "plugins": _plugins(text),
        "default_device": str(made.default_device),
        "devices": [_device(made, device) for device in made.devices()],
        "ops": _ops(made),
    }


def _plugins(text: str) -> list[dict[str, Any]]:
    """The records of the plugins that the backend is made of, the outermost first."""
    return [
        REGISTRY.find(kind, spec.name, spec.dist).record.to_json()
        for kind, spec in parts(text)
    ]


def _device(made: Backend[Any], device: Device) -> dict[str, Any]:
    usages = made.dtypes(device)
    defaults = made.default_dtypes(device)
    return {
        "name": str(device),
        "dtypes": {str(dtype): sorted(usages[dtype]) for dtype in usages},
        "default_dtypes": {
            "real floating": str(defaults.real_floating),
            "complex floating": str(defaults.complex_floating),
            "integral": str(defaults.integral),
            "indexing": str(defaults.indexing),
        },
    }


def _ops(made: Backend[Any]) -> dict[str, dict[str, list[str]]]:
    families: dict[str, dict[str, list[str]]] = {}
    for op in OPS.values():
        family = families.setdefault(op.family, {support: [] for support in _SUPPORTS})
        family[made.support(op.name)].append(op.name)
    return families


def _lines(facts: dict[str, Any], width: int) -> Iterator[Line]:
    yield Span(facts["name"], "bold"), Span(f"  {facts['class']}")
    for plugin in facts["plugins"]:
        yield from paragraph(_origin(plugin), width, indent="  ", hang="    ")
    for device in facts["devices"]:
        yield _BLANK
        yield from _device_lines(device, facts["default_device"], width)
    yield _BLANK
    yield from _count_lines(facts["ops"], width)
    for family, supports in facts["ops"].items():
        yield _BLANK
        yield from _family_lines(family, supports, width)


_BLANK: Line = (Span(""),)


def _origin(plugin: dict[str, Any]) -> str:
    by = "registered at run time"
    if plugin["dist"] is not None:
        by = f"from {plugin['dist']} {plugin['version']}"
    note = f" ({plugin['reason']})" if plugin["reason"] else ""
    return (
        f"{plugin['kind']} {plugin['name']} {by}, contract {plugin['contract']}{note}"
    )


def _device_lines(device: dict[str, Any], default: str, width: int) -> Iterator[Line]:
    mark = " (default)" if device["name"] == default else ""
    yield Span("device "), Span(device["name"], "bold"), Span(mark)
    table = Table("dtype", *_USAGES, "default for")
    for dtype, usages in device["dtypes"].items():
        uses = ["yes" if usage in usages else "-" for usage in _USAGES]
        chosen = [k for k, name in device["default_dtypes"].items() if name == dtype]
        table.add([dtype, *uses, ", ".join(chosen)])
    yield from table.lines(width)


def _count_lines(ops: dict[str, dict[str, list[str]]], width: int) -> Iterator[Line]:
    table = Table("ops", *_SUPPORTS)
    for family, supports in ops.items():
        table.add([family, *(str(len(supports[s])) for s in _SUPPORTS)])
    totals = (sum(len(of[s]) for of in ops.values()) for s in _SUPPORTS)
    table.add([Span("all", "bold"), *(Span(str(n), "bold") for n in totals)])
    yield from table.lines(width)


def _family_lines(
    family: str, supports: dict[str, list[str]], width: int
) -> Iterator[Line]:
    yield (Span(family, "bold"),)
    for support in filter(supports.get, _SUPPORTS):
        text = f"{support:<9}{', '.join(supports[support])}"
        yield from paragraph(text, width, indent="  ", hang=" " * 11)
