"""The derived reads and writes by position, against Python's own lists."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

TABLE = [[1, 2, 3], [4, 5, 6], [7, 8, 9]]
ALL = slice(None)
SET, ADD = {"mode": "set"}, {"mode": "add"}

CASES = [
    ("getitem", (TABLE,), {"key": (1,)}, [4, 5, 6]),
    ("getitem", (TABLE,), {"key": (-1, -1)}, (9, "int64")),
    ("getitem", (TABLE,), {"key": (ALL, 1)}, [2, 5, 8]),
    (
        "getitem",
        (TABLE,),
        {"key": (slice(None, None, -2), slice(1, 9))},
        [[8, 9], [2, 3]],
    ),
    ("getitem", (TABLE,), {"key": (None, ..., 0)}, [[1, 4, 7]]),
    ("getitem", (TABLE,), {"key": (..., None)}, [[[v] for v in row] for row in TABLE]),
    ("getitem", (TABLE,), {"key": ()}, TABLE),
    ("getitem", ([1, 2],), {"key": (slice(2, 2),)}, ([], "int64")),
    ("getitem", ((7, "int64"),), {"key": (...,)}, (7, "int64")),
    ("setitem", ([1, 2, 3], (9, "int64")), {"key": (-1,)}, [1, 2, 9]),
    ("setitem", (TABLE, [0, 0, 0]), {"key": (1,)}, [[1, 2, 3], [0, 0, 0], [7, 8, 9]]),
    (
        "setitem",
        (TABLE, [[0], [5], [0]]),
        {"key": (ALL, slice(0, 2))},
        [[0, 0, 3], [5, 5, 6], [0, 0, 9]],
    ),
    ("setitem", ([1, 2, 3], [7, 8, 9]), {"key": (slice(None, None, -1),)}, [9, 8, 7]),
    ("setitem", ((1, "int64"), (2, "int64")), {"key": ()}, (2, "int64")),
    ("setitem", ([1, 2], ([], "int64")), {"key": (slice(0, 0),)}, [1, 2]),
    ("getitem_arrays", ([10, 20, 30], ([2, -3, 2],)), {}, [30, 10, 30]),
    ("getitem_arrays", (TABLE, ([[0], [2]], [0, -1])), {}, [[1, 3], [7, 9]]),
    ("getitem_arrays", (TABLE, ([1],)), {}, [[4, 5, 6]]),
    ("getitem_arrays", (TABLE, ((1, "int64"), (2, "int8"))), {}, (6, "int64")),
    ("getitem_arrays", ([10, 20], (([], "int64"),)), {}, ([], "int64")),
    ("getitem_arrays", ([10, 20, 30], (([2, 0], "uint8"),)), {}, [30, 10]),
    ("getitem_arrays", ([10, 20, 30], (([-1, 0], "int8"),)), {}, [30, 10]),
    ("setitem_arrays", ([1, 2, 3], ([0, 2, 0],), [7, 8, 9]), SET, [9, 2, 8]),
    ("setitem_arrays", ([1, 2, 3], ([0, -1, 0],), [1, 1, 1]), ADD, [3, 2, 4]),
    (
        "setitem_arrays",
        (TABLE, ([0, 2], [1, 1]), (0, "int64")),
        SET,
        [[1, 0, 3], [4, 5, 6], [7, 0, 9]],
    ),
    (
        "setitem_arrays",
        (TABLE, ([2],), [1, 1, 1]),
        ADD,
        [[1, 2, 3], [4, 5, 6], [8, 9, 10]],
    ),
    (
        "setitem_arrays",
        (([250], "uint8"), ([0, 0],), ([5, 5], "uint8")),
        ADD,
        ([4], "uint8"),
    ),
    (
        "take_along_axis",
        (TABLE, [[2, 0], [1, 1], [0, -1]]),
        {"axis": 1},
        [[3, 1], [5, 5], [7, 9]],
    ),
    ("take_along_axis", (TABLE, [[2, 0, 1]]), {"axis": 0}, [[7, 2, 6]]),
    ("take_along_axis", ([5, 6], ([], "int64")), {"axis": 0}, ([], "int64")),
]


@pytest.mark.parametrize("op, operands, statics, expected", CASES)
def test_op_gives_the_right_values(check, op, operands, statics, expected):
    check(op, operands, statics, expected)


def test_writes_leave_what_they_are_given_unchanged(backend, grid, tolist):
    x, value, places = grid([1, 2, 3]), grid([9]), grid([0])

    backend.setitem(x, value, key=(slice(0, 1),))
    backend.setitem_arrays(x, [places], value, mode="add")

    assert (tolist(x), tolist(value), tolist(places)) == ([1, 2, 3], [9], [0])


bounds = st.none() | st.integers(-12, 12)
steps = st.none() | st.integers(-4, 4).filter(bool)


@given(start=bounds, stop=bounds, step=steps, n=st.integers(0, 9))
def test_slices_select_what_python_selects(backend, grid, start, stop, step, n):
    key = slice(start, stop, step)

    got = backend.getitem(grid(list(range(n)), "int64"), key=(key,))

    assert got.data == list(range(n))[key]


@given(start=bounds, stop=bounds, step=steps, n=st.integers(0, 9))
def test_slices_write_where_python_writes(backend, grid, start, stop, step, n):
    key, expected = slice(start, stop, step), [0] * n
    new = list(range(1, len(expected[key]) + 1))
    expected[key] = new

    got = backend.setitem(grid([0] * n, "int64"), grid(new, "int64"), key=(key,))

    assert got.data == expected


def test_every_derived_op_of_the_family_has_a_case(derived_ops):
    assert derived_ops("indexing") == {case[0] for case in CASES}
