"""The promotion table in docs/conventions.md is the one that Trivet uses."""

from pathlib import Path

import numpy as np
import pytest

from trivet.dtypes import DTYPES, STANDARD, promote

PAGE = Path(__file__).parents[2] / "docs/conventions.md"


def code(dtype):
    """The short name on the page: `u8` for uint8, `bf16` for bfloat16."""
    name = str(dtype)
    kind = "b" if name == "bool" else name.rstrip("0123456789")
    letters = {"int": "i", "uint": "u", "float": "f", "bfloat": "bf", "complex": "c"}
    return letters.get(kind, kind) + name.removeprefix(kind).removeprefix("ool")


def table():
    """The page's result for each pair of short names."""
    text = PAGE.read_text(encoding="utf-8").partition("\n## Promotion\n")[2]
    lines = [line for line in text.partition("\n## ")[0].splitlines() if "|" in line]
    head, _, *rows = [[cell.strip(" *") for cell in s.split("|")[1:-1]] for s in lines]
    return {
        (row[0], column): result
        for row in rows
        for column, result in zip(head[1:], row[1:], strict=True)
    }


def test_table_has_every_pair_of_dtypes():
    names = [code(dtype) for dtype in DTYPES.values()]

    assert set(table()) == {(a, b) for a in names for b in names}


@pytest.mark.parametrize("first", DTYPES.values(), ids=str)
def test_table_tells_what_promotes_to_what(first):
    cells = table()

    for second in DTYPES.values():
        assert cells[code(first), code(second)] == code(promote(first, second))


@pytest.mark.parametrize("first", STANDARD, ids=str)
def test_table_is_that_of_numpy(first):
    cells = table()

    for second in STANDARD:
        joined = np.promote_types(str(first), str(second))
        assert cells[code(first), code(second)] == code(DTYPES[joined.name])
