"""Rules for functions of neural networks."""

import pytest
from numeric import array, check, fixed, listed, on

ANY = [on(array(2, 3)), on(array()), on(array(0, 3))]
ROWS = [
    on(array(4), axis=0),
    on(array(2, 3), axis=1),
    on(array(2, 3), axis=0),
    on(array(2, 2, 2), axis=1),
    on(array(0, 3), axis=1),
    on(array(1), axis=0),
]
CASES = {
    "relu": ANY,
    "sigmoid": ANY,
    "softplus": ANY,
    "log_sigmoid": ANY,
    "softmax": ROWS,
    "log_softmax": ROWS,
    "logsumexp": [
        on(array(4), axis=None, keepdims=False),
        on(array(2, 3), axis=(1,), keepdims=True),
        on(array(2, 3), axis=(0,), keepdims=False),
        on(array(2, 2, 2), axis=(0, 2), keepdims=False),
        on(array(), axis=None, keepdims=False),
        on(array(0, 3), axis=(1,), keepdims=False),
    ],
    "cross_entropy": [
        on(array(2, 3), [0, 2]),
        on(array(3), fixed(1)),
        on(array(2, 2, 3), [[0, 1], [2, 2]]),
        on(array(0, 3), []),
    ],
}


@pytest.mark.parametrize("op, case", listed(CASES))
def test_derivatives_agree_with_differences(backend, op, case):
    check(backend, op, case)
