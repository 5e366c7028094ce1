"""How a rule is declared: `unary`, `binary` or `rule`, over a function of the backend.

The declared function is called once for each wrapped backend and returns the vjps.
"""

from collections.abc import Callable
from typing import Any

from trivet.contract import Backend
from trivet_autodiff.tape import (
    NOTHING,
    Binary,
    Pull,
    Var,
    record_binary,
    record_general,
    record_unary,
)

__all__ = ["RULES", "Make", "binary", "rule", "unary"]

Make = Callable[[Backend[Any], type[Var], Callable[..., Any]], Callable[..., Any]]
RULES: dict[str, Make] = {}


def unary(
    *names: str, saves: str = NOTHING
) -> Callable[[Callable[[Backend[Any]], Pull]], Callable[[Backend[Any]], Pull]]:
    """Declare `vjp(g, saved)` of elementwise ops of one array.

    `saves` is `OUT` for the result, `IN1` for the argument.
    """

    def declare(vjp_for: Callable[[Backend[Any]], Pull]) -> Callable[..., Pull]:
        for name in names:
            RULES[name] = lambda inner, kind, function: record_unary(
                kind, function, vjp_for(inner), saves
            )
        return vjp_for

    return declare


def binary(
    name: str,
) -> Callable[[Callable[[Backend[Any]], Binary]], Callable[[Backend[Any]], Binary]]:
    """Declare `((vjp1, saves1), (vjp2, saves2))` of an elementwise op of two operands.

    Each `saves` names what its vjp needs: some of "x1", "x2" and "out", in that order.
    """

    def declare(pair_for: Callable[[Backend[Any]], Binary]) -> Callable[..., Binary]:
        RULES[name] = lambda inner, kind, function: record_binary(
            inner, kind, function, pair_for(inner)
        )
        return pair_for

    return declare


def rule(
    name: str,
) -> Callable[[Callable[[Backend[Any]], Any]], Callable[[Backend[Any]], Any]]:
    """Declare `record(out, *arrays, **statics)` of any other op: `record_general`."""

    def declare(record_for: Callable[[Backend[Any]], Any]) -> Callable[..., Any]:
        RULES[name] = lambda inner, kind, function: record_general(
            kind, function, record_for(inner)
        )
        return record_for

    return declare
