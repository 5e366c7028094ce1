"""One promotion table: symmetric, NumPy's as far as that goes, on every backend."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import trivet as tv
from trivet.dtypes import DTYPES, STANDARD, as_dtype, promote, promote_all, weak_dtype

BACKENDS = ["ndarray", "autodiff(ndarray)", "example", "autodiff(example)"]
NUMBERS = [True, 1, 1.0, 1j]
any_dtype = st.sampled_from(list(DTYPES.values()))


def dtypes_of(name):
    backend = tv.backend(name)
    return list(backend.dtypes(backend.default_device))


@given(any_dtype, any_dtype)
def test_promotion_is_symmetric(first, second):
    assert promote(first, second) is promote(second, first)
    assert promote(first, first) is first


@given(any_dtype, any_dtype)
def test_promoted_dtype_holds_both(first, second):
    joined = promote(first, second)

    assert promote(first, joined) is joined
    assert promote(second, joined) is joined


@given(st.lists(any_dtype, min_size=1, max_size=4), st.sampled_from(NUMBERS))
def test_result_type_does_not_mind_where_numbers_stand(dtypes, number):
    assert tv.result_type(*dtypes, number) is tv.result_type(number, *dtypes)


@given(st.sampled_from(STANDARD), st.sampled_from(STANDARD))
def test_promotion_is_numpys(first, second):
    expected = np.promote_types(first.name, second.name)

    assert promote(first, second) is as_dtype(expected)


@given(st.sampled_from(STANDARD), st.sampled_from(NUMBERS))
def test_numbers_are_weak_as_numpys(dtype, number):
    expected = np.result_type(np.dtype(dtype.name), number)

    assert weak_dtype(dtype, number) is as_dtype(expected)


@given(st.lists(any_dtype, min_size=1, max_size=4), st.randoms())
def test_promotion_of_several_dtypes_has_no_order(found, random):
    shuffled = random.sample(found, len(found))

    assert promote_all(shuffled) is promote_all(found)


@given(st.lists(st.sampled_from(STANDARD), min_size=1, max_size=4))
def test_promotion_of_several_dtypes_is_that_of_numpy(found):
    expected = np.result_type(*(dtype.name for dtype in found))

    assert promote_all(found) is as_dtype(expected)


@pytest.mark.parametrize("name", ["ndarray", "example"])
@given(st.lists(st.sampled_from(["int8", "uint16", "float32"]), min_size=1, max_size=4))
def test_joining_tensors_promotes_them_all_at_once(name, found):
    parts = [tv.zeros(1, dtype=dtype, backend=name) for dtype in found]

    assert tv.concat(parts).dtype == as_dtype(np.result_type(*found))


@pytest.mark.parametrize("name", BACKENDS)
@given(data=st.data())
def test_tensors_promote_by_the_table(name, data):
    one = st.sampled_from(dtypes_of(name))
    first, second = data.draw(one), data.draw(one)
    x = tv.ones(2, dtype=first, backend=name)
    y = tv.ones(2, dtype=second, backend=name)
    expected = promote(first, second)
    if expected not in dtypes_of(name):
        return

    for result in (
        tv.where(x == y, x, y),
        tv.where(x == y, y, x),
        tv.concat([x, y]),
        tv.stack([y, x]),
    ):
        assert result.dtype is expected
    if expected.kind != "bool":
        assert (x + y).dtype is (y * x).dtype is expected


@pytest.mark.parametrize("name", BACKENDS)
@given(data=st.data())
def test_numbers_beside_tensors_promote_by_the_table(name, data):
    dtype = data.draw(
        st.sampled_from(dtypes_of(name)).filter(lambda d: d.kind != "bool")
    )
    number = data.draw(st.sampled_from(NUMBERS))
    expected = weak_dtype(dtype, number)
    if expected not in dtypes_of(name):
        return
    x = tv.ones(2, dtype=dtype, backend=name)

    assert (x + number).dtype is expected
    assert (number * x).dtype is expected


@pytest.mark.parametrize("default", ["float16", "float32", "float64"])
def test_default_float_is_set_for_an_instance_and_for_no_other(default):
    backend = type(tv.backend("ndarray"))(default_float=default)
    xp = tv.namespace(backend)

    made = [xp.zeros(2), xp.linspace(0, 1, 3), xp.asarray([0.5]), xp.full(2, 0.5)]
    found = xp.__array_namespace_info__().default_dtypes()

    assert {x.dtype for x in made} == {as_dtype(default)}
    assert found["real floating"] is as_dtype(default)
    twin = tv.complex128 if default == "float64" else tv.complex64
    assert found["complex floating"] is xp.asarray([1j]).dtype is twin
    assert tv.zeros(2, backend="ndarray").dtype is tv.float32
