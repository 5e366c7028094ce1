"""Rules for pooling."""

import pytest
from numeric import array, check, listed, on, slopes

import trivet as tv

LINE = {"window": (3,), "stride": (2,), "padding": ((1, 1),)}
TAIL = {"window": (2,), "stride": (3,), "padding": ((0, 0),)}
PLANE = {"window": (2, 3), "stride": (1, 2), "padding": ((1, 0), (0, 2))}
CASES = {
    "max_pool": [
        on(array(1, 2, 6), **LINE, dilation=(1,)),
        on(array(1, 1, 7), **TAIL, dilation=(1,)),
        on(array(2, 1, 4, 4), **PLANE, dilation=(1, 1)),
        on(array(1, 1, 5), window=(2,), stride=(1,), padding=((0, 0),), dilation=(3,)),
        on(array(0, 1, 5), **TAIL, dilation=(1,)),
    ],
    "max_pool_pulled": [
        on(array(1, 1, 3), [[[1, 4, 3, 5, 2, 2]]], [[[4, 5, 5]]], **LINE, dilation=(1,))
    ],
    "avg_pool": [
        on(array(1, 2, 6), **LINE, counted=((1, 1),)),
        on(array(1, 1, 6), **LINE, counted=((0, 0),)),
        on(array(1, 1, 7), **TAIL, counted=((0, 0),)),
        on(array(2, 1, 4, 4), **PLANE, counted=((1, 0), (0, 1))),
    ],
    "lp_pool": [
        on(array(1, 2, 6, low=0.5), power=3, **LINE),
        on(array(1, 1, 4, 4), power=2, **PLANE),
    ],
    "adaptive_avg_pool": [
        on(array(1, 1, 6), size=(3,)),
        on(array(1, 2, 5), size=(3,)),
        on(array(1, 1, 2), size=(5,)),
        on(array(1, 1, 3, 4), size=(2, 3)),
    ],
    "adaptive_max_pool": [
        on(array(1, 1, 6), size=(3,)),
        on(array(1, 2, 5), size=(3,)),
        on(array(1, 1, 3, 4), size=(2, 3)),
    ],
}


@pytest.mark.parametrize("op, case", listed(CASES))
def test_derivatives_agree_with_differences(backend, op, case):
    check(backend, op, case)


def test_overlapping_windows_add_their_slopes_up(backend):
    found = slopes(
        backend,
        lambda x: tv.nn.max_pool1d(x, 3, stride=2, padding=1),
        [[[-3.0, -1.0, -2.0, -5.0]]],
    )

    assert found == [[[[0.0, 2.0, 0.0, 0.0]]]]


@pytest.mark.parametrize("size", [2, 3])
def test_the_first_of_equal_elements_has_the_slope(backend, size):
    plane = [[[[7.0, 7.0, 1.0], [7.0, 0.0, 1.0], [1.0, 1.0, 1.0]]]]
    expected = [[[[1.0, 0.0, 0.0], [0.0, 0.0, 0.0], [0.0, 0.0, 0.0]]]]

    pooled = slopes(backend, lambda x: tv.nn.max_pool2d(x, size, stride=3), plane)

    assert pooled == [expected]


def test_the_first_of_equal_elements_of_a_part_has_the_slope(backend):
    # parts 0 to 2 and 1 to 3 along both axes
    plane = [[[[7.0, 7.0, 1.0], [7.0, 0.0, 1.0], [1.0, 1.0, 1.0]]]]

    found = slopes(backend, lambda x: tv.nn.adaptive_max_pool2d(x, 2), plane)

    assert found == [[[[[1.0, 1.0, 0.0], [1.0, 0.0, 1.0], [0.0, 0.0, 0.0]]]]]


def test_a_window_of_zeros_has_slope_zero_in_its_norm(backend):
    found = slopes(
        backend, lambda x: tv.nn.lp_pool1d(x, 2, 2), [[[0.0, 0.0, 3.0, 4.0]]]
    )

    assert found == [[[pytest.approx([0.0, 0.0, 0.6, 0.8], rel=1e-12)]]]


def test_borders_share_the_slope_of_means_among_their_own_elements(backend):
    found = slopes(
        backend,
        lambda x: tv.nn.avg_pool1d(x, 3, stride=2, padding=1, count_include_pad=False),
        [[[2.0, 4.0, 6.0, 8.0]]],
    )

    assert found == [[[pytest.approx([1 / 2, 5 / 6, 1 / 3, 1 / 3], rel=1e-12)]]]
