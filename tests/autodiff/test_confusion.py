"""No perturbation is taken for another: every mix of directions, nested."""

from concurrent.futures import ThreadPoolExecutor

import pytest

import trivet as tv
from trivet.errors import GradientError
from trivet_autodiff import grad, hvp, jvp, linearize


def forward(function):
    """The derivative of a function of one number, forward."""
    return lambda x: jvp(function, (x,), (tv.ones_like(x),))[1]


def linear(function):
    """The same, by the linear part."""
    return lambda x: linearize(function, x)[1](tv.ones_like(x))


MODES = {"reverse": grad, "forward": forward, "linear": linear}
OUTER = pytest.mark.parametrize("outer", MODES)
INNER = pytest.mark.parametrize("inner", MODES)


def number(value, backend):
    """A 0-d tensor."""
    return tv.asarray(value, dtype=tv.float64, backend=backend)


@OUTER
@INNER
def test_inner_derivative_is_a_function_of_the_outer_variable(backend, outer, inner):
    D, E = MODES[outer], MODES[inner]

    found = D(lambda x: x * E(lambda y: x * y * y)(number(2.0, backend)))

    assert found(number(3.0, backend)).item() == 24.0


@OUTER
@INNER
def test_inner_derivative_is_not_of_the_outer_variable(backend, outer, inner):
    D, E = MODES[outer], MODES[inner]

    # d/dx (x * d/dy (x + y)) = d/dx x = 1; a confused level gives 2
    found = D(lambda x: x * E(lambda y: x + y)(number(1.0, backend)))

    assert found(number(5.0, backend)).item() == 1.0


@OUTER
@INNER
@pytest.mark.parametrize("third", MODES)
def test_three_levels_give_a_third_derivative(backend, outer, inner, third):
    D, E, F = MODES[outer], MODES[inner], MODES[third]

    found = D(E(F(lambda x: x * x * x * x)))(number(2.0, backend))

    assert found.item() == 48.0


@OUTER
@INNER
def test_both_levels_run_ops_of_several_operands(backend, outer, inner):
    D, E = MODES[outer], MODES[inner]

    def function(x):
        def within(y):
            both = tv.stack([x * y, y, x])
            return tv.sum(tv.matmul(both, both))  # x**2 y**2 + y**2 + x**2

        return E(within)(x)  # 2 x**3 + 2 x

    assert D(function)(number(3.0, backend)).item() == 56.0


def test_product_with_the_hessian_is_not_confused_by_a_captured_variable(backend):
    def outer(x):
        # d2/dy2 (x y**3) = 6 x y, at y = 2 times 1
        return hvp(lambda y: x * y * y * y, (number(2.0, backend),), (1.0,))[0]

    assert grad(outer)(number(5.0, backend)).item() == 12.0
    assert forward(outer)(number(5.0, backend)).item() == 12.0


def test_tensor_that_was_kept_is_refused_by_a_later_direction(backend):
    kept, x = [], number(3.0, backend)
    jvp(lambda x: kept.append(x) or x, (x,), (x,))

    for function in (lambda y: y * kept[0], lambda y: kept[0]):
        with pytest.raises(GradientError) as error:
            jvp(function, (x,), (x,))

        assert str(error.value) == (
            "jvp: a tensor of another direction is used here. It was kept from an "
            "earlier run, or handed to a thread that does not share the context. Use "
            "stop_gradient on it if it should count as a constant."
        )


def test_tensor_in_a_thread_without_the_context_is_not_confused(backend):
    def outer(x):
        def inner():
            one = number(1.0, backend)
            return jvp(lambda y: x * y, (one,), (one,))[1]

        with ThreadPoolExecutor(1) as pool:
            return pool.submit(inner).result()

    x = number(3.0, backend)

    with pytest.raises(GradientError, match="another direction"):
        jvp(outer, (x,), (x,))


def test_threads_follow_directions_of_their_own(backend):
    def cube(v):
        x = number(v, backend)
        return jvp(lambda x: x * x * x, (x,), (tv.ones_like(x),))[1].item()

    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(cube, range(50)))

    assert found == [3.0 * v * v for v in range(50)]
