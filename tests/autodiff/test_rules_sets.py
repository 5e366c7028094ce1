"""The values of a set are elements: of equal ones the first gets their cotangent."""

import pytest
from numeric import array, check, listed, on, slopes

import trivet as tv

ELEMENTS = [on(array(5)), on(array(2, 3)), on(array()), on(array(1)), on(array(0, 3))]
CASES = dict.fromkeys(
    ("unique_all", "unique_counts", "unique_inverse", "unique_values"), ELEMENTS
)


@pytest.mark.parametrize("op, case", listed(CASES))
def test_derivatives_agree_with_differences(backend, op, case):
    check(backend, op, case)


def test_first_of_equal_elements_gets_the_cotangent(backend):
    weights = tv.asarray([1.0, 10.0], dtype=tv.float64, backend=backend)

    found = slopes(backend, lambda x: tv.unique_values(x) * weights, [2.0, 1.0, 2.0])

    assert found == [[10.0, 1.0, 0.0]]


def test_counts_and_positions_are_constants(backend):
    ad = tv.backend(f"autodiff({backend.name})")
    x = tv.asarray([2.0, 1.0, 2.0], dtype=tv.float64, backend=ad).require_grad()

    values, *others = tv.unique_all(x)

    assert ad.is_tracked(values.handle)
    assert not any(ad.is_tracked(one.handle) for one in others)
    assert [one.tolist() for one in others] == [[1, 0], [1, 0, 1], [1, 2]]
