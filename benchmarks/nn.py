"""What convolution, pooling and resampling cost, beside NumPy and PyTorch.

    python benchmarks/nn.py [--rounds N] [--json PATH] [NAME...]

One thread, float32; the times are milliseconds. Next to each function stands how one
would write it with NumPy alone, and PyTorch where it is installed. "backward" is the
gradient of all arguments. It exits with 1 if a function is over 5 % and 100 us slower
than NumPy: a call has its own price, which overhead.py measures.
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
from numpy.lib.stride_tricks import sliding_window_view

import trivet as tv

GOAL, CALL = 1.05, 0.1  # times NumPy; milliseconds
RNG = np.random.default_rng(0)
nn = tv.nn


@dataclass(frozen=True)
class Task:
    """One function on arrays of the given shapes, and how others would do it."""

    shapes: tuple[tuple[int, ...], ...]
    ours: Callable[..., Any]
    numpy: Callable[..., Any]
    torch: Callable[..., Any]


def torch_functions() -> Any:
    """`torch.nn.functional`, or nothing where PyTorch is not installed."""
    if not importlib.util.find_spec("torch"):
        return None
    import torch

    torch.set_num_threads(1)
    return torch.nn.functional


F = torch_functions()


def padded(x: Any, by: int, value: float = 0) -> Any:
    """The images with a frame."""
    frame = ((0, 0), (0, 0), (by, by), (by, by))
    return np.pad(x, frame, constant_values=value) if by else x


def windows(x: Any, size: int, stride: int = 1) -> Any:
    """(batch, channel, rows, columns, *window)."""
    return sliding_window_view(x, (size, size), (2, 3))[:, :, ::stride, ::stride]


def numpy_conv(x: Any, weight: Any, padding: int = 0, stride: int = 1) -> Any:
    """All patches as columns, and one product for each image."""
    out, channel, size, _ = weight.shape
    seen = windows(padded(x, padding), size, stride).transpose(0, 1, 4, 5, 2, 3)
    columns = seen.reshape(len(x), channel * size * size, -1)
    product = weight.reshape(out, -1) @ columns
    return product.reshape(len(x), out, *seen.shape[4:])


def numpy_conv_transpose(x: Any, weight: Any, padding: int, stride: int) -> Any:
    """A plain convolution of what zeros are put between."""
    size = weight.shape[2]
    rows, columns = ((n - 1) * stride + 1 for n in x.shape[2:])
    apart = np.zeros((*x.shape[:2], rows, columns), x.dtype)
    apart[:, :, ::stride, ::stride] = x
    turned = weight[:, :, ::-1, ::-1].transpose(1, 0, 2, 3)
    return numpy_conv(apart, turned, size - 1 - padding)


def numpy_bilinear(x: Any, size: int) -> Any:
    """Four gathers, weighted."""
    n = x.shape[2]
    place = np.clip((np.arange(size) + 0.5) * n / size - 0.5, 0, n - 1)
    low = place.astype(int)
    part = (place - low).astype(x.dtype)
    high = np.minimum(low + 1, n - 1)
    top, bottom = x[:, :, low], x[:, :, high]
    lines = top + (bottom - top) * part[:, None]
    left, right = lines[..., low], lines[..., high]
    return left + (right - left) * part


def numpy_fold(columns: Any, size: int) -> Any:
    """One addition for each element of a patch of 3 x 3."""
    batch, places = len(columns), size - 2
    seen = columns.reshape(batch, -1, 3, 3, places, places)
    result = np.zeros((batch, seen.shape[1], size, size), columns.dtype)
    for i in range(3):
        for j in range(3):
            result[:, :, i : i + places, j : j + places] += seen[:, :, i, j]
    return result


def conv(x: tuple[int, ...], weight: tuple[int, ...], **statics: Any) -> Task:
    """A convolution of images."""
    return Task(
        (x, weight),
        lambda a, w: nn.conv2d(a, w, **statics),
        lambda a, w: numpy_conv(a, w, **statics),
        lambda a, w: F.conv2d(a, w, **statics),
    )


IMAGES = (8, 32, 64, 64)  # a million elements
TASKS = {
    "conv2d 8x64x56x56, 3x3": conv((8, 64, 56, 56), (64, 64, 3, 3), padding=1),
    "conv2d 8x256x14x14, 3x3": conv((8, 256, 14, 14), (256, 256, 3, 3), padding=1),
    "conv2d 4x3x224x224, 7x7 by 2": conv(
        (4, 3, 224, 224), (64, 3, 7, 7), padding=3, stride=2
    ),
    "conv2d 8x64x56x56, 1x1": conv((8, 64, 56, 56), (64, 64, 1, 1)),
    "conv2d 64x1x8x8, 3x3": conv((64, 1, 8, 8), (8, 1, 3, 3)),
    "conv_transpose2d 8x64x28x28, 4x4 by 2": Task(
        ((8, 64, 28, 28), (64, 32, 4, 4)),
        lambda a, w: nn.conv_transpose2d(a, w, padding=1, stride=2),
        lambda a, w: numpy_conv_transpose(a, w, padding=1, stride=2),
        lambda a, w: F.conv_transpose2d(a, w, padding=1, stride=2),
    ),
    "unfold 3x3": Task(
        (IMAGES,),
        lambda a: nn.unfold(a, 3),
        lambda a: windows(a, 3).transpose(0, 1, 4, 5, 2, 3).reshape(8, 32 * 9, -1),
        lambda a: F.unfold(a, 3),
    ),
    "fold 3x3": Task(
        ((8, 32 * 9, 62 * 62),),
        lambda a: nn.fold(a, 64, 3),
        lambda a: numpy_fold(a, 64),
        lambda a: F.fold(a, (64, 64), 3),
    ),
    "max_pool2d 2x2": Task(
        (IMAGES,),
        lambda a: nn.max_pool2d(a, 2),
        lambda a: a.reshape(8, 32, 32, 2, 32, 2).max(axis=(3, 5)),
        lambda a: F.max_pool2d(a, 2),
    ),
    "max_pool2d 3x3 by 2, padded": Task(
        (IMAGES,),
        lambda a: nn.max_pool2d(a, 3, stride=2, padding=1),
        lambda a: windows(padded(a, 1, -np.inf), 3, 2).max(axis=(4, 5)),
        lambda a: F.max_pool2d(a, 3, 2, 1),
    ),
    "avg_pool2d 2x2": Task(
        (IMAGES,),
        lambda a: nn.avg_pool2d(a, 2),
        lambda a: a.reshape(8, 32, 32, 2, 32, 2).mean(axis=(3, 5)),
        lambda a: F.avg_pool2d(a, 2),
    ),
    "avg_pool2d 3x3, padded": Task(
        (IMAGES,),
        lambda a: nn.avg_pool2d(a, 3, stride=1, padding=1),
        lambda a: windows(padded(a, 1), 3).mean(axis=(4, 5)),
        lambda a: F.avg_pool2d(a, 3, 1, 1),
    ),
    "adaptive_avg_pool2d to 1x1": Task(
        (IMAGES,),
        lambda a: nn.adaptive_avg_pool2d(a, 1),
        lambda a: a.mean(axis=(2, 3), keepdims=True),
        lambda a: F.adaptive_avg_pool2d(a, 1),
    ),
    "lp_pool2d 2x2": Task(
        (IMAGES,),
        lambda a: nn.lp_pool2d(a, 2, 2),
        lambda a: np.sqrt((a * a).reshape(8, 32, 32, 2, 32, 2).sum(axis=(3, 5))),
        lambda a: F.lp_pool2d(a, 2, 2),
    ),
    "interpolate nearest to 128": Task(
        (IMAGES,),
        lambda a: nn.interpolate(a, 128),
        lambda a: a.repeat(2, 2).repeat(2, 3),
        lambda a: F.interpolate(a, 128),
    ),
    "interpolate bilinear to 128": Task(
        (IMAGES,),
        lambda a: nn.interpolate(a, 128, mode="bilinear"),
        lambda a: numpy_bilinear(a, 128),
        lambda a: F.interpolate(a, 128, mode="bilinear"),
    ),
    "interpolate bilinear to 32": Task(
        (IMAGES,),
        lambda a: nn.interpolate(a, 32, mode="bilinear"),
        lambda a: numpy_bilinear(a, 32),
        lambda a: F.interpolate(a, 32, mode="bilinear"),
    ),
}


def candidates(task: Task) -> dict[str, timing.Candidate]:
    """What is timed for one task, by column; every result is the same."""
    arrays = [RNG.standard_normal(shape, dtype=np.float32) for shape in task.shapes]
    xs = [tv.asarray(a, backend="ndarray") for a in arrays]
    leaves = [x.to_backend("autodiff(ndarray)").require_grad() for x in xs]
    result = task.ours(*leaves)
    cotangent = tv.ones_like(result.inner())
    found: dict[str, timing.Candidate] = {
        "ours": lambda: task.ours(*xs),
        "numpy": lambda: task.numpy(*arrays),
        "backward": lambda: result.backward(cotangent),
    }
    np.testing.assert_allclose(
        task.ours(*xs).numpy(), task.numpy(*arrays), rtol=1e-3, atol=1e-3
    )
    return found | torch_candidates(task, arrays) if F else found


def torch_candidates(task: Task, arrays: list[Any]) -> dict[str, timing.Candidate]:
    """The same with PyTorch, eager."""
    import torch

    ts = [torch.tensor(a) for a in arrays]
    leaves = [t.clone().requires_grad_() for t in ts]
    result = task.torch(*leaves)
    ones = torch.ones_like(result)
    return {
        "torch": lambda: task.torch(*ts),
        "torch backward": lambda: torch.autograd.grad(
            result, leaves, ones, retain_graph=True
        ),
    }


def measure(found: dict[str, timing.Candidate], rounds: int) -> dict[str, float]:
    """Microseconds for each candidate.

    The two that are compared go first and by themselves: the others leave memory behind
    in which whoever comes next is up to a third slower.
    """
    pair = {name: found.pop(name) for name in ("ours", "numpy")}
    return timing.measure(pair, rounds) | timing.measure(found, rounds)


COLUMNS = ("ours", "numpy", "torch", "backward", "torch backward")


def main(tasks: dict[str, Task]) -> int:
    """Measure and print one line for each task."""
    parser = argparse.ArgumentParser()
    parser.add_argument("names", nargs="*", help="parts of the names of what to time")
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--json", type=Path, help="write the figures to this file too")
    options = parser.parse_args()
    print(f"{'ms':40}" + "".join(f"{name:>16}" for name in (*COLUMNS, "ours / numpy")))
    figures: dict[str, dict[str, float]] = {}
    for name, task in tasks.items():
        if options.names and not any(part in name for part in options.names):
            continue
        times = measure(candidates(task), options.rounds)
        figures[name] = {key: us / 1e3 for key, us in times.items()}
        cells = [figures[name].get(key) for key in COLUMNS]
        cells.append(times["ours"] / times["numpy"])
        print(
            f"{name:40}" + "".join(f"{v:16.2f}" if v else f"{'-':>16}" for v in cells)
        )
    if options.json:
        options.json.write_text(json.dumps(figures, indent=2))
    slow = [
        name
        for name, at in figures.items()
        if at["ours"] > max(GOAL * at["numpy"], at["numpy"] + CALL)
    ]
    print(*(f"over {GOAL} times NumPy: {name}" for name in slow), sep="\n")
    return 1 if slow else 0


if __name__ == "__main__":
    sys.exit(main(TASKS))
