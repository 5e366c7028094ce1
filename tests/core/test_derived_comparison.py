"""The derived comparisons on a backend that has only `equal`, `less` and `where`."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

NAN, INF = math.nan, math.inf
LEFT = [1.0, 2.0, 2.0, NAN, NAN, -0.0, INF, -INF]
RIGHT = [2.0, 2.0, 1.0, NAN, 1.0, 0.0, INF, INF]
T, F = True, False

CASES = [
    ("not_equal", (LEFT, RIGHT), {}, [T, F, T, T, T, F, F, T]),
    ("not_equal", ([[1], [2]], [1, 2]), {}, [[F, T], [T, F]]),
    ("not_equal", ([T, T], [T, F]), {}, [F, T]),
    ("greater", (LEFT, RIGHT), {}, [F, F, T, F, F, F, F, F]),
    ("greater", (0, [-1, 0, 1]), {}, [T, F, F]),
    ("less_equal", (LEFT, RIGHT), {}, [T, T, F, F, F, T, T, T]),
    ("less_equal", ([2**63 - 1, -(2**63)], [2**63 - 2, -(2**63)]), {}, [F, T]),
    ("greater_equal", (LEFT, RIGHT), {}, [F, T, T, F, F, T, T, F]),
    ("greater_equal", (([0, 255], "uint8"), 255), {}, [F, T]),
    ("logical_not", ([T, F],), {}, [F, T]),
    ("logical_not", ([0.0, -0.0, NAN, 2.0],), {}, [T, T, F, F]),
    ("logical_not", ([0, -3],), {}, [T, F]),
    ("logical_and", ([T, T, F, F], [T, F, T, F]), {}, [T, F, F, F]),
    ("logical_and", ([2, 0], [NAN, NAN]), {}, [T, F]),
    ("logical_or", ([T, T, F, F], [T, F, T, F]), {}, [T, T, T, F]),
    ("logical_or", ([0.0, 0.5], False), {}, [F, T]),
    ("logical_xor", ([T, T, F, F], [T, F, T, F]), {}, [F, T, T, F]),
    ("logical_xor", ([2, 0], [1, 1]), {}, [F, T]),
    ("isnan", ([NAN, INF, -INF, 0.0],), {}, [T, F, F, F]),
    ("isnan", ([1, 2],), {}, [F, F]),
    ("isinf", ([NAN, INF, -INF, 1e308],), {}, [F, T, T, F]),
    ("isinf", ([1, 2],), {}, [F, F]),
    ("isfinite", ([NAN, INF, -INF, 1e308, 5e-324],), {}, [F, F, F, T, T]),
    ("isfinite", ([1, 2],), {}, [T, T]),
    ("isfinite", ((1.0, "float64"),), {}, (T, "bool")),
    ("isnan", (([], "float32"),), {}, ([], "bool")),
    ("logical_and", (([], "bool"), ([], "bool")), {}, ([], "bool")),
]


@pytest.mark.parametrize("op, operands, statics, expected", CASES)
def test_op_gives_the_right_values(check, op, operands, statics, expected):
    check(op, operands, statics, expected)


@pytest.mark.parametrize(
    "op, python",
    [
        ("not_equal", lambda a, b: a != b),
        ("greater", lambda a, b: a > b),
        ("less_equal", lambda a, b: a <= b),
        ("greater_equal", lambda a, b: a >= b),
        ("logical_and", lambda a, b: bool(a and b)),
        ("logical_or", lambda a, b: bool(a or b)),
        ("logical_xor", lambda a, b: bool(a) is not bool(b)),
    ],
)
@given(a=st.floats(), b=st.floats())
def test_op_agrees_with_python_for_any_two_floats(check, op, python, a, b):
    check(op, ([a], [b]), {}, [python(a, b)])


def test_every_derived_op_of_the_family_has_a_case(derived_ops):
    assert derived_ops("comparison") == {case[0] for case in CASES}
