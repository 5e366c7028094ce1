"""The demo, run as a user runs it, and the mathematics of its network."""

import math
import os
import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest
from matplotlib.image import imread

import trivet as tv

FOLDER = Path(__file__).parents[2] / "examples" / "digits"


def demo(*options):
    """What the demo prints in a process of its own, where each warning is an error."""
    kept = {k: v for k, v in os.environ.items() if not k.startswith("TRIVET_")}
    done = subprocess.run(
        [sys.executable, "-W", "error", FOLDER / "train.py", *options],
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
        env=kept | {"COLUMNS": "200", "PYTHONIOENCODING": "utf-8"},
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def default(tmp_path_factory):
    """What the demo prints with its own settings, and the picture."""
    picture = tmp_path_factory.mktemp("demo") / "digits.png"
    return demo("--output", str(picture)), picture


@pytest.fixture
def load(monkeypatch):
    """Imports a module of the demo, which are no package, for one test alone."""
    before = set(sys.modules)
    monkeypatch.syspath_prepend(str(FOLDER))
    yield import_module
    for path in FOLDER.glob("*.py"):
        if path.stem not in before:
            sys.modules.pop(path.stem, None)


def accuracy_of(printed):
    found = re.search(r"Held-out accuracy: (\S+) \((\d+) of (\d+) digits\)", printed)
    assert found, printed
    return float(found[1]), int(found[2]), int(found[3])


# ---- the whole demo --------------------------------------------------------------


def test_demo_reads_97_percent_of_the_held_out_fifth_with_its_default_seed(default):
    printed, _ = default

    share, right, count = accuracy_of(printed)

    assert count == round(1797 / 5)
    assert share == pytest.approx(right / count, abs=5e-4)
    assert share >= 0.97


def test_demo_lists_each_backend_with_its_state(default):
    printed, _ = default

    rows = [line.replace("│", " ").split() for line in printed.splitlines()]

    assert ["autodiff", "decorator", "ready"] in rows
    assert ["ndarray", "backend", "ready"] in rows
    assert "cuda" in [row[0] for row in rows if row]


def test_demo_writes_a_picture_with_ink_in_each_of_its_three_panels(default):
    printed, path = default

    pixels = imread(path)[..., :3]

    height, width, _ = pixels.shape
    assert (width, height) == (2040, 744)
    for panel in np.array_split(pixels[120:], 3, axis=1):
        assert 0.02 < (panel.min(axis=2) < 0.9).mean() < 0.6
    assert f"Picture: {path}" in printed


def test_demo_gives_the_same_numbers_and_picture_when_the_seed_is_the_same(tmp_path):
    path = tmp_path / "digits.png"
    options = ("--seed", "5", "--epochs", "2", "--output", str(path))

    first, first_picture = demo(*options), path.read_bytes()
    second, second_picture = demo(*options), path.read_bytes()

    assert first == second
    assert first_picture == second_picture


def test_demo_gives_another_picture_when_the_seed_is_another(load, tmp_path):
    train, paths = load("train"), [tmp_path / "a.png", tmp_path / "b.png"]

    for seed, path in enumerate(paths):
        options = ["--samples", "100", "--epochs", "1", "--output", str(path)]
        train.main(["--seed", str(seed), *options])

    assert paths[0].read_bytes() != paths[1].read_bytes()


def test_demo_wraps_a_plain_backend_and_says_so(load, tmp_path, capsys):
    output = str(tmp_path / "digits.png")

    code = load("train").main(
        ["--backend", "numpy", "--epochs", "1", "--output", output]
    )

    assert code == 0
    assert (
        "ndarray records no gradients, so it is wrapped: autodiff(ndarray)\n"
        "Training on autodiff(ndarray), device cpu: 1438 digits to learn from, 359 "
        "held out\n"
    ) in capsys.readouterr().out


@pytest.mark.parametrize("option, shown", [([], True), (["--no-progress"], False)])
def test_demo_shows_its_progress_in_a_terminal_unless_told_not_to(
    option, shown, load, tmp_path, capsys, monkeypatch
):
    train, output = load("train"), str(tmp_path / "digits.png")
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)

    train.main([*option, "--samples", "20", "--epochs", "3", "--output", output])

    assert ("| 3/3 [" in capsys.readouterr().err) is shown


# ---- bad input -------------------------------------------------------------------


def test_demo_says_what_is_installed_when_the_backend_is_unknown(load, capsys):
    code = load("train").main(["--backend", "ndaray"])

    installed = [r.name for r in tv.backends() if r.kind == "backend"]
    assert code == 2
    assert capsys.readouterr().err == (
        "train.py: No installed plugin offers the backend 'ndaray'. Installed "
        f"backends: {', '.join(installed)}. Did you mean 'ndarray'?\n"
    )


def test_demo_says_how_a_backend_is_written_when_it_does_not_parse(load, capsys):
    code = load("train").main(["--backend", "autodiff("])

    assert code == 2
    assert capsys.readouterr().err == (
        "train.py: 'autodiff(' is not a backend: a name belongs here, at position 9. "
        'A backend is written as "ndarray", "ndarray@distribution" or '
        '"autodiff(ndarray)".\n'
    )


@pytest.mark.parametrize(
    "options, problem",
    [
        ("--samples 9", "--samples: '9' is not a whole number from 10 to 1797"),
        ("--samples 1798", "--samples: '1798' is not a whole number from 10 to 1797"),
        ("--epochs 0", "--epochs: '0' is not a whole number from 1 to 10000"),
        ("--hidden 2.5", "--hidden: '2.5' is not a whole number from 1 to 10000"),
        (
            "--output digits.jpg",
            "--output: 'digits.jpg' does not end in .png, and the picture is a PNG",
        ),
        (
            "--output no/such/a.png",
            f"--output: there is no folder {str(Path('no/such'))!r}; make it first",
        ),
    ],
)
def test_demo_refuses_an_option_before_any_work(options, problem, load, capsys):
    train = load("train")

    with pytest.raises(SystemExit) as raised:
        train.main(options.split())

    said = capsys.readouterr()
    assert raised.value.code == 2
    assert said.err.endswith(f"train.py: error: argument {problem}\n")
    assert said.out == ""


# ---- its mathematics -------------------------------------------------------------


def test_untrained_network_of_zeros_gives_every_class_the_same_chance(load):
    network = load("network")
    zeros = network.Network(*map(tv.zeros, [(4, 3), 3, (3, 10), 10]))
    labels = tv.asarray([7, 7, 1, 0, 7])

    loss, gradients = network.loss_and_gradients(
        zeros, tv.ones((5, 4)), labels, recorder=tv.backend("autodiff(ndarray)")
    )

    # -log(1/10), and for the last bias: its probability less its share of the labels.
    assert loss == pytest.approx(math.log(10))
    shares = np.bincount([7, 7, 1, 0, 7], minlength=10) / 5
    np.testing.assert_allclose(gradients.bias2.numpy(), 0.1 - shares, atol=1e-7)
    assert not gradients.weights1.numpy().any()


def test_first_step_of_adam_goes_by_the_rate_against_each_sign(load):
    network, adam = load("network"), load("adam")
    start = network.Network(*map(tv.zeros, [(1, 2), 2, (2, 2), 2]))
    slopes = start._replace(bias1=tv.asarray([5.0, -0.01]))

    moved = adam.Adam(start, rate=0.1).step(start, slopes)

    np.testing.assert_allclose(moved.bias1.numpy(), [-0.1, 0.1], rtol=1e-4)
    np.testing.assert_array_equal(moved.weights2.numpy(), np.zeros((2, 2)))


def test_epoch_sees_each_image_once_however_the_batches_divide(load, monkeypatch):
    training = load("training")
    count = training.BATCH * 2 + 5
    seen = []
    images = tv.reshape(tv.arange(count, dtype=tv.float32), (count, 1))
    labels = tv.zeros(count, dtype=tv.int64)
    course = training.Training(
        images,
        labels,
        recorder=tv.backend("autodiff(ndarray)"),
        seed=0,
        hidden=2,
        classes=2,
    )
    monkeypatch.setattr(
        course, "_learn", lambda batch: seen.extend(batch.tolist()) or 1.5
    )

    loss = course.epoch()

    assert sorted(seen) == list(range(count))
    assert seen != sorted(seen)
    assert loss == pytest.approx(1.5)
