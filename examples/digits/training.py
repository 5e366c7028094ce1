"""`Training`: one network on its way through the digits, an epoch at a time.

Like `network` and `adam` it imports nothing but Trivet. `train` drives it.
"""

from typing import Any

from adam import Adam
from network import Network, loss_and_gradients

import trivet as tv

BATCH = 32
RATE = 0.003


class Training:
    """A network and what is needed to improve it on images (n, inputs) and labels (n,).

    `recorder` is a backend `autodiff(...)`; images and labels are on the one it wraps.
    """

    def __init__(
        self,
        images: tv.Tensor[Any],
        labels: tv.Tensor[Any],
        *,
        recorder: Any,
        seed: int,
        hidden: int,
        classes: int,
    ) -> None:
        self.images, self.labels = images, labels
        self.recorder = recorder
        self.generator = tv.random.Generator(seed, backend=recorder.inner)
        self.network = Network.create(
            self.generator, inputs=images.shape[1], hidden=hidden, classes=classes
        )
        self.adam = Adam(self.network, rate=RATE)

    def epoch(self) -> float:
        """Learns from each image once, in random order; returns the mean loss."""
        order = self.generator.permutation(len(self.images))
        total = 0.0
        for start in range(0, len(order), BATCH):
            batch = order[start : start + BATCH]
            total += len(batch) * self._learn(batch)
        return total / len(order)

    def _learn(self, batch: tv.Tensor[Any]) -> float:
        loss, gradients = loss_and_gradients(
            self.network,
            tv.take(self.images, batch, axis=0),
            tv.take(self.labels, batch, axis=0),
            recorder=self.recorder,
        )
        self.network = self.adam.step(self.network, gradients)
        return loss


def accuracy(network: Network, images: tv.Tensor[Any], labels: tv.Tensor[Any]) -> float:
    """Returns the share of images, 0 to 1, whose predicted class is the label."""
    hits = int(tv.count_nonzero(network.predict(images) == labels))
    return hits / len(labels)
