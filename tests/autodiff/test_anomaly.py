"""The first NaN or infinity is named, forward and backward."""

import math
import warnings

import pytest

import trivet as tv
from trivet_autodiff import (
    AnomalyError,
    Autodiff,
    checkpoint,
    custom_jvp,
    custom_vjp,
    detect_anomaly,
    grad,
    hessian,
    jvp,
    on_gradient,
)


@pytest.fixture(autouse=True)
def quiet():
    """NumPy warns where it makes an infinity; that is the subject here."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        yield


@pytest.fixture
def ad(backend):
    return tv.backend(f"autodiff({backend.name})")


def test_forward_anomaly_names_op_place_and_operands(ad):
    x = tv.asarray([1.0, 0.0], dtype=tv.float64, backend=ad).require_grad()

    with detect_anomaly(), pytest.raises(AnomalyError) as raised:
        tv.log(x)

    message = str(raised.value)
    assert message.startswith(
        "log: a result of shape (2,) is infinite or NaN at (1,). The operands are "
        "finite: float64(2,). It was called at "
    )
    assert "test_anomaly.py:" in message


def test_backward_anomaly_names_the_op_whose_vjp_made_it(ad):
    x = tv.asarray([4.0, 0.0], dtype=tv.float64, backend=ad).require_grad()

    with detect_anomaly(), pytest.raises(AnomalyError) as raised:
        (tv.sqrt(x) * 3.0).sum().backward()

    message = str(raised.value)
    assert message.startswith(
        "backward of sqrt: a cotangent of shape (2,) became infinite or NaN at (1,). "
        "It came in finite. The op was called at "
    )
    assert "test_anomaly.py:" in message


def test_infinity_that_was_there_before_is_no_anomaly(ad):
    x = tv.asarray([1.0, math.inf], dtype=tv.float64, backend=ad).require_grad()

    with detect_anomaly():
        y = x * 2.0

    assert y.tolist() == [2.0, math.inf]


def test_gradients_are_the_same_inside_the_block(ad):
    x = tv.asarray([0.5, 2.0], dtype=tv.float64, backend=ad).require_grad()

    with detect_anomaly():
        inside = (tv.exp(x) * x).sum().backward()[x]

    outside = (tv.exp(x) * x).sum().backward()[x]
    assert inside.tolist() == outside.tolist()


def test_transforms_are_watched_too(backend):
    x = tv.asarray(0.0, dtype=tv.float64, backend=backend)

    with detect_anomaly(), pytest.raises(AnomalyError, match=r"^backward of sqrt"):
        grad(tv.sqrt)(x)


def test_nothing_is_checked_after_the_block(ad):
    x = tv.asarray([0.0], dtype=tv.float64, backend=ad).require_grad()
    with detect_anomaly():
        pass

    assert tv.log(x).tolist() == [-math.inf]


@custom_vjp
def flat_slope(x):
    """The identity, with a rule that divides by x."""
    return x * 1.0


flat_slope.defvjp(lambda x: (flat_slope(x), x), lambda x, g: (g / x,))


@custom_jvp
def turned(x):
    """1 / x, with a rule that is wrong and finite."""
    return 1.0 / x


turned.defjvp(lambda primals, tangents: (1.0 / primals[0], tangents[0]))


def along(function, x):
    return jvp(function, (x,), (tv.ones_like(x),))


def pulled(function, x):
    return grad(lambda x: tv.sum(function(x)))(x)


ANOMALIES = {
    "several results": ("backward of svd: a cotangent", pulled, lambda x: svd(x).U),
    "custom function": ("turned: a result of shape (2,)", pulled, turned),
    "custom rule": ("backward of flat_slope: a cotangent", pulled, flat_slope),
    "hook": (
        "backward of on_gradient: a cotangent",
        pulled,
        lambda x: on_gradient(x * 1.0, lambda g: g / 0.0),
    ),
    "region": ("log: a result", pulled, checkpoint(tv.log)),
    "backward of a region": ("backward of sqrt: ", pulled, checkpoint(tv.sqrt)),
    "value forward": ("log: a result", along, tv.log),
    "derivative forward": (
        "derivative of sqrt: a tangent of shape (2,)",
        along,
        tv.sqrt,
    ),
    "custom forward": ("turned: a result", along, turned),
    "second order": (
        "backward of ",
        pulled,
        grad(lambda y: tv.sum(y**1.5)),
    ),
    "policy": (
        "backward of sqrt: a cotangent",
        lambda f, x: grad(lambda x: tv.sum(f(x)), checkpoint=0)(x),
        tv.sqrt,
    ),
}


def svd(x):
    return tv.linalg.svd(tv.eye(2, dtype=x.dtype, backend=x.backend) + x[0])


@pytest.mark.parametrize("what", ANOMALIES)
def test_anomaly_is_found_wherever_it_comes_up(backend, what):
    start, run, function = ANOMALIES[what]
    x = tv.asarray([0.0, 1.0], dtype=tv.float64, backend=backend)

    with detect_anomaly(), pytest.raises(AnomalyError) as raised:
        run(function, x)

    assert str(raised.value).startswith(start)
    assert "test_anomaly.py:" in str(raised.value)


@pytest.mark.parametrize(
    "function",
    [
        lambda x: x * math.inf,
        lambda x: x * tv.asarray([math.inf, 1.0], dtype=tv.float64, backend=x.backend),
        lambda x: tv.nn.softmax(tv.where(x > 0.7, x, -math.inf)),
        lambda x: tv.nn.logsumexp(tv.where(x > 0.7, x, -math.inf)),
        checkpoint(lambda x: x * math.inf),
        lambda x: flat_slope(x * math.inf),
    ],
)
def test_infinity_of_the_program_is_no_anomaly(backend, function):
    x = tv.asarray([0.5, 1.0], dtype=tv.float64, backend=backend)

    with detect_anomaly():
        pulled(function, x)
        along(function, x)
        grad(lambda x: tv.sum(function(x)), checkpoint=0)(x)


def test_watching_changes_no_derivative(backend):
    def f(x):
        s = svd(on_gradient(flat_slope(x), lambda g: g * 2.0)).S
        return tv.sum(checkpoint(tv.exp)(s) * x)

    x = tv.asarray([0.5, 1.0], dtype=tv.float64, backend=backend)
    ad = Autodiff(backend)
    v = x.to_backend(ad).require_grad()

    with detect_anomaly():
        found = [grad(f)(x), hessian(f)(x), jvp(grad(f), (x,), (x,))[1]]
        y = f(v)

    expected = [grad(f)(x), hessian(f)(x), jvp(grad(f), (x,), (x,))[1]]
    assert [a.tolist() for a in found] == [a.tolist() for a in expected]
    assert y.backward()[v].tolist() == found[0].tolist()
