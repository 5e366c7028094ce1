"""What gradients cost, beside PyTorch, HIPS autograd and NumPy by hand.

    python benchmarks/autodiff.py [--rounds N] [--json PATH] [NAME...]

One process, one thread, CPU time; candidates take turns. The chain is 50 elementwise
ops on 16 float32 and a sum, differentiated by all three of its arguments. A step of a
network is forward, cross-entropy, backward and update. It exits with 1 if a line
misses its goal; peers that are not installed are left out.
"""

import argparse
import importlib.util
import json
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import timing  # before NumPy: it sets the number of threads

# isort: split
import numpy as np
from mlp import SIZES, mlp

import trivet as tv
from trivet_autodiff import grad

OPS = 51
RNG = np.random.default_rng(0)
ARRAYS = tuple(RNG.normal(size=16).astype(np.float32) for _ in range(3))
Candidates = dict[str, timing.Candidate]


@dataclass(frozen=True)
class Line:
    """One comparison: what is timed, and the ratio to each peer that it should keep."""

    name: str
    candidates: Callable[[], Candidates]
    goals: dict[str, float]
    per: int = 1


def chain(x: Any, w: Any, b: Any, tanh: Callable[[Any], Any]) -> Any:
    """Multiply, add and tanh, and the sum."""
    for _ in range(16):
        x = tanh(x * w + b)
    return (x * w + b).sum()


def numpy_chain() -> Any:
    """The chain and its gradients as one would write them by hand."""
    x, w, b = ARRAYS
    saved = []
    for _ in range(16):
        before, x = x, np.tanh(x * w + b)
        saved.append((before, x))
    out = (x * w + b).sum()
    g = np.ones(16, np.float32)
    gw, gb = g * x, g.copy()
    g = g * w
    for before, y in reversed(saved):
        g = g * (1 - y * y)
        gb += g
        gw += g * before
        g = g * w
    return out, g, gw, gb


def ours() -> list[Any]:
    """The arguments as variables."""
    return [tv.asarray(a, backend="autodiff(ndarray)").require_grad() for a in ARRAYS]


def torch_leaves() -> tuple[Any, list[Any]]:
    """PyTorch, and the arguments as its variables."""
    import torch

    torch.set_num_threads(1)
    return torch, [torch.tensor(a, requires_grad=True) for a in ARRAYS]


def both_ways() -> Candidates:
    """Forward and backward."""
    leaves = ours()
    found: Candidates = {
        "trivet": lambda: chain(*leaves, tv.tanh).backward(),
        "NumPy": numpy_chain,
    }
    if importlib.util.find_spec("torch"):
        torch, theirs = torch_leaves()
        found["PyTorch"] = lambda: torch.autograd.grad(
            chain(*theirs, torch.tanh), theirs
        )
    if importlib.util.find_spec("autograd"):
        import autograd
        from autograd import numpy

        both = autograd.value_and_grad(lambda *a: chain(*a, numpy.tanh), (0, 1, 2))
        found["autograd"] = lambda: both(*ARRAYS)
    return found


def forward() -> Candidates:
    """Forward alone, recorded."""
    leaves = ours()
    found: Candidates = {"trivet": lambda: chain(*leaves, tv.tanh)}
    if importlib.util.find_spec("torch"):
        torch, theirs = torch_leaves()
        found["PyTorch"] = lambda: chain(*theirs, torch.tanh)
    return found


def untracked() -> Candidates:
    """One op on the wrapped backend without a variable."""
    a, c, _ = ARRAYS
    x, y = (tv.asarray(v, backend="autodiff(ndarray)") for v in (a, c))
    return {"trivet": lambda: x * y, "NumPy": lambda: a * c}


def second_order() -> Candidates:
    """The gradient of the sum of the gradients."""
    plain = [tv.asarray(a) for a in ARRAYS]
    every = (0, 1, 2)
    slopes = grad(lambda *a: chain(*a, tv.tanh), every)
    twice = grad(lambda *a: sum(g.sum() for g in slopes(*a)), every)
    found: Candidates = {"trivet": lambda: twice(*plain)}
    if importlib.util.find_spec("torch"):
        torch, theirs = torch_leaves()

        def peer() -> Any:
            out = chain(*theirs, torch.tanh)
            first = torch.autograd.grad(out, theirs, create_graph=True)
            return torch.autograd.grad(sum(g.sum() for g in first), theirs)

        found["PyTorch"] = peer
    return found


LINES = (
    Line(
        "chain, forward and backward",
        both_ways,
        {"PyTorch": 0.3, "NumPy": 1.8, "autograd": 0.13},
        OPS,
    ),
    Line("chain, forward", forward, {"PyTorch": 0.45}, OPS),
    Line("untracked op", untracked, {"NumPy": 2.0}),
    Line("chain, second order", second_order, {"PyTorch": 0.45}, OPS),
    Line(
        "small network, a step",
        lambda: mlp(*SIZES["small"]),
        {"PyTorch": 0.6, "NumPy": 1.25},
    ),
    Line(
        "medium network, a step",
        lambda: mlp(*SIZES["medium"]),
        {"PyTorch": 1.0, "NumPy": 1.05},
    ),
)


def report(line: Line, times: dict[str, float]) -> bool:
    """Print one line; whether every goal is kept."""
    print(f"{line.name}: {times['trivet'] / line.per:.2f} us")
    kept = True
    for peer, goal in line.goals.items():
        if peer not in times:
            print(f"    {peer:9} not installed")
            continue
        ratio = times["trivet"] / times[peer]
        kept &= ratio <= goal
        own = times[peer] / line.per
        print(f"    {peer:9}{own:10.2f} us   ratio {ratio:5.2f}   goal {goal}")
    return kept


def main() -> int:
    """Measure and report."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("names", nargs="*", help="parts of the names of what to time")
    parser.add_argument("--rounds", type=int, default=60)
    parser.add_argument("--json", type=Path, help="write the figures to this file too")
    options = parser.parse_args()
    print(f"Python {sys.version.split()[0]}, NumPy {np.__version__}")
    figures, kept = {}, True
    for line in LINES:
        if options.names and not any(part in line.name for part in options.names):
            continue
        times = timing.measure(line.candidates(), options.rounds)
        kept &= report(line, times)
        figures[line.name] = {"microseconds": times, "goals": line.goals}
    if options.json:
        options.json.write_text(json.dumps(figures, indent=2))
    return 0 if kept else 1


if __name__ == "__main__":
    sys.exit(main())
