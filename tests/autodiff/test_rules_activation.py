"""Slopes of activations, also at kinks and for infinite elements."""

from math import inf

import pytest
from numeric import array, check, listed, on, slopes

import trivet as tv

ANY = [on(array(2, 3)), on(array()), on(array(0, 3))]
WIDE = array(3, 4, low=-8.0, high=8.0)


def each(**statics):
    """The usual shapes, and one with elements on every side of the kinks."""
    return [on(*case.operands, **statics) for case in ANY] + [on(WIDE, **statics)]


def pulled(**statics):
    """A cotangent and an argument, without the result at hand."""
    pairs = [(array(2, 3, low=1.0), array(2, 3)), (array(), array(low=1.0))]
    pairs.append((array(3, 4, low=1.0), WIDE))
    return [on(*pair, None, **statics) for pair in pairs]


ROWS = [
    on(array(4), axis=0),
    on(array(2, 3), axis=1),
    on(array(2, 2, 2), axis=1),
    on(array(0, 3), axis=1),
]
CASES = {
    "relu6": each(),
    "hardtanh": each(min_val=-1.0, max_val=1.5),
    "hard_sigmoid": each(alpha=0.2, beta=0.5),
    "hard_swish": each(),
    "leaky_relu": each(negative_slope=0.1),
    "prelu": [
        on(array(2, 3), array()),
        on(array(2, 3), array(3)),
        on(array(2, 3, 2), array(3, 1)),
        on(array(0, 3), array(3)),
    ],
    "threshold": each(threshold=0.5, value=-3.0),
    "thresholded_relu": each(alpha=0.5),
    "gelu": each(approximate="none") + each(approximate="tanh"),
    "gelu_pulled": pulled(approximate="none") + pulled(approximate="tanh"),
    "silu": each(),
    "silu_pulled": pulled(),
    "mish": each(),
    "mish_pulled": pulled(),
    "softsign": each(),
    "elu": each(alpha=1.5),
    "celu": each(alpha=1.5),
    "selu": each(),
    "glu": [
        on(array(4), axis=0),
        on(array(2, 4), axis=1),
        on(array(4, 3), axis=0),
        on(array(2, 0), axis=1),
    ],
    "tanhshrink": each(),
    "shrink": each(lambd=0.7, bias=0.2),
    "hard_shrink": each(lambd=0.7),
    "soft_shrink": each(lambd=0.7),
    "softmin": ROWS,
    "quiet_softmax": ROWS,
}


@pytest.mark.parametrize("op, case", listed(CASES))
def test_derivatives_agree_with_differences(backend, op, case):
    check(backend, op, case)


@pytest.mark.parametrize(
    "name, arguments, at",
    [
        ("relu6", (), [0.0, 6.0]),
        ("hardtanh", (), [-1.0, 1.0]),
        ("hard_sigmoid", (0.25, 0.5), [-2.0, 2.0]),
        ("hard_swish", (), [-3.0]),
        ("threshold", (1.0, 0.0), [1.0]),
        ("thresholded_relu", (), [1.0]),
        ("hard_shrink", (), [-0.5, 0.0, 0.5]),
        ("soft_shrink", (), [-0.5, 0.0, 0.5]),
        ("shrink", (0.5, 0.5), [-0.5, 0.5]),
    ],
)
def test_slope_at_a_kink_of_a_flat_part_is_zero(backend, name, arguments, at):
    function = getattr(tv.nn, name)

    assert slopes(backend, lambda x: function(x, *arguments), at) == [[0.0] * len(at)]


def test_leaky_slopes_at_zero_are_those_below(backend):
    weight = tv.asarray([0.25], dtype=tv.float64, backend=backend)

    assert slopes(backend, lambda x: tv.nn.leaky_relu(x, 0.5), [0.0]) == [[0.5]]
    assert slopes(backend, lambda x: tv.nn.prelu(x, weight), [0.0]) == [[0.25]]
    assert slopes(backend, lambda x: tv.nn.elu(x, 3.0), [0.0]) == [[3.0]]


@pytest.mark.parametrize(
    "name, left, right",
    [
        ("relu6", 0.0, 0.0),
        ("hard_swish", 0.0, 1.0),
        ("leaky_relu", 0.01, 1.0),
        ("gelu", 0.0, 1.0),
        ("silu", 0.0, 1.0),
        ("mish", 0.0, 1.0),
        ("softsign", 0.0, 0.0),
        ("elu", 0.0, 1.0),
        ("celu", 0.0, 1.0),
        ("selu", 0.0, 1.0507009873554805),
        ("tanhshrink", 1.0, 1.0),
        ("soft_shrink", 1.0, 1.0),
    ],
)
def test_far_slopes_are_the_limits(backend, name, left, right):
    found = slopes(backend, getattr(tv.nn, name), [-inf, -1e300, 1e300, inf])[0]

    assert found[0] == found[1] == left
    assert found[3] == right
    assert found[2] == pytest.approx(right)


def test_gelu_by_tanh_has_its_own_limits(backend):
    found = slopes(
        backend, lambda x: tv.nn.gelu(x, approximate="tanh"), [-inf, -1e300, 1e300, inf]
    )

    assert found == [[0.0, 0.0, 1.0, 1.0]]


def test_weight_of_prelu_gets_no_slope_from_what_is_above_zero(backend):
    found = slopes(backend, tv.nn.prelu, [inf, 2.0, -3.0], [0.5])

    assert found == [[1.0, 1.0, 0.5], [-3.0]]


def test_masked_row_of_quiet_softmax_has_finite_slopes(backend):
    found = slopes(backend, tv.nn.quiet_softmax, [[-inf, -inf], [0.0, -inf]])

    assert found == [[[0.0, 0.0], [0.25, 0.0]]]
