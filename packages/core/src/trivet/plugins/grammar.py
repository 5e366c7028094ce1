"""`Spec`: a backend string, taken apart.

The grammar is `name`, `name@distribution`, `decorator(spec)` and `decorator(spec,
option=value)`, nested as deep as wanted. Selection parses what users type; names and
aliases are the registry's matter.
"""

import re
from dataclasses import dataclass

from trivet.errors import BackendSpecError

__all__ = ["NAME", "RESERVED", "Spec"]

NAME = r"[a-z][a-z0-9_]*"
RESERVED = frozenset({"all", "any", "auto", "default", "none"})

# Plain text, not a compiled pattern: `import trivet` then does not pay for it.
_HEAD = (
    r"\s*(?P<name>[A-Za-z_][A-Za-z0-9_]*)\s*"
    r"(?:@\s*(?P<dist>[A-Za-z0-9][A-Za-z0-9._-]*))?\s*"
)
_OPTION = r"\s*,\s*(?P<key>[a-z_][a-z0-9_]*)\s*=\s*(?P<value>[A-Za-z0-9_.+-]+)\s*"


@dataclass(frozen=True, slots=True)
class Spec:
    """A backend's name, perhaps its distribution, and perhaps what it wraps, and how.

    `options` are pairs of a name and a text or an integer.

    >>> str(Spec.parse(" autodiff ( ndarray@trivet-ndarray, checkpoint = 100 ) "))
    'autodiff(ndarray@trivet-ndarray, checkpoint=100)'
    """

    name: str
    dist: str | None = None
    inner: "Spec | None" = None
    options: tuple[tuple[str, str | int], ...] = ()

    @classmethod
    def parse(cls, text: str) -> "Spec":
        """The spec that `text` spells. Raises `BackendSpecError`, showing where."""
        heads: list[tuple[str, str | None]] = []
        head, position = re.compile(_HEAD), 0
        while True:
            match = head.match(text, position)
            if match is None:
                raise _error(text, position, "a name belongs here")
            heads.append((match["name"], match["dist"]))
            position = match.end()
            if text[position : position + 1] != "(":
                break
            position += 1
        spec = Spec(*heads.pop())
        for options in _closed(text, position, len(heads)):
            spec = Spec(*heads.pop(), spec, options)
        return spec

    def __str__(self) -> str:
        head = self.name if self.dist is None else f"{self.name}@{self.dist}"
        if self.inner is None:
            return head
        inside = [str(self.inner), *(f"{key}={value}" for key, value in self.options)]
        return f"{head}({', '.join(inside)})"


def _closed(
    text: str, position: int, depth: int
) -> list[tuple[tuple[str, str | int], ...]]:
    """The options before each of the `depth` closing brackets, which end the text."""
    option, found = re.compile(_OPTION), []
    for _ in range(depth):
        options: list[tuple[str, str | int]] = []
        while match := option.match(text, position):
            value = match["value"]
            options.append((match["key"], int(value) if value.isdigit() else value))
            position = match.end()
        found.append(tuple(options))
        position = _past(text, position, ")", 'a ")" is missing here')
    _past(text, position, "", "nothing may follow here")
    return found


def _past(text: str, position: int, wanted: str, problem: str) -> int:
    """The place after `wanted` and the spaces around it; nothing stands for the end."""
    while text[position : position + 1].isspace():
        position += 1
    if text[position : position + 1] != wanted:
        end = position == len(text)
        raise _error(text, position, problem if end else "nothing may follow here")
    position += len(wanted)
    while text[position : position + 1].isspace():
        position += 1
    return position


def _error(text: str, position: int, problem: str) -> BackendSpecError:
    return BackendSpecError(
        f"{text!r} is not a backend: {problem}, at position {position}. A backend is "
        'written as "ndarray", "ndarray@distribution" or "autodiff(ndarray)".'
    )
