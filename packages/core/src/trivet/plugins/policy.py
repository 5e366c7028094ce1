"""`blocked`: which installed plugins the user has switched off, by environment.

`TRIVET_PLUGINS_ALLOW` lists the only ones wanted, `TRIVET_PLUGINS_BLOCK` those not
wanted, each by plugin or distribution name with commas between. The registry asks at
each scan; code of a blocked plugin is never imported.
"""

import os
import warnings
from collections.abc import Iterable

from trivet.plugins.official import SPELLINGS, canonical
from trivet.plugins.states import Record, State, normalized
from trivet.plugins.warning import PluginWarning

__all__ = ["ALLOW", "BLOCK", "blocked"]

ALLOW = "TRIVET_PLUGINS_ALLOW"
BLOCK = "TRIVET_PLUGINS_BLOCK"


def blocked(records: Iterable[Record]) -> tuple[Record, ...]:
    """`records`, with those that the user has switched off in state `disabled`.

    A listed name that fits no plugin gives a `PluginWarning` with near matches.
    """
    records = tuple(records)
    allowed, unwanted = _listed(ALLOW, records), _listed(BLOCK, records)
    return tuple(_judged(record, allowed, unwanted) for record in records)


def _judged(
    record: Record, allowed: frozenset[str] | None, unwanted: frozenset[str] | None
) -> Record:
    names = _names(record)
    if unwanted is not None and names & unwanted:
        reason = f"the environment variable {BLOCK} lists it"
        remedy = f"Take it out of {BLOCK} and start Python again."
    elif allowed is not None and not names & allowed:
        reason = f"the environment variable {ALLOW} does not list it"
        remedy = f"Add {record.name} to {ALLOW} and start Python again."
    else:
        return record
    return record._replace(state=State.DISABLED, reason=reason, remedy=remedy)


def _names(record: Record) -> frozenset[str]:
    return frozenset({record.name, normalized(record.dist or record.name)})


def _listed(variable: str, records: tuple[Record, ...]) -> frozenset[str] | None:
    """The names in `variable`, warning of those that no plugin has; `None` if unset."""
    text = os.environ.get(variable, "").strip()
    if not text:
        return None
    names = frozenset(
        canonical(word.strip()) for word in text.split(",") if word.strip()
    )
    known = frozenset(SPELLINGS).union(*map(_names, records))
    for name in sorted(names - known):
        if normalized(name) not in known:
            _warn_unknown(variable, name, known)
    return names | {normalized(name) for name in names}


def _warn_unknown(variable: str, name: str, known: frozenset[str]) -> None:
    from difflib import get_close_matches  # only on a mistake

    near = get_close_matches(name, sorted(known), n=3)
    hint = f"Did you mean {' or '.join(near)}?" if near else "Correct or remove it."
    text = f"{variable} lists {name!r}, which is no installed plugin. {hint}"
    warnings.warn(text, PluginWarning, stacklevel=4)
