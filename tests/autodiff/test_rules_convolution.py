"""Rules for convolutions and windows."""

import pytest
from numeric import array, check, listed, on, slopes

import trivet as tv

NONE1, NONE2 = ((0, 0),), ((0, 0), (0, 0))
UNEVEN = {"stride": (2,), "padding": ((2, 1),), "dilation": (2,)}
TAIL = {"stride": (3,), "padding": NONE1, "dilation": (1,)}
PLANE = {"stride": (1, 2), "padding": ((1, 0), (0, 2)), "dilation": (2, 1)}
CASES = {
    "conv": [
        on(array(1, 1, 6), array(2, 1, 3), **UNEVEN, groups=1),
        on(array(2, 2, 5), array(1, 2, 2), **TAIL, groups=1),
        on(array(1, 2, 5, 4), array(2, 1, 2, 3), **PLANE, groups=2),
        on(array(0, 1, 4), array(1, 1, 2), **TAIL, groups=1),
        on(
            array(1, 1, 2, 2, 2),
            array(1, 1, 1, 2, 1),
            stride=(1, 1, 1),
            padding=((0, 0), (1, 0), (0, 0)),
            dilation=(1, 1, 1),
            groups=1,
        ),
    ],
    "conv_transpose": [
        on(array(1, 1, 3), array(1, 2, 3), **UNEVEN, groups=1, output_padding=(0,)),
        on(array(2, 2, 2), array(2, 1, 2), **TAIL, groups=1, output_padding=(2,)),
        # a dilation above the stride allows output padding of a whole stride
        on(
            array(1, 1, 3),
            array(1, 1, 2),
            stride=(1,),
            padding=((1, 0),),
            dilation=(3,),
            groups=1,
            output_padding=(2,),
        ),
        on(
            array(1, 2, 3, 2),
            array(2, 1, 2, 3),
            **PLANE,
            groups=2,
            output_padding=(0, 1),
        ),
    ],
    "sliding_windows": [
        on(array(1, 1, 6), window=(3,), **UNEVEN),
        on(array(1, 1, 5), window=(2,), **TAIL),
        on(array(1, 2, 5, 4), window=(2, 3), **PLANE),
    ],
    "add_windows": [
        on(array(1, 1, 3, 3), size=(6,), **UNEVEN),
        on(array(1, 1, 2, 2), size=(7,), **TAIL),
        on(array(1, 1, 2, 3, 3, 2), size=(4, 4), **PLANE),
    ],
}


@pytest.mark.parametrize("op, case", listed(CASES))
def test_derivatives_agree_with_differences(backend, op, case):
    check(backend, op, case)


def test_elements_that_no_window_reaches_have_slope_zero(backend):
    weight = tv.asarray([[[1.0, 2.0, 3.0, 4.0]]], dtype=tv.float64, backend=backend)

    found = slopes(
        backend,
        lambda x: tv.nn.conv1d(x, weight, stride=4),
        [[[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0]]],
    )

    assert found == [[[[1.0, 2.0, 3.0, 4.0, 0.0, 0.0, 0.0]]]]


def test_padding_that_covers_whole_windows_gets_no_slope(backend):
    # windows at -2, -1, 0, 1 and 2; the first sees padding alone
    weight = tv.asarray([[[1.0, 10.0]]], dtype=tv.float64, backend=backend)

    found = slopes(
        backend, lambda x: tv.nn.conv1d(x, weight, padding=2), [[[3.0, 4.0]]]
    )

    assert found == [[[[11.0, 11.0]]]]
