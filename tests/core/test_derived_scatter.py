"""Writing at positions along an axis, against values worked out by hand."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

NAN = math.nan
TABLE = [[1, 2, 3], [4, 5, 6]]


def at(axis, mode):
    return {"axis": axis, "mode": mode}


CASES = [
    ("scatter", ([1, 2, 3], [2, 0], [8, 9]), at(0, "set"), [9, 2, 8]),
    ("scatter", ([1, 2, 3], [2, -1], [8, 9]), at(0, "set"), [1, 2, 9]),
    ("scatter", ([1, 2, 3], [2, -1], [8, 9]), at(0, "add"), [1, 2, 20]),
    ("scatter", ([1, 2, 3], [2, -1], [8, 9]), at(0, "multiply"), [1, 2, 216]),
    ("scatter", ([1, 2, 3], [2, -1], [8, 1]), at(0, "minimum"), [1, 2, 1]),
    ("scatter", ([1.0, 2.0], [0, 0], [NAN, 8.0]), at(0, "maximum"), [NAN, 2.0]),
    ("scatter", (TABLE, [[1], [2]], [[0], [9]]), at(1, "set"), [[1, 0, 3], [4, 5, 9]]),
    ("scatter", (TABLE, [[1]], [[9]]), at(1, "add"), [[1, 11, 3], [4, 14, 6]]),
    ("scatter", (TABLE, [[1, 0, 1]], [5]), at(0, "set"), [[1, 5, 3], [5, 5, 5]]),
    ("scatter", ([1, 2], ([], "int64"), ([], "int64")), at(0, "add"), [1, 2]),
    ("scatter", (([[], []], "int64"), [[0]], [[7]]), at(0, "set"), ([[], []], "int64")),
]


@pytest.mark.parametrize("op, operands, statics, expected", CASES)
def test_op_gives_the_right_values(check, op, operands, statics, expected):
    check(op, operands, statics, expected)


@given(
    pairs=st.lists(st.tuples(st.integers(-4, 3), st.integers(-9, 9)), max_size=12),
    mode=st.sampled_from(["add", "multiply", "minimum", "maximum"]),
)
def test_rows_are_combined_by_setting_alone_as_by_the_mode(backend, grid, pairs, mode):
    x = grid([5, -3, 0, 2])
    indices = grid([place for place, _ in pairs], "int64")
    values = grid([value for _, value in pairs], "int64")

    combined = backend.combined_rows(x, indices, values, mode=mode)

    assert combined.data == backend.index_update(x, indices, values, mode=mode).data


def test_every_derived_op_of_the_family_has_a_case(derived_ops):
    assert derived_ops("scatter") == {case[0] for case in CASES}
