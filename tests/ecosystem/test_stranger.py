"""A backend that isn't ours, in an environment of its own: found, wrapped, and trained.

The wheels of core, of autodiff and of the example backend are built and installed into
an empty environment, where there is no NumPy. There the demo's network learns sixty
digits on the stranger's own arrays.
"""

from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SOURCES = ("packages/core", "packages/autodiff", "tests/plugins/example-backend")
DEMO = ROOT / "examples" / "digits"
DIGITS = Path(__file__).with_name("digits.json")
EPOCHS = 120

LEARN = f"""
    import json, sys

    sys.path.insert(0, {str(DEMO)!r})
    from training import Training, accuracy
    import trivet as tv

    def epochs(backend):
        recorder = tv.backend(backend)
        with open({str(DIGITS)!r}, encoding="utf-8") as file:
            labels, pixels = zip(*json.load(file)["digits"])
        labels = tv.tensor(labels, backend=recorder.inner)
        images = tv.tensor(pixels, backend=recorder.inner) / 16
        training = Training(
            images, labels, recorder=recorder, seed=0, hidden=16, classes=10
        )
        losses = [training.epoch() for _ in range({EPOCHS})]
        return training, losses, accuracy(training.network, images, labels)
"""


@pytest.fixture(scope="module")
def stranger(installed):
    return installed(*SOURCES)


@pytest.fixture(scope="module")
def learnt(stranger):
    """What became of the demo's network on the stranger's arrays."""
    return stranger.run(
        LEARN,
        """
        training, losses, share = epochs("autodiff(example)")
        print(json.dumps({
            "losses": losses,
            "accuracy": share,
            "backends": [p.backend.name for p in training.network],
            "arrays": [type(p.handle).__module__ for p in training.network],
            "numpy": "numpy" in sys.modules,
            "trivet": tv.__file__,
        }))
        """,
    )


def test_stranger_is_found_without_being_imported(stranger):
    said = stranger.run("""
        import json, sys
        import trivet as tv

        found = [(r.name, r.kind, r.dist, r.state.value) for r in tv.backends()]
        print(json.dumps([found, "trivet_example" in sys.modules]))
    """)

    assert said == [
        [
            ["autocast", "decorator", "trivet-autodiff", "found"],
            ["autocast_bfloat16", "decorator", "trivet-autodiff", "found"],
            ["autodiff", "decorator", "trivet-autodiff", "found"],
            ["example", "backend", "trivet-example", "found"],
            ["forward", "decorator", "trivet-autodiff", "found"],
        ],
        False,
    ]


def test_stranger_is_the_default_where_there_is_no_other_backend(stranger):
    said = stranger.run("""
        import json
        import trivet as tv

        x = tv.tensor([1.0, 2.0])
        print(json.dumps([x.backend.name, str(x.device), (x + x).tolist()]))
    """)

    assert said == ["example", "example:0", [2.0, 4.0]]


def test_stranger_and_its_wrapper_share_a_device_and_meet_in_one_op(stranger):
    said = stranger.run("""
        import json
        import trivet as tv

        plain, recorder = tv.backend("example"), tv.backend("autodiff(example)")
        x = tv.tensor([3.0], backend=plain)
        w = tv.tensor([2.0], backend=recorder).require_grad()
        gradient = (w * w * x).sum().backward()[w]
        print(json.dumps([
            recorder.inner is plain,
            x.device == w.device,
            (w * x).backend.name,
            gradient.backend.name,
            gradient.tolist(),
        ]))
    """)

    # The derivative of 3 w^2 at 2.
    assert said == [True, True, "autodiff(example)", "example", [12.0]]


def test_demo_network_learns_sixty_digits_on_the_stranger(learnt):
    losses = learnt["losses"]

    assert len(losses) == EPOCHS
    assert losses[-1] < losses[0] / 10
    assert learnt["accuracy"] >= 0.95


def test_demo_network_stays_on_the_stranger_and_needs_no_numpy(learnt, stranger):
    assert learnt["backends"] == ["example"] * 4
    assert {name.partition(".")[0] for name in learnt["arrays"]} == {"trivet_example"}
    assert not learnt["numpy"]
    assert Path(learnt["trivet"]).is_relative_to(stranger.folder)


def test_demo_network_learns_the_same_again_on_the_stranger(learnt, stranger):
    again = stranger.run(
        LEARN,
        """
        print(json.dumps(epochs("autodiff(example)")[1]))
        """,
    )

    assert again == learnt["losses"]


def test_numpy_cannot_be_imported_where_the_stranger_lives(stranger):
    said = stranger.run("""
        import json
        from importlib.util import find_spec

        names = ["numpy", "trivet_ndarray", "trivet_example"]
        print(json.dumps([find_spec(name) is not None for name in names]))
    """)

    assert said == [False, False, True]
