"""Rules for functions of neural networks."""

import math
from math import inf

import pytest
from numeric import array, check, listed, on, slopes

import trivet as tv

ANY = [on(array(2, 3)), on(array()), on(array(0, 3))]
ROWS = [
    on(array(4), axis=0),
    on(array(2, 3), axis=1),
    on(array(2, 3), axis=0),
    on(array(2, 2, 2), axis=1),
    on(array(0, 3), axis=1),
    on(array(1), axis=0),
]
PULLED = [
    on(array(4, low=1.0), array(4), axis=0),
    on(array(2, 3, low=1.0), array(2, 3), axis=1),
    on(array(2, 2, 2, low=1.0), array(2, 2, 2), axis=1),
    on(array(0, 3), array(0, 3), axis=1),
]
CASES = {
    "relu": ANY,
    "relu_pulled": [on(array(*shape), array(*shape)) for shape in ((2, 3), (), (0, 3))],
    "sigmoid": ANY,
    "softplus": ANY,
    "log_sigmoid": ANY,
    "softmax": ROWS,
    "softmax_pulled": PULLED,
    "log_softmax": ROWS,
    "log_softmax_pulled": PULLED,
    "logsumexp": [
        on(array(4), axis=None, keepdims=False),
        on(array(2, 3), axis=(1,), keepdims=True),
        on(array(2, 3), axis=(0,), keepdims=False),
        on(array(2, 2, 2), axis=(0, 2), keepdims=False),
        on(array(), axis=None, keepdims=False),
        on(array(0, 3), axis=(1,), keepdims=False),
    ],
}


@pytest.mark.parametrize("op, case", listed(CASES))
def test_derivatives_agree_with_differences(backend, op, case):
    check(backend, op, case)


def test_relu_has_slope_zero_at_zero(backend):
    assert slopes(backend, tv.nn.relu, [-1.0, 0.0, 2.0]) == [[0.0, 0.0, 1.0]]


def test_sigmoid_and_softplus_do_not_overflow(backend):
    x = [-800.0, 0.0, 800.0]

    assert slopes(backend, tv.nn.sigmoid, x) == [[0.0, 0.25, 0.0]]
    assert slopes(backend, tv.nn.softplus, x) == [[0.0, 0.5, 1.0]]
    assert slopes(backend, tv.nn.log_sigmoid, x) == [[1.0, 0.5, 0.0]]


@pytest.mark.filterwarnings("ignore:divide by zero:RuntimeWarning")
def test_masked_elements_of_logsumexp_have_slope_zero(backend):
    found = slopes(backend, tv.nn.logsumexp, [-inf, 0.0, math.log(3)])[0]

    assert found == pytest.approx([0.0, 0.25, 0.75], rel=1e-14)
    assert slopes(backend, tv.nn.logsumexp, [-inf, -inf]) == [[0.0, 0.0]]


def test_masked_row_of_softmax_leaves_the_others_alone(backend):
    weights = tv.asarray([1.0, 3.0], dtype=tv.float64, backend=backend)

    def first_row(x):
        return tv.nn.softmax(x, axis=1)[0] * weights

    found = slopes(backend, first_row, [[0.0, 0.0], [-inf, -inf]])

    assert found == [[[-0.5, 0.5], [0.0, 0.0]]]


def test_masked_rows_have_finite_slopes(backend):
    rows = [[-inf, -inf], [-inf, 0.0]]
    weights = tv.asarray([[0.0, 0.0], [0.0, 1.0]], dtype=tv.float64, backend=backend)

    softmax = slopes(backend, lambda x: tv.nn.softmax(x, axis=1), rows)
    log_softmax = slopes(
        backend, lambda x: tv.where(weights > 0, tv.nn.log_softmax(x, axis=1), 0), rows
    )

    assert softmax == [[[0.0, 0.0], [0.0, 0.0]]]
    assert log_softmax == [[[0.0, 0.0], [0.0, 0.0]]]
