"""The derived comparisons of closeness, against values worked out by hand."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

NAN, INF = math.nan, math.inf
T, F = True, False
CLOSE = {"rtol": 0.0, "atol": 0.5, "equal_nan": False}
RELATIVE = {"rtol": 0.1, "atol": 0.0, "equal_nan": False}
MOST, LEAST = 1.7976931348623157e308, -1.7976931348623157e308
NUMBERS = {"nan": 0.0, "posinf": MOST, "neginf": LEAST}

CASES = [
    ("isclose", ([1.0, 2.0, 3.0], [1.5, 2.6, 3.0]), CLOSE, [T, F, T]),
    ("isclose", ([INF, -INF, INF, 1.0], [INF, INF, 1.0, INF]), CLOSE, [T, F, F, F]),
    ("isclose", ([INF, 1.0], [1.0, INF]), RELATIVE, [F, F]),
    ("isclose", ([NAN, NAN, 1.0], [NAN, 1.0, NAN]), CLOSE, [F, F, F]),
    (
        "isclose",
        ([NAN, NAN, 1.0], [NAN, 1.0, NAN]),
        CLOSE | {"equal_nan": True},
        [T, F, F],
    ),
    ("isclose", ([9.5, 10.5], [10.0, 9.5]), RELATIVE, [T, F]),
    ("isclose", (([0, 5], "uint8"), ([1, 5], "uint8")), RELATIVE, [F, T]),
    ("isclose", ([2**63 - 1], [-(2**63)]), RELATIVE, [F]),
    ("isclose", ([T, F], [T, T]), RELATIVE, [T, F]),
    ("isclose", ([1, 2], 1.05), RELATIVE, [T, F]),
    ("isclose", ([[1.0], [2.0]], [1.0, 2.0]), CLOSE, [[T, F], [F, T]]),
    ("isclose", ([], [1.0]), CLOSE, ([], "bool")),
    ("nan_to_num", ([NAN, INF, -INF, 1.5],), NUMBERS, [0.0, MOST, LEAST, 1.5]),
    (
        "nan_to_num",
        ([NAN, INF, -INF, -0.0],),
        {"nan": INF, "posinf": -1.0, "neginf": NAN},
        [INF, -1.0, NAN, -0.0],
    ),
    ("nan_to_num", ([1, 2],), NUMBERS, [1, 2]),
    ("nan_to_num", ([],), NUMBERS, []),
]


@pytest.mark.parametrize("op, operands, statics, expected", CASES)
def test_op_gives_the_right_values(check, op, operands, statics, expected):
    check(op, operands, statics, expected)


@given(x=st.floats(), y=st.floats())
def test_closeness_to_nothing_but_itself_is_equality(backend, grid, x, y):
    exact = {"rtol": 0.0, "atol": 0.0, "equal_nan": False}

    found = backend.isclose(grid([x]), grid([y]), **exact)

    assert found.data == [x == y]


def test_every_derived_op_of_the_family_has_a_case(derived_ops):
    assert derived_ops("closeness") == {case[0] for case in CASES}
