"""Which backend is chosen: argument, `using`, `TRIVET_BACKEND`, default."""

import asyncio
from threading import Thread

import pytest

from trivet import plugins
from trivet.errors import (
    AmbiguousBackendError,
    BackendSpecError,
    BrokenBackendError,
    UnavailableBackendError,
    UnknownBackendError,
)

ALIASED = """
from trivet.contract import BackendSpec, hookimpl

@hookimpl
def trivet_backend():
    cls = "{name}_plugin_backend:Fake"
    return BackendSpec(name={name!r}, cls=cls, aliases={aliases})
"""

UNAVAILABLE = """
from trivet.contract import Availability, BackendSpec, hookimpl

def probe():
    return Availability.no("no such device was found", "Plug one in.")

@hookimpl
def trivet_backend():
    return BackendSpec(name="one", cls="nowhere:Fake", aliases=("uno",), probe=probe)
"""


@pytest.fixture
def three(installed, make):
    """Backends `ndarray`, `one` and `two`."""
    for name in ("ndarray", "one", "two"):
        installed.add_backend(name)
    return installed


def test_backend_is_the_same_object_for_equal_specs(three):
    one = plugins.backend("one")

    assert plugins.backend("one") is one
    assert plugins.backend(" one ") is one
    assert plugins.backend("one@one") is one


def test_backend_is_returned_as_it_is_when_one_is_given(make):
    mine = make("never_registered")

    assert plugins.backend(mine) is mine


@pytest.mark.parametrize("spec", [None, 3, b"one", ["one"]])
def test_backend_says_what_it_takes_when_given_another_type(installed, spec):
    with pytest.raises(BackendSpecError) as caught:
        plugins.backend(spec)

    assert str(caught.value) == (
        "A backend is given as text or as a Backend, not as "
        f'{type(spec).__name__}: {spec!r}. Write for example backend="ndarray".'
    )


def test_alias_means_its_backend(installed):
    installed.add_backend("one")
    installed.write("one_plugin", ALIASED.format(name="one", aliases=("uno", "eins")))

    assert plugins.backend("uno") is plugins.backend("one")
    assert plugins.backends()[0].aliases == ("uno", "eins")


def test_alias_of_an_unavailable_plugin_raises_why_it_is_unavailable(installed):
    installed.add("one", backends_v1={"one": "one_plugin"})
    installed.write("one_plugin", UNAVAILABLE)

    with pytest.raises(UnavailableBackendError, match="no such device was found"):
        plugins.backend("uno")


def test_published_alias_imports_no_other_plugin_to_find_its_backend(installed):
    installed.add_backend("ndarray")
    installed.add_backend("aaa", before="raise RuntimeError('imported')")

    assert plugins.backend("numpy") is plugins.backend("ndarray")
    assert plugins.backends()[0].state is plugins.State.FOUND


def test_alias_of_two_plugins_asks_for_the_full_name(installed):
    for name in ("one", "two"):
        installed.add_backend(name)
        installed.write(f"{name}_plugin", ALIASED.format(name=name, aliases=("gpu",)))

    with pytest.raises(AmbiguousBackendError) as caught:
        plugins.backend("gpu")

    assert str(caught.value) == (
        "'gpu' is an alias of several plugins: Backend 'one' (one 1.0) and Backend "
        "'two' (two 1.0). Use the full name."
    )


def test_exact_name_wins_over_an_alias(installed):
    installed.add_backend("one")
    installed.write("one_plugin", ALIASED.format(name="one", aliases=("two",)))
    installed.add_backend("two")
    plugins.backend("one")

    assert plugins.backend("two").name == "two"


UNKNOWN = {
    "ndarray": 'Install it: pip install "trivet[ndarray]"',
    "numpy": 'Install it: pip install "trivet[ndarray]"',
    "cupy": 'Install it: pip install "trivet[cuda12]"',
    "nmupy": "Did you mean 'numpy' or 'cupy'?",
    "onne": "Did you mean 'one'?",
    "One": "Did you mean 'one'?",
    "zzzzzzzz": "Install the distribution that offers it.",
    "one@other": "Did you mean 'one'?",
    "autodiff(one)": 'Install it: pip install "trivet[autodiff]"',
}


@pytest.mark.parametrize("spec", UNKNOWN)
def test_unknown_name_gets_what_is_installed_and_what_to_do(installed, spec):
    installed.add_backend("one")

    with pytest.raises(UnknownBackendError) as caught:
        plugins.backend(spec)

    message = str(caught.value)
    assert message.startswith("No installed plugin offers the ")
    assert message.endswith(UNKNOWN[spec])


def test_unknown_name_message_in_full(installed):
    installed.add_backend("one")

    with pytest.raises(UnknownBackendError) as caught:
        plugins.backend("onne@somewhere")

    assert str(caught.value) == (
        "No installed plugin offers the backend 'onne' in the distribution "
        "'somewhere'. Installed backends: one. Did you mean 'one'?"
    )


def test_decorator_without_brackets_and_backend_with_them_say_so(make, wrapper):
    plugins.register_backend(make("mine"))
    plugins.register_backend(wrapper, "wrap")

    with pytest.raises(UnknownBackendError) as without:
        plugins.backend("wrap")
    with pytest.raises(UnknownBackendError) as with_them:
        plugins.backend("mine(mine)")

    assert str(without.value) == (
        "No installed plugin offers the backend 'wrap'. Installed backends: mine. It "
        'is a decorator and wraps a backend: "wrap(ndarray)".'
    )
    assert str(with_them.value) == (
        "No installed plugin offers the decorator 'mine'. Installed decorators: wrap. "
        'It is a backend and wraps nothing: "mine".'
    )


def test_decorators_nest(make, wrapper):
    plugins.register_backend(make("mine"))
    plugins.register_backend(wrapper, "wrap")

    twice = plugins.backend("wrap(wrap(mine))")

    assert twice.name == "wrap(wrap(mine))"
    assert twice.inner is plugins.backend("wrap(mine)")


def test_argument_wins_over_using_over_variable_over_default(three, monkeypatch):
    chosen = [plugins.resolve().name]
    monkeypatch.setenv("TRIVET_BACKEND", "one")
    chosen.append(plugins.resolve().name)
    with plugins.using("two"):
        chosen.append(plugins.resolve().name)
        chosen.append(plugins.resolve("ndarray").name)
    chosen.append(plugins.resolve().name)

    assert chosen == ["ndarray", "one", "two", "ndarray", "one"]


def test_using_nests_and_ends_when_its_block_raises(three):
    seen = []

    try:
        with plugins.using("one"):
            with plugins.using("two"):
                seen.append(plugins.resolve().name)
            seen.append(plugins.resolve().name)
            seen.append(1 // 0)
    except ZeroDivisionError:
        seen.append(plugins.resolve().name)

    assert seen == ["two", "one", "ndarray"]


def test_using_fails_on_entry_when_the_backend_is_unknown(three):
    with pytest.raises(UnknownBackendError), plugins.using("nothing"):
        pytest.fail("the block ran")


def test_using_holds_for_its_own_asyncio_task_alone(three):
    async def task(name, started, other):
        with plugins.using(name):
            started.set()
            await other.wait()
            await asyncio.sleep(0)
            return plugins.resolve().name

    async def both():
        first, second = asyncio.Event(), asyncio.Event()
        names = await asyncio.gather(
            task("one", first, second), task("two", second, first)
        )
        return names, plugins.resolve().name

    assert asyncio.run(both()) == (["one", "two"], "ndarray")


def test_using_does_not_reach_other_threads(three):
    seen = []
    with plugins.using("one"):
        thread = Thread(target=lambda: seen.append(plugins.resolve().name))
        thread.start()
        thread.join()

    assert seen == ["ndarray"]


def test_error_about_the_variable_says_that_it_comes_from_there(three, monkeypatch):
    monkeypatch.setenv("TRIVET_BACKEND", "nothing")

    with pytest.raises(UnknownBackendError) as caught:
        plugins.resolve()

    assert caught.value.__notes__ == [
        "The environment variable TRIVET_BACKEND asks for 'nothing'."
    ]


def test_empty_variable_counts_as_not_set(three, monkeypatch):
    monkeypatch.setenv("TRIVET_BACKEND", "")

    assert plugins.resolve().name == "ndarray"


def test_default_is_the_only_backend_when_the_published_one_is_absent(installed):
    installed.add_backend("one")

    assert plugins.resolve() is plugins.backend("one")


def test_default_passes_over_plugins_that_fail(installed):
    installed.install("import_error")
    installed.install("no_device")
    installed.add_backend("one")

    assert plugins.resolve().name == "one"
    assert str(plugins.explain()) == (
        "The backend is one, chosen by the default.\n"
        "  argument: not given\n"
        "  using block: no block is active\n"
        "  variable TRIVET_BACKEND: not set\n"
        "  default: one is the only usable backend; import_error is broken; no_device "
        "is unavailable"
    )


def test_default_is_not_passed_over_when_the_published_one_is_broken(installed):
    installed.add_backend("ndarray", before="raise RuntimeError('no')")
    installed.add_backend("one")

    with pytest.raises(BrokenBackendError):
        plugins.resolve()


NOTHING = 'Install the default one: pip install "trivet[ndarray]"'
CHOOSE = f'Choose one with trivet.using("...") or TRIVET_BACKEND. {NOTHING}'


@pytest.mark.parametrize(
    "names, message",
    [
        ((), f"no backend is installed. {NOTHING}"),
        (("one", "two"), f"several backends are installed (one, two). {CHOOSE}"),
    ],
)
def test_no_default_says_what_to_do(installed, names, message):
    for name in names:
        installed.add_backend(name)

    with pytest.raises(UnknownBackendError) as caught:
        plugins.resolve()

    assert str(caught.value) == f"There is no default backend: {message}"


def test_no_default_names_the_plugins_that_failed(installed):
    installed.install("no_device")

    with pytest.raises(UnknownBackendError) as caught:
        plugins.resolve()

    assert str(caught.value) == (
        "There is no default backend: no installed backend is usable; no_device is "
        f"unavailable. {CHOOSE}"
    )


def test_explain_tells_what_each_earlier_rule_said(three, monkeypatch):
    monkeypatch.setenv("TRIVET_BACKEND", "one")

    assert str(plugins.explain()) == (
        "The backend is one, chosen by the variable TRIVET_BACKEND.\n"
        "  argument: not given\n"
        "  using block: no block is active\n"
        "  variable TRIVET_BACKEND: set to 'one'"
    )


def test_explain_ends_with_the_argument_when_there_is_one(three):
    with plugins.using("two"):
        explanation = plugins.explain("one")

    assert explanation == plugins.Explanation(
        "one", "argument", (("argument", "given as 'one'"),)
    )


def test_explain_names_the_using_block(three):
    with plugins.using("two"):
        assert str(plugins.explain()) == (
            "The backend is two, chosen by the using block.\n"
            "  argument: not given\n"
            "  using block: the innermost block uses two"
        )


def test_explain_loads_nothing(three):
    assert plugins.explain().spec == "ndarray"
    assert {record.state for record in plugins.backends()} == {plugins.State.FOUND}


def test_explain_raises_nothing_when_no_rule_chooses(installed):
    assert str(plugins.explain()) == (
        "No rule chooses a backend.\n"
        "  argument: not given\n"
        "  using block: no block is active\n"
        "  variable TRIVET_BACKEND: not set\n"
        "  default: no backend is installed"
    )


def test_unavailable_plugin_raises_its_reason_when_asked_for(installed):
    installed.install("no_device")

    with pytest.raises(UnavailableBackendError, match="no such device was found"):
        plugins.backend("no_device")
