"""`draw`: one PNG of what the network learnt: its curve, its mistakes, its readings.

It sees NumPy arrays and plain numbers, no tensors. `train` calls it at the end.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from data import CLASSES, Digits
from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure, SubFigure
from matplotlib.layout_engine import ConstrainedLayoutEngine
from matplotlib.ticker import LogLocator, MaxNLocator, NullLocator
from numpy.typing import NDArray

INK = "#1f2937"
MUTED = "#6b7280"
RULE = "#e5e7eb"
RIGHT = "#0f766e"
WRONG = "#d9480f"
ROWS, COLUMNS = 5, 6
WIDTHS = [5, 5.6, 6.4]
CENTRED: dict[str, Any] = {"ha": "center", "va": "center", "fontweight": "bold"}

STYLE: dict[Any, Any] = {
    "font.family": "DejaVu Sans",
    "font.size": 11,
    "text.color": INK,
    "axes.edgecolor": MUTED,
    "axes.labelcolor": INK,
    "axes.titlesize": 11,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "xtick.color": MUTED,
    "ytick.color": MUTED,
    "xtick.labelcolor": INK,
    "ytick.labelcolor": INK,
}


@dataclass(frozen=True)
class History:
    """Training loss and held-out accuracy, one number for each epoch so far."""

    losses: list[float]
    accuracies: list[float]


def draw(
    path: Path,
    title: str,
    history: History,
    digits: Digits,
    predictions: NDArray[np.int64],
) -> None:
    """Writes the picture; `predictions` has a class for each of the `digits`."""
    with rc_context(STYLE):
        figure = Figure(
            figsize=(17, 6.2),
            dpi=120,
            layout=ConstrainedLayoutEngine(w_pad=0.1, h_pad=0.1),
        )
        figure.suptitle(title, fontsize=14, fontweight="bold")
        panels = figure.subfigures(1, 3, width_ratios=WIDTHS, squeeze=False)
        left, middle, right = panels[0]
        _draw_curve(left, history)
        _draw_confusion(middle, digits.labels, predictions)
        _draw_samples(right, digits, predictions)
        figure.savefig(path, format="png")


def _draw_curve(panel: SubFigure, history: History) -> None:
    _caption(panel, "Learning curve")
    top, bottom = panel.subplots(2, 1, sharex=True)
    last = history.accuracies[-1]
    top.set_title(f"Accuracy on held-out digits: {last:.1%} at the end", loc="left")
    top.yaxis.set_major_formatter(lambda share, _: f"{100 * share:g}%")
    _draw_line(top, history.accuracies, RIGHT)
    bottom.set_title("Loss on training digits: cross-entropy, log scale", loc="left")
    bottom.set_yscale("log")
    bottom.yaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
    bottom.yaxis.set_major_formatter(lambda loss, _: f"{loss:g}")
    bottom.yaxis.set_minor_locator(NullLocator())
    bottom.set_xlabel("Epoch")
    bottom.set_xlim(0, len(history.losses) + 1)
    bottom.xaxis.set_major_locator(MaxNLocator(integer=True, steps=[1, 2, 5, 10]))
    _draw_line(bottom, history.losses, INK)


def _draw_line(axes: Axes, values: list[float], colour: str) -> None:
    epochs = range(1, len(values) + 1)
    axes.plot(epochs, values, color=colour, linewidth=2, marker="o", markersize=3.5)
    axes.grid(color=RULE)
    axes.set_axisbelow(True)


def _draw_confusion(
    panel: SubFigure, labels: NDArray[np.int64], predictions: NDArray[np.int64]
) -> None:
    _caption(panel, "Confusion matrix of held-out digits")
    counts = np.zeros((CLASSES, CLASSES), dtype=int)
    np.add.at(counts, (labels, predictions), 1)
    axes = panel.subplots()
    axes.imshow(_colours(counts))
    axes.set(xlabel="Read as", ylabel="Written as")
    axes.set(xticks=range(CLASSES), yticks=range(CLASSES))
    axes.spines[:].set_visible(False)
    edges = np.arange(CLASSES - 1) + 0.5
    axes.set_xticks(edges, minor=True)
    axes.set_yticks(edges, minor=True)
    axes.grid(which="minor", color=RULE)
    axes.tick_params(which="both", length=0)
    for (label, prediction), count in np.ndenumerate(counts):
        if count:
            colour = "white" if label == prediction else WRONG
            axes.text(prediction, label, str(count), color=colour, **CENTRED)


def _colours(counts: NDArray[np.int64]) -> NDArray[np.float64]:
    """Returns a colour for each cell: right on the diagonal, wrong beside it, by count.

    Each colour has its own scale: what is wrong should be seen, however rare it is.
    """
    diagonal = np.eye(len(counts), dtype=bool)
    right, wrong = np.where(diagonal, counts, 0), np.where(diagonal, 0, counts)
    # A cell with a single digit is not pale, so that its count can be read.
    depth = np.where(diagonal, 0.5 + right / right.max(initial=1) / 2, 0)
    depth += np.where(wrong > 0, 0.12 + wrong / wrong.max(initial=1) / 6, 0)
    depth[counts == 0] = 0
    full = np.where(diagonal[..., None], to_rgb(RIGHT), to_rgb(WRONG))
    return np.asarray(1 - depth[..., None] * (1 - full))


def _draw_samples(
    panel: SubFigure, digits: Digits, predictions: NDArray[np.int64]
) -> None:
    mistakes = np.flatnonzero(digits.labels != predictions)
    first = mistakes[: ROWS * COLUMNS // 2]
    shown = [*first, *_varied(digits.labels, digits.labels == predictions)]
    _caption(panel, f"Held-out digits as they were read, {_shown(first, mistakes)}")
    tiles = panel.subplots(ROWS, COLUMNS).flat
    for axes in tiles:
        axes.set_axis_off()
    for axes, index in zip(panel.axes, shown, strict=False):
        _draw_tile(axes, digits.images[index], digits.labels[index], predictions[index])


def _varied(labels: NDArray[np.int64], among: NDArray[np.bool]) -> NDArray[np.int64]:
    """Returns positions of digits: the first 0, the first 1, ..., the second 0, ..."""
    found = np.flatnonzero(among)
    turns = [np.sum(labels[found[:i]] == labels[found[i]]) for i in range(len(found))]
    return found[np.lexsort((labels[found], turns))]


def _shown(first: NDArray[np.int64], mistakes: NDArray[np.int64]) -> str:
    if len(mistakes) <= 1:
        return "the one mistake first" if len(mistakes) else "no mistake among them"
    all_shown = len(first) == len(mistakes)
    of = "all" if all_shown else f"{len(first)} of"
    return f"{of} {len(mistakes)} mistakes first"


def _draw_tile(
    axes: Axes, image: NDArray[np.float32], label: int, prediction: int
) -> None:
    axes.set_axis_on()
    axes.imshow(image.reshape(8, 8), cmap="gray_r", vmin=0, vmax=1)
    right = label == prediction
    colour = RIGHT if right else WRONG
    axes.set(xticks=[], yticks=[])
    axes.spines[:].set(visible=True, color=RULE if right else WRONG)
    axes.spines[:].set_linewidth(1 if right else 2.5)
    axes.set_title(
        f"{prediction}" if right else f"{prediction}, not {label}",
        color=colour,
        fontweight="normal" if right else "bold",
        pad=4,
    )


def _caption(panel: SubFigure, text: str) -> None:
    panel.suptitle(text, fontsize=12, fontweight="bold", color=INK)
