"""`grad`, `value_and_grad` and `vjp`, alone and inside one another."""

import functools
import math

import pytest

import trivet as tv
from trivet.errors import BackendMismatchError, CotangentError, GradientError
from trivet_autodiff import (
    Autodiff,
    grad,
    hessian,
    jacobian,
    jvp,
    stop_gradient,
    value_and_grad,
    vjp,
)


def number(value, backend):
    """A 0-d tensor."""
    return tv.asarray(value, dtype=tv.float64, backend=backend)


def test_gradient_is_a_plain_tensor_of_the_argument(backend):
    x = tv.asarray([1.0, 2.0], dtype=tv.float32, backend=backend)

    gradient = grad(lambda x: tv.sum(x * x))(x)

    assert gradient.backend is backend
    assert gradient.dtype == tv.float32
    assert gradient.tolist() == [2.0, 4.0]


def test_nested_closure_sees_the_outer_variable(backend):
    def outer(x):
        return x * grad(lambda y: x * y * y)(number(2.0, backend))

    assert grad(outer)(number(3.0, backend)).item() == 24.0


def test_nested_closure_sees_the_outer_variable_when_called_with_a_number(backend):
    with tv.using(backend):
        found = grad(lambda x: x * grad(lambda y: x * y * y)(2.0))(3.0)

    assert found.item() == 24.0


def test_inner_derivative_is_not_confused_with_the_outer_one(backend):
    # d/dx (x * d/dy (x + y)) = d/dx x = 1; a confused level gives 2
    def outer(x):
        return x * grad(lambda y: x + y)(number(1.0, backend))

    assert grad(outer)(number(5.0, backend)).item() == 1.0


def test_third_derivative_of_sine_is_minus_cosine(backend):
    found = grad(grad(grad(tv.sin)))(number(0.5, backend))

    assert found.item() == pytest.approx(-math.cos(0.5), rel=1e-14)


def test_gradient_flows_through_a_keyword_that_an_outer_level_tracks(backend):
    def outer(w):
        inner = grad(lambda x, *, w: w * w * x)
        return inner(number(1.0, backend), w=w)

    assert grad(outer)(number(3.0, backend)).item() == 6.0


def test_keyword_of_a_wrapped_backend_is_differentiated_by_its_owner(backend):
    w = number(3.0, Autodiff(backend)).require_grad()

    slope = grad(lambda x, *, w: w * w * x)(number(1.0, backend), w=w)

    assert slope.item() == 9.0
    assert slope.backward()[w].item() == 6.0


def test_gradients_of_several_arguments_come_as_a_tuple(backend):
    def product(x, y, z):
        return x * y * y * z

    x, y, z = (number(v, backend) for v in (2.0, 3.0, 5.0))

    assert [g.item() for g in grad(product, (0, 2))(x, y, z)] == [45.0, 18.0]
    assert [g.item() for g in grad(product, (1,))(x, y, z)] == [60.0]
    assert grad(product, 1)(x, y, z).item() == 60.0
    assert grad(product, -1)(x, y, z).item() == 18.0


def test_one_tensor_in_two_places_has_two_gradients(backend):
    x = number(3.0, backend)

    found = grad(lambda a, b: a * a * b, (0, 1))(x, x)

    assert [g.item() for g in found] == [18.0, 9.0]


def test_argument_that_the_result_does_not_depend_on_has_gradient_zero(backend):
    x = tv.asarray([1.0, 2.0], dtype=tv.float32, backend=backend)
    y = tv.asarray([3.0], dtype=tv.float64, backend=backend)

    of_x, of_y = grad(lambda x, y: tv.sum(y), (0, 1))(x, y)
    constant = grad(lambda x: 7.0)(x)

    assert of_x.tolist() == constant.tolist() == [0.0, 0.0]
    assert of_x.dtype == constant.dtype == tv.float32
    assert of_y.tolist() == [1.0]


def test_value_comes_with_the_gradient(backend):
    value, slope = value_and_grad(lambda x: x * x)(number(3.0, backend))

    assert (value.item(), slope.item()) == (9.0, 6.0)
    assert value.backend is slope.backend is backend


def test_function_is_called_with_its_keywords(backend):
    found = grad(lambda x, *, power: x**power)(number(3.0, backend), power=2)

    assert found.item() == 6.0


def test_pullback_can_be_called_again(backend):
    x = tv.asarray([1.0, 2.0], dtype=tv.float64, backend=backend)
    value, pullback = vjp(lambda x: x * x, x)

    first = pullback(tv.asarray([1.0, 10.0], dtype=tv.float64, backend=backend))
    second = pullback(tv.asarray([0.0, 1.0], dtype=tv.float64, backend=backend))

    assert value.tolist() == [1.0, 4.0]
    assert [g.tolist() for g in first] == [[2.0, 40.0]]
    assert [g.tolist() for g in second] == [[0.0, 4.0]]


def test_pullback_of_a_constant_gives_zeros(backend):
    x = tv.asarray([1.0, 2.0], dtype=tv.float64, backend=backend)
    value, pullback = vjp(tv.ones_like, x)

    assert [g.tolist() for g in pullback(value)] == [[0.0, 0.0]]


def test_pullback_is_itself_differentiable(backend):
    def outer(x):
        _, pullback = vjp(lambda y: y * y * y, x)
        return pullback(tv.ones_like(x))[0]

    assert grad(outer)(number(2.0, backend)).item() == 12.0


def test_failed_function_leaves_no_level_behind(backend):
    def fails(x):
        raise ValueError("on purpose")

    with pytest.raises(ValueError, match="on purpose"):
        grad(fails)(number(1.0, backend))

    slope = grad(lambda x: x * x)(number(3.0, backend))
    assert slope.backend is backend


def test_result_that_is_no_scalar_is_refused(backend):
    with pytest.raises(CotangentError) as error:
        grad(lambda x: x * 2.0)(tv.asarray([1.0, 2.0], backend=backend))

    assert str(error.value) == (
        "grad: the function returned a tensor of shape (2,), not a scalar. Reduce it, "
        "for example with .sum(), or use vjp."
    )


def test_several_results_have_no_gradient(backend):
    with pytest.raises(GradientError) as error:
        grad(lambda x: [x])(number(1.0, backend))

    assert str(error.value) == (
        "grad: the function returned a list, not a tensor. Return one tensor, or use "
        "vjp."
    )


def test_result_that_is_no_tensor_is_refused(backend):
    with pytest.raises(GradientError) as error:
        vjp(lambda x: (x, "done"), number(1.0, backend))

    assert str(error.value) == (
        "vjp: the function returned a str, not a tensor. Return tensors, alone or in "
        "tuples, lists and dictionaries."
    )


def test_argument_that_was_not_given_by_position_is_refused(backend):
    with pytest.raises(GradientError) as error:
        grad(lambda x: x, 1)(number(1.0, backend))

    assert str(error.value) == (
        "grad: argnums=1, and the function was called with 1 positional arguments. "
        "Pass what is differentiated by position."
    )


def test_cotangent_of_another_shape_is_refused_by_the_pullback(backend):
    x = tv.asarray([1.0, 2.0], backend=backend)
    _, pullback = vjp(lambda x: x * x, x)

    with pytest.raises(CotangentError) as error:
        pullback(tv.asarray([1.0], backend=backend))

    assert str(error.value) == (
        "vjp: the cotangent has shape (1,), and the tensor has (2,). They must be the "
        "same."
    )


@pytest.mark.parametrize("at", [0, -1])
@pytest.mark.parametrize("dtype", ["int64", "bool"])
def test_argument_with_gaps_between_its_values_is_refused(backend, dtype, at):
    with pytest.raises(GradientError) as error:
        grad(lambda n: n * 2.0, at)(tv.asarray(1, dtype=dtype, backend=backend))

    assert str(error.value) == (
        f"grad: argument {at} has dtype {dtype}; its values cannot change by a little, "
        "so it has no derivative. Cast it, for example with .astype(tv.float32), or "
        "leave it out of what is differentiated."
    )


def test_text_is_refused_as_an_argument(backend):
    with pytest.raises(GradientError) as error:
        grad(lambda p: p["w"])({"w": number(1.0, backend), "kind": "linear"})

    assert str(error.value) == (
        "grad: argument 0 holds a str, which is not a tensor. Pass it by keyword, or "
        "leave its position out of what is differentiated."
    )


def test_gradient_is_nested_as_its_argument(backend):
    def loss(p, x):
        return tv.sum(p["layers"][0] * x + p["layers"][1]) * p["scale"]

    p = {
        "scale": number(2.0, backend),
        "layers": [number(3.0, backend), number(5.0, backend)],
        "unused": (None, number(1.0, backend)),
    }
    found = grad(loss)(p, tv.asarray([1.0, 10.0], dtype=tv.float64, backend=backend))

    assert list(found) == ["scale", "layers", "unused"]
    assert found["scale"].item() == 43.0
    assert [g.item() for g in found["layers"]] == [22.0, 4.0]
    assert found["unused"][0] is None
    assert found["unused"][1].item() == 0.0


def test_numbers_in_a_container_count_as_tensors(backend):
    with tv.using(backend):
        found = grad(lambda p: p[0] * p[1])([2.0, 3.0])

    assert [g.item() for g in found] == [3.0, 2.0]


def test_rest_of_a_result_comes_beside_the_gradient(backend):
    def loss(x):
        y = x * x
        return y * x, {"square": y, "name": "cube"}

    x = number(3.0, backend)
    slope, rest = grad(loss, has_aux=True)(x)
    (value, again), same = value_and_grad(loss, has_aux=True)(x)

    assert (value.item(), slope.item(), same.item()) == (27.0, 27.0, 27.0)
    assert rest["square"].item() == again["square"].item() == 9.0
    assert rest["square"].backend is backend
    assert rest["name"] == "cube"


def test_rest_of_a_result_is_differentiated_by_an_outer_level(backend):
    def outer(x):
        slope, square = grad(lambda y: (y * y * y, y * y), has_aux=True)(x)
        return slope * square  # 3 x**2 * x**2

    assert grad(outer)(number(2.0, backend)).item() == 96.0


def test_result_without_the_rest_is_refused(backend):
    with pytest.raises(GradientError) as error:
        grad(lambda x: x, has_aux=True)(number(1.0, backend))

    assert str(error.value) == (
        "grad: has_aux=True, and the function returned a Tensor, not a pair of a "
        "scalar and the rest."
    )


def test_several_outputs_are_pulled_back_at_once(backend):
    x, y = number(2.0, backend), number(3.0, backend)
    value, pullback = vjp(lambda x, y: {"product": x * y, "both": (x, 1.0)}, x, y)

    one, ten = number(1.0, backend), number(10.0, backend)
    found = pullback({"product": one, "both": (ten, one)})

    assert value["product"].item() == 6.0
    assert value["both"][1].item() == 1.0
    assert [g.item() for g in found] == [13.0, 2.0]


def test_result_that_appears_twice_gets_both_cotangents(backend):
    def twice(x):
        y = x * x
        return y, y

    _, pullback = vjp(twice, number(3.0, backend))

    assert pullback((number(1.0, backend), number(10.0, backend)))[0].item() == 66.0


def test_cotangent_nested_otherwise_is_refused(backend):
    x = number(1.0, backend)
    _, pullback = vjp(lambda x: (x, x), x)

    with pytest.raises(CotangentError) as error:
        pullback([x, x])

    assert str(error.value) == (
        "vjp: the cotangent is nested as [*, *], and the value as (*, *). They must be "
        "the same."
    )


def test_cotangent_that_is_tracked_further_out_is_refused(backend):
    x = number(1.0, backend)
    _, pullback = vjp(lambda x: x * x, x)
    outer = Autodiff(backend)

    with pytest.raises(CotangentError) as error:
        pullback(number(1.0, outer).require_grad())

    assert pullback(number(1.0, outer))[0].item() == 2.0
    assert str(error.value) == (
        f"vjp: the cotangent is tracked by {outer.name}, and the tensor is on "
        f"{backend.name}. Call .detach() on the cotangent, or differentiate where both "
        "are tracked."
    )


def test_constant_value_stops_every_level(backend):
    def outer(x):
        def stopped(y):
            return stop_gradient({"square": y * y, "n": 2})["square"]

        return grad(lambda y: y * stopped(y))(x)

    x = number(3.0, backend)

    assert grad(lambda x: x * stop_gradient(x))(x).item() == 3.0
    assert grad(outer)(x).item() == 0.0
    assert jvp(stop_gradient, (x,), (x,))[1].item() == 0.0
    assert stop_gradient(x).backend is backend


def test_derivative_on_another_backend_stays_there(backend):
    others = {"example": "ndarray", "ndarray": "example"}
    try:
        other = tv.backend(others[backend.name])
    except tv.TrivetError:
        pytest.skip("there is one backend")
    found = []

    def outer(x):
        found.append(grad(lambda y: y * y)(number(3.0, other)))
        return x * found[0].item()

    assert grad(outer)(number(1.0, backend)).item() == 6.0
    assert found[0].backend is other


def test_arguments_of_unrelated_backends_are_refused(backend):
    others = {"example": "ndarray", "ndarray": "example"}
    try:
        other = tv.backend(others[backend.name])
    except tv.TrivetError:
        pytest.skip("there is one backend")

    with pytest.raises(BackendMismatchError) as error:
        grad(lambda x, y: x * y, (0, 1))(number(1.0, backend), number(1.0, other))

    assert str(error.value) == (
        f"grad: argument 1 is on {other.name}, and what comes before it on "
        f"{backend.name}. Nothing is moved silently: call "
        f".to_backend('{backend.name}') on it."
    )


def test_constant_argument_of_an_unrelated_backend_does_not_choose(backend):
    x = number(3.0, backend)
    table = tv.asarray([1.0], backend="example")

    found = grad(lambda table, x: x * x * table.shape[0], 1)(table, x)

    assert found.backend is backend
    assert found.item() == 6.0


TRANSFORMS = (
    grad,
    value_and_grad,
    jacobian,
    functools.partial(jacobian, mode="forward"),
    hessian,
)


@pytest.mark.parametrize("transform", TRANSFORMS)
@pytest.mark.parametrize("argnums", ["x", 1.5, None, (0, "x")])
def test_position_that_is_no_integer_is_refused(transform, argnums):
    with pytest.raises(tv.errors.ArgumentError, match=r"argnums=.* is not an integer"):
        transform(lambda x, y: x * y, argnums)


@pytest.mark.parametrize("transform", TRANSFORMS)
@pytest.mark.parametrize("argnums", [(0, 0), (1, -1), [0, 1, -2]])
def test_argument_that_is_named_twice_is_refused(backend, transform, argnums):
    x, y = (tv.asarray(n, dtype=tv.float64, backend=backend) for n in (2.0, 3.0))

    with pytest.raises(tv.errors.GradientError, match="names an argument twice, of 2"):
        transform(lambda x, y: x * y, argnums)(x, y)


@pytest.mark.parametrize("mode", ["reverse", "forward"])
@pytest.mark.parametrize("size", [0, 2])
def test_matrix_has_the_dtype_of_its_variable(backend, mode, size):
    x = tv.ones(size, dtype=tv.float64, backend=backend)

    matrix = jacobian(lambda x: (x * x).astype(tv.float32), mode=mode)(x)

    assert matrix.dtype == tv.float64
    assert matrix.shape == (size, size)
