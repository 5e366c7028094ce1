"""How the benchmarks measure: one thread, by turns, the lower quintile of samples.

Import it before NumPy and PyTorch, which read the number of threads once.
"""

import os

for _library in ("OMP", "OPENBLAS", "MKL"):
    os.environ[f"{_library}_NUM_THREADS"] = "1"

import time
import timeit
from collections.abc import Callable, Mapping

__all__ = ["measure"]

SAMPLE_SECONDS = 0.002
Candidate = Callable[[], object]


def measure(candidates: Mapping[str, Candidate], rounds: int) -> dict[str, float]:
    """Microseconds of CPU time for each candidate.

    They take turns, so that ratios hold on a machine whose speed drifts.
    """
    loops = {name: _loops_for(function) for name, function in candidates.items()}
    samples: dict[str, list[float]] = {name: [] for name in candidates}
    for _ in range(rounds):
        for name, function in candidates.items():
            timer = timeit.Timer(function, timer=time.process_time)
            samples[name].append(timer.timeit(loops[name]) / loops[name] * 1e6)
    # the lambda around every candidate costs the same; it is taken off
    nothing = min(timeit.repeat(lambda: None, number=10_000)) / 10_000 * 1e6
    return {name: _quintile(runs) - nothing for name, runs in samples.items()}


def _loops_for(function: Candidate) -> int:
    """How many calls make one sample."""
    function()
    once = min(timeit.repeat(function, number=1, repeat=5))
    if once < SAMPLE_SECONDS / 10:
        once = min(timeit.repeat(function, number=10, repeat=3)) / 10
    return max(int(SAMPLE_SECONDS / once), 1)


def _quintile(runs: list[float]) -> float:
    """What the code costs when little disturbs it, less jumpy than the minimum."""
    return sorted(runs)[len(runs) // 5]
