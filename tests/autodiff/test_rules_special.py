"""Rules for special functions."""

import math
from math import inf, pi, sqrt

import pytest
from numeric import array, check, listed, on, slopes

import trivet as tv
from trivet.errors import GradientError
from trivet_autodiff import Autodiff, grad

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
    "betainc": [
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


@pytest.mark.parametrize(
    "op, place", [("gammainc", "first"), ("gammaincc", "first"), ("betainc", "second")]
)
def test_tracked_parameter_of_an_integral_is_refused(backend, op, place):
    ad = Autodiff(backend)
    a = tv.asarray([2.0], dtype=tv.float64, backend=ad).require_grad()
    operands = (1.0, a, 0.5) if place == "second" else (a, 0.5)
    value = getattr(tv.special, op)(*operands)

    with pytest.raises(GradientError) as caught:
        value.backward()

    assert str(caught.value) == (
        f"{op}: there is no gradient by the {place} operand, only by the last. Call "
        ".detach() on it if it should count as a constant."
    )


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
