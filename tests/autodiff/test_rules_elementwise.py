"""Rules for arithmetic, exponentials, rounding, signs and selection."""

import math
from math import inf, nan

import pytest
from numeric import Array, array, check, listed, on, slopes

import trivet as tv
from trivet_autodiff import grad

PLUS = {"low": 0.3, "high": 2.5}
A, B = array(2, 3), array(2, 3, **PLUS)
UNARY = [on(array(2, 3)), on(array()), on(array(0, 3))]
POSITIVE = [on(array(2, 3, **PLUS)), on(array(**PLUS)), on(array(0, 3, **PLUS))]
# both sides of one shape, each side broadcast, 0-d, nothing, and a Python number
BINARY = [
    on(A, B),
    on(array(2, 1), array(1, 3, **PLUS)),
    on(array(3), array(2, 3, **PLUS)),
    on(array(2, 3), array(1, **PLUS)),
    on(array(), array(2, **PLUS)),
    on(array(2), array(**PLUS)),
    on(array(), array(**PLUS)),
    on(array(0, 3), array(3, **PLUS)),
    on(array(1, 1), array(0, 3, **PLUS)),
    on(array(3), 1.5),
    on(array(3), 2),
    on(-0.5, array(3, **PLUS)),
    on(3, array(3, **PLUS)),
]
POWERS = [
    *(on(array(2, 3, **PLUS), array(2, 3)), on(array(2, 1, **PLUS), array(1, 3))),
    *(on(array(3, **PLUS), array()), on(array(0, 2, **PLUS), array(2))),
    *(on(array(3), exponent) for exponent in (0, 1, 2, 3, -1, 2.0)),
    *(on(array(3, **PLUS), exponent) for exponent in (0.5, -1.5, 0.0)),
    *(on(base, array(3)) for base in (2, 0.5, 1)),
]
CASES = {
    "add": BINARY,
    "accumulate": [on(array(*shape), array(*shape)) for shape in ((2, 3), (0,), ())],
    "subtract": BINARY,
    "multiply": BINARY,
    "divide": BINARY,
    "floor_divide": BINARY,
    "remainder": BINARY,
    "fmod": BINARY,
    "divmod": BINARY,
    "exp2": UNARY,
    "pow": POWERS,
    "exp": UNARY,
    "log": POSITIVE,
    "sqrt": POSITIVE,
    "floor": UNARY,
    "negative": UNARY,
    "positive": UNARY,
    "abs": UNARY,
    "sign": UNARY,
    "square": UNARY,
    "reciprocal": POSITIVE,
    "maximum": BINARY,
    "minimum": BINARY,
    "clip": [
        on(array(7), -0.5, 0.5),
        on(array(7), None, 0.5),
        on(array(7), -0.5),
        on(array(7), -0.5, None),
        on(array(2, 4), array(4, low=-1, high=0), array(2, 1, low=0, high=1)),
        on(array(2, 4), array(), array(4, low=-1, high=1)),
        on(array(), array(low=-1, high=0), 0.5),
        on(array(0, 3), array(3), None),
        on(array(4), 1.0, -1.0),
    ],
    "ceil": UNARY,
    "trunc": UNARY,
    "round": UNARY,
    "copysign": [*BINARY, on(array(3), array(3)), on(array(3), -1.0)],
    "hypot": BINARY,
    "expm1": UNARY,
    "log1p": POSITIVE,
    "log2": POSITIVE,
    "log10": POSITIVE,
    "logaddexp": [
        *BINARY,
        on(Array((2,), (1.0, 800.0)), Array((2,), (1.0, 800.0))),
        on(Array((2,), (-800.0, 800.0)), 0),
    ],
    "imag": [],  # of complex numbers, so test_complex has it
    "conj": UNARY,
    "real": UNARY,
}


@pytest.mark.parametrize("op, case", listed(CASES))
def test_derivatives_agree_with_differences(backend, op, case):
    check(backend, op, case)


def test_abs_and_sign_have_slope_zero_at_zero(backend):
    assert slopes(backend, tv.abs, [-2.0, 0.0, -0.0, 3.0]) == [[-1.0, 0.0, 0.0, 1.0]]
    assert slopes(backend, tv.sign, [-2.0, 0.0, 3.0]) == [[0.0, 0.0, 0.0]]


@pytest.mark.parametrize("op", ["floor", "ceil", "trunc", "round"])
def test_rounding_has_slope_zero_at_jumps_and_for_infinite_cotangents(backend, op):
    def scaled(x):
        return getattr(tv, op)(x) * tv.asarray([inf, 1.0, 1.0], backend=backend)

    assert slopes(backend, scaled, [1.5, 2.0, 0.5]) == [[0.0, 0.0, 0.0]]


def test_equal_operands_of_an_extreme_share_evenly(backend):
    assert slopes(backend, tv.maximum, [1.0, 2.0], [2.0, 2.0]) == [[0, 0.5], [1, 0.5]]
    assert slopes(backend, tv.minimum, [1.0, 2.0], [2.0, 2.0]) == [[1, 0.5], [0, 0.5]]


def test_maximum_of_a_variable_with_itself_has_slope_one(backend):
    assert slopes(backend, lambda x: tv.maximum(x, x), [4.0]) == [[1.0]]


def test_extreme_with_a_number_shares_evenly_when_they_are_equal(backend):
    assert slopes(backend, lambda x: tv.maximum(x, 2.0), [1.0, 2.0, 3.0]) == [
        [0.0, 0.5, 1.0]
    ]


def test_clip_passes_the_cotangent_at_both_bounds(backend):
    x = [-2.0, -1.0, 0.0, 1.0, 2.0]

    assert slopes(backend, lambda x: tv.clip(x, -1.0, 1.0), x) == [[0, 1, 1, 1, 0]]


def test_clip_gives_the_bound_what_it_holds_back(backend):
    x, low, high = [-2.0, 0.0, 5.0, 0.0], [-1.0, -1.0, -1.0, 3.0], [1.0, 1.0, 1.0, 2.0]

    found = slopes(backend, tv.clip, x, low, high)

    assert found == [[0, 1, 0, 0], [1, 0, 0, 0], [0, 0, 1, 1]]


def test_clip_tracks_bounds_that_come_by_keyword(ad):
    high = tv.asarray([1.0, 1.0], backend=ad).require_grad()
    x = tv.asarray([0.0, 5.0], backend=ad)

    handle = ad.clip(x.handle, max=high.handle)

    total = tv.sum(tv.Tensor.from_handle(handle, ad))
    assert total.backward()[high].tolist() == [0.0, 1.0]


def test_power_has_the_slopes_of_polynomials_at_base_zero(backend):
    base, exponent = [0.0, 0.0, 0.0, 2.0], [1.0, 2.0, 0.0, 3.0]

    assert slopes(backend, tv.pow, base, exponent)[0] == [1.0, 0.0, 0.0, 12.0]


@pytest.mark.parametrize("zero", [0, 0.0])
def test_power_zero_has_slope_zero_for_any_base(backend, zero):
    bases = [2.0, -3.0, 0.0, inf, nan]

    assert slopes(backend, lambda x: x**zero, bases) == [[0.0] * 5]


def test_exponent_has_slope_zero_at_base_zero(backend):
    found = slopes(backend, tv.pow, [0.0, 0.0, 2.0], [1.0, 2.0, 3.0])[1]

    assert found == pytest.approx([0.0, 0.0, 8 * math.log(2)], rel=1e-14)


def test_exponent_of_the_number_zero_has_slope_zero(backend):
    assert slopes(backend, lambda y: 0.0**y, [1.0, 2.0]) == [[0.0, 0.0]]


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_exponent_of_a_negative_base_has_no_slope(backend):
    by_number = slopes(backend, lambda y: (-2.0) ** y, [2.0])[0]
    by_tensor = slopes(backend, tv.pow, [-2.0], [2.0])[1]

    assert math.isnan(by_number[0])
    assert math.isnan(by_tensor[0])


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_root_has_an_infinite_slope_at_zero(backend):
    assert slopes(backend, tv.sqrt, [0.0, 4.0]) == [[inf, 0.25]]


def test_hypotenuse_has_slope_zero_at_the_origin(backend):
    assert slopes(backend, tv.hypot, [0.0, 3.0], [0.0, 4.0]) == [[0.0, 0.6], [0.0, 0.8]]


def test_copysign_has_slope_zero_at_zero_and_none_in_the_sign(backend):
    found = slopes(backend, tv.copysign, [0.0, 2.0, -2.0], [1.0, -1.0, -1.0])

    assert found == [[0.0, -1.0, 1.0], [0.0, 0.0, 0.0]]


def test_logaddexp_weighs_equal_operands_half_each_when_they_are_infinite(backend):
    x, y = [-inf, inf, -inf, inf], [-inf, inf, 0.0, 0.0]

    found = slopes(backend, tv.logaddexp, x, y)

    assert found == [[0.5, 0.5, 0.0, 1.0], [0.5, 0.5, 1.0, 0.0]]


def test_logaddexp_does_not_overflow(backend):
    found = slopes(backend, lambda x: tv.logaddexp(0.0 * x, x), [-800.0, 0.0, 800.0])

    assert found == [[0.0, 0.5, 1.0]]


@pytest.mark.parametrize(
    "x, y, order, expected",
    [
        (2.0, 0.0, (0,), 0.0),
        (2.0, 0.0, (0, 1), 0.5),  # x**(y - 1) (1 + y log x)
        (2.0, 0.0, (1, 0), 0.5),
        (2.0, 0.0, (0, 0, 1), -0.25),  # the slope of y (y - 1) x**(y - 2) by y
        (2.0, 1.0, (0, 0, 1), 0.5),
        (0.0, 0.0, (0,), 0.0),
        (math.nan, 0.0, (0,), 0.0),
        (5e-324, 0.0, (0,), 0.0),
    ],
)
def test_power_has_mixed_derivatives_at_exponent_zero(backend, x, y, order, expected):
    values = [tv.asarray(v, dtype=tv.float64, backend=backend) for v in (x, y)]
    function = tv.pow
    for place in order:
        function = grad(function, place)

    assert function(*values).item() == pytest.approx(expected, rel=1e-12)
