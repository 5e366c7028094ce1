"""Gradients by complex numbers: the convention, and the rules against differences.

The gradient of a real L by z = x + iy is dL/dx + i dL/dy. `CASES` has functions of a
complex z by the op that they are about; the transforms of real numbers take its parts.
"""

import cmath

import pytest

import trivet as tv
from trivet.errors import CotangentError
from trivet_autodiff import (
    Autodiff,
    custom_vjp,
    grad,
    gradcheck,
    gradgradcheck,
    gradients_as_ready,
    jvp,
    vjp,
)

NUMBERS = [[0.5 + 1.25j, -1.0 + 0.5j, 2.0 - 0.75j], [1.5 + 0.25j, -0.5 - 2j, 1 - 1j]]
SQUARE = [[2.0 + 1j, 0.5 - 1j], [-1j, 1.5 + 0.5j]]
NORMS = ("backward", "ortho", "forward")


def parts(z):
    """A real operand made of a complex variable."""
    return tv.real(z) + 2.0 * tv.imag(z)


def square(z):
    """A matrix that depends on the variable and can be inverted."""
    return z[:, :2] + tv.asarray([[4.0, 0.0], [0.0, 4.0]], dtype=z.dtype)


def gram(z):
    """A Hermitian, positive definite matrix."""
    eye = tv.asarray([[1.0, 0.0], [0.0, 1.0]], dtype=z.dtype)
    return z @ tv.conj(z.mT) + eye


def free(vectors):
    """What does not depend on the phases of vectors."""
    return tv.abs(vectors)


def projection(z):
    """A product of both kinds of singular vectors, in which their phases meet."""
    u, _, vh = tv.linalg.svd(z, full_matrices=False)
    return u @ vh


def outer_products(z):
    """The product of each eigenvector with its adjoint, in which phases cancel."""
    vectors = tv.linalg.eig(z).eigenvectors
    return tv.einsum("...ij,...kj->...ikj", vectors, tv.conj(vectors))


def transforms(name, of=lambda z: z):
    """A transform that cuts, one that fills up, and one of each norm."""
    function = getattr(tv.fft, name)
    return [
        *(lambda z, n=n: function(of(z), n=n) for n in (2, 3, 5)),
        *(lambda z, norm=norm: function(of(z), norm=norm) for norm in NORMS),
        lambda z: function(of(z), axis=0),
    ]


def several(name, of=lambda z: z):
    """The same along several axes."""
    function = getattr(tv.fft, name)
    return [
        lambda z: function(of(z), s=(3, 2), axes=(0, 1)),
        *(lambda z, norm=norm: function(of(z), norm=norm) for norm in NORMS),
    ]


CASES = {
    "add": [lambda z: z + tv.conj(z) * 3j, lambda z: z + tv.real(z)],
    "subtract": [lambda z: tv.real(z) - z * z, lambda z: 1j - z],
    "multiply": [lambda z: z * z * (2 - 1j), lambda z: tv.imag(z) * z],
    "divide": [lambda z: (1 + 2j) / z, lambda z: z / tv.real(z)],
    "pow": [
        lambda z: z**2,
        lambda z: z**2.5,
        lambda z: z ** (0.5 + 1j),
        lambda z: 2.0**z,
        lambda z: (1 + 2j) ** z,
        lambda z: z ** tv.conj(z),
        lambda z: tv.real(z) ** z,
        lambda z: z ** tv.real(z),
        lambda z: tv.real(z) ** (0.5 - 1j),
        lambda z: (-2.0) ** z,
        # as where a number is no 0-d handle before it comes to the op
        lambda z: tv.Tensor.from_handle(z.backend.pow(-2.0, z.handle), z.backend),
    ],
    "abs": [tv.abs, lambda z: tv.abs(z * z)],
    "sign": [tv.sign],
    "conj": [tv.conj, lambda z: tv.conj(z) * z],
    "real": [lambda z: tv.real(z * z)],
    "imag": [tv.imag, lambda z: tv.imag(z * z)],
    "astype": [lambda z: tv.astype(tv.real(z), z.dtype) * z],
    **{
        name: [getattr(tv, name)]
        for name in (
            *("exp", "expm1", "log", "log1p", "log2", "log10", "sqrt", "square"),
            *("reciprocal", "negative", "positive", "sin", "cos", "tan", "sinh"),
            *("cosh", "tanh", "asin", "acos", "atan", "asinh", "acosh", "atanh"),
        )
    },
    "sum": [tv.sum, lambda z: tv.sum(z * z, axis=0)],
    "mean": [lambda z: tv.mean(z * z, axis=1)],
    "prod": [tv.prod, lambda z: tv.prod(z, axis=0)],
    "cumulative_sum": [lambda z: tv.cumulative_sum(z * z, axis=1)],
    "cumulative_prod": [lambda z: tv.cumulative_prod(z, axis=1)],
    "where": [lambda z: tv.where(tv.real(z) > 0, z * z, tv.conj(z))],
    "matmul": [lambda z: z @ z.mT, lambda z: tv.real(z) @ z.mT, lambda z: z @ z[0]],
    "vecdot": [lambda z: tv.vecdot(z, z * z)],
    "einsum": [lambda z: tv.einsum("ij,ik->jk", z, tv.conj(z))],
    "getitem": [lambda z: z[1, ::-1] * z[0]],
    "concat": [lambda z: tv.concat([z, tv.conj(z)])],
    "inv": [lambda z: tv.linalg.inv(square(z))],
    "det": [lambda z: tv.linalg.det(square(z))],
    "solve": [lambda z: tv.linalg.solve(square(z), z)],
    "expm": [lambda z: tv.linalg.expm(z[:, :2])],
    "matrix_power": [lambda z: tv.linalg.matrix_power(z[:, :2], 3)],
    "cholesky": [
        lambda z, upper=upper: tv.linalg.cholesky(gram(z), upper=upper)
        for upper in (False, True)
    ],
    "qr": [
        lambda z, of=of, at=at: tv.linalg.qr(of(z))[at]
        for of in (lambda z: z, lambda z: z.mT, lambda z: z[:, :2])
        for at in (0, 1)
    ],
    "lu": [lambda z, at=at: tv.linalg.lu(square(z))[at] for at in (1, 2)],
    "svd": [
        lambda z, of=of, at=at: free(tv.linalg.svd(of(z), full_matrices=False)[at])
        for of in (lambda z: z, lambda z: z.mT)
        for at in (0, 1, 2)
    ]
    + [projection],
    "svdvals": [tv.linalg.svdvals],
    "eigh": [lambda z, at=at: free(tv.linalg.eigh(gram(z))[at]) for at in (0, 1)],
    "eig": [
        lambda z, of=of, function=function: function(of(z))
        for of in (
            lambda z: z[:, :2],
            lambda z: parts(z)[:, ::2],
            lambda z: parts(z)[:, 1:],
            lambda z: tv.stack([z[:, 1:], tv.conj(z[:, :2])]),
        )
        for function in (lambda x: tv.linalg.eig(x).eigenvalues, outer_products)
    ],
    "eigvals": [
        lambda z: tv.linalg.eigvals(z.mT @ z + tv.conj(z)[0]),
        lambda z: tv.linalg.eigvals(parts(z).mT @ tv.imag(z)),
    ],
    "eigvalsh": [lambda z: tv.linalg.eigvalsh(gram(z))],
    "pinv": [tv.linalg.pinv],
    "lstsq": [lambda z: tv.linalg.lstsq(z.mT, tv.conj(z.mT))[0]],
    "slogdet": [lambda z, at=at: tv.linalg.slogdet(square(z))[at] for at in (0, 1)],
    "vector_norm": [
        lambda z, ord=ord: tv.linalg.vector_norm(z, ord=ord, axis=1)
        for ord in (1, 2, 3, float("inf"))
    ],
    "fft": [*transforms("fft"), *transforms("fft", parts)],
    "ifft": [*transforms("ifft"), *transforms("ifft", parts)],
    "rfft": transforms("rfft", parts),
    "irfft": [*transforms("irfft"), *transforms("irfft", parts)],
    "hfft": transforms("hfft"),
    "ihfft": transforms("ihfft", parts),
    "fftn": several("fftn"),
    "ifftn": several("ifftn"),
    "rfftn": several("rfftn", parts),
    "irfftn": several("irfftn"),
    "stft": [lambda z: tv.fft.stft(parts(z)[0], 2, hop_length=1)],
}


@pytest.fixture(autouse=True)
def _needs_complex_dtypes(backend):
    if tv.complex128 not in backend.dtypes(backend.default_device):
        pytest.skip("the backend has no complex dtypes")


def tensor(backend, numbers=NUMBERS):
    return tv.asarray(numbers, dtype=tv.complex128, backend=backend)


@pytest.mark.parametrize(
    "function",
    [
        pytest.param(function, id=f"{op}-{place}")
        for op, functions in CASES.items()
        for place, function in enumerate(functions)
    ],
)
def test_derivatives_agree_with_differences(backend, function):
    with tv.using(backend):
        gradcheck(function, tensor(backend))
        gradgradcheck(function, tensor(backend))


def test_gradient_of_the_square_of_the_size_is_twice_the_number(backend):
    z = tensor(backend)

    gradient = grad(lambda z: tv.sum(tv.real(z * tv.conj(z))))(z)

    assert gradient.tolist() == [[2 * c for c in row] for row in NUMBERS]


def test_pullback_of_an_analytic_function_multiplies_by_the_conjugate(backend):
    z = tv.asarray(0.5 + 1j, dtype=tv.complex128, backend=backend)

    _, pullback = vjp(tv.exp, z)

    expected = (2 - 3j) * cmath.exp(0.5 + 1j).conjugate()
    assert pullback(2 - 3j)[0].item() == pytest.approx(expected)


def test_gradient_of_a_real_variable_is_real_when_it_meets_complex_numbers(backend):
    x = tv.asarray([1.0, 2.0], dtype=tv.float64, backend=backend)
    c = tv.asarray([3 + 4j, 5 - 12j], dtype=tv.complex128, backend=backend)

    # three real uses before the complex ones, so that a real sum gets a complex part
    gradient = grad(
        lambda x: tv.sum(x + x * x + 3.0 * x) + tv.sum(tv.abs(x * c) + tv.real(x * c))
    )(x)

    assert gradient.dtype == tv.float64
    assert gradient.tolist() == [1 + 2 + 3 + 5 + 3, 1 + 4 + 3 + 13 + 5]


def test_slope_of_the_size_is_zero_at_zero(backend):
    zero = tv.asarray(0j, dtype=tv.complex128, backend=backend)

    assert grad(tv.abs)(zero).item() == 0
    assert grad(lambda z: tv.real(tv.sign(z)))(zero).item() == 0


def test_tangent_of_a_real_number_passes_through_complex_ones(backend):
    x = tv.asarray([1.0, 2.0], dtype=tv.float64, backend=backend)
    c = tv.asarray([3 + 4j, 1 - 1j], dtype=tv.complex128, backend=backend)

    def function(x):
        turned = tv.real(tv.sign(x * x + c) * c) + tv.abs(tv.conj(x * c) + x)
        return tv.sum(turned * tv.imag(tv.exp(x * c)))

    _, slope = jvp(function, (x,), (tv.ones_like(x),))

    assert slope.dtype == tv.float64
    assert slope.item() == pytest.approx(tv.sum(grad(function)(x)).item())


def test_gradients_as_ready_are_those_of_backward(backend):
    z = tensor(Autodiff(backend)).require_grad()
    loss = tv.sum(tv.abs(z * z))

    ((_, gradient),) = gradients_as_ready(loss, [z])

    assert gradient.tolist() == loss.backward()[z].tolist()


def test_custom_rule_is_given_cotangents_as_users_know_them(backend):
    @custom_vjp
    def square(z):
        return z * z

    square.defvjp(
        forward=lambda z: (square(z), z),
        backward=lambda z, g: (g * tv.conj(2 * z),),
    )

    gradcheck(lambda z: square(z) * tv.conj(z), tensor(backend))
    gradgradcheck(lambda z: square(z) * tv.conj(z), tensor(backend))


def test_complex_result_is_no_loss(backend):
    z = tensor(backend, SQUARE)

    with pytest.raises(CotangentError) as caught:
        grad(tv.sum)(z)

    assert str(caught.value) == (
        "grad: the function returned a tensor of dtype complex128, and only a real one "
        "grows or shrinks. Take .real or abs, or use vjp with a cotangent."
    )


def test_backward_of_a_complex_tensor_needs_a_cotangent(backend):
    z = tensor(Autodiff(backend), 1j).require_grad()

    with pytest.raises(CotangentError) as caught:
        (z * z).backward()

    assert str(caught.value) == (
        "backward: the tensor has dtype complex128, and only a real one grows or "
        "shrinks. Take .real or abs, or pass a cotangent."
    )


def test_complex_cotangent_of_a_real_tensor_is_refused(backend):
    x = tv.ones(2, dtype=tv.float64, backend=Autodiff(backend)).require_grad()

    with pytest.raises(CotangentError) as caught:
        (x * x).backward(tv.ones(2, dtype=tv.complex128, backend=x.backend))

    with pytest.raises(CotangentError) as of_number:
        vjp(tv.exp, tv.ones((), dtype=tv.float64, backend=backend))[1](1j)

    assert str(of_number.value) == (
        "vjp: the cotangent is the complex number 1j, and the tensor has dtype "
        "float64. Pass a real number."
    )
    assert str(caught.value) == (
        "backward: the cotangent has dtype complex128, and one of a tensor of dtype "
        "float64 is real floating. Take its real part with tv.real(...)."
    )
