"""Print docs/ops.md: every op of the contract, read from its table and two backends.

    python tools/ops_table.py > docs/ops.md

A test compares the page with what this prints. The second backend is the one in
tests/plugins, which implements the required ops and nothing else.
"""

from collections.abc import Iterator
from itertools import groupby

from trivet.contract import OPS, Op
from trivet.dtypes import Kind
from trivet.plugins import backend
from trivet_autodiff.rules import RULES
from trivet_autodiff.rules.registry import body_of

BACKENDS = ("ndarray", "example")
COLUMNS = ("op", "tier", "dtypes", "gradient", *BACKENDS, "result")
HEAD = """\
# Ops

This page is generated: `python tools/ops_table.py > docs/ops.md`. It lists the
{count} ops of the contract, which are methods of a backend. Most have a function of the
same name in `trivet` or `trivet.nn`; some functions are made of several ops, and some
ops serve indexing, conversions and `trivet.random`.

- **tier**: what the contract asks of a backend. {required} ops are *required*. The
  {derived} *derived* ones have a body over others that a backend may replace. The
  {optional} *optional* ones are missing until a backend has them.
- **dtypes**: the kinds that the contract promises. A library below may take more.
- **gradient**: what `trivet_autodiff` does. {rule} ops have a *rule*; {body} are
  differentiated through their *body*. {none} have *none*, for the reason given: a
  result is constant for it.
- **{ndarray}** and **{example}**: whether the op is native there, derived or missing.
  `{ndarray}` stands on NumPy; `{example}` is the pure Python backend of the tests,
  which implements the required ops and nothing else.

`trivet info NAME` prints the same for any backend that is installed.
"""
# What other packages have declared is not the contract's.
OWN = [op for op in OPS.values() if op.family != "custom"]
# The kinds as the page names them, in the order of the promotion table.
KINDS: dict[str, frozenset[Kind]] = {
    "bool": frozenset({"bool"}),
    "int": frozenset({"signed integer", "unsigned integer"}),
    "float": frozenset({"real floating"}),
    "complex": frozenset({"complex floating"}),
}


def page() -> str:
    """Returns the whole page, ending in a newline."""
    return "\n".join([_head(), *_tables()])


def _head() -> str:
    tiers = [op.tier for op in OWN]
    gradients = [_gradient(op).partition(":")[0] for op in OWN]
    ndarray, example = BACKENDS
    return HEAD.format(
        count=len(OWN),
        required=tiers.count("required"),
        derived=tiers.count("derived"),
        optional=tiers.count("optional"),
        rule=gradients.count("rule"),
        body=gradients.count("body"),
        none=gradients.count("none"),
        ndarray=ndarray,
        example=example,
    )


def _tables() -> Iterator[str]:
    for family, ops in groupby(OWN, key=lambda op: op.family):
        yield f"## {family}\n"
        yield _row(COLUMNS)
        yield _row(["---"] * len(COLUMNS))
        yield from map(_row, map(_cells, ops))
        yield ""


def _cells(op: Op) -> list[str]:
    supports = [backend(name).support(op.name) for name in BACKENDS]
    name, dtypes = f"`{op.name}`", _dtypes(op.kinds)
    return [name, op.tier, dtypes, _gradient(op), *supports, op.summary]


def _dtypes(kinds: frozenset[Kind]) -> str:
    """The kinds in a few words; ops take integers of both signs or of neither."""
    if kinds == frozenset().union(*KINDS.values()):
        return "all"
    return ", ".join(name for name, members in KINDS.items() if members <= kinds)


def _gradient(op: Op) -> str:
    """What becomes of an op's gradient. Raises `ValueError` for an op left out."""
    states = []
    if op.name in RULES:
        states.append("rule")
    elif op.differentiable and body_of(op):
        states.append("body")
    if op.constant:
        states.append(f"none: {op.constant}")
    if len(states) == 1:
        return states[0]
    raise ValueError(f"{op.name}: one of rule, body, none; it is {states}.")


def _row(cells: list[str] | tuple[str, ...]) -> str:
    return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"


if __name__ == "__main__":
    print(page(), end="")
