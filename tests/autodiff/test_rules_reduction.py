"""Rules for reductions and running sums."""

import pytest
from numeric import Array, array, check, listed, on

import trivet as tv

KEPT, DROPPED = {"keepdims": True}, {"keepdims": False}
SOME = [
    on(array(2, 3), axis=None, **DROPPED),
    on(array(2, 3), axis=None, **KEPT),
    on(array(2, 3), axis=(0,), **DROPPED),
    on(array(2, 3), axis=(1,), **KEPT),
    on(array(2, 2, 3), axis=(0, 2), **DROPPED),
    on(array(2, 2, 2), axis=(2, 1), **DROPPED),
    on(array(), axis=None, **DROPPED),
    on(array(0, 3), axis=(1,), **DROPPED),
]
NONE = [
    on(array(0, 3), axis=(0,), **DROPPED),
    on(array(0, 3), axis=None, **DROPPED),
    on(array(2, 3), axis=(), **DROPPED),
]


def also(cases, **statics):
    """The cases with more statics."""
    return [on(*case.operands, **case.statics, **statics) for case in cases]


RUNNING = [
    on(array(5), axis=0, include_initial=False),
    on(array(5), axis=0, include_initial=True),
    on(array(2, 3), axis=0, include_initial=False),
    on(array(2, 3), axis=1, include_initial=True),
    on(array(0), axis=0, include_initial=False),
    on(array(0, 2), axis=0, include_initial=True),
    on(array(2, 0), axis=0, include_initial=False),
]
ZEROS = Array((4,), (3.0, 0.0, 2.0, 0.0))
SINGLE = Array((4,), (3.0, 0.0, 2.0, 5.0))
SPREAD = [case for case in SOME if case.operands[0].shape]
CASES = {
    "sum": also([*SOME, *NONE], dtype=None) + also(SOME[:1], dtype=tv.float64),
    "prod": [
        *also([*SOME, *NONE], dtype=None),
        *(on(x, axis=None, dtype=None, **DROPPED) for x in (SINGLE, ZEROS)),
    ],
    "max": SOME,
    "min": SOME,
    "mean": [*SOME, on(array(2, 0), axis=(0,), **DROPPED)],
    "var": also(SOME, correction=0.0) + also(SOME[:1], correction=1.5),
    "std": also(SPREAD, correction=0.0) + also(SPREAD[:1], correction=1.0),
    "cumulative_sum": also(RUNNING, dtype=None) + also(RUNNING[:1], dtype=tv.float64),
    "cumulative_prod": [
        *also(RUNNING, dtype=None),
        *(on(x, axis=0, dtype=None, include_initial=False) for x in (SINGLE, ZEROS)),
    ],
    "diff": [
        on(array(5), axis=0, n=1),
        on(array(5), axis=0, n=0),
        on(array(2, 4), axis=1, n=2),
        on(array(3, 2), axis=0, n=1),
        on(array(2), axis=0, n=3),
        on(array(0), axis=0, n=1),
    ],
}


@pytest.mark.parametrize("op, case", listed(CASES))
def test_derivatives_agree_with_differences(backend, op, case):
    check(backend, op, case)
