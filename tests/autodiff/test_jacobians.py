"""`jacobian`, `hessian` and `hvp`."""

import pytest

import trivet as tv
from trivet.errors import CotangentError, GradientError
from trivet_autodiff import grad, hessian, hvp, jacobian

MODE = pytest.mark.parametrize("mode", ["reverse", "forward"])


def tensor(values, backend):
    """A float64 tensor."""
    return tv.asarray(values, dtype=tv.float64, backend=backend)


@MODE
def test_jacobian_of_a_linear_map_is_its_matrix(backend, mode):
    matrix = [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]
    a = tensor(matrix, backend)

    found = jacobian(lambda x: tv.matmul(a, x), mode=mode)(tensor([1, 1, 1], backend))

    assert found.tolist() == matrix
    assert found.backend is backend


@MODE
def test_shape_is_that_of_the_value_and_then_of_the_argument(backend, mode):
    x = tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], backend)

    found = jacobian(lambda x: tv.sum(x * x, axis=0), mode=mode)(x)

    assert found.shape == (3, 2, 3)
    for j in range(3):
        for i in range(2):
            expected = [2.0 * x[i, j].item() if k == j else 0.0 for k in range(3)]
            assert found[j, i].tolist() == expected


@MODE
@pytest.mark.parametrize("shape, other", [((), (2,)), ((2,), ()), ((0,), (2,))])
def test_scalars_and_nothing_have_jacobians(backend, mode, shape, other):
    x = tv.ones(shape, dtype=tv.float64, backend=backend)

    found = jacobian(lambda x: tv.sum(x) * tv.ones(other), mode=mode)
    with tv.using(backend):
        matrix = found(x)

    assert matrix.shape == other + shape
    assert all(v == 1.0 for v in tv.reshape(matrix, (-1,)).tolist() if matrix.size)


@MODE
def test_value_of_no_elements_has_a_jacobian_of_none(backend, mode):
    x = tensor([1.0, 2.0], backend)

    assert jacobian(lambda x: x[2:], mode=mode)(x).shape == (0, 2)


@MODE
def test_jacobians_of_several_arguments_come_as_a_tuple(backend, mode):
    x, y = tensor([1.0, 2.0], backend), tensor(3.0, backend)

    of_x, of_y = jacobian(lambda x, y: x * y, (0, 1), mode)(x, y)

    assert of_x.tolist() == [[3.0, 0.0], [0.0, 3.0]]
    assert of_y.tolist() == [1.0, 2.0]


@MODE
def test_jacobian_is_nested_as_result_and_argument(backend, mode):
    def parts(p):
        return p["a"] * p["b"], {"sum": tv.sum(p["a"])}

    p = {"a": tensor([1.0, 2.0], backend), "b": tensor(5.0, backend)}
    product, rest = jacobian(parts, mode=mode)(p)

    assert product["a"].tolist() == [[5.0, 0.0], [0.0, 5.0]]
    assert product["b"].tolist() == [1.0, 2.0]
    assert rest["sum"]["a"].tolist() == [1.0, 1.0]
    assert rest["sum"]["b"].item() == 0.0


@MODE
def test_jacobian_runs_the_function_once(backend, mode):
    runs = []
    x = tensor([1.0, 2.0], backend)

    jacobian(lambda x: runs.append(x) or x * x, mode=mode)(x)

    assert len(runs) == 1


@MODE
def test_jacobian_is_differentiable(backend, mode):
    def trace(x):
        matrix = jacobian(lambda x: x * x * x, mode=mode)(x)
        return matrix[0, 0] + matrix[1, 1]  # 3 x0**2 + 3 x1**2

    assert grad(trace)(tensor([1.0, 2.0], backend)).tolist() == [6.0, 12.0]


@MODE
@pytest.mark.parametrize("steps", [lambda x: x > 1.0, lambda x: x.astype(tv.int64)])
def test_result_with_gaps_between_its_values_has_a_jacobian_of_zeros(
    backend, mode, steps
):
    found = jacobian(steps, mode=mode)(tensor([1.0, 2.0], backend))

    assert found.shape == (2, 2)
    assert not any(tv.reshape(found, (-1,)).tolist())


@MODE
def test_unused_argument_has_a_jacobian_of_zeros(backend, mode):
    x = tensor([1.0, 2.0], backend)

    found = jacobian(lambda x, y: y * y, mode=mode)(x, x)

    assert found.tolist() == [[0.0, 0.0], [0.0, 0.0]]


def test_another_mode_is_refused():
    with pytest.raises(GradientError) as error:
        jacobian(lambda x: x, mode="backward")

    assert str(error.value) == (
        'jacobian: mode=\'backward\' is neither "reverse" nor "forward".'
    )


def test_hessian_of_a_quadratic_form_is_its_symmetric_part_twice(backend):
    a = tensor([[1.0, 2.0], [5.0, 3.0]], backend)

    found = hessian(lambda x: tv.matmul(x, tv.matmul(a, x)))(tensor([1, 2], backend))

    assert found.tolist() == [[2.0, 7.0], [7.0, 6.0]]


def test_hessian_of_several_arguments_is_a_tuple_of_tuples(backend):
    x, y = tensor(2.0, backend), tensor(3.0, backend)

    (xx, xy), (yx, yy) = hessian(lambda x, y: x * x * y * y, (0, 1))(x, y)

    assert [h.item() for h in (xx, xy, yx, yy)] == [18.0, 24.0, 24.0, 8.0]


def test_hessian_of_a_nested_argument_is_nested_twice(backend):
    p = {"a": tensor([1.0, 2.0], backend), "b": tensor(3.0, backend)}

    found = hessian(lambda p: tv.sum(p["a"] * p["a"]) * p["b"])(p)

    assert found["a"]["a"].tolist() == [[6.0, 0.0], [0.0, 6.0]]
    assert found["a"]["b"].tolist() == found["b"]["a"].tolist() == [2.0, 4.0]
    assert found["b"]["b"].item() == 0.0


def test_product_with_the_hessian_agrees_with_the_hessian(backend):
    def function(x):
        return tv.sum(tv.exp(x) * tv.flip(x)) + x[0] ** 3

    x, v = tensor([0.5, -1.0, 2.0], backend), tensor([1.0, 2.0, 3.0], backend)
    (found,) = hvp(function, (x,), (v,))

    expected = tv.matmul(hessian(function)(x), v)
    assert found.tolist() == pytest.approx(expected.tolist(), rel=1e-12)


def test_products_come_one_for_each_primal(backend):
    x, p = tensor(2.0, backend), {"y": tensor(3.0, backend)}

    of_x, of_p = hvp(lambda x, p: x * x * p["y"], (x, p), (1.0, {"y": 10.0}))

    assert of_x.item() == 46.0  # 2 y + 10 * 2 x
    assert of_p["y"].item() == 4.0  # 2 x


def test_product_with_the_hessian_of_several_values_is_refused(backend):
    x = tensor([1.0, 2.0], backend)

    with pytest.raises(CotangentError, match="not a scalar"):
        hvp(lambda x: x * x, (x,), (x,))
