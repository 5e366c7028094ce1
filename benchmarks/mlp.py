"""A training step of a small network, by each library: what autodiff.py times.

Every candidate is a function that makes one step and gives the loss; all start from
the same parameters, and the losses after a few steps agree.
"""

import importlib.util
from itertools import pairwise
from typing import Any

import numpy as np

import trivet as tv

__all__ = ["SIZES", "mlp"]

SIZES = {"small": (64, (64, 128, 10)), "medium": (256, (784, 512, 512, 10))}
RATE = 0.01


def mlp(batch: int, widths: tuple[int, ...]) -> dict[str, Any]:
    """The steps by library, on float32."""
    rng = np.random.default_rng(0)
    x = rng.normal(size=(batch, widths[0])).astype(np.float32)
    y = rng.integers(0, widths[-1], size=batch)
    layers = []
    for rows, columns in pairwise(widths):
        scaled = rng.normal(size=(rows, columns)) / np.sqrt(rows)
        layers.append((scaled.astype(np.float32), np.zeros(columns, np.float32)))
    found = {"trivet": _ours(x, y, layers), "NumPy": _by_hand(x, y, layers)}
    if importlib.util.find_spec("torch"):
        found["PyTorch"] = _torch(x, y, layers)
    losses = [[float(step()) for _ in range(5)] for step in found.values()]
    for other in losses[1:]:
        np.testing.assert_allclose(other, losses[0], rtol=1e-4)
    return found


def _ours(x: Any, y: Any, layers: Any) -> Any:
    ad = tv.backend("autodiff(ndarray)")
    x, y = tv.asarray(x, backend=ad), tv.asarray(y, backend=ad)
    parameters = [tv.tensor(p) for layer in layers for p in layer]

    def step() -> Any:
        variables = [p.to_backend(ad).require_grad() for p in parameters]
        *hidden, (w, b) = zip(variables[::2], variables[1::2], strict=True)
        h = x
        for weight, bias in hidden:
            h = tv.nn.relu(h @ weight + bias)
        loss = tv.nn.cross_entropy(h @ w + b, y)
        gradients = loss.backward()
        for at, variable in enumerate(variables):
            parameters[at] = parameters[at] - gradients[variable] * RATE
        return loss

    return step


def _by_hand(x: Any, y: Any, layers: Any) -> Any:
    """In place wherever that is possible."""
    weights, biases = ([p.copy() for p in each] for each in zip(*layers, strict=True))
    rows = np.arange(len(y))
    rate, size = np.float32(RATE), np.float32(len(y))

    def step() -> Any:
        inputs, h = [x], x
        for at, (w, b) in enumerate(zip(weights, biases, strict=True)):
            h = h @ w
            h += b
            if at < len(weights) - 1:
                np.maximum(h, 0, out=h)
                inputs.append(h)
        h -= h.max(axis=1, keepdims=True)
        picked = h[rows, y]
        np.exp(h, out=h)
        total = h.sum(axis=1, keepdims=True)
        loss = (np.log(total[:, 0]) - picked).mean()
        h /= total
        h[rows, y] -= 1
        h /= size
        for at in reversed(range(len(weights))):
            before = inputs[at]
            gw, gb = before.T @ h, h.sum(axis=0)
            if at:
                h = h @ weights[at].T
                h *= before > 0
            gw *= rate
            gb *= rate
            weights[at] -= gw
            biases[at] -= gb
        return loss

    return step


def _torch(x: Any, y: Any, layers: Any) -> Any:
    import torch

    torch.set_num_threads(1)
    x, y = torch.tensor(x), torch.tensor(y)
    parameters = [torch.tensor(p, requires_grad=True) for pair in layers for p in pair]

    def step() -> Any:
        *hidden, (w, b) = zip(parameters[::2], parameters[1::2], strict=True)
        h = x
        for weight, bias in hidden:
            h = torch.relu(h @ weight + bias)
        loss = torch.nn.functional.cross_entropy(h @ w + b, y)
        gradients = torch.autograd.grad(loss, parameters)
        with torch.no_grad():
            for p, g in zip(parameters, gradients, strict=True):
                p.sub_(g, alpha=RATE)
        return loss.detach()

    return step
