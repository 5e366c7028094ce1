"""Gradients of the functions that are written over others, without ops of their own."""

import math

import pytest

import trivet as tv
from trivet_autodiff import grad, gradcheck, gradgradcheck

NAN = math.nan
TABLE = [[0.5, 2.0, -1.5, 4.0], [3.25, -0.75, 1.0, 2.5], [1.75, 0.25, -2.0, 0.75]]
PLACES = [0.0, 0.75, 2.0, 2.5]


def slopes_both_ways(x):
    return tv.stack(tv.gradient(x, 2.0, edge_order=2))


CALLS = {
    "average": (
        lambda x, weights: tv.average(x, axis=1, weights=weights),
        (TABLE, [0.5, 1.5, 2.0, 0.25]),
    ),
    "average of all": (
        lambda x, weights: tv.average(x, weights=weights),
        (TABLE, [[abs(n) for n in row] for row in TABLE]),
    ),
    "deg2rad": (tv.deg2rad, (TABLE,)),
    "rad2deg": (tv.rad2deg, (PLACES,)),
    "divmod": (lambda x, y: tv.divmod(x, y).remainder, (TABLE, [1.1, -0.7, 0.9, -3.0])),
    "exp2": (tv.exp2, (TABLE,)),
    "fmod": (tv.fmod, (TABLE, [1.1, -0.7, 0.9, -3.0])),
    "fmod by a number": (lambda x: tv.fmod(x, 0.7), (TABLE,)),
    "gradient": (tv.gradient, (PLACES,)),
    "gradient along both axes": (slopes_both_ways, (TABLE,)),
    "gradient over places": (
        lambda x, places: tv.gradient(x, places, axis=1, edge_order=2),
        (TABLE, PLACES),
    ),
    "gradient of two": (lambda x, h: tv.gradient(x[:2], h), (PLACES, 0.5)),
    "hstack": (lambda x, y: tv.hstack([x, y]), (TABLE, [[1.0], [2.0], [3.0]])),
    "vstack": (lambda x, y: tv.vstack([x, y, y]), (TABLE, PLACES)),
    "interp": (tv.interp, ([-1.0, 0.5, 1.9, 2.2, 9.0], PLACES, TABLE[0])),
    "interp with ends": (
        lambda x, xp, fp: tv.interp(x, xp, fp, left=1.0, right=2.0),
        ([[-1.0, 0.5], [2.2, 9.0]], PLACES, TABLE[0]),
    ),
    "interp of a period": (
        lambda x, xp, fp: tv.interp(x, xp, fp, period=3.0),
        ([-1.2, 0.7, 2.7, 9.2], [3.5, 0.1, -1.0, 7.2], TABLE[0]),
    ),
    "interp of one sample": (tv.interp, ([-1.0, 0.5], [1.0], [3.0])),
    "interp where samples repeat": (
        tv.interp,
        ([0.5, 1.5], [0.0, 1.0, 1.0, 2.0], TABLE[1]),
    ),
    "lerp": (tv.lerp, (TABLE, PLACES, [-0.5, 0.25, 0.75, 1.5])),
    "nanpercentile": (
        lambda x: tv.nanpercentile(tv.where(x > 2.1, NAN, x), [10.0, 55.0], axis=1),
        (TABLE,),
    ),
    "percentile": (tv.percentile, (TABLE, [12.0, 70.0])),
    "ptp": (lambda x: tv.ptp(x, axis=0), (TABLE,)),
    "rsqrt": (tv.rsqrt, ([0.5, 2.0, 9.0],)),
    "trapezoid": (tv.trapezoid, (TABLE, PLACES)),
    "trapezoid of even samples": (
        lambda y, dx: tv.trapezoid(y, dx=dx, axis=0),
        (TABLE, 0.3),
    ),
    "trapezoid of places of its own": (
        lambda y, x: tv.trapezoid(y, tv.cumulative_sum(tv.exp(x), axis=1), axis=1),
        (TABLE, TABLE),
    ),
}


def tensors(backend, values):
    return [tv.asarray(value, dtype=tv.float64, backend=backend) for value in values]


@pytest.mark.parametrize("name", CALLS)
def test_gradients_agree_with_differences(backend, name):
    function, values = CALLS[name]

    gradcheck(function, *tensors(backend, values))


@pytest.mark.parametrize(
    "name", ["average", "exp2", "gradient over places", "interp", "lerp", "rsqrt"]
)
def test_second_derivatives_agree_with_differences(backend, name):
    function, values = CALLS[name]

    gradgradcheck(function, *tensors(backend, values))


def test_slope_of_a_line_holds_at_its_samples_too(backend):
    places, values, at = tensors(backend, (PLACES, TABLE[0], [0.75, 2.0]))

    slopes = grad(lambda x: tv.sum(tv.interp(x, places, values)))(at)

    expected = [(-1.5 - 2.0) / 1.25, (4.0 + 1.5) / 0.5]  # those of the lines behind
    assert slopes.tolist() == pytest.approx(expected)


def test_what_is_outside_the_samples_has_no_slope(backend):
    places, values, at = tensors(
        backend, (PLACES, TABLE[0], [-math.inf, -1.0, math.inf])
    )

    assert (
        grad(lambda x: tv.sum(tv.interp(x, places, values)))(at).tolist() == [0.0] * 3
    )


def test_rest_of_0_has_the_slope_1(backend):
    (x,) = tensors(backend, ([0.0, -0.0],))

    assert grad(lambda x: tv.sum(tv.fmod(x, 3.0)))(x).tolist() == [1.0, 1.0]
