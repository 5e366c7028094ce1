"""O35: operands on two devices of one backend."""

import pytest
from trivet_example import Example

import trivet as tv
from trivet.contract import prepare
from trivet.errors import DeviceMismatchError

HERE, THERE = "example:0", "example:1"
KINDS = pytest.mark.parametrize(
    "kind", ["example", "autodiff(example)", "autodiff(example), tracked"]
)


def pair(kind):
    """Ones on both devices; where the kind says so, the first is tracked."""
    name, _, tracked = kind.partition(", ")
    a, b = (tv.ones((2, 2), device=on, backend=name) for on in (HERE, THERE))
    return (a.require_grad() if tracked else a), b


OPS = {
    "add": lambda a, b: a + b,
    "matmul": lambda a, b: a @ b,
    "where": lambda a, b: tv.where(a > 0, a, b),
    "concat": lambda a, b: tv.concat([a, b]),
    "stack": lambda a, b: tv.stack([a, b]),
    "maximum": tv.maximum,
    "less": lambda a, b: a < b,
    "clip": lambda a, b: tv.clip(a, min=b),
    "take": lambda a, b: tv.take(a, tv.astype(b[0], tv.int64), axis=0),
    "setitem": lambda a, b: tv.at(a, 0).set(b[0]),
}


@KINDS
@pytest.mark.parametrize("op", OPS)
def test_o35_op_on_two_devices_says_so_and_how_to_move(op, kind):
    a, b = pair(kind)

    with pytest.raises(DeviceMismatchError) as caught:
        OPS[op](a, b)

    message = str(caught.value).splitlines()[0]
    assert message.startswith(
        f"{op}: the operands are on {HERE} and {THERE} of the backend example"
    )
    assert f'.to_device("{HERE}") or .to_device("{THERE}")' in message


def test_o35_op_on_two_devices_computes_nothing():
    calls = []
    backend = Example()

    def noted(op, function):
        def run(*args, **statics):
            calls.append(op)
            return function(*args, **statics)

        return run

    for op in ("add", "matmul", "where", "concat", "index_update"):
        backend.bind(**{op: noted(op, getattr(backend, op))})
    prepare(backend)
    a, b = (tv.ones((2, 2), device=on, backend=backend) for on in (HERE, THERE))
    condition, row = a > 0, b[0]
    attempts = [
        lambda: a + b,
        lambda: a @ b,
        lambda: tv.where(condition, a, b),
        lambda: tv.concat([a, b]),
        lambda: a.__setitem__(0, row),
    ]
    calls.clear()

    for attempt in attempts:
        with pytest.raises(DeviceMismatchError):
            attempt()

    assert calls == []


@pytest.mark.parametrize("name", ["example", "autodiff(example)"])
def test_o35_failed_assignment_leaves_the_tensor_as_it_was(name):
    a, b = pair(name)

    with pytest.raises(DeviceMismatchError) as caught:
        a[0] = b[0]

    message = str(caught.value).splitlines()[0]
    assert message.startswith(f"setitem: the operands are on {HERE} and {THERE} of")
    assert f'.to_device("{HERE}") or .to_device("{THERE}")' in message
    assert a.tolist() == [[1, 1], [1, 1]]
    assert str(a.device) == HERE


@KINDS
def test_o35_number_works_on_either_device(kind):
    a, b = pair(kind)

    assert (a + 1.5).tolist() == [[2.5, 2.5], [2.5, 2.5]]
    assert str((a + 1.5).device) == HERE
    assert str((1.5 + b).device) == THERE


@KINDS
def test_o35_moved_operand_fits(kind):
    a, b = pair(kind)

    total = a + b.to_device(HERE)

    assert total.tolist() == [[2, 2], [2, 2]]
    assert str(total.device) == HERE
