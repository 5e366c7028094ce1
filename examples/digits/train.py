"""Train a small network on handwritten digits, with any Trivet backend.

It lists the backends found, trains, says how many of the held-out digits are read
right, and draws the learning curve, the confusion matrix and some digits.
"""

import argparse
import sys
from pathlib import Path
from typing import Any

import data
import picture
from rich.console import Console
from rich.table import Table
from rich_argparse import RichHelpFormatter
from tqdm import tqdm
from training import Training, accuracy

import trivet as tv
from trivet_autodiff import Autodiff

PICTURE = Path(__file__).with_name("digits.png")
OUTPUT = "the picture (default: digits.png beside this program)"


def main(arguments: list[str] | None = None) -> int:
    """Runs the demo; returns its exit code."""
    options = parse(arguments)
    list_backends()
    try:
        recorder = find_recorder(options.backend)
    except tv.errors.BackendError as error:
        print(f"train.py: {error}", file=sys.stderr)
        return 2
    learnt, held_out = data.load(samples=options.samples, seed=options.seed)
    print(
        f"Training on {recorder.name}, device {recorder.default_device}: "
        f"{len(learnt)} digits to learn from, {len(held_out)} held out"
    )
    training = Training(
        *learnt.tensors(recorder.inner),
        recorder=recorder,
        seed=options.seed,
        hidden=options.hidden,
        classes=data.CLASSES,
    )
    history = train(training, held_out, options)
    report(training, held_out, history, options.output)
    return 0


def parse(arguments: list[str] | None) -> argparse.Namespace:
    """Returns the options; ends the program where they make no sense."""
    parser = argparse.ArgumentParser(
        prog="train.py",
        description=__doc__,
        formatter_class=RichHelpFormatter,
    )
    add = parser.add_argument
    add(
        "--backend",
        default="autodiff(ndarray)",
        metavar="NAME",
        help="default: %(default)s",
    )
    number(parser, "--seed", 0, 0, 2**64 - 1, "of the split and of the training")
    number(parser, "--epochs", 30, 1, 10_000, "how often to see each digit")
    number(parser, "--hidden", 64, 1, 10_000, "units of the hidden layer")
    number(
        parser,
        "--samples",
        data.COUNT,
        10,
        data.COUNT,
        "digits to use; a slow backend needs fewer",
    )
    add("--output", type=png, default=PICTURE, metavar="FILE", help=OUTPUT)
    add("--no-progress", action="store_true", help="show no progress bar")
    return parser.parse_args(arguments)


def number(
    parser: argparse.ArgumentParser,
    option: str,
    default: int,
    low: int,
    high: int,
    meaning: str,
) -> None:
    """Adds an option whose value is a whole number from `low` to `high`."""

    def integer(text: str) -> int:
        if text.isdecimal() and low <= int(text) <= high:
            return int(text)
        raise argparse.ArgumentTypeError(
            f"{text!r} is not a whole number from {low} to {high}"
        )

    text = f"{meaning} (default: {default})"
    parser.add_argument(option, type=integer, default=default, metavar="N", help=text)


def png(text: str) -> Path:
    """Returns the path of a PNG file in a folder that exists."""
    path = Path(text)
    if path.suffix.lower() != ".png":
        raise argparse.ArgumentTypeError(
            f"{text!r} does not end in .png, and the picture is a PNG"
        )
    if not path.parent.is_dir():
        raise argparse.ArgumentTypeError(
            f"there is no folder {str(path.parent)!r}; make it first"
        )
    return path


def list_backends() -> None:
    """Prints what is installed; for what can't be used, why not and what helps."""
    table = Table(title="Backends found", title_justify="left")
    for heading in ("name", "kind", "state", "reason"):
        table.add_column(heading, no_wrap=heading != "reason")
    for record in tv.backends(probe=True):
        why = ". ".join(filter(None, (record.reason, record.remedy)))
        table.add_row(record.name, record.kind, record.state.value, why)
    Console(markup=False, highlight=False).print(table)


def find_recorder(name: str) -> Autodiff[Any]:
    """Returns the backend of that name, wrapped if it records no gradients itself."""
    backend = tv.backend(name)
    if isinstance(backend, Autodiff):
        return backend
    recorder = Autodiff(backend)
    print(f"{backend.name} records no gradients, so it is wrapped: {recorder.name}")
    return recorder


def train(
    training: Training, held_out: data.Digits, options: argparse.Namespace
) -> picture.History:
    """Trains for the epochs asked for; returns the loss and accuracy after each."""
    tested = held_out.tensors(training.recorder.inner)
    history = picture.History([], [])
    # Without a terminal there is no bar either, unless progress is what was asked for.
    bar = tqdm(
        range(options.epochs),
        desc="Training",
        unit="epoch",
        disable=options.no_progress or None,
    )
    for _ in bar:
        history.losses.append(training.epoch())
        history.accuracies.append(accuracy(training.network, *tested))
        bar.set_postfix_str(
            f"loss {history.losses[-1]:.3f}, accuracy {history.accuracies[-1]:.3f}"
        )
    return history


def report(
    training: Training, held_out: data.Digits, history: picture.History, path: Path
) -> None:
    """Prints the accuracy and writes the picture."""
    images, _ = held_out.tensors(training.recorder.inner)
    predictions = training.network.predict(images).numpy()
    right = int((predictions == held_out.labels).sum())
    share = f"{right / len(held_out):.3f}"
    print(f"Held-out accuracy: {share} ({right} of {len(held_out)} digits)")
    title = f"Handwritten digits, read by a network trained on {training.recorder.name}"
    picture.draw(path, title, history, held_out, predictions)
    print(f"Picture: {path}")


if __name__ == "__main__":
    sys.exit(main())
