"""`GradientScaler`: keeps small gradients from vanishing in float16."""

from dataclasses import dataclass
from typing import Any, TypeVar

import trivet as tv
from trivet import Tensor
from trivet_autodiff.gradients import Gradients
from trivet_autodiff.tree import leaves, mapped

__all__ = ["GradientScaler"]

T = TypeVar("T")
_SMALLEST, _LARGEST = 2.0**-126, 2.0**127


@dataclass(slots=True)
class GradientScaler:
    """Scales a loss, takes the scale off its gradients, and adapts it.

    The scale is divided by `factor` when a gradient is infinite or NaN, and multiplied
    by it after `interval` steps in a row without one. A power of two rounds nothing.
    The scale stays a normal float32, so that a loss that is never finite does not turn
    it into 0. The fields are all its state, so it can be pickled and compared.

    >>> import trivet as tv
    >>> w = tv.tensor([2.0], backend="autodiff(ndarray)").require_grad()
    >>> scaler = GradientScaler(scale=1024.0)
    >>> gradients = scaler.unscale(scaler.scaled((w * w).sum()).backward())
    >>> gradients[w].tolist()
    [4.0]
    """

    scale: float = 65536.0
    factor: float = 2.0
    interval: int = 2000
    steps: int = 0
    """How many steps in a row had finite gradients, since the scale last changed."""

    def scaled(self, loss: Tensor[Any], /) -> Tensor[Any]:
        """The loss to differentiate."""
        return loss * self.scale

    def unscale(self, gradients: T, /) -> T | None:
        """The gradients of the loss itself, or `None` if the step must be skipped.

        They are what `backward` returned, or nested tensors as `grad` returns them.
        Call it once a step: it also adapts the scale. Gradients of several batches are
        added up before.
        """
        if all(tv.all(tv.isfinite(g)) for g in _tensors(gradients)):
            result: T = _times(gradients, 1 / self.scale)
            self._grow()
            return result
        self._set(self.scale / self.factor)
        return None

    def _grow(self) -> None:
        self.steps += 1
        if self.steps >= self.interval:
            self._set(self.scale * self.factor)

    def _set(self, scale: float) -> None:
        self.scale, self.steps = min(max(scale, _SMALLEST), _LARGEST), 0


def _tensors(gradients: Any) -> list[Tensor[Any]]:
    if isinstance(gradients, Gradients):
        return gradients.tensors()
    return leaves(gradients)


def _times(gradients: Any, factor: float) -> Any:
    if isinstance(gradients, Gradients):
        return gradients.mapped(lambda g: g * factor)
    return mapped(lambda g: g * factor, gradients)
