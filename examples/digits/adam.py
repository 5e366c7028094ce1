"""`Adam`: steps towards a smaller loss, each parameter at its own pace.

The method of Kingma and Ba, https://arxiv.org/abs/1412.6980, in plain tensor
arithmetic. `training` makes one for each network that it trains.
"""

import math

from network import Network

import trivet as tv

KEEP_MEAN, KEEP_SQUARE = 0.9, 0.999
EPSILON = 1e-8


class Adam:
    """The running averages of the gradients of one network, and of their squares."""

    def __init__(self, network: Network, *, rate: float) -> None:
        self.rate = rate
        self.steps = 0
        self.means = Network(*map(tv.zeros_like, network))
        self.squares = self.means

    def step(self, network: Network, gradients: Network) -> Network:
        """Returns the network after one step against the gradients."""
        self.steps += 1
        self.means = _blend(KEEP_MEAN, self.means, gradients)
        squared = Network(*(g * g for g in gradients))
        self.squares = _blend(KEEP_SQUARE, self.squares, squared)
        # Both averages start at zero; this corrects for it.
        correction = math.sqrt(1 - KEEP_SQUARE**self.steps) / (
            1 - KEEP_MEAN**self.steps
        )
        size = self.rate * correction
        return Network(
            *(
                p - size * mean / (tv.sqrt(square) + EPSILON)
                for p, mean, square in zip(
                    network, self.means, self.squares, strict=True
                )
            )
        )


def _blend(keep: float, average: Network, new: Network) -> Network:
    pairs = zip(average, new, strict=True)
    return Network(*(keep * a + (1 - keep) * n for a, n in pairs))
