"""O10 and O29 to O31: what a graph keeps, and when there is one."""

import sys
from time import perf_counter

import numpy as np
import pytest

import trivet as tv
from trivet.errors import GradientError, UntrackedError
from trivet_autodiff import enable_grad, grad, no_grad


def test_o10_write_through_an_expanded_view_changes_the_view_alone(backend):
    x = tv.asarray([1.0, 2.0])
    y = tv.broadcast_to(x, (3, 2))

    y[:] += 10

    assert y.tolist() == [[11, 12], [11, 12], [11, 12]]
    assert x.tolist() == [1, 2]


def test_o10_augmented_assignment_makes_a_tensor_and_leaves_the_view_alone(backend):
    x = tv.asarray([1.0, 2.0])
    y = view = tv.broadcast_to(x, (3, 2))

    y += 10

    assert y.tolist() == [[11, 12], [11, 12], [11, 12]]
    assert view.tolist() == [[1, 2], [1, 2], [1, 2]]
    assert x.tolist() == [1, 2]


def test_o10_write_through_an_expanded_view_leaves_an_adopted_array_alone(backend):
    array = np.array([1.0, 2.0])
    y = tv.broadcast_to(tv.asarray(array), (3, 2))

    y[:] += 10

    assert y.tolist() == [[11, 12], [11, 12], [11, 12]]
    assert array.tolist() == [1, 2]


def test_o10_adding_to_a_variable_later_leaves_its_gradient(recording):
    leaf = x = tv.asarray([1.0, 2.0]).require_grad()
    z = x * x

    x += 1

    assert z.sum().backward()[leaf].tolist() == [2, 4]
    assert leaf.tolist() == [1, 2]


def test_o10_write_into_a_saved_variable_is_refused(recording):
    x = tv.asarray([1.0, 2.0]).require_grad()
    z = x * x

    with pytest.raises(GradientError) as caught:
        x[:] = 5.0

    assert str(caught.value) == (
        "a write in place would change what the gradients need: the tensor or the "
        "value is tracked. Use the functional form, which is differentiable: "
        "y = tv.at(x, index).set(value)."
    )
    assert z.sum().backward()[x].tolist() == [2, 4]


def test_o10_write_into_what_a_variable_was_made_of_leaves_its_gradient(recording):
    source = tv.asarray([1.0, 2.0])
    x = source.require_grad()
    z = x * x
    detached = x.detach()

    source[:] += 1
    detached[:] += 1

    assert z.sum().backward()[x].tolist() == [2, 4]
    assert x.tolist() == [1, 2]


def test_o29_reused_leaf_gets_the_sum_of_its_uses(recording):
    x = tv.asarray(3.0).require_grad()
    f1 = x * x + x
    f2 = x + x

    assert f1.backward()[x].tolist() == 7.0
    assert f2.backward()[x].tolist() == 2.0


def test_o29_diamond_counts_each_path_once(recording):
    x = tv.asarray(3.0).require_grad()
    a = 2 * x
    b = a + a
    f3 = b * a

    assert f3.backward()[x].tolist() == 48.0


def test_o29_second_backward_returns_the_same_and_accumulates_nothing(recording):
    x = tv.asarray(3.0).require_grad()
    f1 = x * x + x

    first, second = f1.backward(), f1.backward()

    assert first[x].tolist() == 7.0
    assert second[x].tolist() == 7.0


def test_o29_gradients_are_independent_of_one_another(recording):
    u = tv.asarray([1.0, 1.0]).require_grad()
    v = tv.asarray([2.0, 2.0]).require_grad()
    grads = (u + v).sum().backward()
    gu, gv = grads[u], grads[v]

    gu[:] += 1

    assert gu.tolist() == [2, 2]
    assert gv.tolist() == [1, 1]
    assert grads[u].tolist() == grads[v].tolist() == [1, 1]


def square_slope():
    """The gradient of x * x at 3 by a graph of its own."""
    x = tv.asarray(3.0).require_grad()
    return (x * x).backward()[x].tolist()


def test_o30_decorated_generator_leaves_its_caller_tracking(recording):
    inside = []

    @no_grad()
    def steps():
        inside.append((tv.asarray(3.0).require_grad() * 2).handle)
        yield 1
        inside.append((tv.asarray(3.0).require_grad() * 2).handle)
        yield 2

    generator = steps()
    next(generator)
    while_paused = square_slope()
    next(generator)

    assert while_paused == 6.0
    assert square_slope() == 6.0
    assert not any(recording.is_tracked(handle) for handle in inside)


def test_o30_plain_block_in_a_generator_is_a_documented_limitation(recording):
    def steps():
        with no_grad():
            yield 1
        yield 2

    generator = steps()
    next(generator)
    with pytest.raises(UntrackedError):
        square_slope()
    by_transform = grad(lambda x: x * x)(tv.asarray(3.0)).tolist()
    next(generator)

    assert by_transform == 6.0
    assert square_slope() == 6.0
    assert (
        "A generator that pauses inside a plain `with no_grad():` leaves the mode off "
        "for" in no_grad.__doc__
    )


def test_o30_exception_in_the_block_switches_tracking_on_again(recording):
    with pytest.raises(ValueError, match="inside"), no_grad():
        raise ValueError("inside")

    assert square_slope() == 6.0


def test_o30_outer_block_is_off_again_after_one_that_switched_on(recording):
    x = tv.asarray(3.0).require_grad()

    with no_grad():
        with enable_grad():
            on = x * x
        off = x * x

    assert recording.is_tracked(on.handle)
    assert not recording.is_tracked(off.handle)


def chain(x):
    y = x
    for _ in range(20_000):
        y = y * 1.0001
    return y


def test_o31_chain_of_20_000_ops_differentiates_prints_and_is_freed(recording):
    limit = sys.getrecursionlimit()
    start = perf_counter()
    x = tv.asarray(1.0).require_grad()
    y = chain(x)

    slope, text = y.backward()[x].item(), repr(y)
    del x, y
    unused = chain(tv.asarray(1.0).require_grad())
    del unused

    # 1.0001**20000, the double nearest to 1.0001, by mpmath
    assert slope == pytest.approx(7.388317279514934, rel=1e-9)
    assert text.startswith("Tensor(7.3883")
    assert len(text) < 100
    assert perf_counter() - start < 5
    assert sys.getrecursionlimit() == limit
