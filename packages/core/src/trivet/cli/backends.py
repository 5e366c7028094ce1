"""`trivet backends`: every plugin that is installed, its state, why, and what helps."""

from argparse import ArgumentParser, Namespace
from collections.abc import Iterator, Sequence

from trivet.cli.codes import Code, code_of_records
from trivet.cli.parts import parts
from trivet.cli.screen import Line, Span, plugins_aside, say, say_json, width
from trivet.cli.table import Table, paragraph
from trivet.errors import BackendError
from trivet.plugins import Record, State, backend
from trivet.plugins.grammar import Spec
from trivet.plugins.official import DEFAULT, OFFICIAL
from trivet.plugins.registry import REGISTRY

__all__ = ["DESCRIPTION", "NAME", "SUMMARY", "add_arguments", "run"]

NAME = "backends"
SUMMARY = "list the plugins, their states, and what helps"
DESCRIPTION = (
    "List the backends and decorators that are installed. Each is asked whether it can "
    "run here; no array library is imported for that. Without names the exit code is "
    "0, because nothing is asked for; with names it tells about those."
)
SCHEMA = 1
"""Counts changes of meaning in the JSON; new keys don't count."""

_STYLES = {State.READY: "green", State.BROKEN: "red", State.INVALID: "red"}


def add_arguments(parser: ArgumentParser) -> None:
    """Declare what the command takes."""
    parser.add_argument(
        "names", nargs="*", metavar="NAME", help="list only these, and judge them"
    )
    parser.add_argument(
        "--load",
        action="store_true",
        help="also make each backend that can run, which shows all devices",
    )


def run(arguments: Namespace) -> Code:
    """Print the records. Raises `UnknownBackendError` for a name that none has."""
    with plugins_aside():
        records = _records(arguments.names, load=arguments.load)
    if arguments.json:
        say_json([{"schema": SCHEMA, **record.to_json()} for record in records])
    else:
        say(_lines(records, width()))
    return code_of_records(records) if arguments.names else Code.READY


def _records(names: Sequence[str], *, load: bool) -> Sequence[Record]:
    probed = REGISTRY.records(probe=True)
    asked = [record for name in names for record in _named(name, probed)] or probed
    if load:
        for record in asked:
            _load(record)
    wanted = {_key(record) for record in asked}
    return [record for record in REGISTRY.records() if _key(record) in wanted]


def _named(text: str, records: Sequence[Record]) -> Iterator[Record]:
    """The plugins that a backend string such as `autodiff(ndarray)` is made of."""
    for kind, spec in parts(text):
        found = [record for record in records if _fits(record, spec)]
        if not found:  # it raises, unless an alias is known by its spelling alone
            found = [REGISTRY.find(kind, spec.name, spec.dist).record]
        yield from found


def _fits(record: Record, spec: Spec) -> bool:
    named = spec.name in (record.name, *record.aliases)
    return named and (spec.dist is None or record.comes_from(spec.dist))


def _key(record: Record) -> tuple[str | None, ...]:
    return record.kind, record.name, record.dist


def _load(record: Record) -> None:
    """Make the backend; where that fails, its record says so from now on."""
    if record.kind == "decorator" or not record.state.usable:
        return
    at = "" if record.dist is None else f"@{record.dist}"
    try:
        backend(f"{record.name}{at}")
    except BackendError:
        return


def _lines(records: Sequence[Record], width: int) -> Iterator[Line]:
    table = Table("name", "state", "version", "contract", "devices")
    for record in records:
        table.add(_cells(record), [_sentence(record.reason), record.remedy])
    if records:
        yield from table.lines(width)
    for note in _notes(records):
        yield (Span(""),)
        yield from paragraph(note, width)


def _cells(record: Record) -> list[str | Span]:
    wraps = "(...)" if record.kind == "decorator" else ""
    return [
        Span(f"{record.name}{wraps}", "bold"),
        Span(record.state.value, _STYLES.get(record.state, "yellow")),
        record.version or "-",
        record.contract,
        _devices(record),
    ]


def _devices(record: Record) -> str:
    if record.kind == "decorator":
        return "inner's"
    if record.devices:
        return ", ".join(map(str, record.devices))
    return "?" if record.state.usable else "-"


def _sentence(reason: str) -> str:
    return f"{reason[:1].upper()}{reason[1:]}." if reason else ""


def _notes(records: Sequence[Record]) -> Iterator[str]:
    if any(_devices(record) == "?" for record in records):
        yield "?: known once the backend is made; --load does that."
    backends = [r for r in REGISTRY.records() if r.kind == "backend"]
    usable = any(record.state.usable for record in backends)
    if not usable and all(record.name != DEFAULT for record in backends):
        install = OFFICIAL[DEFAULT].install
        yield f"No backend here can run. Install the default one: {install}"
