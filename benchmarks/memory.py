"""Peak memory of a long chain: 999 elementwise ops on a million float32, and back.

    python benchmarks/memory.py [--json PATH] [NAME ...]

`x = tanh(x * w + b)`, 333 times, and the gradients of x, w and b. One array is 4 MB.
Whoever saves no more than the formulas need keeps 333 of them, 1332 MB. Each candidate
runs in a process of its own; its peak is what it adds to what that process had at its
most before. Time is CPU time of one thread. PyTorch and HIPS autograd stand beside
Trivet where they are installed. It exits with 1 if a line misses its goal.
"""

import os

for _library in ("OMP", "OPENBLAS", "MKL"):
    os.environ[f"{_library}_NUM_THREADS"] = "1"

import argparse
import importlib.util
import json
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

import trivet as tv
from trivet_autodiff import Autodiff, checkpoint, grad

TIMES, SIZE, SEGMENT = 333, 1_000_000, 18
LEAST, LEAST_MB = "least possible", TIMES * SIZE * 4 / 1e6
BUDGET = 100_000_000


@dataclass(frozen=True)
class Line:
    """One goal: the figure of a candidate, against what, and the ratio to keep."""

    name: str
    ours: str
    figure: str
    theirs: str
    goal: float


LINES = (
    Line("grad, everything saved: memory", "grad", "mb", LEAST, 1.05),
    Line("backward(), everything saved: memory", "backward", "mb", LEAST, 1.05),
    Line("checkpoint(f): memory", "checkpoint(f)", "mb", LEAST, 250 / LEAST_MB),
    Line("checkpoint(f): time", "checkpoint(f)", "seconds", "grad", 1.5),
    Line("balanced: memory", "balanced", "mb", LEAST, 250 / LEAST_MB),
    Line("balanced: time", "balanced", "seconds", "backward", 1.5),
    Line("budget of 100 MB: memory", "budget", "mb", LEAST, 250 / LEAST_MB),
    Line("budget of 100 MB: time", "budget", "seconds", "backward", 1.5),
)


def chain(operands: Any, times: int, tanh: Callable[[Any], Any]) -> Any:
    """A multiply, an add and a tanh, so many times."""
    x, w, b = operands
    for _ in range(times):
        x = tanh(x * w + b)
    return x


def segments(part: Callable[..., Any], operands: Any, tanh: Any) -> Any:
    """The same, in parts of about the square root of the whole."""
    x, w, b = operands
    for start in range(0, TIMES, SEGMENT):
        x = part((x, w, b), min(SEGMENT, TIMES - start), tanh)
    return x


def arrays(size: int) -> list[Any]:
    """The three operands."""
    numbers = np.random.default_rng(0)
    return [numbers.standard_normal(size, dtype=np.float32) for _ in range(3)]


def with_grad(size: int) -> Callable[[], object]:
    """`grad`, with everything saved."""
    operands: Any = [tv.asarray(array) for array in arrays(size)]
    slope = grad(lambda *given: chain(given, TIMES, tv.tanh).sum(), (0, 1, 2))
    return lambda: slope(*operands)


def with_regions(size: int) -> Callable[[], object]:
    """`grad`, through regions that are computed again."""
    operands: Any = [tv.asarray(array) for array in arrays(size)]
    part = checkpoint(chain)
    slope = grad(lambda *given: segments(part, given, tv.tanh).sum(), (0, 1, 2))
    return lambda: slope(*operands)


def with_policy(policy: str | int) -> Callable[[int], Callable[[], object]]:
    """`backward` on a backend with a policy for saved values."""

    def prepared(size: int) -> Callable[[], object]:
        backend = Autodiff(tv.backend("ndarray"), checkpoint=policy)
        leaves: Any = [
            tv.asarray(array).to_backend(backend).require_grad()
            for array in arrays(size)
        ]
        return lambda: chain(leaves, TIMES, tv.tanh).sum().backward()

    return prepared


def with_torch(size: int) -> Callable[[], object]:
    """PyTorch, with everything saved."""
    import torch

    torch.set_num_threads(1)
    leaves: Any = [torch.from_numpy(array).requires_grad_() for array in arrays(size)]
    return lambda: chain(leaves, TIMES, torch.tanh).sum().backward()


def with_torch_checkpoint(size: int) -> Callable[[], object]:
    """PyTorch's own checkpointing, in the same parts."""
    import torch
    from torch.utils.checkpoint import checkpoint as again

    torch.set_num_threads(1)
    leaves: Any = [torch.from_numpy(array).requires_grad_() for array in arrays(size)]

    def part(*given: Any) -> Any:
        return again(chain, *given, use_reentrant=False)

    return lambda: segments(part, leaves, torch.tanh).sum().backward()


def with_autograd(size: int) -> Callable[[], object]:
    """HIPS autograd."""
    import autograd  # type: ignore[import-untyped]
    import autograd.numpy as anp  # type: ignore[import-untyped]

    operands = arrays(size)
    slope = autograd.grad(
        lambda *given: anp.sum(chain(given, TIMES, anp.tanh)), (0, 1, 2)
    )
    return lambda: slope(*operands)


CANDIDATES: dict[str, Callable[[int], Callable[[], object]]] = {
    "grad": with_grad,
    "backward": with_policy("none"),
    "checkpoint(f)": with_regions,
    "balanced": with_policy("balanced"),
    "budget": with_policy(BUDGET),
    "torch": with_torch,
    "torch checkpoint": with_torch_checkpoint,
    "autograd": with_autograd,
}
NEEDS = {"torch": "torch", "torch checkpoint": "torch", "autograd": "autograd"}


def peak_mb() -> float:
    """The most memory that this process has had so far."""
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit / 1e6


def measured(name: str) -> dict[str, float]:
    """The peak above the start, and the time, of a candidate in this process."""
    CANDIDATES[name](16)()  # what is loaded on first use is not counted
    run = CANDIDATES[name](SIZE)
    before, start = peak_mb(), time.process_time()
    run()
    return {"seconds": time.process_time() - start, "mb": peak_mb() - before}


def in_a_process(name: str) -> dict[str, float]:
    """The same in a process of its own."""
    command = [sys.executable, __file__, "--one", name]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    figures: dict[str, float] = json.loads(done.stdout)
    return figures


def report(figures: dict[str, dict[str, float]]) -> bool:
    """Print what was measured; whether every line keeps its goal."""
    print(f"Python {sys.version.split()[0]}, NumPy {np.__version__}")
    for name, one in figures.items():
        print(f"  {name:20} {one['mb']:8.0f} MB {one['seconds']:8.2f} s")
    kept = True
    for line in LINES:
        if not {line.ours, line.theirs} <= figures.keys() | {LEAST}:
            continue
        whole = LEAST_MB if line.theirs is LEAST else figures[line.theirs][line.figure]
        ratio = figures[line.ours][line.figure] / whole
        kept &= ratio <= line.goal
        against = f"{ratio:8.2f} of {line.theirs}"
        print(f"{line.name:40} {against:30} goal {line.goal:.2f}")
    return kept


def main() -> int:
    """Measure and report."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help="only these")
    parser.add_argument("--one", choices=CANDIDATES, help=argparse.SUPPRESS)
    parser.add_argument("--json", type=Path, help="write the figures to this file too")
    options = parser.parse_args()
    if options.one:
        print(json.dumps(measured(options.one)))
        return 0
    names = options.names or [
        name
        for name in CANDIDATES
        if name not in NEEDS or importlib.util.find_spec(NEEDS[name])
    ]
    figures = {name: in_a_process(name) for name in names}
    kept = report(figures)
    if options.json:
        lines = [asdict(line) for line in LINES]
        options.json.write_text(json.dumps({"figures": figures, "lines": lines}))
    return 0 if kept else 1


if __name__ == "__main__":
    sys.exit(main())
