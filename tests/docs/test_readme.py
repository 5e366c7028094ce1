"""README.md: what it calls missing is missing, and its links lead somewhere."""

import importlib
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
PLANNED = README.partition("\nPlanned and not there yet:\n")[2].partition("\n## ")[0]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]


def exists(dotted):
    """Whether a module, or an attribute of one, has that name."""
    module, _, name = dotted.rpartition(".")
    if hasattr(importlib.import_module(module), name):
        return True
    try:
        importlib.import_module(dotted)
    except ImportError:
        return False
    return True


@pytest.mark.parametrize("name", re.findall(r"`(trivet[\w.]*\.\w+)`", PLANNED))
def test_what_the_readme_calls_planned_is_not_there(name):
    assert not exists(name), "it is there now: take it off the list in README.md"


@pytest.mark.parametrize(
    "name", ["trivet.nn.relu", "trivet.cli", "trivet_autodiff.vjp"]
)
def test_what_is_there_is_found(name):
    assert exists(name)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_to_files_and_headings_of_this_repository(page):
    text = page.read_text(encoding="utf-8")

    for link in re.findall(r"\]\((?!https?:)([^)#]+)", text):
        assert (page.parent / link).exists(), link
