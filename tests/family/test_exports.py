"""What a package exports, what `dir` lists and what is there are the same names."""

import inspect
from importlib import import_module
from pkgutil import iter_modules

import pytest

import trivet as tv
from trivet import functions

PACKAGES = (
    "trivet",
    "trivet.contract",
    "trivet.errors",
    "trivet.fft",
    "trivet.linalg",
    "trivet.nn",
    "trivet.random",
    "trivet.special",
    "trivet.testing",
    "trivet_autodiff",
    "trivet_cuda",
    "trivet_ndarray",
)
FAMILIES = [
    f"trivet.functions.{family.name}" for family in iter_modules(functions.__path__)
]
# Helpers of several families.
SHARED = {
    "call_real",
    "check_pairs",
    "chosen",
    "chosen_floating",
    "require_matrices",
    "several",
}
PARTS = ("fft", "linalg", "nn", "special")


def public(names):
    return {name for name in names if not name.startswith("_")}


def functions_of(module):
    """The public functions whose home the module is."""
    return {
        name
        for name, value in public_members(module)
        if inspect.isfunction(value) and value.__module__ == module.__name__
    }


def public_members(module):
    return [item for item in vars(module).items() if not item[0].startswith("_")]


@pytest.mark.parametrize("package", PACKAGES)
def test_dir_lists_what_is_exported(package):
    module = import_module(package)

    assert public(dir(module)) == public(module.__all__)


@pytest.mark.parametrize("package", [*PACKAGES, *FAMILIES])
def test_exports_exist_and_are_listed_once(package):
    module = import_module(package)

    assert len(set(module.__all__)) == len(module.__all__)
    assert [name for name in module.__all__ if not hasattr(module, name)] == []


@pytest.mark.parametrize("package", FAMILIES)
def test_family_exports_the_functions_that_it_defines(package):
    module = import_module(package)

    assert functions_of(module) - set(module.__all__) - SHARED == set()


def test_function_belongs_to_one_family():
    homes = {}
    for name, function in tv.functions.TOP_LEVEL.items():
        homes.setdefault(name, set()).add(function.__module__)

    assert {name: found for name, found in homes.items() if len(found) > 1} == {}


def test_namespace_has_what_the_module_has():
    xp = tv.namespace("ndarray")

    missing = {name for name in functions.TOP_LEVEL if not hasattr(xp, name)}

    assert missing == set()


@pytest.mark.parametrize("part", PARTS)
def test_part_of_a_namespace_has_what_the_module_has(part):
    found = getattr(tv.namespace("ndarray"), part)

    assert public(vars(found)) == set(getattr(tv, part).__all__)
