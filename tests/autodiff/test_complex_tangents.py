"""`jvp` and `linearize` by complex numbers: slopes that are known, and refusals.

A tangent of f at z along v is the derivative of f(z + t v) by a real t at 0. For an
analytic f that is f'(z) v.
"""

import cmath

import pytest
from complexes import changing, check, slopes_of, tensor
from test_complex import NUMBERS

import trivet as tv
from trivet.errors import GradientError, TangentError
from trivet_autodiff import (
    Autodiff,
    Forward,
    checkpoint,
    custom_jvp,
    custom_vjp,
    grad,
    jvp,
    linearize,
    vjp,
)

Z, V = 0.75 - 1.25j, -0.5 + 2j


def linearized(function, primals, tangents):
    """`jvp` by way of `linearize`."""
    value, push = linearize(function, *primals)
    return value, push(*tangents)


EITHER = pytest.mark.parametrize("along", [jvp, linearized])


@pytest.fixture(autouse=True)
def _needs_complex_dtypes(backend):
    if tv.complex128 not in backend.dtypes(backend.default_device):
        pytest.skip("the backend has no complex dtypes")


def real(values, backend):
    """The values as float64."""
    return tv.asarray(values, dtype=tv.float64, backend=backend)


@EITHER
@pytest.mark.parametrize(
    "function, slope",
    [
        (tv.exp, cmath.exp(Z)),
        (tv.log, 1 / Z),
        (tv.sin, cmath.cos(Z)),
        (tv.tanh, 1 - cmath.tanh(Z) ** 2),
        (tv.sqrt, 0.5 / cmath.sqrt(Z)),
        (lambda z: z**3, 3 * Z**2),
        (lambda z: 2j / z, -2j / Z**2),
        (tv.asin, 1 / cmath.sqrt(1 - Z**2)),
    ],
)
def test_tangent_of_an_analytic_function_is_its_derivative_times_the_direction(
    backend, along, function, slope
):
    value, tangent = along(function, (tensor(Z, backend),), (tensor(V, backend),))

    assert value.item() == function(tensor(Z, backend)).item()
    assert tangent.item() == pytest.approx(slope * V, rel=1e-13)


@EITHER
@pytest.mark.parametrize(
    "function, slope",
    [
        (tv.conj, V.conjugate()),
        (tv.real, V.real),
        (tv.imag, V.imag),
        (tv.abs, (Z.conjugate() * V).real / abs(Z)),
        (lambda z: tv.atan2(tv.imag(z), tv.real(z)), (V / Z).imag),
        (tv.sign, 1j * (V / Z).imag * Z / abs(Z)),
        (lambda z: z * tv.conj(z), 2 * (Z.conjugate() * V).real + 0j),
        (lambda z: tv.conj(z) ** 2, 2 * (Z * V).conjugate()),
    ],
    ids=["conj", "real", "imag", "abs", "angle", "sign", "square", "turned"],
)
def test_tangent_of_another_function_is_linear_in_real_steps(
    backend, along, function, slope
):
    _, tangent = along(function, (tensor(Z, backend),), (tensor(V, backend),))

    assert tangent.item() == pytest.approx(slope, rel=1e-13)
    is_complex = isinstance(slope, complex)
    assert tangent.dtype == (tv.complex128 if is_complex else tv.float64)


@EITHER
def test_real_primal_has_a_complex_tangent_when_the_result_is_complex(backend, along):
    x, v = real([1.0, 2.0], backend), real([1.0, -10.0], backend)

    value, tangent = along(lambda x: x * x * (3 - 2j), (x,), (v,))

    assert value.dtype == tangent.dtype == tv.complex128
    assert tangent.tolist() == [2 * (3 - 2j), -40 * (3 - 2j)]


@EITHER
def test_real_and_complex_primals_move_together(backend, along):
    x, z = real(2.0, backend), tensor(Z, backend)

    _, tangent = along(lambda x, z: x * tv.abs(z), (x, z), (3.0, V))

    slope = 3.0 * abs(Z) + 2.0 * (Z.conjugate() * V).real / abs(Z)
    assert tangent.dtype == tv.float64
    assert tangent.item() == pytest.approx(slope)


@EITHER
def test_complex_numbers_hide_inside_a_real_function(backend, along):
    def function(x):  # |exp(i x**2) + x|**2 = 1 + x**2 + 2 x cos(x**2)
        turned = tv.exp(x * x * 1j) + x
        return tv.real(turned * tv.conj(turned))

    x = real(0.7, backend)
    expected = 2 * 0.7 + 2 * cmath.cos(0.49) - 4 * 0.49 * cmath.sin(0.49)

    tangent, gradient = along(function, (x,), (1.0,))[1], grad(function)(x)

    assert tangent.dtype == gradient.dtype == tv.float64
    assert tangent.item() == pytest.approx(expected.real, rel=1e-13)
    assert gradient.item() == pytest.approx(expected.real, rel=1e-13)


@EITHER
def test_python_numbers_are_complex_primals_and_tangents(backend, along):
    with tv.using(backend):
        value, tangent = along(lambda z: z * z, (1 + 2j,), (1j,))
        result, still = along(lambda z: 3j, (1 + 2j,), (1j,))

    assert (value.item(), tangent.item()) == (-3 + 4j, -4 + 2j)
    assert (result.item(), still.item()) == (3j, 0j)


@EITHER
def test_real_tangent_of_a_complex_primal_moves_along_the_real_axis(backend, along):
    z = tensor([Z, Z], backend)

    _, of_tensor = along(tv.square, (z,), (real([1.0, 2.0], backend),))
    _, of_number = along(tv.square, (tensor(Z, backend),), (2,))

    assert of_tensor.dtype == tv.complex128
    assert of_tensor.tolist() == [2 * Z, 4 * Z]
    assert of_number.item() == 4 * Z


@EITHER
def test_tangent_has_the_precision_of_the_result(backend, along):
    z = tv.asarray(Z, dtype=tv.complex64, backend=backend)

    _, narrow = along(tv.square, (z,), (V,))
    _, size = along(tv.abs, (z,), (tensor(V, backend),))
    _, wide = along(lambda z: z * tensor(2.0, backend), (z,), (V,))

    assert (narrow.dtype, size.dtype) == (tv.complex64, tv.float32)
    assert wide.dtype == tv.complex128


@EITHER
def test_tangent_and_pullback_are_transposes(backend, along):
    def function(z):
        return tv.conj(z) * tv.abs(z) + tv.exp(z)

    z, v = tensor(Z, backend), V
    _, pushed = along(function, (z,), (v,))
    _, pullback = vjp(function, z)

    # what both must agree on: the real part of <w, J v> is that of <J* w, v>
    for w in (1 + 0j, 1j, 2 - 3j):
        forward = (w.conjugate() * pushed.item()).real
        backward = (pullback(w)[0].item().conjugate() * v).real
        assert forward == pytest.approx(backward, rel=1e-13)


def custom_square():
    """A function with a backward rule of its own."""

    @custom_vjp
    def square(z):
        return z * z

    square.defvjp(
        forward=lambda z: (square(z), z),
        backward=lambda z, g: (g * tv.conj(2 * z),),
    )
    return square


def custom_size():
    """A function with a forward rule of its own, that is not analytic."""

    @custom_jvp
    def size(z):
        return tv.real(z * tv.conj(z))

    size.defjvp(
        lambda primals, tangents: (
            size(primals[0]),
            2 * tv.real(tv.conj(primals[0]) * tangents[0]),
        )
    )
    return size


@pytest.mark.parametrize(
    "part", [custom_square, custom_size, lambda: checkpoint(lambda z: tv.exp(z) * z)]
)
def test_functions_with_rules_of_their_own_have_tangents(backend, part):
    own = part()

    def function(z):
        return (own(tv.sin(z)) * tv.conj(z),)

    z = tensor(NUMBERS, backend)
    check(function, z)
    check(slopes_of(function), z)
    check(changing(function), z)


@EITHER
def test_complex_tangent_of_a_real_tensor_is_refused(backend, along):
    x, v = real([1.0, 2.0], backend), tensor([1j, 2j], backend)

    with pytest.raises(TangentError) as of_tensor:
        along(tv.exp, (x,), (v,))
    with pytest.raises(TangentError) as of_number:
        along(tv.exp, (real(1.0, backend),), (1j,))

    what = "jvp" if along is jvp else "linearize"
    assert str(of_tensor.value) == (
        "forward: the tangent has dtype complex128, and one of a tensor of dtype "
        "float64 is real floating. Take its real part with tv.real(...)."
    )
    assert str(of_number.value) == (
        f"{what}: the tangent is the complex number 1j, and the tensor has dtype "
        "float64. Pass a real number."
    )


def forward(function):
    """The derivative of a holomorphic function of one number, forward."""
    return lambda z: jvp(function, (z,), (tv.ones_like(z),))[1]


def across(function):
    """The same, from a step along the imaginary axis."""
    return lambda z: jvp(function, (z,), (tv.ones_like(z) * 1j,))[1] * -1j


def linear(function):
    """The same, by the linear part."""
    return lambda z: linearize(function, z)[1](tv.ones_like(z))


def reverse(function):
    """The same, backward."""
    return lambda z: tv.conj(vjp(function, z)[1](tv.ones_like(z))[0])


MODES = pytest.mark.parametrize(
    "inner, outer",
    [
        pytest.param(inner, outer, id=f"{inner.__name__}-{outer.__name__}")
        for inner in (forward, across, linear, reverse)
        for outer in (forward, across, linear, reverse)
    ],
)


@MODES
def test_inner_derivative_is_a_function_of_the_outer_variable(backend, inner, outer):
    y = tensor(2j, backend)

    # d/dz (z d/dy (z y**2)) = d/dz (2 z**2 y) = 4 z y
    found = outer(lambda z: z * inner(lambda y: z * y * y)(y))(tensor(Z, backend))

    assert found.item() == pytest.approx(4 * Z * 2j)


@MODES
def test_inner_derivative_is_not_of_the_outer_variable(backend, inner, outer):
    y = tensor(2j, backend)

    # d/dz (z d/dy (z + y)) = 1; a confused level gives 2
    found = outer(lambda z: z * inner(lambda y: z + y)(y))(tensor(Z, backend))

    assert found.item() == pytest.approx(1)


@MODES
def test_conjugates_of_the_outer_variable_stay_apart_from_inner_ones(
    backend, inner, outer
):
    y = tensor(2j, backend)

    # conj(conj(z)) is z, and the inner variable is never conjugated:
    # d/dz (z conj(d/dy (conj(z) y**2 / 2))) = d/dz (z z conj(y)) = 2 z conj(y)
    def function(z):
        return z * tv.conj(inner(lambda y: tv.conj(z) * y * y / 2)(y))

    assert outer(function)(tensor(Z, backend)).item() == pytest.approx(2 * Z * -2j)


def test_real_level_inside_a_complex_one_is_not_confused(backend):
    # d/dz (z d/dx |z| x**2 at 3) along v, with |z| of the outer level
    def function(z):
        inner = jvp(lambda x: tv.abs(z) * x * x, (real(3.0, backend),), (1.0,))[1]
        return z * inner

    _, found = jvp(function, (tensor(Z, backend),), (V,))

    slope = (Z.conjugate() * V).real / abs(Z)
    assert found.item() == pytest.approx(6 * (V * abs(Z) + Z * slope))


def test_complex_tensor_that_was_kept_is_refused_by_a_later_direction(backend):
    kept, z = [], tensor(Z, backend)
    jvp(lambda z: kept.append(tv.conj(z)) or z, (z,), (z,))

    with pytest.raises(GradientError, match="another direction"):
        jvp(lambda z: z * kept[0], (z,), (z,))


def test_handles_of_the_decorator_take_complex_tangents(backend):
    level = Forward(backend)
    z = level.dual(tensor(Z, backend).handle, tensor(V, backend).handle)

    found = tv.Tensor.from_handle(level.tangent(level.abs(z)), backend)

    assert found.item() == pytest.approx((Z.conjugate() * V).real / abs(Z))


def test_tangent_of_a_recorded_gradient_is_that_of_a_tensor(backend):
    level = Forward(backend)
    recording = Autodiff(level)
    dual = level.dual(tensor(Z, backend).handle, tensor(V, backend).handle)
    z = tv.Tensor.from_handle(dual, level).to_backend(recording).require_grad()

    gradient = tv.real(z * tv.conj(z)).backward()[z]  # 2 z

    assert level.is_tracked(gradient.handle)
    found = tv.Tensor.from_handle(level.tangent(gradient.handle), backend)
    assert found.item() == pytest.approx(2 * V)
