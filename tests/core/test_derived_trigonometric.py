"""The derived functions of angles, against `math` over the whole range of floats."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

NAN, INF, PI = math.nan, math.inf, math.pi
EDGES = [0.0, -0.0, 1.0, -1.0, INF, -INF, NAN]

CASES = [
    ("tan", (EDGES,), {}, [0.0, -0.0, math.tan(1), math.tan(-1), NAN, NAN, NAN]),
    ("asin", (EDGES,), {}, [0.0, -0.0, PI / 2, -PI / 2, NAN, NAN, NAN]),
    ("asin", ([1.0000000000000002, 2.0],), {}, [NAN, NAN]),
    ("acos", (EDGES,), {}, [PI / 2, PI / 2, 0.0, PI, NAN, NAN, NAN]),
    ("sinh", (EDGES,), {}, [0.0, -0.0, math.sinh(1), -math.sinh(1), INF, -INF, NAN]),
    ("sinh", ([710.4, -711.0, 1e-300],), {}, [math.sinh(710.4), -INF, 1e-300]),
    ("cosh", (EDGES,), {}, [1.0, 1.0, math.cosh(1), math.cosh(1), INF, INF, NAN]),
    ("cosh", ([710.4, -711.0],), {}, [math.cosh(710.4), INF]),
    ("tanh", (EDGES,), {}, [0.0, -0.0, math.tanh(1), -math.tanh(1), 1.0, -1.0, NAN]),
    ("tanh", ([1000.0, -1e-300],), {}, [1.0, -1e-300]),
    ("asinh", (EDGES,), {}, [0.0, -0.0, math.asinh(1), -math.asinh(1), INF, -INF, NAN]),
    ("asinh", ([1e300, -1e-300],), {}, [math.asinh(1e300), -1e-300]),
    ("acosh", (EDGES,), {}, [NAN, NAN, 0.0, NAN, INF, NAN, NAN]),
    ("acosh", ([1e300],), {}, [math.acosh(1e300)]),
    ("atanh", (EDGES,), {}, [0.0, -0.0, INF, -INF, NAN, NAN, NAN]),
    ("atanh", ([2.0, 1e-300],), {}, [NAN, 1e-300]),
    ("atan2", (([1.0], "float32"), ([1.0], "float32")), {}, ([PI / 4], "float32")),
    ("sinh", (([0.5], "float32"),), {}, ([math.sinh(0.5)], "float32")),
    ("acosh", ((1.0, "float64"),), {}, (0.0, "float64")),
    ("tanh", (([], "float64"),), {}, ([], "float64")),
]


@pytest.mark.parametrize("op, operands, statics, expected", CASES)
def test_op_gives_the_right_values(check, op, operands, statics, expected):
    check(op, operands, statics, expected)


SPECIAL = [0.0, -0.0, 1.0, -1.0, INF, -INF, NAN, 5e-324, 1.7976931348623157e308]


@pytest.mark.parametrize("y", SPECIAL)
@pytest.mark.parametrize("x", SPECIAL)
def test_atan2_agrees_with_math_at_every_pair_of_special_values(check, y, x):
    check("atan2", ([y], [x]), {}, [math.atan2(y, x)])


def quietly(function, x):
    """What a function of `math` gives, infinite where it overflows."""
    try:
        return function(x)
    except OverflowError:
        return math.copysign(INF, function(math.copysign(1, x)))


finite = st.floats(allow_nan=False, allow_infinity=False)
inside = st.floats(-1, 1)
RANGES = {
    "tan": st.floats(-1e6, 1e6),
    "asin": inside,
    "acos": inside,
    "sinh": finite,
    "cosh": finite,
    "tanh": finite,
    "asinh": finite,
    "acosh": st.floats(1, 1e308),
    "atanh": st.floats(-1, 1, exclude_min=True, exclude_max=True),
}


@pytest.mark.parametrize("op", RANGES)
@given(data=st.data())
def test_op_agrees_with_math_wherever_it_is_real(check, op, data):
    x = data.draw(RANGES[op])

    check(op, ([x],), {}, [quietly(getattr(math, op), x)])


@given(y=finite, x=finite)
def test_atan2_agrees_with_math_for_any_two_floats(check, y, x):
    check("atan2", ([y], [x]), {}, [math.atan2(y, x)])


@pytest.mark.parametrize("op", RANGES)
@given(data=st.data())
def test_op_keeps_float32_and_its_precision(check, op, data):
    x = data.draw(st.floats(1.125 if op == "acosh" else -0.75, 1.5, width=32))
    if op in {"asin", "acos", "atanh"}:
        x /= 2

    check(op, (([x], "float32"),), {}, ([getattr(math, op)(x)], "float32"))


def test_every_derived_op_of_the_family_has_a_case(derived_ops):
    assert derived_ops("trigonometric") == {case[0] for case in CASES}
