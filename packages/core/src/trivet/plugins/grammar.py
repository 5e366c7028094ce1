"""`Spec`: a backend string, taken apart.

The grammar is `name`, `name@distribution` and `decorator(spec)`, nested as deep as
wanted. Selection parses what users type; names and aliases are the registry's matter.
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


@dataclass(frozen=True, slots=True)
class Spec:
    """A backend's name, perhaps its distribution, and perhaps what it wraps.

    >>> str(Spec.parse(" autodiff ( ndarray@trivet-ndarray ) "))
    'autodiff(ndarray@trivet-ndarray)'
    """

    name: str
    dist: str | None = None
    inner: "Spec | None" = None

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
        _close(text, position, len(heads) - 1)
        return _nested(heads)

    def __str__(self) -> str:
        head = self.name if self.dist is None else f"{self.name}@{self.dist}"
        return head if self.inner is None else f"{head}({self.inner})"


def _nested(heads: list[tuple[str, str | None]]) -> Spec:
    spec = Spec(*heads[-1])
    for name, dist in reversed(heads[:-1]):
        spec = Spec(name, dist, spec)
    return spec


def _close(text: str, position: int, depth: int) -> None:
    """Check that exactly `depth` closing brackets follow `position`."""
    for character in text[position:]:
        if character == ")" and depth:
            depth -= 1
        elif not character.isspace():
            raise _error(text, position, "nothing may follow here")
        position += 1
    if depth:
        raise _error(text, position, 'a ")" is missing here')


def _error(text: str, position: int, problem: str) -> BackendSpecError:
    return BackendSpecError(
        f"{text!r} is not a backend: {problem}, at position {position}. A backend is "
        'written as "ndarray", "ndarray@distribution" or "autodiff(ndarray)".'
    )
