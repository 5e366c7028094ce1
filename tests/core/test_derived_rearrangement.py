"""The derived padding, diagonals, triangles and windows, against values by hand."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trivet.contract import Device

NAN = math.nan
T, F = True, False
EMPTY = ([], "int64")
WHERE = {"device": Device("example", 0)}


def by(mode, *width, value=0):
    return {"width": width, "mode": mode, "value": value}


def triangle(n_rows, n_cols, k, *, upper=False):
    sizes = {"n_rows": n_rows, "n_cols": n_cols}
    return {**sizes, "k": k, "upper": upper, **WHERE}


def windows(axis, size, step=1):
    return {"axis": axis, "size": size, "step": step}


CASES = [
    ("pad", ([1, 2],), by("constant", (1, 2), value=9), [9, 1, 2, 9, 9]),
    (
        "pad",
        ([[1, 2]],),
        by("constant", (0, 1), (1, 0)),
        [[0, 1, 2], [0, 0, 0]],
    ),
    ("pad", ([T],), by("constant", (1, 1), value=F), [F, T, F]),
    ("pad", (EMPTY,), by("constant", (1, 1)), [0, 0]),
    ("pad", ((7, "int64"),), by("edge"), (7, "int64")),
    ("pad", ([1, 2, 3],), by("edge", (2, 1)), [1, 1, 1, 2, 3, 3]),
    ("pad", ([1, 2, 3],), by("reflect", (2, 1)), [3, 2, 1, 2, 3, 2]),
    ("pad", ([1, 2],), by("reflect", (3, 2)), [2, 1, 2, 1, 2, 1, 2]),
    ("pad", ([5],), by("reflect", (1, 2)), [5, 5, 5, 5]),
    ("pad", ([1, 2, 3],), by("circular", (1, 4)), [3, 1, 2, 3, 1, 2, 3, 1]),
    (
        "pad",
        ([[1.0, NAN]],),
        by("circular", (1, 0), (0, 1)),
        [[1.0, NAN, 1.0], [1.0, NAN, 1.0]],
    ),
    ("diag", ([[1, 2, 3], [4, 5, 6]],), {"k": 0}, [1, 5]),
    ("diag", ([[1, 2, 3], [4, 5, 6]],), {"k": 2}, [3]),
    ("diag", ([[1, 2, 3], [4, 5, 6]],), {"k": -1}, [4]),
    ("diag", ([[1, 2]],), {"k": 5}, EMPTY),
    ("diag", ([1, 2],), {"k": 0}, [[1, 0], [0, 2]]),
    ("diag", ([1, 2],), {"k": 1}, [[0, 1, 0], [0, 0, 2], [0, 0, 0]]),
    ("diag", ([1.0],), {"k": -1}, [[0.0, 0.0], [1.0, 0.0]]),
    ("diag", ([T, T],), {"k": 0}, [[T, F], [F, T]]),
    ("triangle_indices", (), triangle(2, 3, 1), [[0, 1, 1], [0, 0, 1]]),
    ("triangle_indices", (), triangle(2, 2, 1, upper=T), [[0], [1]]),
    ("triangle_indices", (), triangle(2, 2, -1), [EMPTY, EMPTY]),
    ("triangle_indices", (), triangle(0, 2, 1, upper=T), [EMPTY, EMPTY]),
    ("triangle_indices", (), triangle(1, 2, -5, upper=T), [[0, 0], [0, 1]]),
    ("unfold_axis", ([1, 2, 3, 4, 5],), windows(0, 3, 2), [[1, 2, 3], [3, 4, 5]]),
    ("unfold_axis", ([1, 2, 3],), windows(0, 1), [[1], [2], [3]]),
    (
        "unfold_axis",
        ([[1, 2], [3, 4], [5, 6]],),
        windows(0, 2),
        [[[1, 3], [2, 4]], [[3, 5], [4, 6]]],
    ),
    ("unfold_axis", ([[1, 2, 3]],), windows(1, 3, 5), [[[1, 2, 3]]]),
    ("repeat", ([5, 6, 7], [2, 0, 1]), {"axis": 0, "total": 3}, [5, 5, 7]),
    ("repeat", ([[1, 2]], [1, 2]), {"axis": 1, "total": 3}, [[1, 2, 2]]),
    ("repeat", ([[1, 2]], [2]), {"axis": 1, "total": 4}, [[1, 1, 2, 2]]),
    ("repeat", (EMPTY, [3]), {"axis": 0, "total": 0}, EMPTY),
]


@pytest.mark.parametrize("op, operands, statics, expected", CASES)
def test_op_gives_the_right_values(check, op, operands, statics, expected):
    check(op, operands, statics, expected)


@given(n=st.integers(2, 5), before=st.integers(0, 12), behind=st.integers(0, 12))
def test_reflection_walks_there_and_back(backend, grid, n, before, behind):
    found = backend.pad(grid(list(range(n))), **by("reflect", (before, behind)))

    steps = [abs(b - a) for a, b in zip(found.data, found.data[1:], strict=False)]
    assert steps == [1] * (before + n + behind - 1)
    assert found.data[before : before + n] == list(range(n))


def test_every_derived_op_of_the_family_has_a_case(derived_ops):
    assert derived_ops("rearrangement") == {case[0] for case in CASES}
