"""The derived choice of the largest elements, against values worked out by hand."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

NAN, INF = math.nan, math.inf


def best(k, axis=0, *, largest=True, ordered=True):
    return {"k": k, "axis": axis, "largest": largest, "ordered": ordered}


CASES = [
    ("argtopk", ([1, 9, 5],), best(2), [1, 2]),
    ("argtopk", ([1, 9, 5],), best(2, largest=False), [0, 2]),
    ("argtopk", ([[1, 9], [5, 4]],), best(1, axis=1), [[1], [0]]),
    ("argtopk", ([[1, 9], [5, 4]],), best(1, axis=0), [[1, 0]]),
    ("argtopk", ([1.0, NAN, INF],), best(2), [1, 2]),
    ("argtopk", ([NAN, 1.0, -INF],), best(2, largest=False), [2, 1]),
    ("argtopk", ([3, 1],), best(0), ([], "int64")),
    ("argtopk", ([2, 1],), best(2, ordered=False), [0, 1]),
]


@pytest.mark.parametrize("op, operands, statics, expected", CASES)
def test_op_gives_the_right_values(check, op, operands, statics, expected):
    check(op, operands, statics, expected)


@given(values=st.lists(st.integers(), max_size=9), data=st.data())
def test_chosen_elements_are_the_largest(backend, grid, values, data):
    values = [value % 2**40 for value in values]
    k = data.draw(st.integers(0, len(values)))

    places = backend.argtopk(grid(values, "int64"), **best(k)).data

    assert [values[place] for place in places] == sorted(values)[::-1][:k]


def test_every_derived_op_of_the_family_has_a_case(derived_ops):
    assert derived_ops("selection") == {case[0] for case in CASES}
