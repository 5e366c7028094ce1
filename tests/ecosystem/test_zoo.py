"""Every misbehaving plugin of `plugins/zoo`, all installed at once, each by itself.

Each member is pinned to one state and one message; a path of the test's own folder is
written as `SITE`.
"""

import json
from pathlib import Path

import pytest

ZOO = Path(__file__).parents[1] / "plugins" / "zoo"
ASK_EACH = """
import json
import warnings
import trivet.plugins as plugins

warnings.simplefilter("ignore", plugins.PluginWarning)
for record in plugins.backends():
    asked = record.name
    said = ""
    try:
        plugins.backend(asked)
    except Exception as error:
        said = f"{type(error).__name__}: {error}"
        cause = type(error.__cause__).__name__
        try:
            plugins.backend(asked)
        except Exception as again:
            assert f"{type(again).__name__}: {again}" == said
            assert type(again.__cause__).__name__ == cause
    [after] = [r for r in plugins.backends() if r.dist == record.dist]
    print(json.dumps([record.name, after.state.value, said, after.reason]))
"""
REPORT = "Report this to the authors of {}."
RETRY = "Try another release (pip install --upgrade {}), or report this to its authors."
NAMES = (
    "is not a backend name, which is a lower-case letter and then lower-case letters, "
    "digits and underscores"
)


def says(name, headline, reason, remedy, *, dist=None):
    dist = dist or f"zoo-{name.replace('_', '-')}"
    remedy = remedy.format(dist)
    return f"Backend {name!r} ({dist} 1.0) {headline}: {reason}. {remedy}"


def broken(name, reason, remedy=RETRY):
    headline = "failed to load"
    return "broken", "BrokenBackendError: " + says(name, headline, reason, remedy)


def invalid(name, reason, **other):
    headline = "does not fulfil the contract"
    text = says(name, headline, reason, REPORT, **other)
    return "invalid", "InvalidBackendError: " + text


def incompatible(name, reason, remedy):
    headline = "does not fit this trivet"
    text = says(name, headline, reason, remedy)
    return "incompatible", "IncompatibleBackendError: " + text


def at(module, line, frame=None):
    place = f", at SITE/{module}.py:{line}"
    return place if frame is None else f"{place} in {frame}"


UPGRADE_TRIVET = "Upgrade trivet: pip install --upgrade trivet"
UPGRADE_PLUGIN = "Upgrade the plugin: pip install --upgrade {}"
EXPECTED = {
    "good": ("ready", ""),
    "import_error": broken(
        "import_error",
        "RuntimeError: driver 7 not found" + at("zoo_import_error", 1, "<module>"),
    ),
    "missing_dependency": broken(
        "missing_dependency",
        "ModuleNotFoundError: No module named 'a_library_that_does_not_exist'"
        + at("zoo_missing_dependency", 1, "<module>"),
        "Install what it needs: pip install {}",
    ),
    "syntax_error": broken(
        "syntax_error",
        "SyntaxError: invalid syntax (zoo_syntax_error.py, line 1)"
        + at("zoo_syntax_error", 1),
    ),
    "system_exit": broken(
        "system_exit", "SystemExit: 3" + at("zoo_system_exit", 3, "<module>")
    ),
    "unprintable_error": broken(
        "unprintable_error",
        "Unprintable: (its message cannot be printed)"
        + at("zoo_unprintable_error", 6, "<module>"),
    ),
    "probe_raises": broken(
        "probe_raises",
        "OSError: the device file is locked" + at("zoo_probe_raises", 5, "probe"),
    ),
    "no_device": (
        "unavailable",
        "UnavailableBackendError: "
        + says(
            "no_device",
            "cannot run on this machine",
            "no such device was found",
            "Plug one in.",
        ),
    ),
    "probe_answer": invalid(
        "probe_answer", "its probe returned bool instead of an Availability"
    ),
    "wrong_object": invalid(
        "wrong_object",
        "the hook trivet_backend of 'zoo_wrong_object' returned an object of type dict "
        "instead of a BackendSpec",
    ),
    "no_hook": invalid(
        "no_hook",
        "the hook trivet_backend of 'zoo_no_hook' returned nothing instead of a "
        "BackendSpec",
    ),
    "hook_argument": invalid(
        "hook_argument",
        "pluggy refuses its hooks: Plugin 'backend:hook_argument@zoo-hook-argument' "
        "for hook 'trivet_backend' hookimpl definition: trivet_backend(config) "
        "Argument(s) {'config'} are declared in the hookimpl but can not be found in "
        "the hookspec",
    ),
    "unknown_hook": ("ready", ""),
    "not_a_backend": invalid("not_a_backend", "Zoo is not a subclass of Backend"),
    "class_missing": broken(
        "class_missing",
        "AttributeError: module 'zoo_class_missing_backend' has no attribute 'Nothing'",
    ),
    "class_import": broken(
        "class_import",
        "RuntimeError: libfast.so.7 is missing"
        + at("zoo_class_import_backend", 1, "<module>"),
    ),
    "constructor_raises": broken(
        "constructor_raises",
        "MemoryError: no room for the workspace"
        + at("zoo_constructor_raises_backend", 8, "__init__"),
    ),
    "missing_op": invalid("missing_op", "it lacks the required ops: matmul"),
    "wrong_signature": invalid(
        "wrong_signature",
        "Zoo.sum has another signature than the contract's op. "
        "The contract: sum(x, /, *, axis, dtype, keepdims). "
        "The plugin: sum(x, /, axis=None, keepdims=False)",
    ),
    "no_devices": invalid(
        "no_devices", "its devices() is not a tuple of at least one Device"
    ),
    "name_differs": invalid(
        "name_differs",
        "its entry point is named 'name_differs' and its spec 'another_name'",
    ),
    "backend_name_differs": invalid(
        "backend_name_differs",
        "its instance is named 'another_name' and should be 'backend_name_differs'",
    ),
    "auto": invalid(
        "auto",
        "the name 'auto' is reserved, as are all of: all, any, auto, default, none",
        dist="zoo-reserved-name",
    ),
    "duplicate": (
        "shadowed",
        "AmbiguousBackendError: "
        + says(
            "duplicate",
            "is not the only one of its name",
            "zoo-duplicate-a 1.0 and zoo-duplicate-b 1.0 both offer it",
            'Choose one of them: "duplicate@zoo-duplicate-a" or '
            '"duplicate@zoo-duplicate-b", or uninstall one.',
            dist="zoo-duplicate-a",
        ),
    ),
    "contract_v2": incompatible(
        "contract_v2",
        "it is written for contract v2, and this trivet supports contract 1.0",
        UPGRADE_TRIVET,
    ),
    "contract_v0": incompatible(
        "contract_v0",
        "it is written for contract v0, and this trivet supports contract 1.0",
        UPGRADE_PLUGIN,
    ),
    "contract_none": incompatible(
        "contract_none",
        "its entry-point group 'trivet.backends' names no contract version, and this "
        "trivet supports contract 1.0",
        "Ask the authors of {} for a release in the group 'trivet.backends.v1'.",
    ),
    "contract_spec": incompatible(
        "contract_spec",
        "its spec says contract 2.0, and this trivet supports contract 1.0",
        UPGRADE_TRIVET,
    ),
    "newer_minor": ("ready", ""),
    "needs_newer_trivet": incompatible(
        "needs_newer_trivet",
        "it requires trivet>=99, and trivet 0.1.0 is installed",
        'Upgrade trivet: pip install --upgrade "trivet>=99"',
    ),
    "needs_older_trivet": incompatible(
        "needs_older_trivet",
        "it requires trivet<0.1, and trivet 0.1.0 is installed",
        UPGRADE_PLUGIN,
    ),
    "circular_import": ("ready", ""),
    "asks_for_itself": broken(
        "asks_for_itself",
        "BrokenBackendError: Backend 'asks_for_itself' (zoo-asks-for-itself 1.0) "
        "failed to load: it asks for itself while it is being loaded. Move that call "
        "out of its import and its constructor"
        + at("zoo_asks_for_itself_backend", 3, "<module>"),
    ),
}


@pytest.fixture(scope="module")
def zoo(tmp_path_factory, make_site):
    site = make_site(tmp_path_factory.mktemp("zoo") / "site")
    for member in sorted(ZOO.iterdir()):
        if (member / "pyproject.toml").exists() and member.name != "stub":
            site.install(member.name)
    lines = site.run(ASK_EACH).replace(str(site.folder), "SITE").splitlines()
    return [json.loads(line) for line in lines]


@pytest.mark.parametrize("name", EXPECTED)
def test_zoo_member_ends_in_its_state_with_its_message_when_asked_for(zoo, name):
    found = {(state, said) for plugin, state, said, _ in zoo if plugin == name}

    assert found == {EXPECTED[name]}


def test_zoo_has_no_member_without_an_expectation(zoo):
    assert {name for name, *_ in zoo} == {*EXPECTED, "bad-name"}


def test_plugin_is_invalid_when_no_backend_string_could_spell_its_name(site):
    site.install("bad_name")

    said = site.run("""
        import trivet.plugins as plugins
        [record] = plugins.backends(probe=True)
        print(record.state.value, record.reason, sep="; ")
    """)

    assert said == f"invalid; 'bad-name' {NAMES}\n"


def test_ready_plugin_says_so_when_it_is_written_for_a_newer_minor(zoo):
    [reason] = [reason for name, _, _, reason in zoo if name == "newer_minor"]

    assert reason == (
        "it is written for contract 1.9; what that has beyond 1.0 is not used"
    )


def test_unknown_hook_warns_naming_the_plugin_when_it_loads(site):
    site.install("unknown_hook")

    said = site.run("""
        import warnings
        import trivet.plugins as plugins
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            plugins.backend("unknown_hook")
        print(*[f"{w.category.__name__}: {w.message}" for w in caught])
    """)

    assert said == (
        "PluginWarning: Backend 'unknown_hook' (zoo-unknown-hook 1.0) implements the "
        "hook 'trivet_bakcend', which this trivet does not have; it is never called. "
        "Check its spelling, or upgrade trivet.\n"
    )


def test_plugin_that_uses_trivet_while_it_loads_works_in_both_import_orders(site):
    site.install("good")
    site.install("circular_import")

    said = site.run("""
        import zoo_circular_import_backend
        import trivet.plugins as plugins
        print(plugins.backend("circular_import"), zoo_circular_import_backend.GOOD)
    """)
    other = site.run("""
        import trivet.plugins as plugins
        made = plugins.backend("circular_import")
        import zoo_circular_import, zoo_circular_import_backend
        print(made, zoo_circular_import_backend.GOOD, zoo_circular_import.LISTED)
    """)

    assert said == "<backend circular_import> <backend good>\n"
    assert other == (
        "<backend circular_import> <backend good> ['circular_import', 'good']\n"
    )


def test_unavailable_plugin_keeps_its_class_unimported(site):
    site.install("no_device")

    said = site.run("""
        import sys
        import trivet.plugins as plugins
        [record] = plugins.backends(probe=True)
        print(record.state.value, "zoo_no_device_backend" in sys.modules)
    """)

    assert said == "unavailable False\n"


def test_same_program_gives_the_same_backend_before_and_after_installing_the_zoo(site):
    site.add_backend("mine")
    site.add_backend("ndarray")
    program = """
        import warnings
        import trivet.plugins as plugins
        warnings.simplefilter("ignore", plugins.PluginWarning)
        print(plugins.backend("mine"), plugins.resolve())
    """
    before = site.run(program)

    for member in EXPECTED:
        if (ZOO / member).exists() and EXPECTED[member][0] != "ready":
            site.install(member)

    assert site.run(program) == before == "<backend mine> <backend ndarray>\n"
