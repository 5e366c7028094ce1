from hypothesis import given
from hypothesis import strategies as st

from trivet.cli.screen import Span
from trivet.cli.table import Table

WORDS = st.text("abcdefghij-", min_size=1, max_size=30)


def drawn(table, width):
    lines = table.lines(width)
    return ["".join(span.text for span in line).rstrip() for line in lines]


def test_columns_are_as_wide_as_their_widest_cell():
    table = Table("name", "state")
    table.add(["a", "found"])
    table.add(["longer", Span("ready", "green")])

    assert drawn(table, 80) == [
        "name    state",
        "a       found",
        "longer  ready",
    ]


def test_widest_column_gives_way_when_the_width_is_short():
    table = Table("name", "devices")
    table.add(["cuda", "cuda:0, cuda:1, cuda:2"])

    assert drawn(table, 22) == [
        "name  devices",
        "cuda  cuda:0, cuda:1,",
        "      cuda:2",
    ]


def test_notes_are_indented_and_break_at_spaces_alone():
    table = Table("name")
    table.add(["cuda"], ["On a GPU: pip install trivet-cuda", ""])

    assert drawn(table, 24) == [
        "name",
        "cuda",
        "    On a GPU: pip",
        "    install trivet-cuda",
    ]


def test_style_stays_with_its_cell():
    table = Table("state")
    table.add([Span("ready", "green")])

    [_, line] = table.lines(80)

    assert line == (Span("ready", "green"),)


@given(
    st.lists(st.tuples(WORDS, WORDS, WORDS, WORDS), min_size=1),
    st.lists(WORDS),
    st.integers(40, 120),
)
def test_table_fits_its_width_and_loses_nothing(rows, notes, width):
    table = Table("one", "two", "three", "four")
    for row in rows:
        table.add(row, notes)

    lines = drawn(table, width)

    given = [text for row in rows for text in (*row, *notes)]
    assert max(map(len, lines)) <= width
    assert sorted("".join(lines[1:]).replace(" ", "")) == sorted("".join(given))
