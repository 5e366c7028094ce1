"""The derived arithmetic, against `math`, `fractions` and the special cases."""

import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

NAN, INF = math.nan, math.inf
T, F = True, False
TINY, HUGE = 5e-324, 1.7976931348623157e308
LOWEST, HIGHEST = -(2**63), 2**63 - 1

CASES = [
    ("accumulate", ([1.5, -0.0, INF], [2.0, -0.0, -INF]), {}, [3.5, -0.0, NAN]),
    ("accumulate", ([HIGHEST], [1]), {}, [LOWEST]),
    ("negative", ([1.5, 0.0, -0.0, INF, NAN],), {}, [-1.5, -0.0, 0.0, -INF, NAN]),
    ("negative", ([3, LOWEST],), {}, [-3, LOWEST]),
    ("negative", (([1, 0], "uint8"),), {}, ([255, 0], "uint8")),
    ("positive", ([-0.0, NAN],), {}, [-0.0, NAN]),
    ("abs", ([-1.5, -0.0, 0.0, -INF, NAN],), {}, [1.5, 0.0, 0.0, INF, NAN]),
    ("abs", ([-3, 3, LOWEST],), {}, [3, 3, LOWEST]),
    ("abs", (([255], "uint8"),), {}, ([255], "uint8")),
    ("sign", ([-2.5, -0.0, 0.0, INF, NAN],), {}, [-1.0, 0.0, 0.0, 1.0, NAN]),
    ("sign", ([-3, 0, 3],), {}, [-1, 0, 1]),
    ("sign", (([0, 3], "uint8"),), {}, ([0, 1], "uint8")),
    ("square", ([-3.0, 1e200, -INF, NAN],), {}, [9.0, INF, INF, NAN]),
    ("square", (([-12, 16], "int8"),), {}, ([-112, 0], "int8")),
    ("reciprocal", ([4.0, 0.0, -0.0, -INF, NAN],), {}, [0.25, INF, -INF, -0.0, NAN]),
    (
        "maximum",
        ([1.0, NAN, 1.0, -INF], [2.0, 1.0, NAN, INF]),
        {},
        [2.0, NAN, NAN, INF],
    ),
    ("maximum", ([LOWEST, 3], [HIGHEST, 2]), {}, [HIGHEST, 3]),
    ("maximum", ([[1], [3]], [2, 4]), {}, [[2, 4], [3, 4]]),
    (
        "minimum",
        ([1.0, NAN, 1.0, -INF], [2.0, 1.0, NAN, INF]),
        {},
        [1.0, NAN, NAN, -INF],
    ),
    ("minimum", (2, [1, 2, 3]), {}, [1, 2, 2]),
    ("clip", ([-5.0, 0.5, 5.0, NAN], -1.0, 1.0), {}, [-1.0, 0.5, 1.0, NAN]),
    ("clip", ([1.0, 2.0],), {"max": 1.5}, [1.0, 1.5]),
    ("clip", ([1.0, 2.0],), {"min": 1.5}, [1.5, 2.0]),
    ("clip", ([1, 5, 9], [4, 4, 4], 6), {}, [4, 5, 6]),
    ("clip", ([1, 5, 9], 7, 3), {}, [3, 3, 3]),
    ("clip", (([1, 5], "int8"), [2, 2], None), {}, ([2, 5], "int8")),
    (
        "ceil",
        ([1.2, -1.2, -0.5, -0.0, INF, NAN],),
        {},
        [2.0, -1.0, -0.0, -0.0, INF, NAN],
    ),
    ("ceil", ([1, -1],), {}, [1, -1]),
    ("trunc", ([1.7, -1.7, -0.5, -0.0, -INF],), {}, [1.0, -1.0, -0.0, -0.0, -INF]),
    ("trunc", ([LOWEST],), {}, [LOWEST]),
    ("round", ([0.5, 1.5, 2.5, -0.5, -1.5],), {}, [0.0, 2.0, 2.0, -0.0, -2.0]),
    ("round", ([-0.0, 0.3, -0.3, INF, NAN],), {}, [-0.0, 0.0, -0.0, INF, NAN]),
    ("round", ([0.49999999999999994],), {}, [0.0]),
    ("round", ([4503599627370497.5, HUGE],), {}, [4503599627370498.0, HUGE]),
    ("round", ([7],), {}, [7]),
    ("signbit", ([1.0, -1.0, 0.0, -0.0, -INF],), {}, [F, T, F, T, T]),
    ("copysign", ([1.0, -2.0, 0.0, INF, NAN], -0.0), {}, [-1.0, -2.0, -0.0, -INF, NAN]),
    ("copysign", (3.0, [-1.0, 0.0]), {}, [-3.0, 3.0]),
    (
        "fmod",
        ([7.5, -7.5, 7.5, -7.5], [2.0, 2.0, -2.0, -2.0]),
        {},
        [1.5, -1.5, 1.5, -1.5],
    ),
    (
        "fmod",
        ([6.0, -6.0, -0.0, 0.0], [-3.0, 3.0, 3.0, -3.0]),
        {},
        [0.0, -0.0, -0.0, 0.0],
    ),
    (
        "fmod",
        ([5.0, -5.0, INF, 1.0, NAN], [INF, INF, 2.0, 0.0, 1.0]),
        {},
        [5.0, -5.0, NAN, NAN, NAN],
    ),
    ("fmod", ([7, -7, 7, -7], [3, 3, -3, -3]), {}, [1, -1, 1, -1]),
    ("fmod", (([-128, 127], "int8"), ([3, -128], "int8")), {}, ([-2, 127], "int8")),
    ("fmod", (([250], "uint8"), ([7], "uint8")), {}, ([5], "uint8")),
    ("fmod", ([5, -5], 3), {}, [2, -2]),
    ("fmod", (-5.5, [2.0]), {}, [-1.5]),
    ("divmod", ([7, -7], 3), {}, [[2, -3], [1, 2]]),
    ("divmod", (7.5, [2.0, -2.0]), {}, [[3.0, -4.0], [1.5, -0.5]]),
    (
        "exp2",
        ([3.0, -1.0, 0.5, -0.0, INF, -INF, NAN],),
        {},
        [8.0, 0.5, 2**0.5, 1.0, INF, 0.0, NAN],
    ),
    ("exp2", (([3.0], "float32"),), {}, ([8.0], "float32")),
    (
        "hypot",
        ([3.0, 3e200, TINY, 0.0], [4.0, 4e200, 0.0, 0.0]),
        {},
        [5.0, 5e200, TINY, 0.0],
    ),
    ("hypot", ([INF, NAN, NAN, -INF], [NAN, -INF, 1.0, 1.0]), {}, [INF, INF, NAN, INF]),
    (
        "expm1",
        ([0.0, -0.0, INF, -INF, NAN, 1e-300],),
        {},
        [0.0, -0.0, INF, -1.0, NAN, 1e-300],
    ),
    (
        "log1p",
        ([0.0, -0.0, INF, -1.0, -2.0, 1e-300],),
        {},
        [0.0, -0.0, INF, -INF, NAN, 1e-300],
    ),
    (
        "log2",
        ([1.0, 2.0, 0.0, -1.0, INF, 0.125],),
        {},
        [0.0, 1.0, -INF, NAN, INF, -3.0],
    ),
    (
        "log10",
        ([1.0, 10.0, 0.0, -1.0, INF, 0.001],),
        {},
        [0.0, 1.0, -INF, NAN, INF, -3.0],
    ),
    (
        "logaddexp",
        ([0.0, 1000.0, -INF], [0.0, 0.0, -INF]),
        {},
        [math.log(2), 1000.0, -INF],
    ),
    (
        "logaddexp",
        ([INF, INF, NAN, 2.0], [INF, -INF, 1.0, -INF]),
        {},
        [INF, INF, NAN, 2.0],
    ),
    ("conj", ([1.5, -0.0],), {}, [1.5, -0.0]),
    ("real", ([2, 3],), {}, [2, 3]),
    ("imag", ([1.0],), {}, NotImplementedError),
    ("hypot", (([3.0], "float32"), ([4.0], "float32")), {}, ([5.0], "float32")),
    ("expm1", (([1e-4], "float32"),), {}, ([math.expm1(1e-4)], "float32")),
    ("abs", ((-2.5, "float64"),), {}, (2.5, "float64")),
    ("maximum", (([], "float64"), 1.0), {}, ([], "float64")),
]


@pytest.mark.parametrize("op, operands, statics, expected", CASES)
def test_op_gives_the_right_values(check, op, operands, statics, expected):
    check(op, operands, statics, expected)


def quietly(function, *numbers):
    """What a function of `math` gives, infinite where it overflows."""
    try:
        return function(*numbers)
    except OverflowError:
        return INF


def logaddexp(a, b):
    high, low = max(a, b), min(a, b)
    return high + math.log1p(math.exp(low - high))


finite = st.floats(allow_nan=False, allow_infinity=False)
moderate = st.floats(-700, 700)


@pytest.mark.parametrize(
    "op, python",
    [
        ("negative", lambda x: -x),
        ("abs", abs),
        ("ceil", lambda x: math.copysign(math.ceil(x), x)),
        ("trunc", lambda x: math.copysign(math.trunc(x), x)),
        ("round", lambda x: math.copysign(round(x), x)),
        ("signbit", lambda x: math.copysign(1, x) < 0),
    ],
)
@given(x=finite)
def test_exact_op_agrees_with_python_for_any_float(check, op, python, x):
    check(op, ([x],), {}, [python(x)], 0)


@given(x=finite)
def test_expm1_agrees_with_math_for_any_float(check, x):
    check("expm1", ([x],), {}, [quietly(math.expm1, x)])


@given(x=st.floats(-1, exclude_min=True, allow_infinity=False))
def test_log1p_agrees_with_math_from_minus_one_on(check, x):
    check("log1p", ([x],), {}, [math.log1p(x)])


@pytest.mark.parametrize("op", ["log2", "log10"])
@given(x=st.floats(5e-324, 1e308).filter(lambda x: abs(x - 1) > 0.01))
def test_logarithm_agrees_with_math(check, op, x):
    check(op, ([x],), {}, [getattr(math, op)(x)])


@given(a=finite, b=finite)
def test_hypot_agrees_with_math_for_any_two_floats(check, a, b):
    check("hypot", ([a], [b]), {}, [quietly(math.hypot, a, b)])


@given(a=moderate, b=moderate)
def test_logaddexp_agrees_with_its_definition(check, a, b):
    expected = logaddexp(a, b)

    if abs(expected) > 0.01:  # near zero the sum cancels in either formula
        check("logaddexp", ([a], [b]), {}, [expected])


@given(a=st.floats(), b=st.floats(allow_nan=False))
def test_copysign_agrees_with_math_for_any_two_floats(check, a, b):
    check("copysign", ([a], [b]), {}, [math.copysign(a, b)])


@given(x=finite.filter(lambda x: 1e-300 < abs(x) < 1e300))
def test_reciprocal_is_the_nearest_float_to_the_exact_quotient(check, x):
    check("reciprocal", ([x],), {}, [float(1 / Fraction(x))], 0)


@given(x=st.integers(LOWEST, HIGHEST))
def test_square_wraps_as_the_lowest_64_bits_of_the_exact_product(check, x):
    check("square", ([x],), {}, [(x * x - LOWEST) % 2**64 + LOWEST])


# Which of 0.0 and -0.0 is the larger is left open by the standard: there is one zero.
one_zero = finite.map(lambda number: number + 0.0)


@given(x=one_zero, limits=st.tuples(one_zero, one_zero).map(sorted))
def test_clip_brings_any_float_between_its_limits(check, x, limits):
    low, high = limits

    check("clip", ([x], low, high), {}, [sorted([low, x, high])[1]], 0)


def test_every_derived_op_of_the_family_has_a_case(derived_ops):
    assert derived_ops("elementwise") == {case[0] for case in CASES}
