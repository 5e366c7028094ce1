"""Rules for special functions."""

import math
from math import inf, pi, sqrt

import pytest
from numeric import Array, array, check, listed, on, slopes

import trivet as tv
from trivet_autodiff import Autodiff, grad


def numbers(*values):
    """Those at which one method or one end gives way to another, or a loop ends."""
    return Array((len(values),), values)


UNIT = {"low": 0.2, "high": 0.8}
REAL = [on(array(2, 3)), on(array()), on(array(0, 3))]
POSITIVE = [on(array(2, 3, low=0.3, high=4.0)), on(array(0, 3))]
INSIDE = [on(array(2, 3, low=0.1, high=0.9)), on(array(0, 3))]
PAIRS = [
    on(array(2, 3, low=0.3, high=3.0), array(2, 3, low=0.4, high=3.0)),
    on(array(3, low=0.3, high=3.0), array(2, 1, low=0.4, high=3.0)),
    on(array(3, low=0.3, high=3.0), 2.5),
    on(2, array(3, low=0.3, high=3.0)),
]
LIMITS = [
    on(array(2, 3, low=0.3, high=4.0), array(2, 3, low=0.5, high=5.0)),
    on(array(2, 1, low=11.0, high=14.0), array(3, low=10.0, high=15.0)),
    on(numbers(1.0, 10.0, 12.0, 20.0), numbers(1.5, 10.0, 12.0, 20.0)),
    on([1, 2, 5], array(2, 3, low=0.5, high=5.0)),
    on(1.5, array(3, low=0.5, high=5.0)),
    on([[20], [30]], array(1, 3, low=10.0, high=30.0)),
]
CASES = {
    "erf": REAL,
    "erfc": REAL,
    "erfinv": [on(array(2, 3, low=-0.9, high=0.9)), on(array(0, 3))],
    "ndtr": REAL,
    "ndtri": INSIDE,
    "log_ndtr": [on(array(2, 3, low=-6.0, high=3.0)), on(array(0, 3))],
    "gammaln": [*POSITIVE, on(array(3, low=-0.8, high=-0.2))],
    "digamma": [*POSITIVE, on(array(3, low=-0.8, high=-0.2))],
    "polygamma": [
        on(array(2, 3, low=0.5, high=4.0), n=0),
        on(array(2, 3, low=0.5, high=4.0), n=1),
        on(array(3, low=1.5, high=4.0), n=3),
    ],
    "beta": PAIRS,
    "betaln": PAIRS,
    "gammainc": LIMITS,
    "gammaincc": LIMITS,
    "gammainc_slope": [
        on(array(2, 3, low=0.3, high=4.0), array(3, low=0.5, high=5.0)),
    ],
    "betainc_slope": [
        on(array(2, low=0.5, high=4.0), 2.5, array(2, **UNIT), place=0),
        on(1.5, array(2, low=0.5, high=4.0), array(2, **UNIT), place=1),
    ],
    "betainc": [
        on(
            array(2, 3, low=0.5, high=4.0),
            array(2, 1, low=0.5, high=4.0),
            array(3, low=0.2, high=0.8),
        ),
        on(
            numbers(1.0, 2.0, 2.0, 10.0, 10.0),
            numbers(3.0, 1.0, 2.0, 10.0, 0.5),
            numbers(0.4, 0.6, 0.5, 0.5, 0.9),
        ),
        on([1, 2, 5], [[2], [3]], array(2, 3, low=0.2, high=0.8)),
        on(1.5, 2.5, array(3, low=0.2, high=0.8)),
    ],
    "i0": REAL,
    "i0e": REAL,
    "i1": REAL,
    "i1e": REAL,
    "logit": INSIDE,
    "xlogy": PAIRS,
    "xlog1py": PAIRS,
    "entr": POSITIVE,
    "rel_entr": PAIRS,
    "kl_div": PAIRS,
    "sinc": [*REAL, on(array(3, low=-0.1, high=0.1))],
    "exprel": [*REAL, on(array(3, low=-0.1, high=0.1))],
}


@pytest.mark.parametrize("op, case", listed(CASES))
def test_derivatives_agree_with_differences(backend, op, case):
    check(backend, op, case)


def test_slopes_at_zero_are_the_limits(backend):
    x = [0.0]

    assert slopes(backend, tv.special.erf, x)[0] == pytest.approx([2 / sqrt(pi)])
    assert slopes(backend, tv.special.i0, x) == [[0.0]]
    assert slopes(backend, tv.special.i1, x)[0] == pytest.approx([0.5])
    assert slopes(backend, tv.special.i1e, x)[0] == pytest.approx([0.5])
    assert slopes(backend, tv.special.sinc, x) == [[0.0]]
    assert slopes(backend, tv.special.exprel, x)[0] == pytest.approx([0.5])


def test_second_derivatives_at_zero_are_the_limits(backend):
    def bend(function):
        x = tv.asarray([0.0], dtype=tv.float64, backend=backend)
        once, twice = Autodiff(backend), Autodiff(Autodiff(backend))
        outer = x.to_backend(once).require_grad()
        inner = outer.to_backend(twice).require_grad()
        grads = tv.sum(function(inner)).backward()
        return tv.sum(grads[inner]).backward()[outer].tolist()

    assert bend(tv.special.sinc) == pytest.approx([-(pi**2) / 3])
    assert bend(tv.special.exprel) == pytest.approx([1 / 3])


@pytest.mark.filterwarnings("ignore:divide by zero:RuntimeWarning")
def test_zero_times_the_logarithm_of_zero_has_finite_slopes(backend):
    assert slopes(backend, tv.special.xlogy, [0.0, 0.0], [0.0, 2.0]) == [
        [0.0, pytest.approx(0.6931471805599453)],
        [0.0, 0.0],
    ]
    assert slopes(backend, tv.special.xlog1py, [0.0], [-1.0]) == [[0.0], [0.0]]


def test_logarithm_of_a_small_probability_keeps_its_slope(backend):
    found = slopes(backend, tv.special.log_ndtr, [-40.0, 40.0])[0]

    # Mills' ratio: -x less its correction 1 / x, of which 40 leaves 3e-5 more
    assert found[0] == pytest.approx(40.0249688, rel=1e-7)
    assert 0 <= found[1] < 1e-300


@pytest.mark.parametrize("x", [0.3, 1.0, 1.2, 5.0])
def test_parameter_of_the_incomplete_beta_function_has_the_slope_of_a_power(backend, x):
    """I_x(a, 1) is x**a, and I_x(1, b) is 1 - (1 - x)**b: whole parameters too."""
    y = x / (1 + x)

    for a in (0.5, 1.0, 7.0, 300.0):
        found = slopes(backend, tv.special.betainc, [a], [1.0], [y])
        assert found[0] == pytest.approx([y**a * math.log(y)], rel=1e-12)
        found = slopes(backend, tv.special.betainc, [1.0], [a], [y])
        expected = -((1 - y) ** a) * math.log1p(-y)
        assert found[1] == pytest.approx([expected], rel=1e-12)


@pytest.mark.parametrize("a", [1, 2, 9, 40])
@pytest.mark.parametrize("x", [0.2, 1.0, 1.2, 12.0, 50.0])
def test_parameter_of_the_incomplete_gamma_function_obeys_its_recurrence(backend, a, x):
    """P(a + 1, x) is P(a, x) - x**a exp(-x) / gamma(a + 1); so are the derivatives."""
    (first,) = slopes(backend, lambda a: tv.special.gammainc(a, x), [float(a)])
    (second,) = slopes(backend, lambda a: tv.special.gammainc(a, x), [a + 1.0])
    (other,) = slopes(backend, lambda a: tv.special.gammaincc(a, x), [float(a)])
    share = math.exp(a * math.log(x) - x - math.lgamma(a + 1))
    harmonic = math.fsum(1 / k for k in range(1, a + 1)) - 0.5772156649015329
    step = share * (math.log(x) - harmonic)

    scale = abs(first[0]) + abs(step)
    assert second[0] == pytest.approx(first[0] - step, rel=1e-12, abs=1e-12 * scale)
    assert other == [-first[0]]


def test_density_of_large_parameters_has_the_digits_of_float32(backend):
    """Stirling's formula at x = a, and at x = 1 / 2 with a = b."""
    a = 10000.0
    x = tv.asarray([a], dtype=tv.float32, backend=backend)
    found = grad(lambda x: tv.sum(tv.special.gammainc(a, x)))(x)
    assert found.dtype == tv.float32
    expected = (1 - 1 / (12 * a)) / sqrt(2 * pi * a)
    assert found.tolist() == pytest.approx([expected], rel=2e-7)

    x = tv.asarray([0.5], dtype=tv.float32, backend=backend)
    found = grad(lambda x: tv.sum(tv.special.betainc(a, a, x)))(x)
    expected = 2 * sqrt(a / pi) * (1 - 1 / (8 * a))
    assert found.tolist() == pytest.approx([expected], rel=2e-7)


def test_parameters_have_slope_zero_where_the_limit_is_an_end(backend):
    a, b = [2.0, 0.5], [3.0, 0.25]

    found = slopes(backend, tv.special.gammainc, a, [0.0, inf])
    assert found[0] == [0.0, 0.0]
    found = slopes(backend, tv.special.betainc, a, b, [0.0, 1.0])
    assert found[:2] == [[0.0, 0.0], [0.0, 0.0]]


def test_infinite_arguments_have_slope_zero(backend):
    assert slopes(backend, tv.special.erf, [-inf, inf]) == [[0.0, 0.0]]
    assert slopes(backend, tv.special.ndtr, [-inf, inf]) == [[0.0, 0.0]]


def nested(function, values, order):
    """The derivative by the arguments named in `order`, one after the other."""
    for place in order:
        function = grad(function, place)
    return function(*values).item()


@pytest.mark.parametrize(
    "function, x, y, order, expected",
    [
        (tv.special.xlogy, 0.0, 2.0, (0, 1), 0.5),  # 1 / y
        (tv.special.xlogy, 0.0, 2.0, (1, 0), 0.5),
        (tv.special.xlogy, 0.0, 2.0, (1, 1), 0.0),  # -x / y**2
        (tv.special.xlogy, 0.0, 2.0, (1, 0, 1), -0.25),
        (tv.special.xlog1py, 0.0, 1.0, (0, 1), 0.5),
        (tv.special.xlog1py, 0.0, 1.0, (1, 0), 0.5),
        (tv.special.rel_entr, 0.0, 2.0, (1, 0), -0.5),
        (tv.special.kl_div, 0.0, 2.0, (1, 0), -0.5),
    ],
)
def test_mixed_derivatives_at_zero_are_those_on_the_way(
    backend, function, x, y, order, expected
):
    values = [tv.asarray(v, dtype=tv.float64, backend=backend) for v in (x, y)]

    assert nested(function, values, order) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("order, expected", [(1, 1 / 2), (3, 3 / 8), (5, 5 / 16)])
def test_bessel_function_has_the_derivatives_of_its_series(backend, order, expected):
    """i1(x) = x / 2 + x**3 / 16 + x**5 / 384 + ..."""
    zero = tv.asarray(0.0, dtype=tv.float64, backend=backend)
    tiny = tv.asarray(1e-8, dtype=tv.float64, backend=backend)

    assert nested(tv.special.i1, [zero], [0] * order) == pytest.approx(expected)
    assert nested(tv.special.i1, [tiny], [0] * order) == pytest.approx(expected)
    assert nested(tv.special.i1, [zero], [0] * (order - 1)) == 0.0


def test_series_of_the_bessel_functions_meets_the_rest(backend):
    """i1'' = i1 (1 + 2 / x**2) - i0 / x, on both sides of where the rule changes."""
    for x in (1 - 1e-9, 1 + 1e-9):
        at = tv.asarray(x, dtype=tv.float64, backend=backend)
        i0, i1 = tv.special.i0(at).item(), tv.special.i1(at).item()

        second = i1 * (1 + 2 / x**2) - i0 / x
        scaled = math.exp(-x) * (second - 2 * (i0 - i1 / x) + i1)

        assert nested(tv.special.i1, [at], [0, 0]) == pytest.approx(second, rel=1e-12)
        assert nested(tv.special.i1e, [at], [0, 0]) == pytest.approx(scaled, rel=1e-9)
