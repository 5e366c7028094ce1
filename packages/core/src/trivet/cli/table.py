"""`Table`: rows under headings, each row with notes beneath it, as lines of a width.

Commands fill one and hand its lines to `say`. The widest columns give way first.
"""

from collections.abc import Iterator, Sequence
from itertools import zip_longest
from textwrap import wrap

from trivet.cli.screen import Line, Span

__all__ = ["Table", "paragraph"]

_GAP = "  "
_INDENT = "    "
_NARROWEST = 8


class Table:
    """Cells are text or a `Span`; a column as wide as its widest cell, if that fits.

    >>> table = Table("name", "state")
    >>> table.add(["cuda", "unavailable"], ["There is no GPU."])
    >>> for line in table.lines(width=40):
    ...     print("".join(span.text for span in line).rstrip())
    name  state
    cuda  unavailable
        There is no GPU.
    """

    def __init__(self, *headings: str) -> None:
        self._headings = headings
        self._rows: list[tuple[list[Span], tuple[str, ...]]] = []

    def add(self, cells: Sequence[str | Span], notes: Sequence[str] = ()) -> None:
        """Add a row of one cell for each heading; empty notes are left out."""
        spans = [cell if isinstance(cell, Span) else Span(cell) for cell in cells]
        self._rows.append((spans, tuple(filter(None, notes))))

    def lines(self, width: int) -> Iterator[Line]:
        """The table in lines of at most `width` characters."""
        widths = self._widths(width)
        yield from _row([Span(text, "bold") for text in self._headings], widths)
        for cells, notes in self._rows:
            yield from _row(cells, widths)
            for note in notes:
                yield from paragraph(note, width, indent=_INDENT)

    def _widths(self, width: int) -> list[int]:
        rows = [
            [Span(text) for text in self._headings],
            *(row for row, _ in self._rows),
        ]
        widths = [
            max(len(span.text) for span in column) for column in zip(*rows, strict=True)
        ]
        room = width - len(_GAP) * (len(widths) - 1)
        while sum(widths) > room and max(widths) > _NARROWEST:
            widths[widths.index(max(widths))] -= 1
        return widths


def paragraph(
    text: str, width: int, *, indent: str = "", hang: str | None = None
) -> Iterator[Line]:
    """`text` in lines of at most `width` characters, all but the first after `hang`."""
    after = indent if hang is None else hang
    for line in _wrapped(text, width, initial_indent=indent, subsequent_indent=after):
        yield (Span(line),)


def _row(cells: Sequence[Span], widths: Sequence[int]) -> Iterator[Line]:
    columns = [
        [Span(part.ljust(width), cell.style) for part in _wrapped(cell.text, width)]
        for cell, width in zip(cells, widths, strict=True)
    ]
    for parts in zip_longest(*columns):
        line: list[Span] = []
        for part, width in zip(parts, widths, strict=True):
            line += [part or Span(" " * width), Span(_GAP)]
        yield tuple(line[:-1])


def _wrapped(
    text: str, width: int, initial_indent: str = "", subsequent_indent: str = ""
) -> list[str]:
    """A hyphen is no place to break at: names of packages have them."""
    return wrap(
        text,
        width,
        break_on_hyphens=False,
        initial_indent=initial_indent,
        subsequent_indent=subsequent_indent,
    )
