"""The import contract of tools/only_contract.py, on import graphs made by hand."""

import runpy
from pathlib import Path

import pytest
from grimp import ImportGraph

ROOT = Path(__file__).parents[2]
OnlyContract = runpy.run_path(str(ROOT / "tools/only_contract.py"))["OnlyContract"]


def check(*imports, may_import=("core",), may_not_import=()):
    graph = ImportGraph()
    for importer, imported in imports:
        for module in (importer, imported):
            graph.add_module(module)
        graph.add_import(importer=importer, imported=imported)
    options = {
        "package": "plugin",
        "may_import": may_import,
        "may_not_import": may_not_import,
        "ignore_imports": ["plugin.bridge -> numpy"],
        "unmatched_ignore_imports_alerting": "none",
    }
    contract = OnlyContract("plugin", {}, options)
    result = contract.check(graph, verbose=False)
    assert result.kept == (not result.metadata["imports"])
    return result.metadata["imports"]


@pytest.mark.parametrize(
    "imported", ["core", "core.part", "plugin.other", "os", "json"]
)
def test_contract_is_kept_when_import_is_listed_own_or_standard(imported):
    assert check(("plugin.module", imported)) == []


@pytest.mark.parametrize("imported", ["numpy", "corelike", "plugin2", "other.core"])
def test_contract_names_import_when_it_is_not_listed(imported):
    assert check(("plugin.module", imported)) == [("plugin.module", imported)]


def test_contract_names_import_when_an_excluded_module_is_below_a_listed_one():
    imports = [("plugin", "core.inside.part"), ("plugin", "core.outside")]

    broken = check(*imports, may_not_import=("core.inside",))

    assert broken == [("plugin", "core.inside.part")]


def test_contract_leaves_other_packages_alone():
    assert check(("core.module", "numpy"), ("plugin2", "numpy")) == []


def test_contract_is_kept_when_the_import_is_ignored_by_name():
    imports = [("plugin.bridge", "numpy"), ("plugin.module", "numpy")]

    assert check(*imports) == [("plugin.module", "numpy")]


def test_contract_prints_each_broken_import(capsys):
    contract = OnlyContract("plugin", {}, {"package": "plugin", "may_import": []})
    graph = ImportGraph()
    graph.add_module("plugin")
    graph.add_module("numpy")
    graph.add_import(importer="plugin", imported="numpy")

    contract.render_broken_contract(contract.check(graph, verbose=False))

    assert "plugin must not import numpy" in capsys.readouterr().out
