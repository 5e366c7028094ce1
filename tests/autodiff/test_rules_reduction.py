"""Rules for reductions and running sums."""

import math
from math import nan

import pytest
from numeric import Array, array, check, listed, on, slopes

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


def test_ties_of_max_and_min_share_evenly(backend):
    rows = [[2.0, 5.0, 5.0], [7.0, 7.0, 7.0], [1.0, 0.0, -3.0]]
    weights = tv.asarray([6.0, 9.0, 4.0], dtype=tv.float64, backend=backend)

    largest = slopes(backend, lambda x: tv.max(x, axis=1) * weights, rows)
    smallest = slopes(backend, lambda x: tv.min(-x, axis=1) * weights, rows)

    assert largest == [[[0, 3, 3], [3, 3, 3], [4, 0, 0]]]
    assert smallest == [[[0, -3, -3], [-3, -3, -3], [-4, 0, 0]]]


def test_max_gives_the_cotangent_to_nan_when_there_is_one(backend):
    assert slopes(backend, tv.max, [1.0, nan, 3.0]) == [[0.0, 1.0, 0.0]]


def test_product_is_exact_with_zeros(backend):
    assert slopes(backend, tv.prod, [4.0, 0.0, -2.5]) == [[0.0, -10.0, 0.0]]
    assert slopes(backend, tv.prod, [4.0, 0.0, 0.0]) == [[0.0, 0.0, 0.0]]
    assert slopes(backend, tv.prod, [0.0]) == [[1.0]]


def test_running_product_is_exact_with_zeros(backend):
    x = [3.0, 0.0, 2.0, 5.0]
    weights = tv.asarray([1.0, -1.0, 2.0, 0.5], dtype=tv.float64, backend=backend)

    plain = slopes(backend, tv.cumulative_prod, x)
    weighted = slopes(backend, lambda x: tv.cumulative_prod(x) * weights, x)

    assert plain == [[1.0, 39.0, 0.0, 0.0]]
    assert weighted == [[1.0, 24.0, 0.0, 0.0]]


def test_deviation_of_equal_elements_has_slope_zero(backend):
    assert slopes(backend, tv.std, [3.0, 3.0, 3.0]) == [[0.0, 0.0, 0.0]]


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_variance_has_no_slope_when_too_few_elements_are_left(backend):
    found = slopes(backend, lambda x: tv.var(x, correction=1), [3.0])[0]

    assert math.isnan(found[0])


@pytest.mark.parametrize("op", ["sum", "prod", "cumulative_sum", "cumulative_prod"])
def test_reduction_to_an_integer_dtype_is_a_constant(ad, op):
    x = tv.asarray([1.0, 2.0], backend=ad).require_grad()

    result = getattr(tv, op)(x, dtype=tv.int64)

    assert result.dtype == tv.int64
    assert not ad.is_tracked(result.handle)


def test_reduction_to_a_wider_dtype_has_a_gradient_in_the_narrow_one(ad):
    x = tv.asarray([1.0, 2.0], dtype=tv.float32, backend=ad).require_grad()

    gradient = tv.sum(x * x, dtype=tv.float64).backward()[x]

    assert gradient.dtype == tv.float32
    assert gradient.tolist() == [2.0, 4.0]
