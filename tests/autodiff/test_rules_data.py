"""Rules for casting, copying and moving."""

import pytest
from numeric import array, check, listed, on

import trivet as tv

CASES = {
    "astype": [on(array(2, 3), dtype=tv.float64), on(array(0, 3), dtype=tv.float64)],
    "to_device": [on(array(2, 3), device=None), on(array(), device=None)],
    "copy": [on(array(2, 3)), on(array()), on(array(0, 3))],
}


@pytest.mark.parametrize("op, case", listed(CASES))
def test_derivatives_agree_with_differences(backend, op, case):
    check(backend, op, case)


def test_cast_to_integers_or_booleans_is_a_constant(ad):
    x = tv.asarray([1.5, 0.0], backend=ad).require_grad()

    assert not ad.is_tracked(x.astype(tv.int32).handle)
    assert not ad.is_tracked(x.astype(tv.bool).handle)


def test_cast_gives_its_operand_a_gradient_in_its_own_dtype(ad):
    x = tv.asarray([1.5, 2.0], dtype=tv.float32, backend=ad).require_grad()

    gradient = tv.sum(x.astype(tv.float64) * 2.0).backward()[x]

    assert gradient.dtype == tv.float32
    assert gradient.tolist() == [2.0, 2.0]


def test_moved_tensor_has_its_gradient_where_the_variable_is(ad):
    first, *_, last = [*ad.devices(), *ad.devices()]
    x = tv.asarray([3.0], device=first, backend=ad).require_grad()

    y = x.to_device(last) * 2.0
    gradient = tv.sum(y).backward()[x]

    assert y.device == last
    assert gradient.device == first
    assert gradient.tolist() == [2.0]
