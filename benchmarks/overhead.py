"""What Trivet costs over the library below it, on arrays of 16 float32.

    python benchmarks/overhead.py [--rounds N] [--json PATH]

Times are CPU time of one thread, the lower quintile of many short samples. Candidates
take turns within one process, so that ratios hold on a machine whose speed drifts.
PyTorch stands beside Trivet where it is installed. It exits with 1 if a line misses
its goal.
"""

import argparse
import importlib.util
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import timing  # before NumPy: it sets the number of threads

# isort: split
import numpy as np

import trivet as tv

CHAIN_OPS = 50


@dataclass(frozen=True)
class Line:
    """One comparison: what is timed, against what, and the ratio it should keep."""

    name: str
    ours: str
    theirs: str
    goal: float


LINES = (
    Line("x + y / NumPy", "x + y", "numpy x + y", 1.9),
    Line("x.exp() / NumPy", "x.exp()", "numpy exp(x)", 1.7),
    Line("x + 2.0 / NumPy", "x + 2.0", "numpy x + 2.0", 1.2),
    Line("untracked x + y on autodiff / NumPy", "untracked x + y", "numpy x + y", 2.2),
    Line("x + y / PyTorch", "x + y", "torch x + y", 0.6),
    Line("chain, forward and backward / PyTorch", "chain", "torch chain", 0.35),
)


def chain(x: Any, w: Any, b: Any, tanh: Callable[[Any], Any]) -> Any:
    """50 elementwise ops: multiply, add and tanh."""
    for _ in range(CHAIN_OPS // 3):
        x = tanh(x * w + b)
    return x * w + b


def candidates() -> dict[str, Callable[[], object]]:
    """Everything that is timed, by name."""
    a = np.linspace(0.1, 1, 16, dtype=np.float32)
    c = a * 2
    nd, ad = tv.backend("ndarray"), tv.backend("autodiff(ndarray)")
    x, y = tv.asarray(a, backend=nd), tv.asarray(c, backend=nd)
    u, v = x.to_backend(ad), y.to_backend(ad)
    leaves = [t.require_grad() for t in (u, v, u)]
    found: dict[str, Callable[[], object]] = {
        "numpy x + y": lambda: a + c,
        "x + y": lambda: x + y,
        "untracked x + y": lambda: u + v,
        "numpy exp(x)": lambda: np.exp(a),
        "x.exp()": x.exp,
        "numpy x + 2.0": lambda: a + 2.0,
        "x + 2.0": lambda: x + 2.0,
        "numpy sum(x)": lambda: np.sum(a),
        "x.sum()": x.sum,
        "numpy reshape(x)": lambda: np.reshape(a, (4, 4)),
        "x.reshape()": lambda: x.reshape((4, 4)),
        "numpy x[1:9]": lambda: a[1:9],
        "x[1:9]": lambda: x[1:9],
        "chain, forward": lambda: chain(*leaves, tv.tanh).sum(),
        "chain": lambda: chain(*leaves, tv.tanh).sum().backward(),
    }
    if importlib.util.find_spec("torch"):
        found |= torch_candidates(a, c)
    return found


def torch_candidates(a: Any, c: Any) -> dict[str, Callable[[], object]]:
    """The same with PyTorch, eager."""
    import torch

    torch.set_num_threads(1)
    x, y = torch.tensor(a), torch.tensor(c)
    leaves = [torch.tensor(v, requires_grad=True) for v in (a, c, a)]

    def forward() -> Any:
        return chain(*leaves, torch.tanh).sum()

    return {
        "torch x + y": lambda: x + y,
        "torch exp(x)": lambda: torch.exp(x),
        "torch x + 2.0": lambda: x + 2.0,
        "torch chain, forward": forward,
        "torch chain": lambda: torch.autograd.grad(forward(), leaves),
    }


def import_seconds(statement: str) -> float:
    """The time of a fresh interpreter that runs `statement`, the best of 15."""
    command = [sys.executable, "-c", statement]
    times = []
    with tempfile.TemporaryDirectory() as cache:
        # as after an installation: modules are compiled once
        environment = os.environ | {"PYTHONPYCACHEPREFIX": cache}
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
        for _ in range(15):
            start = time.perf_counter()
            subprocess.run(command, check=True, env=environment)
            times.append(time.perf_counter() - start)
    return min(times)


def report(times: dict[str, float], import_ms: float) -> bool:
    """Print what was measured; whether every line keeps its goal."""
    print(f"Python {sys.version.split()[0]}, NumPy {np.__version__}")
    for name, microseconds in times.items():
        print(f"  {name:24} {microseconds:9.3f} us")
    kept = True
    for line in LINES:
        if line.theirs not in times:
            print(f"{line.name:40} not measured: PyTorch is not installed")
            continue
        ratio = times[line.ours] / times[line.theirs]
        kept &= ratio <= line.goal
        print(f"{line.name:40} {ratio:6.2f}   goal {line.goal}")
    kept &= import_ms <= 60
    print(f"{'import trivet over bare Python':40} {import_ms:6.1f} ms goal 60 ms")
    return kept


def main() -> int:
    """Measure and report."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--rounds", type=int, default=100)
    parser.add_argument("--json", type=Path, help="write the figures to this file too")
    options = parser.parse_args()
    times = timing.measure(candidates(), options.rounds)
    import_ms = (import_seconds("import trivet") - import_seconds("pass")) * 1e3
    kept = report(times, import_ms)
    if options.json:
        lines = [asdict(line) for line in LINES]
        figures = {"microseconds": times, "import_ms": import_ms, "lines": lines}
        options.json.write_text(json.dumps(figures, indent=2))
    return 0 if kept else 1


if __name__ == "__main__":
    sys.exit(main())
