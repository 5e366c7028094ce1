"""`checkpoint`: what is computed again gives what was saved, at any order."""

import gc
import math
import weakref

import pytest

import trivet as tv
from trivet.errors import GradientError
from trivet_autodiff import (
    Autodiff,
    checkpoint,
    custom_vjp,
    grad,
    hessian,
    jvp,
    no_grad,
    value_and_grad,
    vjp,
)


def on(backend, *values):
    """Float64 tensors."""
    return tuple(tv.asarray(v, dtype=tv.float64, backend=backend) for v in values)


def layer(x, w):
    """Something with slopes and curvature everywhere."""
    return tv.tanh(x * w) * tv.exp(x) + w


def network(wrapped, x, w):
    """Two regions, one inside another and what is around them."""
    inside = wrapped(lambda x: layer(layer(x, w), w) * w)
    return (wrapped(lambda x: inside(x * x) + x)(x * w) * w).sum()


def plain(function):
    return function


def test_value_and_gradients_are_those_of_the_function_to_the_bit(backend):
    x, w = on(backend, [0.3, -0.7, 1.1], [0.5, 0.9, -0.4])

    def found(wrapped):
        value, slopes = value_and_grad(lambda x, w: network(wrapped, x, w), (0, 1))(
            x, w
        )
        return value.item(), *(slope.tolist() for slope in slopes)

    assert found(checkpoint) == found(plain)


def test_sums_over_many_regions_are_the_same_to_the_bit(backend):
    x, w = on(backend, [0.3, -0.7], [0.5, 0.9])

    def chain(wrapped):
        def function(x, w):
            for _ in range(5):
                x = wrapped(lambda x: layer(layer(x, w) * 0.1, w))(x) * w
            return x.sum()

        return [slope.tolist() for slope in grad(function, (0, 1))(x, w)]

    assert chain(checkpoint) == chain(plain)


@pytest.mark.parametrize("order", [2, 3])
def test_higher_derivatives_are_those_of_the_function(backend, order):
    (x,) = on(backend, 0.4)

    def found(wrapped):
        region = wrapped(lambda x: tv.exp(x * x) * tv.sin(x))
        function = lambda x: region(region(x) * x)  # noqa: E731  # wrapped in a loop
        for _ in range(order):
            function = grad(function)
        return function(x).item()

    assert math.isclose(found(checkpoint), found(plain), rel_tol=1e-12)


def test_hessian_and_directional_derivative_go_through_a_region(backend):
    x, v, w = on(backend, [0.3, -0.7], [1.0, 2.0], [0.5, 0.9])

    def found(wrapped):
        function = lambda x: network(wrapped, x, w)  # noqa: E731
        along = jvp(grad(function), (x,), (v,))[1]
        return hessian(function)(x).tolist(), along.tolist()

    (rows, along), (rows2, along2) = found(checkpoint), found(plain)
    for row, row2 in zip((*rows, along), (*rows2, along2), strict=True):
        assert row == pytest.approx(row2, rel=1e-12)


def test_gradient_inside_a_region_is_differentiated_too(backend):
    (x,) = on(backend, [0.3, -0.7])
    slope = lambda x: (grad(lambda y: (y * y * y).sum())(x) * x).sum()  # noqa: E731

    # (3x**2 * x)' = 9x**2
    found = grad(checkpoint(slope))(x).tolist()

    assert found == pytest.approx([9 * 0.09, 9 * 0.49])


def test_several_results_in_containers_keep_their_nesting(backend):
    x, w = on(backend, [2.0, 3.0], [5.0, 7.0])

    @checkpoint
    def both(x, *, w):
        return {"product": x * w, "rest": (x + w, None, "text")}

    def function(x, w):
        result = both(x, w=w)
        assert result["rest"][1:] == (None, "text")
        return (result["product"] * result["rest"][0]).sum()

    # x w (x + w)
    dx, dw = grad(function, (0, 1))(x, w)
    assert dx.tolist() == [2 * 2 * 5 + 25, 2 * 3 * 7 + 49]
    assert dw.tolist() == [4 + 2 * 2 * 5, 9 + 2 * 3 * 7]


def test_result_that_nothing_uses_gives_nothing(backend):
    (x,) = on(backend, 3.0)
    both = checkpoint(lambda x: (x * x, x * x * x))

    assert grad(lambda x: both(x)[1])(x).item() == 27.0


def test_result_given_twice_and_argument_given_back_count_each(backend):
    (x,) = on(backend, 3.0)

    @checkpoint
    def thrice(x):
        y = x * x
        return y, y, x

    a, b, c = (grad(lambda x, at=at: thrice(x)[at])(x).item() for at in range(3))
    assert (a, b, c) == (6.0, 6.0, 1.0)
    assert grad(lambda x: sum(thrice(x)))(x).item() == 13.0


def test_backward_pass_can_be_repeated(ad):
    (x,) = on(ad, [2.0, 3.0])
    x = x.require_grad()
    y = checkpoint(lambda x: x * x * x)(x).sum()

    assert y.backward()[x].tolist() == y.backward()[x].tolist() == [12.0, 27.0]


def test_pullback_can_be_repeated(backend):
    (x,) = on(backend, [2.0, 3.0])
    _, pullback = vjp(checkpoint(lambda x: x * x), x)

    for scale in (1.0, 10.0):
        (found,) = pullback(tv.full_like(x, scale))
        assert found.tolist() == [4.0 * scale, 6.0 * scale]


def test_tracked_tensor_that_is_no_argument_gets_its_gradient(ad):
    x, w = (v.require_grad() for v in on(ad, [2.0, 3.0], [5.0, 7.0]))

    grads = checkpoint(lambda x: x * w * w)(x).sum().backward()

    assert grads[x].tolist() == [25.0, 49.0]
    assert grads[w].tolist() == [20.0, 42.0]


def test_untracked_call_gives_what_the_function_gives(backend):
    (x,) = on(backend, [2.0])
    calls = []

    result = checkpoint(lambda x: calls.append(0) or x * x)(x)

    assert result.tolist() == [4.0]
    assert result.backend is backend
    assert len(calls) == 1


def test_region_in_a_no_grad_block_records_nothing(ad):
    x = on(ad, [2.0])[0].require_grad()

    with no_grad():
        y = checkpoint(lambda x: x * x)(x)

    assert not ad.is_tracked(y.handle)


def test_region_is_recorded_again_when_the_pass_runs_in_a_no_grad_block(ad):
    x = on(ad, [2.0])[0].require_grad()
    y = checkpoint(lambda x: x * x)(x)

    with no_grad():
        grads = y.backward()

    assert grads[x].tolist() == [4.0]


def test_block_in_the_function_holds_the_second_time_too(backend):
    (x,) = on(backend, 3.0)

    @checkpoint
    def half_constant(x):
        with no_grad():
            factor = x * 1.0
        return factor * x

    assert grad(half_constant)(x).item() == 3.0


def test_second_run_sees_the_backend_of_the_first(backend):
    (x,) = on(backend, [3.0])
    seen = []

    @checkpoint
    def function(x):
        seen.append(tv.zeros(1, dtype=tv.float64).backend)
        return x * x

    with tv.using(backend):
        _, pullback = vjp(function, x)
    pullback(x)

    assert seen == [backend, backend]


@pytest.mark.parametrize("order", [1, 2])
def test_generator_deals_the_same_numbers_the_second_time(backend, order):
    (x,) = on(backend, [0.5, 0.6, 0.7])

    def found(wrapped):
        generator = tv.random.Generator(5, backend=backend)

        @wrapped
        def noisy(x):
            return x * x * generator.uniform(3, dtype=tv.float64)

        function = lambda x: (noisy(noisy(x)) * noisy(x)).sum()  # noqa: E731
        for _ in range(order):
            slope = grad(function)
            function = lambda x, f=slope: f(x).sum()  # noqa: E731
        return function(x).item(), generator.key()

    (slope, key), (slope2, key2) = found(checkpoint), found(plain)
    assert slope == pytest.approx(slope2, rel=1e-12)
    assert key == key2


def test_function_runs_once_more_for_one_pass(backend):
    (x,) = on(backend, 3.0)
    calls = []

    grad(checkpoint(lambda x: calls.append(0) or x * x))(x)

    assert len(calls) == 2


def test_nothing_inside_is_kept_until_the_pass(backend):
    (x,) = on(backend, [2.0])
    kept = []

    @custom_vjp
    def watched(x):
        return x * 1.0

    class Saved:
        pass

    def forward(x):
        saved = Saved()
        kept.append(weakref.ref(saved))
        return watched(x), saved

    watched.defvjp(forward, lambda saved, cotangent: (cotangent,))
    gc.disable()
    try:
        _, pullback = vjp(checkpoint(lambda x: watched(x) * x), x)
        before = [ref() for ref in kept]
        (slope,) = pullback(x)
        after = [ref() for ref in kept]
    finally:
        gc.enable()

    assert before == [None]
    assert after == [None, None]
    assert slope.tolist() == [8.0]


def test_long_chain_of_regions_needs_no_recursion(backend):
    (x,) = on(backend, 1.0)
    step = checkpoint(lambda x: x * 1.0)

    def function(x):
        for _ in range(5_000):
            x = step(x)
        return x

    assert grad(function)(x).item() == 1.0


def test_exception_in_the_function_passes_through(ad):
    x = on(ad, [2.0])[0].require_grad()

    with pytest.raises(ZeroDivisionError):
        checkpoint(lambda x: x * (1 / 0))(x)


def test_function_that_uses_other_tensors_the_second_time_is_refused(ad):
    x, *others = (v.require_grad() for v in on(ad, [2.0], [3.0], [5.0]))
    y = checkpoint(lambda x: x * others.pop())(x)

    with pytest.raises(GradientError) as caught:
        y.backward()

    assert str(caught.value) == (
        "checkpoint: the function did something else when it ran again: other tracked "
        "tensors are used. Let it depend on its arguments alone, and create no "
        "variables in it."
    )


def test_function_that_gives_fewer_tracked_results_the_second_time_is_refused(ad):
    x = on(ad, [2.0])[0].require_grad()
    factors = [1.0, 0]
    y = checkpoint(lambda x: x * x if factors.pop(0) else x.detach())(x)

    with pytest.raises(GradientError) as caught:
        y.backward()

    assert str(caught.value) == (
        "checkpoint: the function did something else when it ran again: 0 of its "
        "results are tracked, not 1. Let it depend on its arguments alone, and create "
        "no variables in it."
    )


def test_function_that_draws_more_the_second_time_is_refused(ad):
    x = on(ad, [2.0])[0].require_grad()
    generator = tv.random.Generator(0, backend=ad.inner)
    draws = [1, 2]

    def drawing(x):
        for _ in range(draws.pop(0)):
            x = x * generator.uniform((), dtype=tv.float64)
        return x

    y = checkpoint(drawing)(x)

    with pytest.raises(ValueError, match="same_keys: more random numbers are drawn"):
        y.backward()


def test_region_on_a_doubly_wrapped_backend_gives_second_derivatives(ad):
    outer = on(ad, 2.0)[0].require_grad()
    x = outer.to_backend(Autodiff(ad)).require_grad()

    slope = checkpoint(lambda x: x * x * x)(x).backward()[x]

    assert slope.item() == 12.0
    assert slope.backward()[outer].item() == 12.0
