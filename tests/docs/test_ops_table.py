"""docs/ops.md is what tools/ops_table.py prints, and that says what the table says."""

import runpy
from pathlib import Path

import pytest

import trivet as tv
from trivet.contract import OPS, Op
from trivet.dtypes import ANY

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs/ops.md").read_text(encoding="utf-8")


def row(op):
    """The cells of an op's row, by the columns' names."""
    rows = [line.strip("| ").split(" | ") for line in PAGE.splitlines() if "|" in line]
    (cells,) = [cells for cells in rows if cells[0] == f"`{op}`"]
    return dict(zip(rows[0], cells, strict=True))


def test_page_is_what_the_tool_prints():
    page = runpy.run_path(str(ROOT / "tools/ops_table.py"))["page"]()

    assert page == PAGE, "run: python tools/ops_table.py > docs/ops.md"


@pytest.mark.parametrize("op", OPS.values(), ids=list(OPS))
def test_page_has_one_row_for_each_op(op):
    assert row(op.name)["tier"] == op.tier


def test_row_tells_required_op_with_a_rule():
    assert row("multiply") == {
        "op": "`multiply`",
        "tier": "required",
        "dtypes": "int, float, complex",
        "gradient": "rule",
        "ndarray": "native",
        "example": "native",
        "result": "The product; integers wrap.",
    }


@pytest.mark.parametrize("op", OPS.values(), ids=list(OPS))
def test_row_tells_what_becomes_of_the_gradient(op):
    state, _, reason = row(op.name)["gradient"].partition(": ")

    assert state in ("rule", "body", "none")
    assert bool(reason) == (state == "none")


def test_tool_fails_when_an_op_has_no_place_among_the_gradients():
    op = Op("later", "data", "required", ANY, "", tv.abs)

    with pytest.raises(ValueError, match="later: one of rule, body, none"):
        runpy.run_path(str(ROOT / "tools/ops_table.py"))["_gradient"](op)


def test_row_tells_op_that_is_differentiated_through_its_body():
    cells = row("vecdot")

    assert (cells["tier"], cells["gradient"]) == ("derived", "body")
    assert cells["example"] == "derived"


def test_row_tells_op_without_gradient_that_a_backend_lacks():
    cells = row("write")

    assert (cells["tier"], cells["gradient"]) == ("optional", "none: writes in place")
    assert (cells["ndarray"], cells["example"]) == ("native", "missing")
