"""The loss of sequences without alignment; users reach it as `tv.nn.ctc_loss`."""

from typing import Any, SupportsIndex, TypeVar

from trivet.arguments import integer
from trivet.contract import Backend
from trivet.contract.loss import Reduction
from trivet.dispatch import call, common, require_tensor, wrap
from trivet.errors import ArgumentError, ShapeError, TensorIndexError
from trivet.functions.targets import (
    check_classes,
    check_floating,
    check_integers,
    check_reduction,
    extremes,
)
from trivet.tensor import Tensor

__all__ = ["ctc_loss"]

B = TypeVar("B", bound=Backend[Any])


def ctc_loss(
    logp: Tensor[B],
    targets: Tensor[Any],
    input_lengths: Tensor[Any],
    target_lengths: Tensor[Any],
    /,
    *,
    blank: SupportsIndex = 0,
    zero_infinity: bool = False,
    reduction: Reduction = "mean",
) -> Tensor[B]:
    """-log of the probability that `logp` spells the targets (Graves et al., 2006).

    `logp` holds log-probabilities (times, samples, classes), `targets` class numbers
    (samples, labels), padded with anything, and the lengths, (samples,), say how much
    of both counts. A spelling repeats labels and puts `blank` between them at will. A
    target longer than its input can spell costs inf, or 0 with `zero_infinity`; its
    gradient is 0. The mean is of each loss over its target's length. Lengths and
    classes are checked on the host. Raises `ShapeError`, `DTypeError`,
    `TensorIndexError`, `ValueError`.

    >>> import trivet as tv
    >>> logp = tv.log(tv.asarray([[[0.5, 0.5]], [[0.5, 0.5]]]))
    >>> one = tv.asarray([1])
    >>> tv.nn.ctc_loss(logp, tv.asarray([[1]]), tv.asarray([2]), one).item()
    0.28768208622932434
    """
    check_reduction("ctc_loss", reduction)
    _check_ctc_arrays(logp, targets, input_lengths, target_lengths)
    times, _, classes = logp.shape
    number = integer("ctc_loss", "blank", blank)
    if not 0 <= number < classes:
        raise TensorIndexError(
            f"ctc_loss: blank={number} is not one of the classes 0 to {classes - 1}."
        )
    _check_range("ctc_loss", "input_lengths", input_lengths, 1, times)
    _check_range("ctc_loss", "target_lengths", target_lengths, 0, targets.shape[1])
    _check_labels(targets, target_lengths, number, classes)
    return call(
        "ctc_loss",
        logp,
        targets,
        input_lengths,
        target_lengths,
        blank=number,
        zero_infinity=zero_infinity,
        reduction=reduction,
    )


def _check_ctc_arrays(
    logp: Tensor[Any],
    targets: Tensor[Any],
    input_lengths: Tensor[Any],
    target_lengths: Tensor[Any],
) -> None:
    require_tensor("ctc_loss", logp, targets, input_lengths, target_lengths)
    check_floating("ctc_loss", logp)
    check_integers("ctc_loss", "targets", targets, "class numbers")
    check_integers("ctc_loss", "input_lengths", input_lengths, "lengths")
    check_integers("ctc_loss", "target_lengths", target_lengths, "lengths")
    shapes = [x.shape for x in (logp, targets, input_lengths, target_lengths)]
    sizes = [len(shape) for shape in shapes]
    if sizes != [3, 2, 1, 1] or not logp.shape[0]:
        listed = ", ".join(map(str, shapes))
        raise ShapeError(
            f"ctc_loss: the shapes are {listed}. They must be (times, samples, "
            "classes), (samples, labels), (samples,) and (samples,), with one time at "
            "least."
        )
    samples = {shapes[0][1], *(shape[0] for shape in shapes[1:])}
    if len(samples) > 1:
        listed = ", ".join(map(str, shapes))
        raise ShapeError(
            f"ctc_loss: the shapes {listed} have different numbers of samples: "
            f"{' and '.join(map(str, sorted(samples)))}."
        )


def _check_range(op: str, name: str, x: Tensor[Any], low: int, high: int) -> None:
    for number in extremes(x):
        if not low <= number <= high:
            raise ArgumentError(
                f"{op}: the {name} hold {number}, and for these shapes they can be "
                f"{low} to {high}."
            )


def _check_labels(
    targets: Tensor[Any], target_lengths: Tensor[Any], blank: int, classes: int
) -> None:
    """Check the labels within the lengths; the padding can be anything."""
    backend, (labels, lengths) = common("ctc_loss", (targets, target_lengths))
    states = wrap(backend.ctc_states(labels, lengths, blank), backend)
    check_classes("ctc_loss", states, classes)
