"""The derived sets, against Python's own."""

import math
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

NAN, INF = math.nan, math.inf
T, F = True, False
EMPTY = ([], "int64")
WITHIN, WITHOUT = {"invert": False}, {"invert": True}
BIG = 2**63

CASES = [
    (
        "unique_all",
        ([[3, 1], [3, 2]],),
        {},
        [[1, 2, 3], [1, 3, 0], [[2, 0], [2, 1]], [1, 1, 2]],
    ),
    (
        "unique_all",
        ([NAN, 1.0, NAN],),
        {},
        [[1.0, NAN, NAN], [1, 0, 2], [1, 0, 2], [1, 1, 1]],
    ),
    ("unique_all", (EMPTY,), {}, [EMPTY, EMPTY, EMPTY, EMPTY]),
    (
        "unique_all",
        ((7, "int8"),),
        {},
        [([7], "int8"), [0], (0, "int64"), [1]],
    ),
    ("unique_counts", ([T, F, T],), {}, [[F, T], [1, 2]]),
    ("unique_counts", ([INF, -INF, INF],), {}, [[-INF, INF], [1, 2]]),
    ("unique_counts", (([], "float32"),), {}, [([], "float32"), EMPTY]),
    ("unique_inverse", ([2, 1, 2],), {}, [[1, 2], [1, 0, 1]]),
    ("unique_values", ([2, 1, 2],), {}, [1, 2]),
    ("unique_values", ([0.0, -0.0],), {}, [0.0]),
    ("unique_values", ([-0.0, 0.0],), {}, [-0.0]),
    ("isin", ([1, 2, 5], [5, 1]), WITHIN, [T, F, T]),
    ("isin", ([[1, 2], [5, 9]], [[5], [1]]), WITHOUT, [[F, T], [F, T]]),
    ("isin", ((1, "int64"), [1]), WITHIN, (T, "bool")),
    ("isin", ([1], EMPTY), WITHIN, [F]),
    ("isin", ([1], EMPTY), WITHOUT, [T]),
    ("isin", (EMPTY, [1]), WITHIN, ([], "bool")),
    ("isin", ([NAN, -0.0, INF], [NAN, 0.0]), WITHIN, [F, T, F]),
    ("isin", ([T, F], [T]), WITHIN, [T, F]),
    ("isin", ([1, 2], [2.0, 2.5]), WITHIN, [F, T]),
    ("isin", ([-1, 5], ([2**64 - 1, 5], "uint64")), WITHIN, [F, T]),
    ("isin", (([2**64 - 1, 5], "uint64"), ([-1, 5], "int8")), WITHIN, [F, T]),
    ("isin", ([BIG - 1], ([BIG, BIG - 2], "uint64")), WITHIN, [F]),
]


@pytest.mark.parametrize("op, operands, statics, expected", CASES)
def test_op_gives_the_right_values(check, op, operands, statics, expected):
    check(op, operands, statics, expected)


@given(values=st.lists(st.integers(-3, 3)))
def test_counts_and_positions_are_pythons(backend, grid, values):
    different, first, inverse, counts = backend.unique_all(grid(values, "int64"))

    assert different.data == sorted(set(values))
    assert first.data == [values.index(one) for one in different.data]
    assert [different.data[place] for place in inverse.data] == values
    assert dict(zip(different.data, counts.data, strict=True)) == Counter(values)


@given(values=st.lists(st.floats()), among=st.lists(st.floats()))
def test_membership_is_equality_with_an_element(backend, grid, values, among):
    found = backend.isin(grid(values, "float64"), grid(among, "float64"), invert=False)

    assert found.data == [any(x == y for y in among) for x in values]


def test_every_derived_op_of_the_family_has_a_case(derived_ops):
    assert derived_ops("sets") == {case[0] for case in CASES}
