"""`Digits`: the handwritten digits, split into those to learn from and those to test.

They are the 1,797 digits of 8 x 8 pixels that scikit-learn carries, so nothing is
downloaded. `train` loads them.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.datasets import load_digits

import trivet as tv

COUNT = 1797
CLASSES = 10
HELD_OUT = 0.2
INK = 16  # the value of a black pixel
Tensors = tuple[tv.Tensor[Any], tv.Tensor[Any]]


@dataclass(frozen=True)
class Digits:
    """Some digits: images (n, 64), from 0 for paper to 1 for ink, and labels (n,)."""

    images: NDArray[np.float32]
    labels: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.labels)

    def tensors(
        self, backend: tv.Backend[Any]
    ) -> tuple[tv.Tensor[Any], tv.Tensor[Any]]:
        """Returns images and labels as tensors on the backend's default device."""
        return (
            tv.asarray(self.images, backend=backend),
            tv.asarray(self.labels, backend=backend),
        )


def load(*, samples: int = COUNT, seed: int) -> tuple[Digits, Digits]:
    """Returns the digits to learn from, and one in five held out to test with.

    `samples` digits are used. NumPy shuffles, so that a seed gives the same split on
    every backend.
    """
    pixels, labels = load_digits(return_X_y=True)
    order = np.random.default_rng(seed).permutation(len(labels))[:samples]
    cut = round(len(order) * HELD_OUT)
    images = (pixels / INK).astype(np.float32)
    held_out, learnt = order[:cut], order[cut:]
    return (
        Digits(images[learnt], labels[learnt]),
        Digits(images[held_out], labels[held_out]),
    )
