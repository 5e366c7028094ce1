"""`Network`: two layers of weights, written in Trivet's functions alone.

It imports nothing but Trivet, so it computes wherever a backend does. `training` makes
one, improves it and asks it for predictions.
"""

import math
from typing import Any, NamedTuple

import trivet as tv


class Network(NamedTuple):
    """The parameters of a network with one hidden layer; calling it computes.

    The weights have the shapes (inputs, hidden) and (hidden, classes), the biases
    (hidden,) and (classes,).

    >>> generator = tv.random.Generator(0)
    >>> network = Network.create(generator, inputs=64, hidden=16, classes=10)
    >>> network(generator.uniform((5, 64))).shape
    (5, 10)
    """

    weights1: tv.Tensor[Any]
    bias1: tv.Tensor[Any]
    weights2: tv.Tensor[Any]
    bias2: tv.Tensor[Any]

    @classmethod
    def create(
        cls, generator: tv.random.Generator, *, inputs: int, hidden: int, classes: int
    ) -> "Network":
        """Returns a network that knows nothing yet, on the generator's backend.

        The weights are random, of a size that neither grows nor shrinks the signal
        from layer to layer.
        """
        backend = generator.backend
        return cls(
            generator.normal((inputs, hidden), std=math.sqrt(2 / inputs)),
            tv.zeros(hidden, backend=backend),
            generator.normal((hidden, classes), std=math.sqrt(1 / hidden)),
            tv.zeros(classes, backend=backend),
        )

    def __call__(self, images: tv.Tensor[Any]) -> tv.Tensor[Any]:
        """Returns one score for each image and class, from images (n, inputs)."""
        hidden = tv.nn.relu(images @ self.weights1 + self.bias1)
        return hidden @ self.weights2 + self.bias2

    def predict(self, images: tv.Tensor[Any]) -> tv.Tensor[Any]:
        """Returns the class with the highest score for each image."""
        return tv.argmax(self(images), axis=1)


def loss_and_gradients(
    network: Network,
    images: tv.Tensor[Any],
    labels: tv.Tensor[Any],
    *,
    recorder: tv.Backend[Any],
) -> tuple[float, Network]:
    """Returns the mean cross-entropy, and its gradient for each parameter.

    Only in here do the parameters live on `recorder`, which is `autodiff(...)` over
    their own backend. They go in as plain tensors, and so do the gradients come out.
    """
    variables = Network(*(p.to_backend(recorder).require_grad() for p in network))
    loss = tv.nn.cross_entropy(variables(images), labels)
    gradients = loss.backward()
    return float(loss), Network(*(gradients[variable] for variable in variables))
