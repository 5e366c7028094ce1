"""Rules for products of vectors and matrices."""

import pytest
from numeric import array, check, listed, on

CASES = {
    "matmul": [
        on(array(2, 3), array(3, 2)),
        on(array(3), array(3, low=0)),
        on(array(3), array(3, 2)),
        on(array(2, 3), array(3)),
        on(array(2, 2, 3), array(3)),
        on(array(3), array(2, 3, 2)),
        on(array(2, 2, 3), array(3, 2)),
        on(array(2, 3), array(2, 3, 1)),
        on(array(2, 1, 1, 2), array(2, 2, 1)),
        on(array(2, 0), array(0, 2)),
        on(array(0, 2), array(2, 3)),
        on(array(2, 3), [[1, 2], [3, 4], [5, 6]]),
    ],
    "vecdot": [
        on(array(3), array(3, low=0), axis=-1),
        on(array(2, 3), array(2, 3, low=0), axis=-2),
        on(array(2, 3), array(3), axis=-1),
        on(array(2, 1, 3), array(2, 3), axis=-1),
        on(array(2, 0), array(2, 0), axis=-1),
    ],
    "tensordot": [
        on(array(2, 3), array(3, 2), axes=((1,), (0,))),
        on(array(2, 3), array(2, 3, low=0), axes=((0, 1), (0, 1))),
        on(array(2, 3, 2), array(2, 3), axes=((0, 1), (0, 1))),
        on(array(2), array(3), axes=((), ())),
        on(array(), array(3), axes=((), ())),
    ],
    "cross": [
        on(array(3), array(3, low=0), axis=-1),
        on(array(2, 3), array(3), axis=-1),
        on(array(3, 1), array(3, 2), axis=-2),
        on(array(0, 3), array(3), axis=-1),
    ],
    "kron": [
        on(array(2), array(3)),
        on(array(2, 1), array(1, 3)),
        on(array(2), array(2, 2)),
        on(array(), array(2)),
        on(array(0, 2), array(2, 1)),
    ],
    "diagonal": [
        on(array(3, 3), offset=0),
        on(array(2, 3), offset=1),
        on(array(2, 3, 2), offset=-1),
        on(array(2, 2), offset=5),
        on(array(0, 3), offset=0),
    ],
    "trace": [
        on(array(3, 3), offset=0, dtype=None),
        on(array(2, 2, 3), offset=1, dtype=None),
        on(array(2, 2), offset=-5, dtype=None),
        on(array(0, 0), offset=0, dtype=None),
    ],
}


@pytest.mark.parametrize("op, case", listed(CASES))
def test_derivatives_agree_with_differences(backend, op, case):
    check(backend, op, case)
