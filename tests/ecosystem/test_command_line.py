"""The script `trivet` as a user has it, from the four wheels."""

import json
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def test_script_lists_ndarray_ready_and_cuda_unavailable_with_the_reason(family):
    done = family.trivet("backends", "--json")

    records = {record["name"]: record for record in json.loads(done.stdout)}
    states = {name: record["state"] for name, record in records.items()}
    assert states == {
        "autocast": "ready",
        "autocast_bfloat16": "ready",
        "autodiff": "ready",
        "cuda": "unavailable",
        "forward": "ready",
        "ndarray": "ready",
    }
    assert records["ndarray"]["devices"] == ["cpu"]
    assert records["cuda"]["reason"].startswith("CuPy is not installed")
    assert "pip install" in records["cuda"]["remedy"]
    assert (done.returncode, done.stderr) == (0, "")


def test_script_says_what_to_install_when_ndarray_was_uninstalled(bare):
    listed = bare.trivet("backends")
    asked = bare.trivet("info", "ndarray")

    assert 'pip install "trivet[ndarray]"' in listed.stdout
    assert (listed.returncode, listed.stderr) == (0, "")
    assert asked.stderr == (
        "error: No installed plugin offers the backend 'ndarray'. Installed backends: "
        'cuda. Install it: pip install "trivet[ndarray]"\n'
    )
    assert asked.returncode == 2


@pytest.fixture
def zoo(site):
    """A site with every plugin that misbehaves."""
    for member in (ROOT / "tests" / "plugins" / "zoo").iterdir():
        if (member / "pyproject.toml").exists() and member.name != "stub":
            site.install(member.name)
    return site


def test_listing_survives_every_plugin_that_misbehaves(zoo):
    table = zoo.start("-m", "trivet", "backends", "--load", COLUMNS="80")
    listed = zoo.start("-m", "trivet", "backends", "--load", "--json")

    records = json.loads(listed.stdout)
    failed = [r for r in records if r["state"] not in ("ready", "found")]
    assert len(records) > 30
    assert all(record["reason"] and record["remedy"] for record in failed)
    assert max(map(len, table.stdout.splitlines())) <= 80
    assert (table.returncode, listed.returncode) == (0, 0)
    assert "Traceback" not in table.stderr
