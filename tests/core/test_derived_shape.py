"""The derived rearrangements; every right value can be counted off by hand."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

TABLE = [[1, 2, 3], [4, 5, 6]]

CASES = [
    ("squeeze", ([[[1], [2]]],), {"axis": (0, 2)}, [1, 2]),
    ("squeeze", ([[7]],), {"axis": (0, 1)}, (7, "int64")),
    ("squeeze", ([1, 2],), {"axis": ()}, [1, 2]),
    ("expand_dims", ([1, 2],), {"axis": (0, 2)}, [[[1], [2]]]),
    ("expand_dims", ((7, "int8"),), {"axis": (0,)}, ([7], "int8")),
    ("matrix_transpose", (TABLE,), {}, [[1, 4], [2, 5], [3, 6]]),
    ("matrix_transpose", ([[[1, 2]], [[3, 4]]],), {}, [[[1], [2]], [[3], [4]]]),
    ("flip", (TABLE,), {"axis": None}, [[6, 5, 4], [3, 2, 1]]),
    ("flip", (TABLE,), {"axis": (1,)}, [[3, 2, 1], [6, 5, 4]]),
    ("flip", (([], "int8"),), {"axis": (0,)}, ([], "int8")),
    ("flip", ((7, "int64"),), {"axis": None}, (7, "int64")),
    ("roll", ([1, 2, 3, 4],), {"shift": (1,), "axis": (0,)}, [4, 1, 2, 3]),
    ("roll", ([1, 2, 3, 4],), {"shift": (-9,), "axis": (0,)}, [2, 3, 4, 1]),
    ("roll", (TABLE,), {"shift": (1,), "axis": None}, [[6, 1, 2], [3, 4, 5]]),
    ("roll", (TABLE,), {"shift": (1, 1), "axis": (0, 1)}, [[6, 4, 5], [3, 1, 2]]),
    ("roll", (TABLE,), {"shift": (1, 1), "axis": (1, 1)}, [[2, 3, 1], [5, 6, 4]]),
    ("roll", (([], "int8"),), {"shift": (3,), "axis": (0,)}, ([], "int8")),
    ("stack", (([1, 2], [3, 4]),), {"axis": 0}, [[1, 2], [3, 4]]),
    ("stack", (([1, 2], [3, 4]),), {"axis": 1}, [[1, 3], [2, 4]]),
    ("stack", (([1, 2], [0.5, 1.5]),), {"axis": 0}, [[1.0, 2.0], [0.5, 1.5]]),
    ("stack", (((1, "int64"), (2, "int64")),), {"axis": 0}, [1, 2]),
    ("tile", ([1, 2],), {"repetitions": (3,)}, [1, 2, 1, 2, 1, 2]),
    ("tile", ([[1, 2]],), {"repetitions": (2, 2)}, [[1, 2, 1, 2]] * 2),
    ("tile", ([1, 2],), {"repetitions": (0,)}, ([], "int64")),
]


@pytest.mark.parametrize("op, operands, statics, expected", CASES)
def test_op_gives_the_right_values(check, op, operands, statics, expected):
    check(op, operands, statics, expected)


def test_transpose_of_an_empty_matrix_swaps_its_sizes(backend, grid):
    turned = backend.matrix_transpose(grid([[], []]))

    assert turned.shape == (0, 2)


@given(values=st.lists(st.integers(-9, 9), min_size=1), shift=st.integers())
def test_roll_moves_each_element_by_the_shift(check, values, shift):
    n = len(values)
    expected = [values[(i - shift) % n] for i in range(n)]

    check("roll", (values,), {"shift": (shift,), "axis": (0,)}, expected)


@given(values=st.lists(st.integers(-9, 9), min_size=1), times=st.integers(1, 4))
def test_tile_repeats_a_list_as_python_does(check, values, times):
    check("tile", (values,), {"repetitions": (times,)}, values * times)


def test_nothing_is_known_of_the_memory_of_a_backend_that_does_not_tell(backend, grid):
    assert backend.reshape_is_view(grid([1, 2]), shape=(2, 1)) is False


def test_every_derived_op_of_the_family_has_a_case(derived_ops):
    assert derived_ops("shape") == {"reshape_is_view", *(case[0] for case in CASES)}
