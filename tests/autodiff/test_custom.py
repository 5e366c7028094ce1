"""`custom_vjp` and `custom_jvp`: a rule of one's own, at every order and direction."""

import gc
import math
import weakref

import pytest

import trivet as tv
from trivet.errors import CotangentError, GradientError
from trivet_autodiff import (
    Autodiff,
    checkpoint,
    custom_jvp,
    custom_vjp,
    grad,
    jacobian,
    jvp,
    no_grad,
    vjp,
)


def on(backend, *values):
    """Float64 tensors."""
    return tuple(tv.asarray(v, dtype=tv.float64, backend=backend) for v in values)


def pair(x, y, *, scale=1.0):
    """Two results of two arguments, and a static."""
    return tv.sin(x) * y * scale, tv.exp(y)


def backward_pair():
    """`pair` with its backward rule."""
    function = custom_vjp(pair)

    def forward(x, y, *, scale=1.0):
        result = function(x, y, scale=scale)
        return result, (x, y, result)

    def backward(saved, cotangents, *, scale=1.0):
        x, y, (_, growth) = saved
        first, second = cotangents
        return (
            first * tv.cos(x) * y * scale,
            first * tv.sin(x) * scale + second * growth,
        )

    function.defvjp(forward, backward)
    return function


def forward_pair():
    """`pair` with its forward rule."""
    function = custom_jvp(pair)

    @function.defjvp
    def rule(primals, tangents, *, scale=1.0):
        (x, y), (dx, dy) = primals, tangents
        product, growth = result = function(x, y, scale=scale)
        slope = tv.cos(x) * y * scale * dx + tv.sin(x) * scale * dy
        assert product.shape == slope.shape
        return result, (slope, growth * dy)

    return function


@pytest.fixture(params=[backward_pair, forward_pair])
def custom(request):
    """`pair` with a rule of either kind."""
    return request.param()


def mixed(function):
    """A function that uses both results, and each argument in both places."""

    def total(x, y):
        first, _ = function(x, y, scale=2.0)
        _, second = function(y, x, scale=3.0)
        return (first * second).sum()

    return total


def values(found):
    return [x.tolist() for x in found]


def close(found, expected):
    for one, other in zip(found, expected, strict=True):
        assert one == pytest.approx(other, rel=1e-10)


def test_value_is_that_of_the_function(backend, custom):
    x, y = on(backend, [0.5, -1.2], [0.3, 0.9])

    assert values(custom(x, y, scale=2.0)) == values(pair(x, y, scale=2.0))


def test_gradient_is_that_of_the_rule(backend, custom):
    x, y = on(backend, [0.5, -1.2], [0.3, 0.9])

    found = grad(mixed(custom), (0, 1))(x, y)

    close(values(found), values(grad(mixed(pair), (0, 1))(x, y)))


@pytest.mark.parametrize("order", [2, 3])
def test_higher_gradients_differentiate_the_rule(backend, custom, order):
    x, y = on(backend, [0.5, -1.2], [0.3, 0.9])

    def found(function):
        total = mixed(function)
        for _ in range(order - 1):
            slope = grad(total, (0, 1))
            total = lambda x, y, f=slope: (f(x, y)[0] * f(x, y)[1]).sum()  # noqa: E731
        return values(grad(total, (0, 1))(x, y))

    close(found(custom), found(pair))


def test_forward_mode_follows_the_rule_alone_and_nested(backend, custom):
    x, y = on(backend, [0.5, -1.2], [0.3, 0.9])

    def found(function):
        total = mixed(function)
        slope = grad(total, (0, 1))
        along = lambda x: jvp(total, (x, y), (y, x))[1]  # noqa: E731
        return [
            *values(jvp(total, (x, y), (y, x))),
            *values(jvp(slope, (x, y), (y, x))[1]),
            grad(along)(x).tolist(),
            jvp(along, (x,), (y,))[1].tolist(),
        ]

    close(found(custom), found(pair))


def test_jacobian_of_several_results_is_that_of_the_rule(backend, custom):
    x, y = on(backend, [0.5, -1.2], [0.3, 0.9])

    rows = jacobian(lambda x: custom(x, y))(x)

    product, growth = (r.tolist() for r in rows)
    expected = [[math.cos(0.5) * 0.3, 0.0], [0.0, math.cos(-1.2) * 0.9]]
    for row, wanted in zip(product, expected, strict=True):
        assert row == pytest.approx(wanted)
    assert growth == [[0.0, 0.0], [0.0, 0.0]]


def test_rule_holds_inside_a_region_that_is_computed_again(backend, custom):
    x, y = on(backend, [0.5, -1.2], [0.3, 0.9])

    found = grad(checkpoint(mixed(custom)), (0, 1))(x, y)

    close(values(found), values(grad(mixed(pair), (0, 1))(x, y)))


def test_backward_works_on_recording_tensors(ad, custom):
    x, y = (v.require_grad() for v in on(ad, [0.5, -1.2], [0.3, 0.9]))

    first, second = custom(x, y)
    grads = (first * second).sum().backward()

    plain = grad(lambda x, y: (pair(x, y)[0] * pair(x, y)[1]).sum(), (0, 1))
    close([grads[x].tolist(), grads[y].tolist()], values(plain(x.inner(), y.inner())))
    assert first.backend is ad


def straight_through(sign=1.0):
    """A step function whose slope is declared to be 1, or `sign`."""

    @custom_vjp
    def rounded(x):
        return tv.round(x)

    def forward(x):
        return tv.round(x), None  # not through `rounded` itself

    rounded.defvjp(forward, lambda saved, cotangent: (cotangent * sign,))
    return rounded


def test_rule_counts_at_every_level_and_not_the_body(backend):
    (x,) = on(backend, 1.4)
    rounded = straight_through()

    # as if it were x: the square's derivatives, at the rounded value
    square = lambda x: rounded(x) * rounded(x)  # noqa: E731

    assert grad(square)(x).item() == 2.0
    assert grad(grad(square))(x).item() == 2.0
    assert jvp(grad(square), (x,), (x,))[1].item() == pytest.approx(2.8)
    assert grad(lambda x: jvp(square, (x,), (x,))[1])(x).item() == pytest.approx(4.8)


def test_levels_of_one_variable_are_not_confused(backend):
    (x,) = on(backend, 3.0)

    @custom_vjp
    def times(x, y):
        return x * y

    times.defvjp(
        lambda x, y: (times(x, y), (x, y)),
        lambda saved, g: (times(g, saved[1]), times(g, saved[0])),
    )

    # d/dx x (d/dy x y y at 2) = d/dx 4 x**2
    nested = grad(lambda x: times(x, grad(lambda y: times(times(x, y), y))(2.0)))
    assert nested(x).item() == 24.0


def test_arguments_and_results_may_be_nested(backend):
    w, b, x = on(backend, [2.0], [3.0], [5.0])

    @custom_vjp
    def affine(parameters, x):
        return {"out": [parameters["w"] * x + parameters["b"]]}

    def forward(parameters, x):
        return affine(parameters, x), (parameters["w"], x)

    def backward(saved, cotangent):
        (w, x), (g,) = saved, cotangent["out"]
        return {"w": g * x, "b": g * 10.0}, g * w

    affine.defvjp(forward, backward)
    slopes, dx = grad(lambda p, x: affine(p, x)["out"][0].sum(), (0, 1))(
        {"w": w, "b": b}, x
    )

    assert slopes["w"].tolist() == [5.0]
    assert slopes["b"].tolist() == [10.0]
    assert dx.tolist() == [2.0]


def test_none_stands_for_zeros(backend):
    x, y = on(backend, 2.0, 3.0)

    @custom_vjp
    def product(x, y):
        return x * y

    product.defvjp(lambda x, y: (x * y, y), lambda y, g: (g * y, None))

    found = grad(product, (0, 1))(x, y)
    assert [v.item() for v in found] == [3.0, 0.0]
    assert jvp(product, (x, y), (x, y))[1].item() == 6.0


def test_number_among_the_arguments_has_no_gradient(backend):
    (x,) = on(backend, 2.0)

    @custom_vjp
    def power(x, n):
        return x**n

    power.defvjp(
        lambda x, n: (power(x, n), (x, n)),
        lambda saved, g: (g * saved[1] * saved[0] ** (saved[1] - 1), None),
    )

    assert grad(lambda x: power(x, 3))(x).item() == 12.0
    assert grad(grad(lambda x: power(x, 3)))(x).item() == 12.0


def test_result_of_integers_has_no_gradient(backend):
    (x,) = on(backend, [1.0, 5.0, 3.0])

    @custom_vjp
    def best(x):
        return tv.max(x), tv.argmax(x)

    def backward(n, cotangents):
        weight, none = cotangents
        assert none.dtype.kind == "signed integer"
        return (
            weight * tv.asarray([0.0, 1.0, 0.0], dtype=tv.float64, backend=backend),
        )

    best.defvjp(lambda x: (best(x), 3), backward)

    value, place = best(x)
    assert (value.item(), place.item()) == (5.0, 1)
    assert grad(lambda x: best(x)[0])(x).tolist() == [0.0, 1.0, 0.0]


def test_cotangent_has_the_dtype_of_its_argument(backend):
    x = tv.asarray(2.0, dtype=tv.float32, backend=backend)

    @custom_vjp
    def twice(x):
        return x.astype(tv.float64) * 2.0

    twice.defvjp(lambda x: (twice(x), None), lambda saved, g: (g * 2.0,))

    assert grad(twice)(x).dtype == tv.float32
    assert grad(twice)(x).item() == 2.0


def test_forward_may_leave_the_library(backend):
    (x,) = on(backend, [4.0, 9.0])

    @custom_vjp
    def root(x):
        numbers = [math.sqrt(v) for v in x.tolist()]
        return tv.asarray(numbers, dtype=tv.float64, backend=x.backend)

    def forward(x):
        y = root(x)
        return y, y

    root.defvjp(forward, lambda y, g: (g / (y * 2.0),))

    assert grad(lambda x: root(x).sum())(x).tolist() == [1 / 4, 1 / 6]
    # -1/4 x**(-3/2)
    second = grad(lambda x: grad(lambda x: root(x).sum())(x).sum())(x)
    assert second.tolist() == pytest.approx([-1 / 32, -1 / 108])


def test_untracked_call_uses_no_rule(backend):
    (x,) = on(backend, 1.4)

    @custom_vjp
    def rounded(x):
        return tv.round(x)

    assert rounded(x).item() == 1.0
    assert rounded.__name__ == "rounded"


def test_call_in_a_no_grad_block_is_a_constant(ad):
    x = on(ad, 1.4)[0].require_grad()

    with no_grad():
        y = straight_through()(x)

    assert y.backend is ad
    assert not ad.is_tracked(y.handle)


def test_plain_tensor_meets_a_tracked_one(ad):
    x = on(ad, 2.0)[0].require_grad()
    (y,) = on(ad.inner, 3.0)
    product = custom_vjp(lambda x, y: x * y)
    product.defvjp(
        lambda x, y: (x * y, (x, y)), lambda saved, g: (g * saved[1], g * saved[0])
    )

    assert product(x, y).backward()[x].item() == 3.0
    assert product(y, x).backward()[x].item() == 3.0


def test_argument_used_twice_gets_both_parts(ad):
    x = on(ad, 3.0)[0].require_grad()
    product = custom_vjp(lambda x, y: x * y)
    product.defvjp(
        lambda x, y: (x * y, (x, y)), lambda saved, g: (g * saved[1], g * saved[0])
    )
    pushed = custom_jvp(lambda x, y: x * y)
    pushed.defjvp(lambda xs, ts: (pushed(*xs), xs[0] * ts[1] + xs[1] * ts[0]))

    assert (pushed(x, x) + x).backward()[x].item() == 7.0
    assert (product(x, x) + x).backward()[x].item() == 7.0


class Saved:
    """Something whose end can be seen."""


@pytest.fixture
def watched():
    """A function that saves an object: which are alive in each call of its rule."""
    kept, alive = [], []
    function = custom_vjp(lambda x: x * 1.0)

    def forward(x):
        saved = Saved()
        kept.append(weakref.ref(saved))
        return function(x), saved

    def backward(saved, cotangent):
        alive.append([ref() is not None for ref in kept])
        return (cotangent,)

    function.defvjp(forward, backward)
    gc.collect()
    gc.disable()
    yield function, kept, alive
    gc.enable()


def test_graph_of_a_temporary_is_freed_as_it_is_used_up(ad, watched):
    step, kept, alive = watched
    x = on(ad, 1.0)[0].require_grad()

    step(step(step(x))).backward()

    assert alive == [[True] * 3, [True, True, False], [True, False, False]]
    assert [ref() for ref in kept] == [None] * 3


def test_branches_of_a_temporary_are_freed_as_they_are_used_up(ad, watched):
    step, _, alive = watched
    x = on(ad, 1.0)[0].require_grad()

    (step(step(x)) * 2.0 * step(step(x))).backward()

    assert alive == [
        [True, True, True, True],
        [True, True, True, False],
        [True, True, False, False],
        [True, False, False, False],
    ]


def test_graph_is_freed_as_it_is_used_up_by_grad(backend, watched):
    step, _, alive = watched

    grad(lambda x: step(step(x)) * 2.0)(*on(backend, 1.0))

    assert alive == [[True, True], [True, False]]


def test_graph_lives_as_long_as_its_result(ad, watched):
    step, kept, alive = watched
    x = on(ad, 1.0)[0].require_grad()

    y = step(step(x))
    first, second = y.backward()[x].item(), y.backward()[x].item()
    del y

    assert first == second
    assert alive == [[True, True]] * 4
    assert [ref() for ref in kept] == [None, None]


def test_pullback_can_be_repeated(backend, custom):
    x, y = on(backend, [0.5, -1.2], [0.3, 0.9])
    result, pullback = vjp(custom, x, y)

    assert values(pullback(result)) == values(pullback(result))


def message(act, error):
    with pytest.raises(error) as caught:
        act()
    return str(caught.value)


def named(forward, backward):
    """A custom function named `product`."""

    @custom_vjp
    def product(x, y):
        return x * y

    product.defvjp(forward, backward)
    return product


def ruled(backward):
    return named(lambda x, y: (x * y, None), backward)


def test_call_without_a_rule_is_refused(ad):
    x = on(ad, 1.0)[0].require_grad()
    first, second = custom_vjp(pair), custom_jvp(pair)

    assert message(lambda: first(x, x), GradientError) == (
        "pair: an argument is tracked, and there is no rule yet. Set it with "
        "pair.defvjp(forward, backward)."
    )
    assert message(lambda: second(x, x), GradientError) == (
        "pair: an argument is tracked, and there is no rule yet. Set it with "
        "pair.defjvp(rule)."
    )


def test_tracked_keyword_is_refused(ad, custom):
    x = on(ad, 1.0)[0].require_grad()

    assert message(lambda: custom(x, x, scale=x), GradientError) == (
        "pair: the keyword scale is a tracked tensor, and keywords are static. Pass it "
        "by position, or call .detach() on it."
    )


def test_tracked_tensor_that_is_no_argument_is_refused(ad):
    x, w = (v.require_grad() for v in on(ad, 1.0, 2.0))
    product = named(lambda x, y: (x * y * w, None), lambda saved, g: (g, g))

    assert message(lambda: product(x, x), GradientError) == (
        "product: its result depends on a tracked tensor that is not an argument. Pass "
        "it by position, or call .detach() on it."
    )


def test_forward_rule_that_gives_no_pair_is_refused(ad):
    x = on(ad, 1.0)[0].require_grad()
    product = named(lambda x, y: x * y, lambda saved, g: (g, g))

    assert message(lambda: product(x, x), GradientError) == (
        "product: its forward rule returned a Tensor, not a pair."
    )


def test_result_that_is_no_tensor_is_refused(ad):
    x = on(ad, 1.0)[0].require_grad()
    product = named(lambda x, y: (1.5, None), lambda saved, g: (g, g))

    assert message(lambda: product(x, x), GradientError) == (
        "product: it returned a float, not a tensor. Return tensors, alone or in "
        "containers."
    )


@pytest.mark.parametrize(
    "backward, got",
    [(lambda saved, g: g, "Tensor"), (lambda saved, g: (g, g, g), "3")],
)
def test_backward_rule_that_gives_another_number_is_refused(ad, backward, got):
    x = on(ad, 1.0)[0].require_grad()
    y = ruled(backward)(x, x)

    assert message(y.backward, GradientError) == (
        f"product: its backward rule returned {got}, not a tuple of 2, one for each "
        "positional argument. None stands for zeros."
    )


def test_cotangent_that_does_not_fit_is_refused(ad):
    x = on(ad, [1.0, 2.0])[0].require_grad()
    wide = ruled(lambda saved, g: (g.sum(), g))(x, x).sum()
    number = ruled(lambda saved, g: (g, 1.0))(x, x).sum()
    nested = ruled(lambda saved, g: (g, [g]))(x, x).sum()

    assert message(wide.backward, CotangentError) == (
        "product: its rule returned a tensor of shape (), and it belongs to one of "
        "shape (2,). They must be the same."
    )
    assert message(number.backward, CotangentError) == (
        "product: its rule returned a float, not a tensor."
    )
    assert message(nested.backward, CotangentError) == (
        "product: its rule returned what is nested as [*], and it belongs to *. They "
        "must be the same."
    )


def test_cotangent_on_another_backend_is_refused(ad):
    x = on(ad, 1.0)[0].require_grad()
    outside = Autodiff(ad)
    y = ruled(lambda saved, g: (g.to_backend(outside), g))(x, x)

    assert message(y.backward, CotangentError) == (
        f"product: its rule returned a tensor on {outside.name}, and it works on "
        f"{ad.inner.name}. Compute with the tensors that the rule is given."
    )


def test_tangent_of_another_nesting_is_refused(backend):
    (x,) = on(backend, 1.0)

    @custom_jvp
    def twice(x):
        return x * 2.0

    @twice.defjvp
    def rule(primals, tangents):
        return twice(*primals), tangents

    for act in (lambda: grad(twice)(x), lambda: jvp(twice, (x,), (x,))):
        assert message(act, CotangentError) == (
            "twice: its rule returned what is nested as (*,), and it belongs to *. "
            "They must be the same."
        )
