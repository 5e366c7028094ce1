"""The first NaN or infinity is named, forward and backward."""

import math
import warnings

import pytest

import trivet as tv
from trivet_autodiff import AnomalyError, detect_anomaly, grad


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
