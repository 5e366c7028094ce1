"""Rules for reading and writing by position."""

import math

import pytest
from numeric import Array, array, check, listed, on, slopes

import trivet as tv
from trivet_autodiff import gradcheck

SET, ADD = {"mode": "set"}, {"mode": "add"}
MULTIPLY = {"mode": "multiply"}
LOW, HIGH = {"mode": "minimum"}, {"mode": "maximum"}
ZEROS = Array((5,), (0.0, 2.0, 0.0, 3.0, -1.5))
CASES = {
    "take": [
        on(array(4), [0, 2, 0, 0], axis=0),
        on(array(3, 2), [2, -1, 2], axis=0),
        on(array(2, 3), [1, 1], axis=1),
        on(array(2, 3, 2), [0, 2, 2], axis=1),
        on(array(0, 3), [1, 1], axis=1),
    ],
    "index_update": [
        on(array(4), [0, 2], array(2), **SET),
        on(array(4), [2, 0, 2, -2], array(4, low=0), **SET),
        on(array(3, 2), [1, 1], array(2, 2), **SET),
        on(array(4), [2, 0, 2, -2], array(4, low=0), **ADD),
        on(array(3, 2), [1, 1], array(2, 2), **ADD),
        on(array(0, 3), [], array(0, 3, low=0), **ADD),
        on(array(4), [2, 0, 2, -2], array(4, low=0), **MULTIPLY),
        on(array(4), [1, 1, 1, 3, 3], ZEROS, **MULTIPLY),
        on(ZEROS, [0, 0, 2, 3], array(4), **MULTIPLY),
        on(array(3, 2), [1, 1], array(2, 2), **MULTIPLY),
        on(array(3, 2), [0], array(1, 2), **MULTIPLY),
        on(array(2, 3), [], array(0, 3), **MULTIPLY),
        on(array(4), [2, 0, 2, -2], array(4, low=-3), **LOW),
        on(array(3, 2), [1, 1], array(2, 2), **LOW),
        on(array(4), [2, 0, 2, -2], array(4, low=-1), **HIGH),
        on(array(3, 2), [1, 1], array(2, 2), **HIGH),
        on(array(2, 3), [], array(0, 3), **HIGH),
    ],
    "getitem": [
        on(array(5), key=(slice(None, None, -2),)),
        on(array(5), key=(slice(-1, -4, -1),)),
        on(array(5), key=(-1,)),
        on(array(3, 4), key=(slice(None), slice(3, 0, -2))),
        on(array(3, 4), key=(1, None, slice(1, None, 2))),
        on(array(2, 3, 2), key=(..., 0)),
        on(array(2, 3), key=(slice(5, 2), ...)),
        on(array(), key=()),
        on(array(), key=(None, ...)),
        on(array(0, 3), key=(..., 1)),
    ],
    "setitem": [
        on(array(5), array(3), key=(slice(None, None, -2),)),
        on(array(5), array(), key=(slice(1, 3),)),
        on(array(3, 4), array(4), key=(slice(0, 2),)),
        on(array(3, 4), array(2, 1), key=(slice(0, 2), slice(1, 3))),
        on(array(3, 4), array(), key=(1, -1)),
        on(array(2, 3), array(3), key=(..., slice(5, 2), slice(None))),
        on(array(), array(low=0), key=()),
    ],
    "getitem_arrays": [
        on(array(4), ([0, 2, 0, -1],)),
        on(array(3, 2), ([2, 2, -1],)),
        on(array(3, 4), ([0, 2, 0], [1, 1, 1])),
        on(array(3, 4), ([[0], [2]], [1, -1])),
        on(array(3, 2, 2), ([[0, 1], [1, 1]],)),
        on(array(2, 0), ([0, 1, 1],)),
    ],
    "setitem_arrays": [
        on(array(4), ([0, 2],), array(2), **SET),
        on(array(4), ([2, 0, 2],), array(3), **SET),
        on(array(4), ([2, 0, 2],), array(3), **ADD),
        on(array(3, 2), ([0, 0],), array(2), **ADD),
        on(array(3, 2), ([0, 0],), array(), **ADD),
        on(array(3, 4), ([[0], [2]], [1, -1]), array(2, 2), **ADD),
        on(array(3, 4), ([0, 0], [1, 1]), array(2), **SET),
    ],
    "take_along_axis": [
        on(array(2, 3), [[0, 0], [2, -1]], axis=1),
        on(array(2, 3), [[0, 1, 0]], axis=0),
        on(array(3), [2, 2, 0], axis=0),
    ],
}


@pytest.mark.parametrize("op, case", listed(CASES))
def test_derivatives_agree_with_differences(backend, op, case):
    check(backend, op, case)


def test_repeated_positions_accumulate(backend):
    places = tv.asarray([0, 2, 0, 0], backend=backend)
    weights = tv.asarray([1.0, 2.0, 3.0, 4.0], dtype=tv.float64, backend=backend)

    assert slopes(backend, lambda x: x[places] * weights, [10.0, 20.0, 30.0]) == [
        [8.0, 0.0, 2.0]
    ]
    assert slopes(
        backend, lambda x: tv.take(x, places, axis=0) * weights, [10.0, 20.0, 30.0]
    ) == [[8.0, 0.0, 2.0]]


def test_repeated_rows_accumulate(backend):
    rows = tv.asarray([1, 1, 0], backend=backend)

    assert slopes(backend, lambda x: x[rows], [[1.0, 2.0], [3.0, 4.0]]) == [
        [[1.0, 1.0], [2.0, 2.0]]
    ]


def test_adding_at_repeated_positions_gives_each_source_its_cotangent(backend):
    places = tv.asarray([1, 1, 2], backend=backend)
    weights = tv.asarray([5.0, 7.0, 9.0], dtype=tv.float64, backend=backend)

    found = slopes(
        backend,
        lambda x, s: tv.at(x, places).add(s) * weights,
        [0.0, 0.0, 0.0],
        [1.0, 2.0, 4.0],
    )

    assert found == [[5.0, 7.0, 9.0], [7.0, 7.0, 9.0]]


def test_setting_at_repeated_positions_counts_the_last_source_alone(backend):
    places = tv.asarray([1, 1, 2], backend=backend)
    weights = tv.asarray([5.0, 7.0, 9.0], dtype=tv.float64, backend=backend)

    found = slopes(
        backend,
        lambda x, s: tv.at(x, places).set(s) * weights,
        [0.0, 0.0, 0.0],
        [1.0, 2.0, 4.0],
    )

    assert found == [[5.0, 0.0, 0.0], [0.0, 7.0, 9.0]]


@pytest.mark.parametrize("extreme", ["min", "max"])
def test_ties_at_one_position_share_the_cotangent_evenly(backend, extreme):
    places = tv.asarray([1, 1, 2, 0], backend=backend)
    weights = tv.asarray([5.0, 6.0, 9.0], dtype=tv.float64, backend=backend)
    sign = 1.0 if extreme == "max" else -1.0

    found = slopes(
        backend,
        lambda x, s: getattr(tv.at(x, places), extreme)(s) * weights,
        [0.0, 3.0 * sign, 8.0 * sign],
        [3.0 * sign, 3.0 * sign, 4.0 * sign, math.nan],
    )

    assert found == [[0.0, 2.0, 9.0], [2.0, 2.0, 0.0, 5.0]]


def test_factors_of_zero_at_one_position_leave_each_other_their_slopes(backend):
    places = tv.asarray([0, 0, 1, 1], backend=backend)

    found = slopes(
        backend,
        lambda x, s: tv.at(x, places).multiply(s),
        [2.0, 3.0],
        [0.0, 5.0, 0.0, 0.0],
    )

    assert found == [[0.0, 0.0], [10.0, 0.0, 0.0, 0.0]]


def test_setting_gives_a_broadcast_value_the_sum_of_its_places(backend):
    found = slopes(backend, lambda x, v: tv.at(x, slice(1, 3)).set(v), [0.0] * 4, 5.0)

    assert found == [[1.0, 0.0, 0.0, 1.0], 2.0]


def test_mask_that_selects_nothing_has_a_gradient_of_zeros(backend):
    mask = tv.asarray([False, False], backend=backend)

    assert slopes(backend, lambda x: x[mask], [[1.0, 2.0], [3.0, 4.0]]) == [
        [[0.0, 0.0], [0.0, 0.0]]
    ]


def test_mask_gives_the_cotangent_to_what_it_selects(backend):
    mask = tv.asarray([True, False, True], backend=backend)

    assert slopes(backend, lambda x: x[mask] * 3.0, [1.0, 2.0, 3.0]) == [[3.0, 0, 3.0]]


@pytest.mark.parametrize("mode", ["set", "add", "multiply", "max"])
def test_writing_at_slices_and_indices_has_the_derivatives_of_differences(
    backend, mode
):
    x = tv.reshape(tv.arange(12.0, backend=backend, dtype="float64"), (3, 4))
    value = tv.asarray([[1.5, 2.5], [3.25, -1.0]], dtype="float64", backend=backend)
    rows = tv.asarray([3, 0], backend=backend)

    def written(x, value):
        return getattr(tv.at(x, (slice(1, None), rows)), mode)(value)

    gradcheck(written, x, value)
