"""Losses against PyTorch, SciPy and their definitions in float64."""

import math

import numpy as np
import pytest
import scipy.special

import trivet as tv
from trivet.errors import AxisError, DTypeError, ShapeError, TensorIndexError

inf, nan = math.inf, math.nan
REDUCTIONS = {"mean": np.mean, "sum": np.sum, "none": lambda x: x}
CLOSE = {"float16": 2e-3, "float32": 2e-6, "float64": 1e-12}


def draw(*shape, seed=0, low=-3.0, high=3.0):
    return np.random.default_rng(seed).uniform(low, high, size=shape)


def huber(x, y, delta):
    size = np.abs(x - y)
    return np.where(size <= delta, size**2 / 2, delta * (size - delta / 2))


PAIRS = {
    "l1_loss": ({}, lambda x, y: np.abs(x - y)),
    "mse_loss": ({}, lambda x, y: (x - y) ** 2),
    "huber_loss": ({"delta": 0.7}, lambda x, y: huber(x, y, 0.7)),
    "smooth_l1_loss": ({"beta": 0.7}, lambda x, y: huber(x, y, 0.7) / 0.7),
    "binary_cross_entropy_with_logits": (
        {},
        lambda x, y: (
            -y * scipy.special.log_expit(x) - (1 - y) * scipy.special.log_expit(-x)
        ),
    ),
    "binary_cross_entropy": (
        {},
        lambda x, y: -scipy.special.xlogy(y, x) - scipy.special.xlog1py(1 - y, -x),
    ),
    "kl_div": ({}, lambda x, y: scipy.special.xlogy(y, y) - y * x),
}


@pytest.mark.parametrize("name", PAIRS)
@pytest.mark.parametrize("reduction", REDUCTIONS)
@pytest.mark.parametrize("dtype", CLOSE)
def test_losses_of_pairs_are_their_definitions(bodies, name, reduction, dtype):
    statics, formula = PAIRS[name]
    low = 0.01 if name == "binary_cross_entropy" else -3
    x = draw(40, 5, low=low, high=0.99).astype(dtype)
    y = draw(40, 5, seed=1, low=0, high=1).astype(dtype)

    got = getattr(tv.nn, name)(
        tv.asarray(x), tv.asarray(y), reduction=reduction, **statics
    )

    want = REDUCTIONS[reduction](formula(x.astype("float64"), y.astype("float64")))
    close = {"rtol": CLOSE[dtype], "atol": CLOSE[dtype]}
    assert got.dtype == tv.dtypes.as_dtype(dtype)
    assert got.shape == want.shape
    np.testing.assert_allclose(got.numpy(), want, **close)
    op = {"kl_div": "kl_div_loss"}.get(name, name)
    more = {"log_target": False} if name == "kl_div" else {}
    optional = (None,) if name.endswith("logits") else ()
    body = getattr(bodies, op)(x, y, *optional, reduction=reduction, **statics, **more)
    np.testing.assert_allclose(body, want, **close)


@pytest.mark.parametrize("name", PAIRS)
@pytest.mark.parametrize("reduction", REDUCTIONS)
def test_large_losses_are_right_in_any_layout(name, reduction):
    statics, formula = PAIRS[name]
    x = draw(300, 500, low=0.01, high=0.99)[::-1].T
    y = draw(500, 300, seed=1, low=0, high=1)

    got = getattr(tv.nn, name)(
        tv.asarray(x), tv.asarray(y), reduction=reduction, **statics
    )

    want = REDUCTIONS[reduction](formula(x, y))
    np.testing.assert_allclose(got.numpy(), want, rtol=1e-10, atol=1e-12)


@pytest.mark.parametrize("name", PAIRS)
def test_losses_of_nothing_and_of_rank_zero(name):
    function = getattr(tv.nn, name)
    nothing, half = tv.zeros((0, 3)), tv.asarray(0.5)

    assert function(nothing, nothing, reduction="none").shape == (0, 3)
    assert function(nothing, nothing, reduction="sum").item() == 0
    assert function(half, half, reduction="none").shape == ()
    assert function(half, half).shape == ()


@pytest.mark.parametrize("name", ["l1_loss", "mse_loss", "huber_loss"])
def test_mean_of_nothing_is_not_a_number(name):
    assert math.isnan(getattr(tv.nn, name)(tv.zeros(0), tv.zeros(0)).item())


def test_pairs_of_two_dtypes_promote(bodies):
    x, y = np.array([1.5], "float32"), np.array([1.0], "float64")

    assert tv.nn.mse_loss(tv.asarray(x), tv.asarray(y)).dtype == tv.float64
    assert bodies.mse_loss(x, y, reduction="mean").dtype == "float64"


def test_a_float16_loss_is_not_summed_in_float16():
    x, zeros = tv.full((4096,), 300.0, dtype="float16"), tv.zeros(4096, dtype="float16")

    assert tv.nn.l1_loss(x, zeros).item() == 300
    assert tv.nn.mse_loss(x - 140, zeros).item() == 160**2
    assert tv.nn.huber_loss(x, zeros).item() == 299.5


def test_smooth_l1_loss_without_a_foot_is_l1_loss():
    x, y = tv.asarray([1.0, 5.0]), tv.asarray([2.0, 2.0])

    assert tv.nn.smooth_l1_loss(x, y, beta=0, reduction="none").tolist() == [1.0, 3.0]


@pytest.mark.usefixtures("quiet")
def test_infinite_logits_cost_nothing_or_everything(bodies):
    logits = np.array([inf, -inf, inf, -inf, inf, nan, 1000.0])
    targets = np.array([1.0, 0.0, 0.0, 1.0, 0.5, 1.0, 1.0])

    got = tv.nn.binary_cross_entropy_with_logits(
        tv.asarray(logits), tv.asarray(targets), reduction="none"
    )
    body = bodies.binary_cross_entropy_with_logits(
        logits, targets, None, reduction="none"
    )

    want = [0.0, 0.0, inf, inf, inf, nan, 0.0]
    np.testing.assert_array_equal(got.numpy(), want)
    np.testing.assert_array_equal(body, want)


def test_positive_weights_scale_the_first_term(bodies):
    torch = pytest.importorskip("torch")
    x, y, weight = draw(6, 3), draw(6, 3, seed=1, low=0, high=1), np.array([1.0, 2, 5])

    got = tv.nn.binary_cross_entropy_with_logits(*map(tv.asarray, (x, y, weight)))

    want = torch.nn.functional.binary_cross_entropy_with_logits(
        torch.from_numpy(x), torch.from_numpy(y), pos_weight=torch.from_numpy(weight)
    ).item()
    assert got.item() == pytest.approx(want, rel=1e-12)
    body = bodies.binary_cross_entropy_with_logits(x, y, weight, reduction="mean")
    assert float(body) == pytest.approx(want, rel=1e-12)


@pytest.mark.usefixtures("quiet")
def test_certain_mistakes_cost_a_hundred(bodies):
    torch = pytest.importorskip("torch")
    x = np.array([0.0, 1.0, 0.0, 1.0, 1e-60, 0.5])
    y = np.array([1.0, 0.0, 0.0, 1.0, 1.0, 0.25])

    got = tv.nn.binary_cross_entropy(tv.asarray(x), tv.asarray(y), reduction="none")

    want = torch.nn.functional.binary_cross_entropy(
        torch.from_numpy(x), torch.from_numpy(y), reduction="none"
    ).numpy()
    np.testing.assert_allclose(got.numpy(), want, rtol=1e-12)
    body = bodies.binary_cross_entropy(x, y, reduction="none")
    np.testing.assert_allclose(body, want, rtol=1e-12)


@pytest.mark.usefixtures("quiet")
@pytest.mark.parametrize("log_target", [False, True])
def test_divergence_of_distributions_is_scipys(bodies, log_target):
    q = scipy.special.softmax(draw(4, 6), -1)
    p = scipy.special.softmax(draw(4, 6, seed=1), -1)
    p[:, 2], q[1, 2] = 0, 0
    x, target = np.log(q), np.log(p) if log_target else p

    got = tv.nn.kl_div(
        tv.asarray(x), tv.asarray(target), log_target=log_target, reduction="sum"
    )

    want = scipy.special.rel_entr(p, q).sum()
    assert got.item() == pytest.approx(want, rel=1e-12)
    body = bodies.kl_div_loss(x, target, log_target=log_target, reduction="sum")
    assert float(body) == pytest.approx(want, rel=1e-12)


@pytest.mark.parametrize("dtype", ["int8", "uint8", "int64", "uint64"])
def test_cross_entropy_is_the_negative_log_probability(bodies, dtype):
    logits = np.random.default_rng(6).normal(scale=50, size=(2, 3, 4))
    classes = np.array([[0, 3, 1], [2, 2, 0]], dtype)

    losses = tv.nn.cross_entropy(
        tv.asarray(logits), tv.asarray(classes), reduction="none"
    )

    logp = scipy.special.log_softmax(logits, axis=-1)
    want = -np.take_along_axis(logp, classes[..., None].astype(int), -1)[..., 0]
    np.testing.assert_allclose(losses.numpy(), want, rtol=1e-12)
    body = bodies.log_softmax_at(logits, classes)
    np.testing.assert_allclose(body, -want, rtol=1e-12)


@pytest.mark.parametrize("shape", [(5, 3), (2, 3, 4), (4,), (7, 300), (50_000, 3)])
@pytest.mark.parametrize("reduction", ["mean", "sum", "none"])
def test_cross_entropy_slope_is_softmax_less_the_target(bodies, shape, reduction):
    rng = np.random.default_rng(7)
    logits = rng.normal(scale=20, size=shape)
    classes = np.asarray(rng.integers(0, shape[-1], size=shape[:-1]))
    native = tv.backend("ndarray").cross_entropy_slope

    loss, slope = native(logits, classes, reduction=reduction)

    hot = np.eye(shape[-1])[classes]
    want = scipy.special.softmax(logits, axis=-1) - hot
    logp = scipy.special.log_softmax(logits, axis=-1)
    losses = -np.take_along_axis(logp, classes[..., None], -1)[..., 0]
    total = losses if reduction == "none" else getattr(losses, reduction)()
    share = classes.size if reduction == "mean" else 1
    np.testing.assert_allclose(loss, total, rtol=1e-12)
    np.testing.assert_allclose(slope, want / share, rtol=1e-11, atol=1e-14)
    if classes.size < 100:  # the body takes long for many
        for one, other in zip(
            bodies.cross_entropy_slope(logits, classes, reduction=reduction),
            (total, want / share),
            strict=True,
        ):
            np.testing.assert_allclose(one, other, rtol=1e-11, atol=1e-14)


def test_cross_entropy_slope_of_a_masked_row_is_finite():
    logits = np.array([[-np.inf, -np.inf], [0.0, -np.inf]])
    native = tv.backend("ndarray").cross_entropy_slope

    losses, slope = native(logits, np.array([0, 0]), reduction="none")

    assert losses.tolist() == [np.inf, 0.0]
    assert slope.tolist() == [[-1.0, 0.0], [0.0, 0.0]]


@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
def test_cross_entropy_slope_of_16_bits_is_computed_in_float32(dtype):
    logits = tv.asarray(np.random.default_rng(8).normal(size=(9, 5))).astype(dtype)
    classes = np.arange(9) % 5
    native = tv.backend("ndarray").cross_entropy_slope

    loss, slope = native(logits.handle, classes, reduction="sum")

    wide = native(logits.handle.astype(np.float32), classes, reduction="sum")
    assert loss.dtype == logits.handle.dtype
    assert loss == wide[0].astype(loss.dtype)
    assert slope.dtype == np.float32
    assert (slope == wide[1]).all()


def test_cross_entropy_is_reduced_by_mean_or_sum():
    logits, targets = tv.zeros((4, 10), dtype="float64"), tv.asarray([0, 3, 9, 1])

    assert tv.nn.cross_entropy(logits, targets).item() == pytest.approx(math.log(10))
    total = tv.nn.cross_entropy(logits, targets, reduction="sum")
    assert total.item() == pytest.approx(4 * math.log(10))
    one = tv.nn.cross_entropy(logits[0], targets[0])
    assert one.item() == pytest.approx(math.log(10))
    none = tv.nn.cross_entropy(tv.zeros((0, 3)), tv.asarray([], dtype="int64"))
    assert math.isnan(none.item())


def theirs(name, logits, targets, weight, **options):
    """PyTorch's loss, which has the classes along axis 1."""
    torch = pytest.importorskip("torch")
    return getattr(torch.nn.functional, name)(
        torch.from_numpy(logits),
        torch.from_numpy(targets),
        weight=None if weight is None else torch.from_numpy(weight),
        **options,
    ).numpy()


@pytest.mark.parametrize("reduction", REDUCTIONS)
@pytest.mark.parametrize("smoothing", [0.0, 0.3])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("ignored", [None, 2, -100])
def test_cross_entropy_has_pytorchs_options(
    bodies, reduction, smoothing, weighted, ignored
):
    logits, targets = draw(6, 4, 5), np.random.default_rng(1).integers(0, 4, (6, 5))
    weight = np.array([0.5, 1.0, 2.0, 3.0]) if weighted else None
    if ignored is not None:
        targets[0, :3] = ignored
    options = {"label_smoothing": smoothing, "reduction": reduction}

    got = tv.nn.cross_entropy(
        tv.asarray(logits),
        tv.asarray(targets),
        None if weight is None else tv.asarray(weight),
        axis=1,
        ignore_index=ignored,
        **options,
    )

    number = -1 if ignored is None else ignored
    want = theirs(
        "cross_entropy", logits, targets, weight, ignore_index=number, **options
    )
    np.testing.assert_allclose(got.numpy(), want, rtol=1e-12, atol=1e-14)
    body = bodies.cross_entropy(
        np.moveaxis(logits, 1, -1), targets, weight, ignore_index=ignored, **options
    )
    np.testing.assert_allclose(body, want, rtol=1e-12, atol=1e-14)


@pytest.mark.parametrize("reduction", REDUCTIONS)
@pytest.mark.parametrize("smoothing", [0.0, 0.3])
@pytest.mark.parametrize("weighted", [False, True])
def test_cross_entropy_takes_probabilities(bodies, reduction, smoothing, weighted):
    logits = draw(6, 4, 5)
    targets = scipy.special.softmax(draw(6, 4, 5, seed=2), 1)
    weight = np.array([0.5, 1.0, 2.0, 3.0]) if weighted else None
    options = {"label_smoothing": smoothing, "reduction": reduction}

    got = tv.nn.cross_entropy(
        tv.asarray(logits),
        tv.asarray(targets),
        None if weight is None else tv.asarray(weight),
        axis=1,
        **options,
    )

    want = theirs("cross_entropy", logits, targets, weight, **options)
    np.testing.assert_allclose(got.numpy(), want, rtol=1e-12)
    last = (np.moveaxis(x, 1, -1) for x in (logits, targets))
    body = bodies.cross_entropy(*last, weight, ignore_index=None, **options)
    np.testing.assert_allclose(body, want, rtol=1e-12)


@pytest.mark.parametrize("reduction", REDUCTIONS)
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("ignored", [None, 2])
def test_nll_loss_is_pytorchs(bodies, reduction, weighted, ignored):
    logp = scipy.special.log_softmax(draw(6, 4), -1)
    targets = np.array([0, 2, 1, 3, 2, 0])
    weight = np.array([0.5, 1.0, 2.0, 3.0]) if weighted else None

    got = tv.nn.nll_loss(
        tv.asarray(logp),
        tv.asarray(targets),
        None if weight is None else tv.asarray(weight),
        ignore_index=ignored,
        reduction=reduction,
    )

    number = -1 if ignored is None else ignored
    options = {"ignore_index": number, "reduction": reduction}
    want = theirs("nll_loss", logp, targets, weight, **options)
    np.testing.assert_allclose(got.numpy(), want, rtol=1e-12)
    body = bodies.nll_loss(
        logp, targets, weight, ignore_index=ignored, reduction=reduction
    )
    np.testing.assert_allclose(body, want, rtol=1e-12)


def test_masked_classes_cost_nothing_where_they_have_no_probability():
    logits = tv.asarray([[0.0, 0.0, -inf]])

    hard = tv.nn.cross_entropy(logits, tv.asarray([0]))
    soft = tv.nn.cross_entropy(logits, tv.asarray([[0.5, 0.5, 0.0]]))

    assert hard.item() == soft.item() == pytest.approx(math.log(2), rel=1e-6)


def test_a_mean_of_ignored_targets_alone_is_not_a_number():
    logits, targets = tv.zeros((2, 3)), tv.asarray([-100, -100])

    with np.errstate(invalid="ignore"):
        got = tv.nn.cross_entropy(logits, targets, ignore_index=-100)

    assert math.isnan(got.item())
    total = tv.nn.cross_entropy(logits, targets, ignore_index=-100, reduction="sum")
    assert total.item() == 0


def test_large_cross_entropy_has_masked_rows_too():
    logits = np.random.default_rng(3).normal(size=(300, 400)).astype("float32")
    targets = np.random.default_rng(4).integers(0, 400, 300)
    logits[7], logits[8, :5] = -inf, -inf

    got = tv.nn.cross_entropy(tv.asarray(logits), tv.asarray(targets), reduction="none")

    others = np.delete(np.arange(300), 7)
    logp = scipy.special.log_softmax(logits[others].astype("float64"), -1)
    want = -logp[np.arange(299), targets[others]]
    assert got[7].item() == inf
    np.testing.assert_allclose(got.numpy()[others], want, rtol=1e-5)


@pytest.mark.usefixtures("quiet")
@pytest.mark.parametrize("reduction", REDUCTIONS)
@pytest.mark.parametrize("zero_infinity", [False, True])
def test_ctc_loss_is_pytorchs(bodies, reduction, zero_infinity):
    torch = pytest.importorskip("torch")
    logp = scipy.special.log_softmax(draw(12, 5, 4), -1)
    targets = np.array([[1, 2, 3], [1, 1, 1], [2, 3, 0], [3, 0, 0], [2, 2, 2]])
    lengths, sizes = np.array([12, 12, 7, 1, 3]), np.array([3, 3, 2, 1, 3])
    options = {"zero_infinity": zero_infinity, "reduction": reduction}

    got = tv.nn.ctc_loss(*map(tv.asarray, (logp, targets, lengths, sizes)), **options)

    want = torch.nn.functional.ctc_loss(
        *map(torch.from_numpy, (logp, targets, lengths, sizes)), **options
    ).numpy()
    np.testing.assert_allclose(got.numpy(), want, rtol=1e-10)
    body = bodies.ctc_loss(logp, targets, lengths, sizes, blank=0, **options)
    np.testing.assert_allclose(body, want, rtol=1e-10)


def test_ctc_loss_takes_another_blank_empty_targets_and_padding():
    torch = pytest.importorskip("torch")
    logp = scipy.special.log_softmax(draw(6, 2, 4), -1)
    targets = np.array([[0, 1], [2, 2]])

    got = tv.nn.ctc_loss(
        tv.asarray(logp),
        tv.asarray([[0, 1, -5], [2, 2, 99]]),
        tv.asarray([6, 5], dtype="uint8"),
        tv.asarray([2, 0]),
        blank=3,
        reduction="none",
    )

    lengths = torch.tensor([6, 5]), torch.tensor([2, 0])
    want = torch.nn.functional.ctc_loss(
        torch.from_numpy(logp),
        torch.from_numpy(targets),
        *lengths,
        blank=3,
        reduction="none",
    ).numpy()
    np.testing.assert_allclose(got.numpy(), want, rtol=1e-10)
    none = tv.nn.ctc_loss(
        tv.asarray(logp),
        tv.zeros((2, 0), dtype="int64"),
        tv.asarray([6, 6]),
        tv.asarray([0, 0]),
    )
    assert none.item() == pytest.approx(-logp[:, :, 0].sum(0).mean(), rel=1e-12)


@pytest.mark.parametrize("bad", [-1, 3])
def test_a_class_out_of_range_is_refused(bad):
    with pytest.raises(TensorIndexError) as caught:
        tv.nn.cross_entropy(tv.zeros((2, 3)), tv.asarray([0, bad]))
    with pytest.raises(TensorIndexError):
        tv.nn.nll_loss(tv.zeros((2, 3)), tv.asarray([0, bad]), ignore_index=7)

    assert str(caught.value) == (
        f"cross_entropy: the targets hold the class {bad}, and the logits have the "
        "classes 0 to 2."
    )


def test_logits_without_classes_have_no_target():
    with pytest.raises(TensorIndexError, match="class 0, and the logits have no"):
        tv.nn.cross_entropy(tv.zeros((2, 0)), tv.asarray([0, 1]))


def test_targets_that_do_not_fit_are_refused():
    with pytest.raises(ShapeError) as shape:
        tv.nn.cross_entropy(tv.zeros((2, 3)), tv.asarray([0, 1, 2]))
    with pytest.raises(DTypeError) as dtype:
        tv.nn.nll_loss(tv.zeros((2, 3)), tv.zeros(2))
    with pytest.raises(DTypeError) as logits:
        tv.nn.cross_entropy(tv.zeros((2, 3), dtype="int64"), tv.asarray([0, 1]))
    with pytest.raises(ValueError) as reduction:
        tv.nn.cross_entropy(tv.zeros((1, 3)), tv.asarray([0]), reduction="max")
    with pytest.raises(TypeError) as listed:
        tv.nn.cross_entropy(tv.zeros((1, 3)), [0])

    assert str(shape.value) == (
        "cross_entropy: logits of shape (2, 3) and targets of shape (3,) do not fit. "
        "Logits have the shape of the targets, and one more axis for the classes."
    )
    assert str(dtype.value) == (
        "nll_loss: the targets have the dtype float32, and class numbers are integers. "
        "Cast with .astype(...)."
    )
    assert str(logits.value) == (
        "cross_entropy: the dtype int64 is not one that this op takes; it takes real "
        "floating. Cast with .astype(...)."
    )
    assert str(reduction.value) == (
        "cross_entropy: reduction='max' is not one of 'mean', 'sum' and 'none'."
    )
    assert str(listed.value) == (
        "cross_entropy: the second operand is a builtins.list, not a tensor. Nothing "
        "is converted silently: call tv.asarray(...) on it first."
    )


def test_options_of_cross_entropy_are_checked():
    logits, targets = tv.zeros((2, 3)), tv.asarray([0, 1])
    with pytest.raises(ValueError) as smoothing:
        tv.nn.cross_entropy(logits, targets, label_smoothing=2.0)
    with pytest.raises(ShapeError) as weight:
        tv.nn.cross_entropy(logits, targets, tv.ones(2))
    with pytest.raises(ShapeError) as shares:
        tv.nn.cross_entropy(logits, tv.zeros(2))
    with pytest.raises(ValueError) as ignored:
        tv.nn.cross_entropy(logits, tv.zeros((2, 3)), ignore_index=1)
    with pytest.raises(AxisError):
        tv.nn.cross_entropy(logits, targets, axis=2)

    assert str(smoothing.value) == (
        "cross_entropy: label_smoothing=2.0 is not a share, within 0 to 1."
    )
    assert str(weight.value) == (
        "cross_entropy: the weight has the shape (2,), and with 3 classes it must be "
        "(3,)."
    )
    assert str(shares.value) == (
        "cross_entropy: logits of shape (2, 3) and probabilities of shape (2,) do not "
        "fit. They must have one shape; class numbers are integers."
    )
    assert str(ignored.value) == (
        "cross_entropy: ignore_index=1 is for class numbers, and the targets are "
        "probabilities of dtype float32. Give a row of zeros to ignore it."
    )


def test_pairs_are_checked():
    x = tv.zeros((2, 1))
    with pytest.raises(ShapeError) as shape:
        tv.nn.mse_loss(x, tv.zeros(2))
    with pytest.raises(ValueError) as reduction:
        tv.nn.l1_loss(x, x, reduction="batchmean")
    with pytest.raises(ValueError) as delta:
        tv.nn.huber_loss(x, x, delta=0)
    with pytest.raises(ValueError) as beta:
        tv.nn.smooth_l1_loss(x, x, beta=-1)
    with pytest.raises(ShapeError) as weight:
        tv.nn.binary_cross_entropy_with_logits(x, x, tv.zeros(3))
    with pytest.raises(DTypeError):
        tv.nn.mse_loss(x, tv.zeros((2, 1), dtype="int64"))

    assert str(shape.value) == (
        "mse_loss: predictions of shape (2, 1) and targets of shape (2,) do not fit. "
        "They must have one shape; use tv.broadcast_to to repeat."
    )
    assert str(reduction.value) == (
        "l1_loss: reduction='batchmean' is not one of 'mean', 'sum' and 'none'."
    )
    assert str(delta.value) == "huber_loss: delta=0 is not positive."
    assert str(beta.value) == "smooth_l1_loss: beta=-1 is negative."
    assert str(weight.value) == (
        "binary_cross_entropy_with_logits: the pos_weight has the shape (3,), which "
        "does not broadcast to the logits, (2, 1)."
    )


def test_operands_of_ctc_loss_are_checked():
    logp, one, two = tv.zeros((4, 1, 3)), tv.asarray([1]), tv.asarray([[1, 2]])
    with pytest.raises(ShapeError) as shapes:
        tv.nn.ctc_loss(logp, one, one, one)
    with pytest.raises(ShapeError) as samples:
        tv.nn.ctc_loss(logp, two, tv.asarray([1, 2]), one)
    with pytest.raises(TensorIndexError) as blank:
        tv.nn.ctc_loss(logp, two, one, one, blank=3)
    with pytest.raises(ValueError) as length:
        tv.nn.ctc_loss(logp, two, tv.asarray([5]), one)
    with pytest.raises(TensorIndexError) as label:
        tv.nn.ctc_loss(logp, tv.asarray([[1, 3]]), one, tv.asarray([2]))
    with pytest.raises(DTypeError) as dtype:
        tv.nn.ctc_loss(logp, two, tv.asarray([1.0]), one)

    assert str(shapes.value) == (
        "ctc_loss: the shapes are (4, 1, 3), (1,), (1,), (1,). They must be (times, "
        "samples, classes), (samples, labels), (samples,) and (samples,), with one "
        "time at least."
    )
    assert str(samples.value) == (
        "ctc_loss: the shapes (4, 1, 3), (1, 2), (2,), (1,) have different numbers of "
        "samples: 1 and 2."
    )
    assert str(blank.value) == "ctc_loss: blank=3 is not one of the classes 0 to 2."
    assert str(length.value) == (
        "ctc_loss: the input_lengths hold 5, and for these shapes they can be 1 to 4."
    )
    assert str(label.value) == (
        "ctc_loss: the targets hold the class 3, and the logits have the classes 0 to "
        "2."
    )
    assert str(dtype.value) == (
        "ctc_loss: the input_lengths have the dtype float32, and lengths are integers. "
        "Cast with .astype(...)."
    )
