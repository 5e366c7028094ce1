"""Slopes of losses, also where targets or predictions are masked or infinite."""

import math
from math import inf

import pytest
from numeric import array, check, fixed, listed, on, slopes

import trivet as tv

ALL, EACH = {"reduction": "mean"}, {"reduction": "none"}
PLAIN = {"ignore_index": None, "reduction": "mean"}
HARD = PLAIN | {"label_smoothing": 0.0}
SHARES = array(2, 3, low=0.1, high=0.9)
LOGP = array(4, 2, 3, low=-3.0, high=-0.1)
CTC = {"blank": 0, "zero_infinity": False}


def pairs(**statics):
    """Predictions and targets, of which both have slopes."""
    return [
        on(array(2, 3), array(2, 3, low=-1.0), reduction="mean", **statics),
        on(array(4), array(4, low=-1.0), reduction="none", **statics),
        on(array(), array(), reduction="sum", **statics),
        on(array(0, 3), array(0, 3), reduction="sum", **statics),
    ]


CASES = {
    "l1_loss": pairs()[:2],
    "mse_loss": pairs(),
    "huber_loss": pairs(delta=0.5),
    "smooth_l1_loss": pairs(beta=0.5),
    "log_softmax_at": [
        on(array(2, 3), [0, 2]),
        on(array(3), fixed(1)),
        on(array(2, 2, 3), [[0, 1], [2, 2]]),
        on(array(0, 3), []),
    ],
    "cross_entropy_slope": [
        on(array(2, 3), [0, 2], **ALL),
        on(array(3), fixed(1), **EACH),
        on(array(0, 3), [], reduction="sum"),
    ],
    "cross_entropy": [
        on(array(2, 3), [0, 2], None, **HARD),
        on(array(3), fixed(1), None, **HARD | EACH),
        on(array(2, 2, 3), [[0, 1], [2, 2]], array(3, low=0.5), **HARD),
        on(array(2, 3), [0, 2], array(3, low=0.5), **PLAIN, label_smoothing=0.3),
        on(array(3, 3), [0, 9, 2], None, **HARD | {"ignore_index": 9}),
        on(array(2, 3), SHARES, array(3, low=0.5), **PLAIN, label_smoothing=0.2),
        on(array(2, 3), SHARES, None, **HARD | EACH),
        on(array(0, 3), [], None, **HARD | {"reduction": "sum"}),
    ],
    "nll_loss": [
        on(array(2, 3), [0, 2], None, **PLAIN),
        on(array(2, 3), [0, 2], array(3, low=0.5), **PLAIN),
        on(array(3, 3), [0, 9, 2], None, **PLAIN | {"ignore_index": 9}),
    ],
    "binary_cross_entropy_with_logits": [
        on(array(2, 3), SHARES, None, **ALL),
        on(array(2, 3), SHARES, array(3, low=0.5), **EACH),
    ],
    "binary_cross_entropy": [
        on(SHARES, array(2, 3, low=0.2, high=0.8), **ALL),
        on(SHARES, array(2, 3, low=0.2, high=0.8), **EACH),
    ],
    "kl_div_loss": [
        on(array(2, 3), SHARES, log_target=False, **ALL),
        on(array(2, 3), array(2, 3, low=-1.0), log_target=True, **EACH),
    ],
    "ctc_loss": [
        on(LOGP, [[1, 2], [2, 2]], [4, 4], [2, 2], **CTC, **ALL),
        on(LOGP, [[1, 2], [2, 1]], [4, 3], [1, 2], **CTC, **EACH),
        on(LOGP, [[1, 2], [2, 2]], [4, 1], [0, 1], **CTC, reduction="sum"),
        on(LOGP, [[0, 1], [0, 0]], [4, 4], [2, 2], **CTC | {"blank": 2}, **EACH),
        on(array(1, 1, 2), [[1]], [1], [1], **CTC, **ALL),
    ],
}


@pytest.mark.parametrize("op, case", listed(CASES))
def test_derivatives_agree_with_differences(backend, op, case):
    check(backend, op, case)


@pytest.mark.parametrize(
    "name", ["l1_loss", "mse_loss", "huber_loss", "smooth_l1_loss"]
)
def test_equal_predictions_and_targets_have_slope_zero(backend, name):
    found = slopes(backend, getattr(tv.nn, name), [2.0], [2.0])

    assert [abs(slope) for (slope,) in found] == [0.0, 0.0]


def test_huber_loss_is_straight_at_infinity(backend):
    found = slopes(backend, tv.nn.huber_loss, [inf, -inf], [0.0, 0.0])

    assert found == [[0.5, -0.5], [-0.5, 0.5]]


def test_cross_entropy_has_the_slope_of_the_mean_loss(backend):
    targets = tv.asarray([1, 0], backend=backend)

    found = slopes(
        backend, lambda x: tv.nn.cross_entropy(x, targets), [[0.0, 0.0], [800.0, 0.0]]
    )

    assert found == [[[0.25, -0.25], [0.0, 0.0]]]


def test_masked_classes_and_ignored_rows_have_finite_slopes(backend):
    targets = tv.asarray([0, 7], backend=backend)
    logits = [[0.0, 0.0, -inf], [inf, -inf, -inf]]

    found = slopes(
        backend, lambda x: tv.nn.cross_entropy(x, targets, ignore_index=7), logits
    )

    assert found == [[[-0.5, 0.5, 0.0], [0.0, 0.0, 0.0]]]


def test_masked_class_without_probability_has_slope_zero(backend):
    targets = tv.asarray([[0.5, 0.5, 0.0]], dtype=tv.float64, backend=backend)

    found = slopes(
        backend, lambda x: tv.nn.cross_entropy(x, targets), [[0.0, 0.0, -inf]]
    )

    assert found == [[[0.0, 0.0, 0.0]]]


def test_infinite_logits_have_the_slopes_of_certainty(backend):
    def loss(logits, targets):
        return tv.nn.binary_cross_entropy_with_logits(logits, targets, reduction="none")

    ones = tv.asarray([1.0, 0.0, 1.0], dtype=tv.float64, backend=backend)
    found = slopes(backend, lambda x: loss(x, ones), [inf, -inf, -800.0])

    assert found == [[0.0, 0.0, -1.0]]


def test_probabilities_of_zero_and_one_have_finite_slopes(backend):
    def loss(x, targets):
        return tv.nn.binary_cross_entropy(x, targets, reduction="none")

    found = slopes(backend, loss, [0.0, 1.0, 0.0], [1.0, 0.0, 0.0])

    assert all(map(math.isfinite, found[0]))
    assert found[1] == [100.0, -100.0, 100.0]


@pytest.mark.parametrize("log_target", [False, True])
def test_targets_without_probability_have_finite_slopes(backend, log_target):
    target = [-inf, 0.0] if log_target else [0.0, 1.0]

    found = slopes(
        backend,
        lambda x, t: tv.nn.kl_div(x, t, log_target=log_target, reduction="sum"),
        [-inf, -1.0],
        target,
    )

    assert found[0] == [0.0, -1.0]
    assert all(map(math.isfinite, found[1]))


@pytest.mark.parametrize("zero_infinity", [False, True])
def test_target_that_no_path_spells_has_slope_zero(backend, zero_infinity):
    two = tv.asarray([2], backend=backend)
    targets = tv.asarray([[1, 1]], backend=backend)  # needs a blank between

    found = slopes(
        backend,
        lambda x: tv.nn.ctc_loss(x, targets, two, two, zero_infinity=zero_infinity),
        [[[-1.0, -0.5]], [[-1.0, -0.5]]],
    )

    assert found == [[[[0.0, 0.0]], [[0.0, 0.0]]]]
