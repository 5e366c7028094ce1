"""Errors, ends and special values of the functions of samples, ends and positions."""

import math

import pytest

import trivet as tv
from trivet.errors import ArgumentError, AxisError, DTypeError, ShapeError

NAN, INF = math.nan, math.inf
ROW = tv.asarray([1.0, 2.0, 4.0])
TABLE = tv.asarray([[1.0, 2.0], [3.0, 5.0]])
Z = tv.asarray([1j, 2.0])

ERRORS = [
    (
        lambda: tv.interp(ROW, TABLE, TABLE),
        ShapeError,
        (
            "interp: samples at xp of shape (2, 2) with fp of shape (2, 2). Both must "
            "be 1-D, of one size, and hold at least one sample."
        ),
    ),
    (
        lambda: tv.interp(Z, ROW, ROW),
        DTypeError,
        (
            "interp: an operand has the dtype complex64, and must be real. Cast with "
            ".astype(...), or take the real part or abs."
        ),
    ),
    (
        lambda: tv.interp(ROW, ROW, ROW, period=0),
        ArgumentError,
        "interp: period=0 repeats nothing; give another.",
    ),
    (
        lambda: tv.gradient(ROW[:1]),
        ShapeError,
        "gradient: axis 0 has 1 samples, and edge_order=1 needs 2.",
    ),
    (
        lambda: tv.gradient(ROW, edge_order=3),
        ArgumentError,
        "gradient: edge_order=3 is neither 1 nor 2.",
    ),
    (
        lambda: tv.gradient(TABLE, 1.0, 2.0, 3.0),
        ArgumentError,
        "gradient: there are 3 spacings for 2 axes; give one for all, or one for each.",
    ),
    (
        lambda: tv.gradient(ROW, ROW[:2]),
        ShapeError,
        (
            "gradient: places of shape (2,) for the 3 samples of axis 0. Give a "
            "number, or 1-D places, one for each sample."
        ),
    ),
    (
        lambda: tv.trapezoid(TABLE, ROW),
        ShapeError,
        (
            "trapezoid: places of shape (3,) do not fit the 2 samples along axis 1 of "
            "y, of shape (2, 2)."
        ),
    ),
    (
        lambda: tv.trapezoid(TABLE, axis=2),
        AxisError,
        (
            "trapezoid: axis=2 is out of range for a tensor with 2 dimensions; it can "
            "be -2 to 1."
        ),
    ),
    (
        lambda: tv.average(TABLE, weights=ROW),
        ShapeError,
        (
            "average: weights of shape (3,) do not fit a tensor of shape (2, 2) along "
            "axis=None. Give them the shape of all of it, or of these axes."
        ),
    ),
    (
        lambda: tv.ptp(tv.zeros((0, 3)), axis=0),
        ShapeError,
        "ptp: the tensor of shape (0, 3) has no elements along axis=0.",
    ),
    (
        lambda: tv.percentile(ROW, 101),
        ArgumentError,
        "percentile: q=101 is not from 0 to 100.",
    ),
    (
        lambda: tv.nanquantile(ROW, 0.5, method="best"),
        ArgumentError,
        (
            "nanquantile: method='best' is not one of 'linear', 'lower', 'higher', "
            "'midpoint' and 'nearest'."
        ),
    ),
    (
        lambda: tv.nanpercentile(ROW, tv.asarray(50)),
        DTypeError,
        (
            "nanpercentile: q has the dtype int64 and must be real floating. Cast with "
            ".astype(...)."
        ),
    ),
    (
        lambda: tv.digitize(ROW, TABLE),
        ShapeError,
        "digitize: bins of shape (2, 2); their edges must be 1-D.",
    ),
    (
        lambda: tv.logspace(0, 1, 3, base=-2.0),
        ArgumentError,
        "logspace: base=-2.0 is not positive and finite.",
    ),
    (
        lambda: tv.logspace(0, 1, -1),
        ArgumentError,
        "logspace: num=-1 is negative.",
    ),
    (
        lambda: tv.geomspace(-1.0, 8.0, 4),
        ArgumentError,
        (
            "geomspace: from -1.0 to 8.0 no number is the same times the one before. "
            "Both must be finite, not 0, and of one sign."
        ),
    ),
    (
        lambda: tv.hstack([TABLE, ROW]),
        ShapeError,
        (
            "hstack: the tensors 0 and 1 have the shapes (2, 2) and (3,), which differ "
            "outside axis 1."
        ),
    ),
    (
        lambda: tv.vstack([TABLE, ROW]),
        ShapeError,
        (
            "vstack: the tensors 0 and 1 have the shapes (2, 2) and (1, 3), which "
            "differ outside axis 0."
        ),
    ),
    (
        lambda: tv.hstack([]),
        ShapeError,
        "hstack: there are no tensors to join; give at least one.",
    ),
]


@pytest.mark.parametrize("call, error, text", ERRORS)
def test_wrong_call_is_explained(call, error, text):
    with pytest.raises(error) as caught:
        call()

    assert str(caught.value) == text


@pytest.mark.parametrize("start, stop", [(0.0, 1.0), (NAN, 1.0), (1.0, INF)])
def test_geometric_ends_are_finite_numbers(start, stop):
    with pytest.raises(ArgumentError):
        tv.geomspace(start, stop, 3)


@pytest.mark.parametrize("ends", [(1e-300, 1e300), (-7.3, -0.1), (5e-324, 1.7e308)])
def test_geometric_ends_are_met_exactly_however_far_apart(ends):
    found = tv.geomspace(*ends, 5, dtype=tv.float64).tolist()

    assert (found[0], found[-1]) == ends
    middle = math.copysign(math.sqrt(abs(ends[0])) * math.sqrt(abs(ends[1])), ends[0])
    assert found[2] == pytest.approx(middle, rel=1e-12)


def test_powers_are_rounded_once_where_the_backend_has_a_wider_float():
    found = tv.logspace(0, 1, 4, dtype=tv.float32)

    assert found.dtype == tv.float32
    assert found.tolist() == [tv.asarray(10 ** (i / 3)).item() for i in range(4)]


def test_line_through_infinite_samples_is_numpys():
    places = tv.asarray([0.0, 1.0, 2.0, 3.0])
    values = tv.asarray([1.0, INF, INF, -2.0])

    at = tv.asarray([0.0, 0.5, 1.0, 1.5, 2.5, 3.0])

    # the line from infinity to a number is infinite until it is there
    assert tv.interp(at, places, values).tolist() == [1.0, INF, INF, INF, INF, -2.0]


def test_interpolation_keeps_float32_and_widens_integers():
    whole = tv.asarray([0, 2])

    assert tv.interp(0.5, ROW, ROW).dtype == tv.float32
    assert tv.interp(tv.asarray([1]), whole, whole).dtype == tv.float64
    assert tv.interp(tv.asarray([1.0]), ROW[:2], Z).dtype == tv.complex64


def test_lerp_meets_both_ends():
    x, y = tv.asarray([0.1, 1e30, -3.0]), tv.asarray([0.7, 1.0, 1e-30])

    assert tv.lerp(x, y, 0).tolist() == x.tolist()
    assert tv.lerp(x, y, 1).tolist() == y.tolist()


def test_slopes_of_one_axis_are_a_tensor_and_of_more_a_tuple():
    assert tv.gradient(TABLE, axis=0).shape == (2, 2)
    assert len(tv.gradient(TABLE)) == 2
    assert [x.shape for x in tv.gradient(TABLE, 1.0, ROW[:2])] == [(2, 2), (2, 2)]


def test_slope_beside_a_missing_sample_is_that_of_its_neighbours():
    found = tv.gradient(tv.asarray([1.0, NAN, 3.0]))

    assert str(found.tolist()) == "[nan, 1.0, nan]"


def test_integral_of_one_sample_is_0():
    assert tv.trapezoid(tv.asarray([5.0])).item() == 0.0
    assert tv.trapezoid(tv.zeros((0, 2)), axis=0).tolist() == [0.0, 0.0]


def test_weights_of_several_axes_are_in_their_order():
    cube = tv.reshape(tv.arange(24.0), (2, 3, 4))
    weights = tv.reshape(tv.arange(1.0, 9.0), (4, 2))

    found = tv.average(cube, axis=(2, 0), weights=weights)

    turned = tv.permute_dims(cube, (1, 2, 0))
    expected = tv.sum(turned * weights, axis=(1, 2)) / 36.0
    assert bool(tv.allclose(found, expected))


def test_smallest_integer_is_divided_without_overflow():
    x = tv.asarray([-128, -128, 127], dtype=tv.int8)

    found = tv.fmod(x, tv.asarray([3, -3, -2], dtype=tv.int8))

    assert found.tolist() == [-2, -2, 1]  # C's -128 % 3, -128 % -3 and 127 % -2


def test_zeros_left_over_have_the_sign_of_the_dividend():
    found = tv.fmod(
        tv.asarray([6.0, -6.0, -0.0, 0.0]), tv.asarray([-3.0, 3.0, 3.0, -3.0])
    )

    assert [math.copysign(1, x) for x in found.tolist()] == [1.0, -1.0, -1.0, 1.0]


def test_positions_of_a_number_are_rows_of_nothing():
    assert tv.argwhere(tv.asarray(5)).shape == (1, 0)
    assert tv.argwhere(tv.asarray(0)).shape == (0, 0)


def test_nothing_is_in_bins_without_edges():
    assert tv.digitize(ROW, tv.zeros(0)).tolist() == [0, 0, 0]


def test_arrays_of_other_shapes_are_not_equal_even_if_they_broadcast():
    assert tv.array_equal(tv.ones(2), tv.ones((1, 2))).item() is False
    assert tv.array_equal(tv.asarray([NAN]), tv.asarray([NAN])).item() is False
    assert tv.array_equal(tv.asarray([NAN]), tv.asarray([NAN]), equal_nan=True).item()
