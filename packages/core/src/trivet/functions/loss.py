"""Losses of training; users reach them as `tv.nn`.

`reduction` is "mean" or "sum" over all losses, or "none" for one loss each; another one
is a `ValueError`. 16-bit floats are computed and reduced in float32. Shapes of
predictions and targets must be equal: broadcasting them is nearly always a mistake.
"""

from typing import Any, SupportsIndex, TypeVar

from trivet.arguments import real
from trivet.contract import Backend
from trivet.contract.loss import Reduction
from trivet.dispatch import call, call_given, require_kind, require_tensor
from trivet.dtypes import INTEGRAL, REAL_FLOATING, Kind
from trivet.errors import ArgumentError, ShapeError
from trivet.functions.ctc import ctc_loss
from trivet.functions.targets import (
    check_classes,
    check_floating,
    check_integers,
    check_reduction,
)
from trivet.shapes import broadcast, normalize_axis
from trivet.tensor import Tensor

__all__ = [
    "binary_cross_entropy",
    "binary_cross_entropy_with_logits",
    "cross_entropy",
    "ctc_loss",
    "huber_loss",
    "kl_div",
    "l1_loss",
    "mse_loss",
    "nll_loss",
    "smooth_l1_loss",
]

B = TypeVar("B", bound=Backend[Any])


def l1_loss(
    x: Tensor[B], target: Tensor[Any], /, *, reduction: Reduction = "mean"
) -> Tensor[B]:
    """abs(x - target), with slope 0 where they are equal.

    Raises `ShapeError`, `DTypeError`.

    >>> import trivet as tv
    >>> tv.nn.l1_loss(tv.asarray([1.0, 5.0]), tv.asarray([2.0, 2.0])).item()
    2.0
    """
    _check_pair("l1_loss", x, target, reduction)
    return call("l1_loss", x, target, reduction=reduction)


def mse_loss(
    x: Tensor[B], target: Tensor[Any], /, *, reduction: Reduction = "mean"
) -> Tensor[B]:
    """(x - target)**2. Raises `ShapeError`, `DTypeError`.

    >>> import trivet as tv
    >>> tv.nn.mse_loss(tv.asarray([1.0, 5.0]), tv.asarray([2.0, 2.0])).item()
    5.0
    """
    _check_pair("mse_loss", x, target, reduction)
    return call("mse_loss", x, target, reduction=reduction)


def huber_loss(
    x: Tensor[B],
    target: Tensor[Any],
    /,
    *,
    delta: float = 1.0,
    reduction: Reduction = "mean",
) -> Tensor[B]:
    """gap**2 / 2 for gaps up to `delta`, and delta * (gap - delta / 2) beyond.

    Raises `ShapeError`, `DTypeError`, `ValueError` unless `delta` is positive.

    >>> import trivet as tv
    >>> x, target = tv.asarray([1.0, 5.0]), tv.asarray([2.0, 2.0])
    >>> tv.nn.huber_loss(x, target, reduction="none").tolist()
    [0.5, 2.5]
    """
    _check_pair("huber_loss", x, target, reduction)
    if not real("huber_loss", "delta", delta) > 0:
        raise ArgumentError(f"huber_loss: delta={delta} is not positive.")
    return call("huber_loss", x, target, delta=delta, reduction=reduction)


def smooth_l1_loss(
    x: Tensor[B],
    target: Tensor[Any],
    /,
    *,
    beta: float = 1.0,
    reduction: Reduction = "mean",
) -> Tensor[B]:
    """gap**2 / (2 * beta) for gaps up to `beta`, and gap - beta / 2 beyond.

    With `beta=0` it is `l1_loss`. Raises `ShapeError`, `DTypeError`, `ValueError` for a
    negative `beta`.

    >>> import trivet as tv
    >>> x, target = tv.asarray([1.0, 5.0]), tv.asarray([2.0, 2.0])
    >>> tv.nn.smooth_l1_loss(x, target, beta=2.0, reduction="none").tolist()
    [0.25, 2.0]
    """
    _check_pair("smooth_l1_loss", x, target, reduction)
    if not real("smooth_l1_loss", "beta", beta) >= 0:
        raise ArgumentError(f"smooth_l1_loss: beta={beta} is negative.")
    if beta == 0:
        return call("l1_loss", x, target, reduction=reduction)
    return call("smooth_l1_loss", x, target, beta=beta, reduction=reduction)


def cross_entropy(
    logits: Tensor[B],
    targets: Tensor[Any],
    weight: Tensor[Any] | None = None,
    /,
    *,
    axis: SupportsIndex = -1,
    ignore_index: int | None = None,
    label_smoothing: float = 0.0,
    reduction: Reduction = "mean",
) -> Tensor[B]:
    """-log(softmax(logits)) at each target class, along `axis`.

    `logits` has shape (..., classes), `targets` integer class numbers of shape (...),
    or probabilities of the shape of `logits`. `weight`, of shape (classes,), scales
    the losses of each class. Targets equal to `ignore_index` count for nothing. The
    mean is over the weights of the target classes; NaN where none counts.
    `label_smoothing` moves that share of each target evenly to all classes (Szegedy et
    al., 2016). The classes are checked on the host. Raises `ShapeError`, `DTypeError`,
    `AxisError`, `TensorIndexError` for a class out of range, `ValueError`.

    >>> import trivet as tv
    >>> logits = tv.asarray([[0.0, 0.0], [1000.0, 0.0]])
    >>> tv.nn.cross_entropy(logits, tv.asarray([1, 0]), reduction="sum").item()
    0.6931471824645996
    """
    op = "cross_entropy"
    require_tensor(op, logits, targets)
    check_reduction(op, reduction)
    if not 0 <= real(op, "label_smoothing", label_smoothing) <= 1:
        raise ArgumentError(
            f"{op}: label_smoothing={label_smoothing} is not a share, within 0 to 1."
        )
    logits = _classes_last(op, logits, axis)
    kind = targets.backend.dtype(targets.handle).kind
    if kind in REAL_FLOATING:
        targets = _probabilities(logits, targets, axis, ignore_index)
    else:
        _check_targets(op, logits, targets, kind, ignore_index)
    if weight is not None:
        _check_weight(op, weight, logits)
    return call_given(
        op,
        logits,
        targets,
        weight,
        ignore_index=ignore_index,
        label_smoothing=label_smoothing,
        reduction=reduction,
    )


def nll_loss(
    logp: Tensor[B],
    targets: Tensor[Any],
    weight: Tensor[Any] | None = None,
    /,
    *,
    axis: SupportsIndex = -1,
    ignore_index: int | None = None,
    reduction: Reduction = "mean",
) -> Tensor[B]:
    """-logp at each target class: `cross_entropy` after `log_softmax`.

    Arguments and errors are those of `cross_entropy`, with class numbers as targets.

    >>> import trivet as tv
    >>> logp = tv.asarray([[-1.0, -2.0], [-3.0, -4.0]])
    >>> tv.nn.nll_loss(logp, tv.asarray([0, 1])).item()
    2.5
    """
    op = "nll_loss"
    require_tensor(op, logp, targets)
    check_reduction(op, reduction)
    logp = _classes_last(op, logp, axis)
    _check_targets(op, logp, targets, targets.dtype.kind, ignore_index)
    if weight is not None:
        _check_weight(op, weight, logp)
    return call_given(
        op, logp, targets, weight, ignore_index=ignore_index, reduction=reduction
    )


def binary_cross_entropy_with_logits(
    logits: Tensor[B],
    targets: Tensor[Any],
    pos_weight: Tensor[Any] | None = None,
    /,
    *,
    reduction: Reduction = "mean",
) -> Tensor[B]:
    """-targets * log(sigmoid(logits)) - (1 - targets) * log(1 - sigmoid(logits)).

    Exact for large logits, and 0 for an infinite one on the right side. `pos_weight`
    scales the first term and broadcasts. Raises `ShapeError`, `DTypeError`.

    >>> import trivet as tv
    >>> logits, targets = tv.asarray([0.0, 1000.0]), tv.asarray([1.0, 1.0])
    >>> tv.nn.binary_cross_entropy_with_logits(logits, targets, reduction="sum").item()
    0.6931471824645996
    """
    op = "binary_cross_entropy_with_logits"
    _check_pair(op, logits, targets, reduction)
    if pos_weight is not None:
        require_tensor(op, logits, targets, pos_weight)
        require_kind(op, pos_weight)
        if broadcast(op, logits.shape, pos_weight.shape) != logits.shape:
            raise ShapeError(
                f"{op}: the pos_weight has the shape {pos_weight.shape}, which does "
                f"not broadcast to the logits, {logits.shape}."
            )
    return call_given(op, logits, targets, pos_weight, reduction=reduction)


def binary_cross_entropy(
    x: Tensor[B], targets: Tensor[Any], /, *, reduction: Reduction = "mean"
) -> Tensor[B]:
    """-targets * log(x) - (1 - targets) * log(1 - x), for probabilities `x`.

    Logarithms below -100 count as -100, so a certain mistake costs 100. Logits are
    better given to `binary_cross_entropy_with_logits`. Raises `ShapeError`,
    `DTypeError`.

    >>> import trivet as tv
    >>> x, targets = tv.asarray([0.0, 1.0]), tv.asarray([1.0, 1.0])
    >>> tv.nn.binary_cross_entropy(x, targets, reduction="none").tolist()
    [100.0, -0.0]
    """
    _check_pair("binary_cross_entropy", x, targets, reduction)
    return call("binary_cross_entropy", x, targets, reduction=reduction)


def kl_div(
    x: Tensor[B],
    target: Tensor[Any],
    /,
    *,
    log_target: bool = False,
    reduction: Reduction = "mean",
) -> Tensor[B]:
    """target * (log(target) - x): how far the distribution `x` is from the target.

    `x` holds logarithms of probabilities, and so does `target` with `log_target`. A
    target of 0 costs 0. The mean is over all elements; the divergence itself is the
    sum. Raises `ShapeError`, `DTypeError`.

    >>> import trivet as tv
    >>> x = tv.log(tv.asarray([0.25, 0.75]))
    >>> tv.nn.kl_div(x, tv.asarray([0.0, 1.0]), reduction="sum").item()
    0.28768208622932434
    """
    _check_pair("kl_div_loss", x, target, reduction)
    return call("kl_div_loss", x, target, log_target=log_target, reduction=reduction)


def _check_pair(op: str, x: Tensor[Any], target: Tensor[Any], reduction: str) -> None:
    require_tensor(op, x, target)
    require_kind(op, x)
    require_kind(op, target)
    check_reduction(op, reduction)
    if x.shape != target.shape:
        raise ShapeError(
            f"{op}: predictions of shape {x.shape} and targets of shape {target.shape} "
            "do not fit. They must have one shape; use tv.broadcast_to to repeat."
        )


def _classes_last(op: str, x: Tensor[B], axis: SupportsIndex) -> Tensor[B]:
    check_floating(op, x)
    if axis.__class__ is int and axis == -1:  # the commonest
        return x
    ndim = x.ndim
    if not ndim:
        return x
    along = normalize_axis(op, axis, ndim)
    if along == ndim - 1:
        return x
    axes = (*range(along), *range(along + 1, ndim), along)
    return call("permute_dims", x, axes=axes)


def _probabilities(
    logits: Tensor[Any],
    targets: Tensor[B],
    axis: SupportsIndex,
    ignore_index: int | None,
) -> Tensor[B]:
    if ignore_index is not None:
        raise ArgumentError(
            f"cross_entropy: ignore_index={ignore_index} is for class numbers, and the "
            f"targets are probabilities of dtype {targets.dtype}. Give a row of zeros "
            "to ignore it."
        )
    if targets.ndim == logits.ndim:
        targets = _classes_last("cross_entropy", targets, axis)
    if targets.shape != logits.shape:
        raise ShapeError(
            f"cross_entropy: logits of shape {logits.shape} and probabilities of shape "
            f"{targets.shape} do not fit. They must have one shape; class numbers are "
            "integers."
        )
    return targets


def _check_targets(
    op: str,
    logits: Tensor[Any],
    targets: Tensor[Any],
    kind: Kind,
    ignore_index: int | None,
) -> None:
    if kind not in INTEGRAL:
        check_integers(op, "targets", targets, "class numbers")
    shape = logits.shape
    if not shape or targets.shape != shape[:-1]:
        raise ShapeError(
            f"{op}: logits of shape {logits.shape} and targets of shape "
            f"{targets.shape} do not fit. Logits have the shape of the targets, and "
            "one more axis for the classes."
        )
    if ignore_index is not None:
        counted = call("not_equal", targets, ignore_index)
        targets = call("where", counted, targets, 0)
    check_classes(op, targets, shape[-1])


def _check_weight(op: str, weight: Tensor[Any], logits: Tensor[Any]) -> None:
    require_tensor(op, logits, logits, weight)
    check_floating(op, weight)
    if weight.shape != logits.shape[-1:]:
        raise ShapeError(
            f"{op}: the weight has the shape {weight.shape}, and with "
            f"{logits.shape[-1]} classes it must be {logits.shape[-1:]}."
        )
