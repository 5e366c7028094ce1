"""Rules for ops that rearrange elements."""

import pytest
from numeric import array, check, listed, on

CASES = {
    "reshape": [
        on(array(2, 3), shape=(3, 2)),
        on(array(2, 3), shape=(6,)),
        on(array(), shape=(1, 1)),
        on(array(0, 3), shape=(3, 0, 2)),
    ],
    "permute_dims": [
        on(array(2, 3), axes=(1, 0)),
        on(array(2, 1, 3), axes=(2, 0, 1)),
        on(array(), axes=()),
        on(array(0, 3), axes=(1, 0)),
    ],
    "broadcast_to": [
        on(array(3), shape=(2, 3)),
        on(array(2, 1), shape=(2, 3)),
        on(array(2, 1), shape=(2, 2, 3)),
        on(array(1, 1), shape=(1, 3)),
        on(array(), shape=(2, 2)),
        on(array(1, 3), shape=(0, 3)),
        on(array(3), shape=(3,)),
    ],
    "concat": [
        on((array(2, 3), array(1, 3)), axis=0),
        on((array(2, 1), array(2, 3), array(2, 2)), axis=1),
        on((array(3), array(0), array(2)), axis=0),
        on((array(3), [1, 2], array(2)), axis=0),
        on((array(3),), axis=0),
    ],
    "strided_slice": [
        on(array(5), start=(1,), size=(2,), step=(2,)),
        on(array(5), start=(4,), size=(3,), step=(-2,)),
        on(array(5), start=(3,), size=(4,), step=(-1,)),
        on(array(5), start=(3,), size=(2,), step=(-2,)),
        on(array(5), start=(0,), size=(1,), step=(-3,)),
        on(array(5), start=(0,), size=(0,), step=(-1,)),
        on(array(3, 4), start=(2, 1), size=(2, 2), step=(-2, 2)),
        on(array(), start=(), size=(), step=()),
        on(array(0, 3), start=(0, 2), size=(0, 3), step=(1, -1)),
    ],
    "squeeze": [
        on(array(2, 1, 3, 1), axis=(1, 3)),
        on(array(1, 1), axis=(0,)),
        on(array(1), axis=(0,)),
        on(array(0, 1), axis=(1,)),
    ],
    "expand_dims": [
        on(array(2, 3), axis=(0, 2)),
        on(array(), axis=(0,)),
        on(array(0, 3), axis=(1,)),
    ],
    "matrix_transpose": [on(array(2, 3)), on(array(2, 1, 3)), on(array(0, 3))],
    "flip": [
        on(array(5), axis=(0,)),
        on(array(2, 3), axis=None),
        on(array(2, 3), axis=(1,)),
        on(array(), axis=None),
        on(array(0, 3), axis=None),
    ],
    "roll": [
        on(array(5), shift=(2,), axis=(0,)),
        on(array(2, 3), shift=(-1,), axis=None),
        on(array(2, 3), shift=(1, 7), axis=(0, 1)),
        on(array(3, 2), shift=(1, 1), axis=(0, 0)),
        on(array(0, 3), shift=(1,), axis=(0,)),
    ],
    "stack": [
        on((array(2, 3), array(2, 3, low=0)), axis=0),
        on((array(2), array(2, low=0), [1, 2]), axis=1),
        on((array(), array(low=0)), axis=0),
        on((array(0, 2), array(0, 2)), axis=1),
    ],
    "tile": [
        on(array(2, 3), repetitions=(2, 1)),
        on(array(3), repetitions=(2,)),
        on(array(1, 2), repetitions=(3, 2)),
        on(array(2), repetitions=(0,)),
        on(array(), repetitions=()),
    ],
}


@pytest.mark.parametrize("op, case", listed(CASES))
def test_derivatives_agree_with_differences(backend, op, case):
    check(backend, op, case)
