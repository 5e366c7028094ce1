"""`gradcheck` passes right gradients, and names the worst element of a wrong one."""

import pytest

import trivet as tv
from trivet_autodiff import custom_vjp, gradcheck, gradgradcheck
from trivet_autodiff.differences import GradcheckError


@pytest.fixture
def x(backend):
    return tv.asarray([[0.5, 2.0], [-1.0, 3.0]], dtype=tv.float64, backend=backend)


def times_square(factor):
    """x * x, whose rule says that the derivative is factor * x, off at one place."""

    @custom_vjp
    def square(x):
        return x * x

    square.defvjp(
        forward=lambda x: (square(x), x),
        backward=lambda x, g: (g * x * factor,),
    )
    return square


def test_gradcheck_passes_when_the_gradient_is_right(x):
    gradcheck(lambda x: tv.exp(x) * x, x)
    gradcheck(times_square(2.0), x)


def test_gradcheck_takes_several_inputs_and_broadcasting(x, backend):
    y = tv.asarray([0.25, 4.0], dtype=tv.float64, backend=backend)

    gradcheck(lambda x, y: x / y, x, y)


def test_gradcheck_names_the_worst_element_when_a_rule_is_wrong(x):
    # The gradient is off by w x, with w = sin(i + 1) + 1.5 at the i-th element: by 1.2,
    # 4.8, 1.6 and 2.2.
    with pytest.raises(GradcheckError) as raised:
        gradcheck(times_square(3.0), x)

    message = str(raised.value)
    assert message.startswith(
        "gradcheck: 4 of 4 elements differ. The worst is input 0 at (0, 1): "
    )
    assert "its gradient is " in message
    assert "and the central difference " in message


def test_gradcheck_fails_when_a_gradient_is_not_a_number(backend):
    x = tv.asarray([1.0], dtype=tv.float64, backend=backend)

    with pytest.raises(GradcheckError, match="its gradient is nan"):
        gradcheck(times_square(float("nan")), x)


def test_gradcheck_asks_for_float64(backend):
    x = tv.asarray([1.0], dtype=tv.float32, backend=backend)

    with pytest.raises(tv.errors.DTypeError) as raised:
        gradcheck(lambda x: x, x)

    assert str(raised.value) == (
        "gradcheck: input 0 has dtype float32, and differences need float64. Cast it "
        "with .astype(tv.float64)."
    )


def test_gradgradcheck_passes_when_second_derivatives_are_right(x):
    gradgradcheck(lambda x: tv.sin(x) * x, x)


def test_gradgradcheck_fails_when_only_the_second_derivative_is_wrong(backend):
    # the first derivative of the rule is right at every point: 2x
    @custom_vjp
    def square(x):
        return x * x

    square.defvjp(
        forward=lambda x: (square(x), x),
        backward=lambda x, g: (
            g * tv.asarray((2.0 * x).tolist(), dtype=tv.float64, backend=g.backend),
        ),
    )
    x = tv.asarray([1.0, 2.0], dtype=tv.float64, backend=backend)

    gradcheck(square, x)
    with pytest.raises(GradcheckError):
        gradgradcheck(square, x)


@pytest.mark.parametrize("check", [gradcheck, gradgradcheck])
def test_what_is_no_tensor_of_float64_is_named(backend, check):
    x = tv.asarray([1.0, 2.0], dtype=tv.float64, backend=backend)

    with pytest.raises(tv.errors.GradientError, match="input 0 is a float, not a tens"):
        check(lambda x: x, 1.0)
    with pytest.raises(
        tv.errors.GradientError, match="the result is a tuple, not a te"
    ):
        check(lambda x: (x, x), x)
    with pytest.raises(tv.errors.DTypeError, match="the result has dtype int64"):
        check(tv.argmax, x)
    with pytest.raises(tv.errors.DTypeError, match="the result has dtype float32"):
        check(lambda x: x.astype(tv.float32), x)
