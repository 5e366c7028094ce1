"""Operands on two devices of one backend: refused by every op, before it computes."""

import pytest
from trivet_example import Example

import trivet as tv
from trivet.contract import OPS, Device, prepare
from trivet.dtypes import float64
from trivet.errors import DeviceMismatchError

FIRST, SECOND = Device("example", 0), Device("example", 1)
ONES = [[1.0, 1.0], [1.0, 1.0]]


def message(op):
    return (
        f"{op}: the operands are on example:0 and example:1 of the backend example. "
        'Nothing is moved silently: call .to_device("example:0") or '
        '.to_device("example:1") on one of them.'
    )


@pytest.fixture
def a():
    """A tensor on the first device."""
    return tv.asarray(ONES, backend="example", device="example:0")


@pytest.fixture
def b():
    """A tensor on the second device."""
    return tv.asarray(ONES, backend="example", device="example:1")


def assign(a, b):
    a[0] = b[0]


MIXED = {
    "add": lambda a, b: a + b,
    "matmul": lambda a, b: a @ b,
    "where": lambda a, b: tv.where(a > 0, a, b),
    "concat": lambda a, b: tv.concat([a, b]),
    "setitem": assign,
}


@pytest.mark.parametrize("op", MIXED)
def test_op_on_two_devices_is_refused_with_both_and_how_to_move(a, b, op):
    with pytest.raises(DeviceMismatchError) as error:
        MIXED[op](a, b)

    assert str(error.value) == message(op)


def test_where_refuses_a_condition_on_another_device(a, b):
    with pytest.raises(DeviceMismatchError) as error:
        tv.where(b > 0, a, a)

    assert str(error.value) == message("where")


def test_failed_assignment_leaves_the_tensor_as_it_was(a, b):
    with pytest.raises(DeviceMismatchError):
        a[0] = b[0] * 5.0

    assert a.tolist() == ONES


def test_python_number_has_no_device(a, b):
    assert (a + 1.5).tolist() == [[2.5, 2.5], [2.5, 2.5]]
    assert (a + 1.5).device == FIRST
    assert (1.5 + b).device == SECOND


@pytest.mark.parametrize("op", MIXED)
def test_op_works_after_moving_one_operand(a, b, op):
    MIXED[op](a, b.to_device("example:0"))


def test_sum_after_moving_is_the_sum(a, b):
    total = a + b.to_device("example:0")

    assert total.tolist() == [[2.0, 2.0], [2.0, 2.0]]
    assert total.device == FIRST


def test_operands_on_the_second_device_stay_there(b):
    assert (b @ b).device == SECOND
    assert tv.concat([b, b]).device == SECOND


def data_of(op):
    """The data parameters of an op."""
    parameters = op.signature.parameters.values()
    return [p.name for p in parameters if p.kind is not p.KEYWORD_ONLY]


SEVERAL = [op for op in OPS.values() if len(data_of(op)) > 1]


@pytest.mark.parametrize("op", SEVERAL, ids=lambda op: op.name)
def test_every_op_of_several_arrays_checks_before_it_computes(grid, op):
    calls = []

    def record(self, *args, **statics):
        calls.append(op.name)

    backend = type("Recording", (Example,), {op.name: record})()
    prepare(backend)
    operands = [grid(ONES) for _ in data_of(op)[1:]]

    with pytest.raises(DeviceMismatchError) as error:
        getattr(backend, op.name)(*operands, grid(ONES, device=SECOND))
    assert str(error.value) == message(op.name)
    assert calls == []
    getattr(backend, op.name)(*operands, grid(ONES))
    assert calls == [op.name]


@pytest.mark.parametrize("op", ["concat", "stack"])
def test_every_op_of_a_sequence_checks_its_members(backend, grid, op):
    with pytest.raises(DeviceMismatchError) as error:
        getattr(backend, op)([grid(ONES), grid(ONES, device=SECOND)], axis=0)

    assert str(error.value) == message(op)


def test_indices_in_a_sequence_are_checked_too(backend, grid):
    with pytest.raises(DeviceMismatchError) as error:
        backend.getitem_arrays(grid(ONES), [grid([0]), grid([1], device=SECOND)])

    assert str(error.value) == message("getitem_arrays")


def test_limits_of_clip_are_checked_by_keyword_too(backend, grid):
    with pytest.raises(DeviceMismatchError) as error:
        backend.clip(grid(ONES), max=grid(ONES, device=SECOND))

    assert str(error.value) == message("clip")


def test_preparing_again_changes_nothing():
    backend = Example()

    prepare(backend)
    once = dict(vars(backend))
    prepare(backend)

    assert vars(backend) == once


def test_backend_with_one_device_is_left_without_a_guard():
    class Single(Example):
        def devices(self):
            return (FIRST,)

    single = Single()

    prepare(single)

    assert not set(vars(single)) & set(OPS)


def test_guard_keeps_what_the_op_gives(backend, grid):
    total = backend.add(grid([1.0, 2.0]), grid([3.0, 4.0]))

    assert total.data == [4.0, 6.0]
    assert total.dtype == float64
    assert backend.add.__doc__ == Example.add.__doc__
