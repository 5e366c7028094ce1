"""`scan`: the plugins that are installed, read from metadata alone.

The registry calls it once per process and after `refresh`. Nothing is imported:
another contract major and an unmet requirement on trivet are visible from here, and
such plugins never are.
"""

import re
import warnings
from collections.abc import Iterator
from typing import TYPE_CHECKING, cast

from trivet.contract.version import BACKEND_GROUP, CONTRACT_VERSION, DECORATOR_GROUP
from trivet.plugins.requirement import Unmet, unmet
from trivet.plugins.states import Kind, Record, State, normalized
from trivet.plugins.warning import PluginWarning

if TYPE_CHECKING:
    from importlib.metadata import Distribution, EntryPoint

__all__ = ["scan"]

_GROUP = r"trivet\.(backend|decorator)s(?:\.(.*))?"
_MAJOR = r"v([0-9]+)"


def scan() -> tuple[Record, ...]:
    """A record for each plugin of each distribution, by name and then distribution.

    A distribution that is met twice (an editable install beside stale metadata) counts
    once, with the metadata that Python itself takes for it.
    """
    from importlib.metadata import distribution  # 15 ms

    records: list[Record] = []
    trivet = _trivet_version()
    for name in sorted(set(_plugin_distributions())):
        try:
            records += _records(distribution(name), trivet)
        except Exception as error:  # noqa: BLE001  # one bad folder hides no other
            _warn(f"the metadata of {name} cannot be read", error)
    return tuple(sorted(records, key=lambda record: (record.name, record.dist or "")))


def _plugin_distributions() -> Iterator[str]:
    """Names of the distributions whose entry points mention one of our groups."""
    from importlib.metadata import distributions  # 15 ms

    for dist in distributions():
        try:
            if "[trivet." in (dist.read_text("entry_points.txt") or ""):
                yield normalized(dist.metadata["Name"])
        except Exception as error:  # noqa: BLE001  # one bad folder hides no other
            where = dist.locate_file("")
            _warn(f"the metadata of a distribution in {where} cannot be read", error)


def _warn(what: str, error: Exception) -> None:
    text = f"{what}: {type(error).__name__}: {error}. Reinstall that distribution."
    warnings.warn(text, PluginWarning, stacklevel=3)


def _trivet_version() -> str | None:
    """The installed release of trivet; `None` when it runs without being installed."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("trivet")
    except PackageNotFoundError:
        return None


def _records(dist: "Distribution", trivet: str | None) -> list[Record]:
    """The plugins of one distribution; groups of other majors only where ours lacks."""
    points = [point for point in dist.entry_points if re.fullmatch(_GROUP, point.group)]
    points.sort(key=lambda p: (p.group not in (BACKEND_GROUP, DECORATOR_GROUP), p.name))
    behind = None if trivet is None else unmet(dist.requires or (), "trivet", trivet)
    records: dict[tuple[Kind, str], Record] = {}
    for point in points:
        record = _record(dist, point, trivet, behind)
        records.setdefault((record.kind, record.name), record)
    return list(records.values())


def _record(
    dist: "Distribution", point: "EntryPoint", trivet: str | None, behind: Unmet | None
) -> Record:
    kind, suffix = _group(point.group)
    name = dist.metadata["Name"]
    state, (reason, remedy) = State.FOUND, ("", "")
    if point.group not in (BACKEND_GROUP, DECORATOR_GROUP):
        state = State.INCOMPATIBLE
        reason, remedy = _other_contract(kind, point.group, suffix, name)
    elif behind is not None:
        state, (reason, remedy) = State.INCOMPATIBLE, _unmet(behind, name, trivet)
    return Record(
        name=point.name,
        kind=kind,
        dist=name,
        version=dist.version,
        entry_point=point.value,
        state=state,
        reason=reason,
        remedy=remedy,
        contract=suffix,
    )


def _group(group: str) -> tuple[Kind, str]:
    match = re.fullmatch(_GROUP, group)
    assert match is not None  # the caller has filtered by it
    return cast("Kind", match[1]), match[2] or ""


def _other_contract(kind: Kind, group: str, suffix: str, dist: str) -> tuple[str, str]:
    ours = f"this trivet supports contract {CONTRACT_VERSION}"
    major = re.fullmatch(_MAJOR, suffix)
    if major is None:
        reason = (
            f"its entry-point group {group!r} names no contract version, and {ours}"
        )
        group = BACKEND_GROUP if kind == "backend" else DECORATOR_GROUP
        return (
            reason,
            f"Ask the authors of {dist} for a release in the group {group!r}.",
        )
    reason = f"it is written for contract {suffix}, and {ours}"
    if int(major[1]) > CONTRACT_VERSION.major:
        return reason, "Upgrade trivet: pip install --upgrade trivet"
    return reason, f"Upgrade the plugin: pip install --upgrade {dist}"


def _unmet(behind: Unmet, dist: str, trivet: str | None) -> tuple[str, str]:
    reason = f"it requires trivet{behind.clause}, and trivet {trivet} is installed"
    if behind.newer:
        return reason, f'Upgrade trivet: pip install --upgrade "trivet{behind.clause}"'
    return reason, f"Upgrade the plugin: pip install --upgrade {dist}"
