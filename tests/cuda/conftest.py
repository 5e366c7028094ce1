"""Markers of the CUDA tests: what ran on a GPU, and what only on the stand-in."""

from pathlib import Path

HERE = Path(__file__).parent


def pytest_configure(config):
    for line in (
        "standin: a stand-in for CuPy with NumPy's numbers; no GPU code ran",
        "device: needs a GPU and CuPy; selected only by -m device",
    ):
        config.addinivalue_line("markers", line)


def pytest_collection_modifyitems(config, items):
    for item in items:
        for kind in ("standin", "device"):
            if (HERE / kind) in item.path.parents:
                item.add_marker(kind)
    if "device" in config.option.markexpr:
        return
    waiting = [item for item in items if item.get_closest_marker("device")]
    if waiting:
        config.hook.pytest_deselected(items=waiting)
        items[:] = [item for item in items if item not in waiting]
