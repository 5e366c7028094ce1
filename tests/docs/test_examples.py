"""Examples in the documentation change nothing for what runs after them."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
COUNTED = """
from trivet.contract import OPS
from trivet_autodiff.rules import RULES

def test_ops_are_those_of_the_contract():
    assert [op.name for op in OPS.values() if op.family == "custom"] == []
    assert RULES.keys() <= OPS.keys()
"""


def test_ops_that_an_example_declares_are_gone_after_it(tmp_path):
    counted = tmp_path / "test_counted.py"
    counted.write_text(COUNTED)
    options = ["-q", "--doctest-glob=*.md", "-p", "no:cacheprovider"]

    done = subprocess.run(
        [sys.executable, "-m", "pytest", *options, "docs/backends.md", str(counted)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )

    assert done.returncode == 0, done.stdout
