"""`explain`: which rule chooses the backend, and what the rules before it said."""

from collections.abc import Callable
from typing import Any, NamedTuple

from trivet.contract.backend import Backend
from trivet.plugins.select import VARIABLE, Answer, default, environment, scope

__all__ = ["Explanation", "explain"]


_RULES: dict[str, Callable[[], Answer] | None] = {
    "argument": None,  # not a fact of the process, but of the call
    "using block": scope,
    f"variable {VARIABLE}": environment,
    "default": default,
}


class Explanation(NamedTuple):
    """The chosen backend's spec, the rule that chose it, and each rule's words.

    `spec` and `rule` are `None` when no rule chooses; `said` ends with the deciding
    rule. `str` of it is one line per rule.
    """

    spec: str | None
    rule: str | None
    said: tuple[tuple[str, str], ...]

    def __str__(self) -> str:
        verdict = "No rule chooses a backend."
        if self.rule is not None:
            verdict = f"The backend is {self.spec}, chosen by the {self.rule}."
        return "\n".join([verdict, *(f"  {rule}: {said}" for rule, said in self.said)])


def explain(spec: str | Backend[Any] | None = None) -> Explanation:
    """Which backend a call with `backend=spec` gets, and why, without loading it.

    >>> import trivet as tv
    >>> with tv.using("ndarray"):
    ...     print(tv.explain())
    The backend is ndarray, chosen by the using block.
      argument: not given
      using block: the innermost block uses ndarray
    """
    said: list[tuple[str, str]] = []
    for rule, ask in _RULES.items():
        answer = _argument(spec) if ask is None else ask()
        said.append((rule, answer.said))
        if answer.spec is not None:
            return Explanation(answer.spec, rule, tuple(said))
    return Explanation(None, None, tuple(said))


def _argument(spec: str | Backend[Any] | None) -> Answer:
    if spec is None:
        return Answer(None, "not given")
    name = spec.name if isinstance(spec, Backend) else spec
    return Answer(name, f"given as {name!r}")
