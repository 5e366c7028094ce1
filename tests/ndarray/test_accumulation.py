"""Combining at repeated positions, against the ufuncs' own `at`, to the bit."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from trivet_ndarray.accumulation import accumulate_at

UFUNCS = [np.add, np.multiply, np.minimum, np.maximum]


@pytest.mark.parametrize("ufunc", UFUNCS, ids=lambda ufunc: ufunc.__name__)
@pytest.mark.parametrize("dtype", ["float16", "float32", "float64", "int32"])
@given(
    lead=st.lists(st.integers(1, 90), min_size=1, max_size=2),
    behind=st.lists(st.integers(1, 12), max_size=2),
    shape=st.one_of(
        st.tuples(st.integers(0, 1500)), st.tuples(*[st.integers(1, 20)] * 2)
    ),
    seed=st.integers(0, 99),
)
def test_values_are_combined_in_their_order(ufunc, dtype, lead, behind, shape, seed):
    rng = np.random.default_rng(seed)
    key = [rng.integers(-n, n, shape) for n in lead]
    x = (rng.standard_normal((*lead, *behind)) * 9).astype(dtype)
    values = (rng.standard_normal((*shape, *behind)) * 9).astype(dtype)
    found, want = x.copy(), x.copy()

    with np.errstate(over="ignore"):
        accumulate_at(ufunc, found, key, values)
        ufunc.at(want, tuple(key), values)

    np.testing.assert_array_equal(found, want)


@pytest.mark.parametrize("rows", [1, 3, 2000])
@pytest.mark.parametrize("width", [1, 5, 64])
def test_places_with_many_values_get_all_of_them(rows, width):
    rng = np.random.default_rng(0)
    places = rng.integers(0, rows, 3000)
    values = rng.standard_normal((3000, width)).astype(np.float32)
    found, want = np.zeros((2, rows, width), np.float32)

    accumulate_at(np.add, found, [places], values)
    np.add.at(want, places, values)

    np.testing.assert_array_equal(found, want)


def test_one_value_is_for_all_places():
    found = np.zeros((5, 64))

    accumulate_at(np.add, found, [np.arange(100) % 5], np.ones((100, 1)))

    assert (found == 20).all()


@pytest.mark.parametrize("wrong", [60, -61])
def test_index_out_of_bounds_is_an_error_and_changes_nothing(wrong):
    x, places = np.zeros((60, 32)), np.full(100, 3)
    places[50] = wrong

    with pytest.raises(IndexError, match=f"index {wrong} is out of bounds"):
        accumulate_at(np.add, x, [places], np.ones((100, 32)))
    assert not x.any()


@pytest.mark.parametrize("ufunc", UFUNCS, ids=lambda ufunc: ufunc.__name__)
@given(
    lead=st.lists(st.integers(1, 5), min_size=1, max_size=2),
    behind=st.lists(st.integers(1, 3), max_size=2),
    shape=st.lists(st.integers(1, 12), max_size=3),
    kept=st.integers(0, 5),
    ones=st.integers(0, 7),
    seed=st.integers(0, 99),
)
def test_values_are_repeated_over_axes_that_they_lack(
    ufunc, lead, behind, shape, kept, ones, seed
):
    rng = np.random.default_rng(seed)
    key = [rng.integers(-n, n, shape) for n in lead]
    place = (*shape, *behind)
    own = [1 if ones >> i & 1 else n for i, n in enumerate(place)][-kept:]
    values = rng.uniform(0.9, 1.1, own if kept else ())
    found = rng.standard_normal((*lead, *behind))
    want, whole = found.copy(), np.broadcast_to(values, place)

    accumulate_at(ufunc, found, key, values)

    for at in np.ndindex(*shape):  # NumPy's `at` is wrong for some of these
        row = tuple(index[at] for index in key)
        want[row] = ufunc(want[row], whole[at])
    np.testing.assert_array_equal(found, want)
