"""`jacobian`, `hessian` and `hvp` where numbers are complex."""

import cmath

import pytest
from complexes import along, check, numbers, tensor
from test_complex import NUMBERS

import trivet as tv
from trivet.errors import CotangentError, GradientError
from trivet_autodiff import grad, hessian, hvp, jacobian, jvp, vjp

MODE = pytest.mark.parametrize("mode", ["reverse", "forward"])
MATRIX = [[1 + 2j, -1j, 3.0], [0.5, 2 - 1j, 1j]]


@pytest.fixture(autouse=True)
def _needs_complex_dtypes(backend):
    if tv.complex128 not in backend.dtypes(backend.default_device):
        pytest.skip("the backend has no complex dtypes")


def real(values, backend):
    """The values as float64."""
    return tv.asarray(values, dtype=tv.float64, backend=backend)


@MODE
def test_jacobian_of_a_complex_result_by_real_numbers_is_complex(backend, mode):
    a = tensor(MATRIX, backend)

    found = jacobian(lambda x: tv.matmul(a, x + 0j), mode=mode)(
        real([1, 2, 3], backend)
    )

    assert found.dtype == tv.complex128
    assert found.tolist() == MATRIX


@MODE
def test_jacobian_of_a_curve_is_its_velocity(backend, mode):
    t = real([0.5, 2.0], backend)

    found = jacobian(lambda t: tv.conj(tv.exp(t * (1j - 0.5))), mode=mode)(t)

    velocity = [
        ((1j - 0.5) * cmath.exp(t * (1j - 0.5))).conjugate() for t in (0.5, 2.0)
    ]
    assert found[0, 0].item() == pytest.approx(velocity[0])
    assert found[1, 1].item() == pytest.approx(velocity[1])
    assert found[0, 1].item() == found[1, 0].item() == 0


@MODE
def test_jacobian_of_a_holomorphic_function_is_its_derivative(backend, mode):
    a, z = tensor(MATRIX, backend), tensor([1j, 2.0, -1.0], backend)

    linear = jacobian(lambda z: tv.matmul(a, z), mode=mode, holomorphic=True)(z)
    curved = jacobian(lambda z: z[0] * z * z, mode=mode, holomorphic=True)(z)

    assert linear.tolist() == MATRIX
    # d(z0 z_i**2) by z_j: z_i**2 for j = 0, and 2 z0 z_i for j = i
    assert curved.tolist() == [
        [3 * 1j * 1j, 0, 0],
        [4, 2 * 1j * 2, 0],
        [1, 0, 2 * 1j * -1],
    ]


@MODE
def test_modes_have_real_and_complex_arguments_beside_each_other(backend, mode):
    x, z = real([1.0, 2.0], backend), tensor(1 - 1j, backend)

    by_x, by_z = jacobian(lambda x, z: x * x * z, (0, 1), mode, holomorphic=True)(x, z)

    assert by_x.tolist() == [[2 * (1 - 1j), 0], [0, 4 * (1 - 1j)]]
    assert by_z.tolist() == [1, 4]
    assert by_x.dtype == by_z.dtype == tv.complex128


@MODE
def test_real_functions_have_the_same_jacobian_with_holomorphic(backend, mode):
    x = real([1.0, 2.0], backend)

    found = jacobian(lambda x: x * x, mode=mode, holomorphic=True)(x)

    assert found.dtype == tv.float64
    assert found.tolist() == [[2.0, 0.0], [0.0, 4.0]]


@MODE
def test_jacobian_is_nested_where_parts_are_complex(backend, mode):
    def parts(p):
        return {"product": p["x"] * p["z"]}, p["z"] * p["z"]

    p = {"x": real(3.0, backend), "z": tensor(2j, backend)}
    named, square = jacobian(parts, mode=mode, holomorphic=True)(p)

    assert named["product"]["x"].item() == 2j
    assert named["product"]["z"].item() == 3
    assert (square["x"].item(), square["z"].item()) == (0, 4j)


@MODE
def test_integers_beside_a_complex_result_have_derivative_zero(backend, mode):
    z = tensor([1j, 2.0], backend)

    steps, _ = jacobian(lambda z: (tv.real(z) > 1.0, z), mode=mode, holomorphic=True)(z)

    assert steps.shape == (2, 2)
    assert not any(numbers(steps))


@MODE
def test_jacobian_of_numbers_is_that_of_scalars(backend, mode):
    with tv.using(backend):
        found = jacobian(tv.square, mode=mode, holomorphic=True)(1 + 2j)

    assert found.item() == 2 + 4j


@MODE
def test_derivative_of_a_jacobian_is_a_second_derivative(backend, mode):
    z = tensor([1j, 2 - 1j], backend)

    def trace(z):
        matrix = jacobian(lambda z: z * z * z, mode=mode, holomorphic=True)(z)
        return matrix[0, 0] + matrix[1, 1]  # 3 z0**2 + 3 z1**2

    found = jacobian(trace, holomorphic=True)(z)
    _, changed = jvp(trace, (z,), (tensor([1.0, 1j], backend),))

    assert found.tolist() == [6j, 6 * (2 - 1j)]
    assert changed.item() == 6j + 6 * (2 - 1j) * 1j


@MODE
def test_curve_inside_a_real_function_is_differentiated_again(backend, mode):
    def speed(x):  # |d exp(2ix) / dx|**2 x**2 = 4 x**2
        velocity = jacobian(lambda t: tv.exp(t * 2j), mode=mode)(x)
        return tv.real(velocity * tv.conj(velocity)) * x * x

    assert grad(speed)(real(3.0, backend)).item() == pytest.approx(24.0)


@MODE
def test_jacobian_by_a_complex_argument_asks_whether_it_is_holomorphic(backend, mode):
    z = tensor(NUMBERS, backend)

    with pytest.raises(GradientError) as caught:
        jacobian(lambda x, z: z * x, (0, 1), mode)(real(1.0, backend), z)

    assert str(caught.value) == (
        "jacobian: argument 1 has dtype complex128, and only a holomorphic function "
        "has one derivative for each pair of elements there. Pass holomorphic=True if "
        "it is one. Of others there are directional derivatives, by jvp and hvp, and "
        "those by real and imaginary parts as real arguments."
    )


@MODE
def test_real_result_of_complex_arguments_is_not_holomorphic(backend, mode):
    with pytest.raises(GradientError) as caught:
        jacobian(tv.abs, mode=mode, holomorphic=True)(tensor(NUMBERS, backend))

    assert str(caught.value) == (
        "jacobian: the function returned a tensor of dtype float64, and a holomorphic "
        "function of complex arguments is complex. Use grad or vjp, or jvp and hvp for "
        "directional derivatives."
    )


def test_hessian_of_a_holomorphic_function_is_its_second_derivative(backend):
    x, y = 1 - 2j, 0.5j

    found = hessian(lambda z: z[0] ** 2 * z[1] ** 3, holomorphic=True)(
        tensor([x, y], backend)
    )

    assert numbers(found) == pytest.approx(
        [2 * y**3, 6 * x * y**2, 6 * x * y**2, 6 * x**2 * y]
    )


def test_hessian_of_real_and_complex_arguments_is_a_tuple_of_tuples(backend):
    x, z = real(2.0, backend), tensor(1j, backend)

    found = hessian(lambda x, z: x**2 * z**3, (0, 1), holomorphic=True)(x, z)

    expected = [[2 * -1j, 4 * 3 * -1], [4 * 3 * -1, 4 * 6j]]
    assert [[h.item() for h in row] for row in found] == [
        pytest.approx(row) for row in expected
    ]


def test_hessian_by_a_complex_argument_asks_whether_it_is_holomorphic(backend):
    with pytest.raises(GradientError, match=r"^hessian: argument 0 has dtype complex"):
        hessian(lambda z: tv.sum(z * z))(tensor(NUMBERS, backend))


@pytest.mark.parametrize(
    "function, returned",
    [(tv.square, "tensor of shape (2, 3)"), (lambda z: (z[0, 0],), "tuple")],
)
def test_hessian_of_more_than_a_number_is_refused(backend, function, returned):
    with pytest.raises(CotangentError) as caught:
        hessian(function, holomorphic=True)(tensor(NUMBERS, backend))

    assert str(caught.value) == (
        f"hessian: the function returned a {returned}, not a scalar. Reduce it, for "
        "example with .sum(), or use jacobian twice."
    )


def test_product_with_the_hessian_is_how_the_gradient_changes(backend):
    z, v = tensor(NUMBERS, backend), along(tensor(NUMBERS, backend))

    # the gradient of |z|**4 is 4 |z|**2 z
    (product,) = hvp(lambda z: tv.sum(tv.abs(z) ** 4), (z,), (v,))

    expected = [
        8 * (c.conjugate() * d).real * c + 4 * abs(c) ** 2 * d
        for c, d in zip(numbers(z), numbers(v), strict=True)
    ]
    assert numbers(product) == pytest.approx(expected)


@pytest.mark.parametrize(
    "function",
    [
        lambda z: tv.sum(tv.abs(tv.exp(z)) * tv.imag(z)),
        lambda z: tv.real(tv.sum(z @ z.mT)) ** 2,
        lambda z: tv.linalg.vector_norm(tv.fft.fft(z) * tv.conj(z)),
    ],
)
def test_product_with_the_hessian_is_the_difference_of_gradients(backend, function):
    z = tensor(NUMBERS, backend)

    def gradient(z):
        return (grad(function)(z),)

    check(gradient, z)
    (product,) = hvp(function, (z,), (along(z),))

    assert product.tolist() == jvp(gradient, (z,), (along(z),))[1][0].tolist()


def test_product_with_the_hessian_is_symmetric(backend):
    def function(z):
        return tv.sum(tv.abs(z * z + tv.conj(z)) ** 2 + tv.real(z * z * z))

    z = tensor(NUMBERS, backend)
    u, v = along(z), along(z) * (0.3 - 2j) + tv.conj(z)

    def paired(first, second):
        return tv.sum(tv.real(tv.conj(first) * second)).item()

    (of_u,), (of_v,) = hvp(function, (z,), (u,)), hvp(function, (z,), (v,))

    assert paired(of_u, v) == pytest.approx(paired(of_v, u), rel=1e-12)


def test_product_with_the_hessian_of_a_complex_function_is_refused(backend):
    z = tensor(NUMBERS, backend)

    with pytest.raises(CotangentError, match="only a real one grows or shrinks"):
        hvp(tv.sum, (z,), (z,))


def test_gradient_of_a_product_with_the_hessian_is_a_third_derivative(backend):
    z, v = tensor(1 - 2j, backend), tensor(0.5 + 1j, backend)

    # f = |z|**4, the product with v is 8 <z, v> z + 4 |z|**2 v, and that times v,
    # p(z) = 8 <z, v>**2 + 4 |z|**2 |v|**2, whose gradient is 16 <z, v> v + 8 |v|**2 z
    def paired(z):
        (product,) = hvp(lambda z: tv.abs(z) ** 4, (z,), (v,))
        return tv.real(tv.conj(product) * v)

    found = grad(paired)(z).item()

    z, v = 1 - 2j, 0.5 + 1j
    inner = (z.conjugate() * v).real
    assert found == pytest.approx(16 * inner * v + 8 * abs(v) ** 2 * z)


def test_pullback_and_jacobian_of_a_curve_agree(backend):
    x = real([0.5, -1.0], backend)

    def function(x):
        return tv.exp(x * 1j) * x

    matrix = jacobian(function)(x)
    w = tensor([2 - 1j, 3j], backend)
    (found,) = vjp(function, x)[1](w)

    expected = tv.real(tv.matmul(tv.conj(w), matrix))
    assert found.tolist() == pytest.approx(expected.tolist())
