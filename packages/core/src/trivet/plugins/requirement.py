"""`unmet`: what a distribution demands of trivet and does not get, before importing it.

`Requires-Dist` holds a PEP 440 specifier. The `packaging` library reads those, but
core depends on pluggy alone, and using it only where it happens to be installed would
give two answers to one question. So the one thing needed is written here: does a
release number satisfy the clauses? Suffixes (`a1`, `.dev3`, `.post1`, `+local`) are
left out: a pre-release of 0.4 counts as 0.4, whose interface it already has.
Requirements behind a marker or a URL were the installer's to judge and are skipped.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import zip_longest

from trivet.plugins.states import normalized

__all__ = ["Unmet", "unmet"]

# Plain text, not compiled patterns: `import trivet` then pays for none of them.
_REQUIREMENT = (
    r"\s*(?P<name>[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?)"
    r"\s*(?:\[[^\]]*\])?\s*\(?(?P<clauses>[^;@()]*)\)?\s*"
)
_CLAUSE = r"\s*(===|~=|==|!=|<=|>=|<|>)\s*([^\s,]+)\s*"
_RELEASE = r"\s*[vV]?(?:(\d+)!)?(\d+(?:\.\d+)*)"

_Release = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Unmet:
    """One clause that the installed release does not satisfy.

    `newer` tells which side is behind: true when the clause wants a newer release.
    """

    clause: str
    newer: bool


def unmet(requires: Iterable[str], dist: str, version: str) -> Unmet | None:
    """The first clause in `requires` on `dist` that `version` fails, if any.

    >>> unmet(["numpy>=2", "trivet>=0.4,<0.6"], "trivet", "0.7.1")
    Unmet(clause='<0.6', newer=False)
    >>> unmet(["trivet>=0.4,<0.6"], "trivet", "0.5") is None
    True
    """
    for text in requires:
        match = re.fullmatch(_REQUIREMENT, text)
        if match is None or normalized(match["name"]) != normalized(dist):
            continue
        for operator, wanted in re.findall(_CLAUSE, match["clauses"]):
            if not _satisfies(version, operator, wanted):
                newer = _release(version) < _release(wanted)
                return Unmet(f"{operator}{wanted}", newer)
    return None


def _satisfies(version: str, operator: str, wanted: str) -> bool:
    if operator == "===":
        return version == wanted
    if wanted.endswith(".*"):
        return _starts_with(version, wanted[:-2]) is (operator == "==")
    have, want = _release(version), _release(wanted)
    if operator == "~=":
        return have >= want and _starts_with(version, wanted, drop=1)
    return {
        "==": have == want,
        "!=": have != want,
        "<=": have <= want,
        ">=": have >= want,
        "<": have < want,
        ">": have > want,
    }[operator]


def _release(text: str) -> _Release:
    """Epoch and release numbers, without trailing zeros: 1.0 and 1 are equal."""
    numbers = _numbers(text)
    while len(numbers) > 1 and numbers[-1] == 0:
        numbers = numbers[:-1]
    return numbers


def _numbers(text: str) -> _Release:
    match = re.match(_RELEASE, text)
    if match is None:
        return (0,)
    return (int(match[1] or 0), *map(int, match[2].split(".")))


def _starts_with(version: str, prefix: str, drop: int = 0) -> bool:
    wanted = _numbers(prefix)
    wanted = wanted[: len(wanted) - drop]
    pairs = zip_longest(_numbers(version)[: len(wanted)], wanted, fillvalue=0)
    return all(have == want for have, want in pairs)
