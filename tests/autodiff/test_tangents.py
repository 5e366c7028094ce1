"""`jvp` and `linearize`: derivatives along directions."""

import math

import pytest

import trivet as tv
from trivet.errors import (
    BackendMismatchError,
    DeviceMismatchError,
    GradientError,
    TangentError,
)
from trivet_autodiff import Autodiff, Forward, grad, jvp, linearize, no_grad


def number(value, backend):
    """A 0-d tensor."""
    return tv.asarray(value, dtype=tv.float64, backend=backend)


def row(values, backend):
    """A 1-d tensor."""
    return tv.asarray(values, dtype=tv.float64, backend=backend)


def linearized(function, primals, tangents):
    """`jvp` by way of `linearize`."""
    value, push = linearize(function, *primals)
    return value, push(*tangents)


EITHER = pytest.mark.parametrize("along", [jvp, linearized])


@EITHER
def test_derivative_along_a_direction_is_the_weighted_sum_of_slopes(backend, along):
    x, y = row([1.0, 2.0], backend), number(3.0, backend)

    value, slope = along(
        lambda x, y: x * x * y,
        (x, y),
        (row([1.0, 10.0], backend), number(100.0, backend)),
    )

    assert value.tolist() == [3.0, 12.0]
    assert slope.tolist() == [106.0, 520.0]
    assert value.backend is slope.backend is backend


@EITHER
def test_derivative_is_nested_as_the_result(backend, along):
    def parts(p):
        return {"sin": tv.sin(p["x"]), "rest": [p["x"] * p["y"], 7.0]}

    p = {"x": number(0.5, backend), "y": number(2.0, backend)}
    v = {"y": number(10.0, backend), "x": number(1.0, backend)}
    value, slope = along(parts, (p,), (v,))

    assert value["rest"][1].item() == 7.0
    assert slope["sin"].item() == pytest.approx(math.cos(0.5), rel=1e-14)
    assert [s.item() for s in slope["rest"]] == [7.0, 0.0]


@EITHER
def test_numbers_are_primals_and_tangents(backend, along):
    with tv.using(backend):
        value, slope = along(lambda x: x * x * x, (2.0,), (1,))

    assert (value.item(), slope.item()) == (8.0, 12.0)


@EITHER
def test_result_that_does_not_depend_on_a_primal_has_derivative_zero(backend, along):
    x = row([1.0, 2.0], backend)

    _, (ones, steps) = along(lambda x: (tv.ones_like(x), x > 1.5), (x,), (x,))

    assert ones.tolist() == [0.0, 0.0]
    assert steps.shape == (2,)
    assert not any(steps.tolist())


@EITHER
def test_derivative_has_the_dtype_of_the_result(backend, along):
    x = tv.asarray([1.0, 2.0], dtype=tv.float32, backend=backend)

    _, slope = along(
        lambda x: x.astype(tv.float64) * 2.0, (x,), (row([1, 2], backend),)
    )
    _, narrow = along(lambda x: x * 2.0, (x,), (row([1, 2], backend),))

    assert slope.dtype == tv.float64
    assert narrow.dtype == tv.float32
    assert slope.tolist() == narrow.tolist() == [2.0, 4.0]


@EITHER
def test_what_was_computed_without_gradients_is_a_constant(backend, along):
    def half(x):
        with no_grad():
            y = x * x + tv.sum(x)
        return x * y

    x = number(3.0, backend)

    assert along(half, (x,), (number(1.0, backend),))[1].item() == 12.0
    assert grad(half)(x).item() == 12.0


@EITHER
def test_derivative_is_taken_inside_a_block_without_gradients(backend, along):
    with no_grad():
        _, slope = along(tv.square, (number(3.0, backend),), (number(1.0, backend),))

    assert slope.item() == 6.0


def test_linear_part_runs_the_function_once(backend):
    runs = []

    def square(x):
        runs.append(x)
        return x * x

    _, push = linearize(square, number(3.0, backend))

    assert [push(float(v)).item() for v in range(3)] == [0.0, 6.0, 12.0]
    assert len(runs) == 1


def test_derivative_depends_on_an_outer_variable(backend):
    def outer(x):
        return jvp(lambda y: y * y * y, (x,), (x,))[1]  # 3 x**3

    assert grad(outer)(number(2.0, backend)).item() == 36.0
    assert jvp(outer, (number(2.0, backend),), (1.0,))[1].item() == 36.0


def test_linear_part_depends_on_an_outer_variable(backend):
    def outer(x):
        return linearize(lambda y: y * y * y, x)[1](x)

    assert grad(outer)(number(2.0, backend)).item() == 36.0


def test_memory_of_a_direction_does_not_grow_with_the_ops(backend):
    level = Forward(backend)
    x = level.dual(number(0.5, backend).handle, number(1.0, backend).handle)

    for _ in range(3):
        x = level.sin(x)

    assert set(type(x).__mro__[1].__slots__) >= {"value", "tangent", "shape"}
    assert not level.is_tracked(x.value)
    assert not level.is_tracked(x.tangent)


@EITHER
@pytest.mark.parametrize("dtype", ["int64", "bool"])
def test_primal_with_gaps_between_its_values_is_refused(backend, along, dtype):
    x = tv.asarray(1, dtype=dtype, backend=backend)

    with pytest.raises(GradientError) as error:
        along(lambda x: x * 2.0, (x,), (number(1.0, backend),))

    what, place = ("jvp", "a primal") if along is jvp else ("linearize", "argument 0")
    assert str(error.value) == (
        f"{what}: {place} has dtype {dtype}; its values cannot change by a little, so "
        "it has no derivative. Cast it, for example with .astype(tv.float32), or leave "
        "it out of what is differentiated."
    )


@EITHER
def test_tangent_of_integers_is_refused(backend, along):
    x = number(1.0, backend)

    with pytest.raises(TangentError) as error:
        along(lambda x: x, (x,), (tv.asarray(1, backend=backend),))

    assert str(error.value) == (
        "forward: the tangent has dtype int64, and only floating dtypes have "
        "derivatives. Cast it, for example with .astype(tv.float32)."
    )


@EITHER
def test_tangent_of_another_shape_is_refused(backend, along):
    with pytest.raises(TangentError) as error:
        along(lambda x: x, (row([1.0, 2.0], backend),), (row([1.0], backend),))

    what = "jvp" if along is jvp else "linearize"
    assert str(error.value) == (
        f"{what}: the tangent has shape (1,), and the tensor has (2,). They must be "
        "the same."
    )


@EITHER
@pytest.mark.parametrize("tangents, shown", [((), "()"), (([1.0],), "([*],)")])
def test_tangents_nested_otherwise_are_refused(backend, along, tangents, shown):
    with pytest.raises(TangentError) as error:
        along(lambda x: x, (number(1.0, backend),), tangents)

    what = "jvp" if along is jvp else "linearize"
    assert str(error.value) == (
        f"{what}: the tangents are nested as {shown}, and the primals as (*,). They "
        "must be the same."
    )


@EITHER
def test_tangent_of_an_unrelated_backend_is_refused(backend, along):
    others = {"example": "ndarray", "ndarray": "example"}
    try:
        other = tv.backend(others[backend.name])
    except tv.TrivetError:
        pytest.skip("there is one backend")

    with pytest.raises(BackendMismatchError):
        along(lambda x: x, (number(1.0, backend),), (number(1.0, other),))


@EITHER
def test_tangent_on_another_device_is_refused(along):
    where = {"backend": "example"}
    x = tv.asarray([1.0], device="example:0", **where)

    with pytest.raises(DeviceMismatchError) as error:
        along(lambda x: x, (x,), (tv.asarray([1.0], device="example:1", **where),))

    assert str(error.value) == (
        "forward: the tensor is on example:0 and the tangent on example:1. Nothing is "
        'moved silently: call .to_device("example:0") on the tangent.'
    )


def test_tangent_that_is_tracked_further_out_is_refused_by_the_linear_part(backend):
    outer = Autodiff(backend)
    _, push = linearize(lambda x: x * x, number(1.0, backend))

    with pytest.raises(TangentError) as error:
        push(number(1.0, outer).require_grad())

    assert str(error.value) == (
        f"linearize: the tangent is tracked by {outer.name}, and the tensor is on "
        f"{backend.name}. Call .detach() on the tangent, or differentiate where both "
        "are tracked."
    )
