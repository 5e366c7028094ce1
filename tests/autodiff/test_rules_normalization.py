"""Slopes of norms with respect to inputs, weights and biases."""

import pytest
from numeric import array, check, listed, on, slopes

import trivet as tv

EPS = 1e-3
POSITIVE = array(3, low=0.5, high=2.0)
CASES = {
    "batch_norm": [
        on(array(4, 3), array(3), POSITIVE, array(3), array(3, low=1.0), eps=EPS),
        on(array(2, 3, 2), array(3), POSITIVE, None, None, eps=EPS),
        on(array(0, 3), array(3), POSITIVE, array(3), None, eps=EPS),
    ],
    "channel_affine": [
        on(array(4, 3), array(3), POSITIVE, array(3, low=1.0)),
        on(array(2, 3, 2), array(3), POSITIVE, None),
        on(array(2, 2, 16), array(2), array(2, low=0.5), array(2, low=1.0)),
        on(array(0, 3), array(3), POSITIVE, None),
    ],
    "channel_products": [
        on(array(4, 3), array(4, 3, low=1.0), array(3)),
        on(array(2, 3, 2), array(2, 3, 2, low=1.0), array(3)),
        on(array(2, 2, 16), array(2, 2, 16, low=1.0), array(2)),
        on(array(0, 3), array(0, 3), array(3)),
    ],
    "layer_norm": [
        on(array(2, 4), array(4), array(4, low=1.0), axis=(1,), eps=EPS),
        on(array(2, 2, 3), array(2, 3), None, axis=(1, 2), eps=EPS),
        on(array(4), None, array(4), axis=(0,), eps=EPS),
        on(array(2, 3), None, None, axis=(1,), eps=EPS),
        on(array(0, 3), array(3), None, axis=(1,), eps=EPS),
    ],
    "layer_norm_pulled": [
        on(array(2, 4), array(2, 4, low=1.0), array(4), axis=(1,), eps=EPS),
        on(array(2, 2, 3), array(2, 2, 3, low=1.0), None, axis=(1, 2), eps=EPS),
        on(array(4), array(4, low=1.0), None, axis=(0,), eps=EPS),
    ],
    "layer_norm_weight_pulled": [
        on(array(2, 4), array(2, 4, low=1.0), axis=(1,), eps=EPS),
        on(array(2, 2, 3), array(2, 2, 3, low=1.0), axis=(1, 2), eps=EPS),
        on(array(4), array(4, low=1.0), axis=(0,), eps=EPS),
        on(array(0, 3), array(0, 3), axis=(1,), eps=EPS),
    ],
    "rms_norm": [
        on(array(2, 4), array(4), axis=(1,), eps=EPS),
        on(array(2, 2, 3), array(2, 3), axis=(1, 2), eps=EPS),
        on(array(2, 3), None, axis=(1,), eps=EPS),
        on(array(0, 3), array(3), axis=(1,), eps=EPS),
    ],
    "rms_norm_pulled": [
        on(array(2, 4), array(2, 4, low=1.0), array(4), axis=(1,), eps=EPS),
        on(array(2, 2, 3), array(2, 2, 3, low=1.0), None, axis=(1, 2), eps=EPS),
        on(array(4), array(4, low=1.0), None, axis=(0,), eps=EPS),
    ],
    "rms_norm_weight_pulled": [
        on(array(2, 4), array(2, 4, low=1.0), axis=(1,), eps=EPS),
        on(array(2, 2, 3), array(2, 2, 3, low=1.0), axis=(1, 2), eps=EPS),
        on(array(4), array(4, low=1.0), axis=(0,), eps=EPS),
        on(array(0, 3), array(0, 3), axis=(1,), eps=EPS),
    ],
    "group_norm": [
        on(array(2, 4, 2), array(4), array(4, low=1.0), num_groups=2, eps=EPS),
        on(array(2, 4), None, None, num_groups=1, eps=EPS),
    ],
    "group_norm_pulled": [
        on(
            array(2, 4, 2),
            array(2, 4, 2, low=1.0),
            array(4, low=1.0),
            num_groups=2,
            eps=EPS,
        ),
        on(array(2, 4), array(2, 4, low=1.0), None, num_groups=1, eps=EPS),
        on(array(1, 2, 16), array(1, 2, 16, low=1.0), array(2), num_groups=1, eps=EPS),
    ],
    "group_norm_weight_pulled": [
        on(array(2, 4, 2), array(2, 4, 2, low=1.0), num_groups=2, eps=EPS),
        on(array(2, 4), array(2, 4, low=1.0), num_groups=1, eps=EPS),
        on(array(2, 2, 16), array(2, 2, 16, low=1.0), num_groups=2, eps=EPS),
    ],
    "instance_norm": [
        on(array(2, 2, 3), array(2), array(2, low=1.0), eps=EPS),
        on(array(1, 2, 2, 2), None, None, eps=EPS),
    ],
}


@pytest.mark.parametrize("op, case", listed(CASES))
def test_derivatives_agree_with_differences(backend, op, case):
    check(backend, op, case)


@pytest.mark.parametrize("name", ["layer_norm", "rms_norm"])
def test_constant_rows_have_finite_slopes(backend, name):
    norm = getattr(tv.nn, name)
    zeros = [[0.0, 0.0, 0.0]]

    assert slopes(backend, lambda x: norm(x, 3, eps=1e-4) * 0.0, zeros) == [zeros]


def test_statistics_of_the_batch_are_differentiated_through(backend):
    x = [[1.0, 5.0], [2.0, 3.0], [6.0, 4.0]]

    found = slopes(backend, lambda x: tv.nn.batch_norm(x, eps=0.0), x)[0]

    flat = [slope for row in found for slope in row]
    assert flat == pytest.approx([0.0] * 6, abs=1e-14)  # each column adds up to 0
