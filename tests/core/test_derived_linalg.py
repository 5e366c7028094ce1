"""The derived products."""

import math
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trivet.dtypes import float32

NAN = math.nan
A, B = [[1, 2], [3, 4]], [[5, 6], [7, 8]]
PLANE = [[0.0, -1.0, 0.0], [1.0, 0.0, 0.0]]
CROSSED = ([0, 0, 180], "int16")


def axes(first, second):
    return {"axes": (first, second)}


CASES = [
    ("vecdot", ([1, 2, 3], [4, 5, 6]), {"axis": -1}, (32, "int64")),
    ("vecdot", (A, B), {"axis": -1}, [17, 53]),
    ("vecdot", (A, B), {"axis": -2}, [26, 44]),
    ("vecdot", (A, [1, 10]), {"axis": -1}, [21, 43]),
    ("vecdot", ([1.0, NAN], [1.0, 0.0]), {"axis": -1}, (NAN, "float64")),
    ("vecdot", ([], []), {"axis": -1}, (0.0, "float64")),
    ("vecdot", (([100, 100], "int8"),) * 2, {"axis": -1}, (32, "int8")),
    ("tensordot", (A, B), axes((1,), (0,)), [[19, 22], [43, 50]]),
    ("tensordot", (A, B), axes((0,), (1,)), [[23, 31], [34, 46]]),
    ("tensordot", (A, B), axes((0, 1), (0, 1)), (70, "int64")),
    ("tensordot", (A, B), axes((0, 1), (1, 0)), (69, "int64")),
    ("tensordot", ([1, 2], [3, 4]), axes((), ()), [[3, 4], [6, 8]]),
    ("tensordot", ((2, "int64"), [3, 4]), axes((), ()), [6, 8]),
    ("tensordot", ([1.0, 2.0], [3, 4]), axes((0,), (0,)), (11.0, "float64")),
    ("tensordot", ([[], []], [[], []]), axes((1,), (1,)), [[0.0, 0.0], [0.0, 0.0]]),
    ("cross", ([1, 2, 3], [4, 5, 6]), {"axis": -1}, [-3, 6, -3]),
    ("cross", ([[1, 0, 0], [0, 1, 0]], [0.0, 0.0, 1.0]), {"axis": -1}, PLANE),
    ("cross", ([[1], [2], [3]], [[4], [5], [6]]), {"axis": -2}, [[-3], [6], [-3]]),
    ("cross", (([9, 0, 0], "int8"), ([0, 20, 0], "uint8")), {"axis": -1}, CROSSED),
    ("kron", ([1, 10], [1, 2]), {}, [1, 2, 10, 20]),
    ("kron", (A, [[0, 1]]), {}, [[0, 1, 0, 2], [0, 3, 0, 4]]),
    ("kron", ([1.0, NAN], (2.0, "float64")), {}, [2.0, NAN]),
    ("kron", ([2], A), {}, [[2, 4], [6, 8]]),
    ("diagonal", (A,), {"offset": 0}, [1, 4]),
    ("diagonal", ([[1, 2, 3], [4, 5, 6]],), {"offset": 1}, [2, 6]),
    ("diagonal", ([[1, 2, 3], [4, 5, 6]],), {"offset": 2}, [3]),
    ("diagonal", ([[1, 2, 3], [4, 5, 6]],), {"offset": -1}, [4]),
    ("diagonal", ([[1, 2], [3, 4], [5, 6]],), {"offset": -1}, [3, 6]),
    ("diagonal", (A,), {"offset": 5}, ([], "int64")),
    ("diagonal", ([A, B],), {"offset": -1}, [[3], [7]]),
    ("diagonal", ([[True, False], [False, False]],), {"offset": 0}, [True, False]),
    ("trace", (A,), {"offset": 0, "dtype": None}, (5, "int64")),
    ("trace", ([A, B],), {"offset": 1, "dtype": None}, [2, 6]),
    ("trace", (([[100]], "int8"),), {"offset": 0, "dtype": None}, (100, "int64")),
    ("trace", (A,), {"offset": -9, "dtype": float32}, (0.0, "float32")),
]


@pytest.mark.parametrize("op, operands, statics, expected", CASES)
def test_op_gives_the_right_values(check, op, operands, statics, expected):
    check(op, operands, statics, expected)


cubes = st.lists(st.integers(-99, 99), min_size=12, max_size=12)


@given(first=cubes, second=cubes)
def test_tensordot_agrees_with_its_definition_over_two_axes(
    backend, grid, first, second
):
    x = backend.reshape(grid(first), shape=(2, 3, 2))
    y = backend.reshape(grid(second), shape=(2, 2, 3))
    expected = [
        sum(
            first[6 * i + 2 * j + k] * second[6 * k + 3 * m + j]
            for j, k in product(range(3), range(2))
        )
        for i, m in product(range(2), range(2))
    ]

    got = backend.tensordot(x, y, axes=((1, 2), (2, 0)))

    assert got.shape == (2, 2)
    assert got.data == expected


def test_every_derived_op_of_the_family_has_a_case(derived_ops):
    assert derived_ops("linalg") == {case[0] for case in CASES}
