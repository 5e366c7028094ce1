"""Gradients of activation functions, through their bodies."""

import pytest
from numeric import array, check, listed, on

WIDE = {"low": -8.0, "high": 8.0}
SHAPES = [array(2, 3), array(6, **WIDE), array(), array(0, 3)]


def each(**statics):
    """Every shape, with these statics."""
    return [on(x, **statics) for x in SHAPES]


ROWS = [
    on(array(4), axis=0),
    on(array(2, 4), axis=1),
    on(array(2, 4), axis=0),
    on(array(0, 4), axis=1),
]
CASES = {
    "hardtanh": each(min_val=-1.0, max_val=0.5),
    "relu6": each(),
    "hard_sigmoid": each(alpha=0.2, beta=0.5),
    "hard_swish": each(),
    "leaky_relu": [*each(negative_slope=0.01), *each(negative_slope=0.0)],
    "prelu": [
        on(array(2, 3), array(3)),
        on(array(2, 3), array()),
        on(array(2, 3), array(2, 1, low=0)),
        on(array(0, 3), array(3)),
    ],
    "threshold": each(threshold=0.1, value=-3.0),
    "thresholded_relu": each(alpha=0.5),
    "silu": each(),
    "mish": each(),
    "softsign": each(),
    "elu": each(alpha=0.7),
    "celu": each(alpha=0.7),
    "selu": each(),
    "glu": ROWS,
    "tanhshrink": each(),
    "shrink": each(lambd=0.5, bias=0.2),
    "hard_shrink": each(lambd=0.5),
    "soft_shrink": each(lambd=0.5),
    "softmin": ROWS,
    "quiet_softmax": ROWS,
}


@pytest.mark.parametrize("op, case", listed(CASES))
def test_derivatives_agree_with_differences(backend, op, case):
    check(backend, op, case)
