import re
from types import SimpleNamespace

import pytest

from trivet import plugins
from trivet.contract import Backend, Device
from trivet.errors import (
    BrokenBackendError,
    DeviceMismatchError,
    InvalidBackendError,
    UnknownBackendError,
)
from trivet.plugins.load import hooks
from trivet.plugins.registry import REGISTRY


def snapshot():
    return (
        [record._replace(seconds=0.0) for record in plugins.backends()],
        dict(REGISTRY.answers),
        [dict(plugin.instances) for plugin in REGISTRY.plugins()],
        list(hooks().get_plugins()),
    )


def test_registered_instance_is_the_backend_of_its_name(make):
    mine = make("mine")

    plugins.register_backend(mine)

    assert plugins.backend("mine") is mine


def test_registered_class_is_called_once(stub):
    class Mine(stub):
        name = "mine"

    registration = plugins.register_backend(Mine)

    assert type(plugins.backend("mine")) is Mine
    assert plugins.backend("mine") is plugins.backend("mine")
    assert registration.record.state is plugins.State.READY


def test_registered_decorator_wraps_any_backend(make, wrapper):
    plugins.register_backend(make("mine"))

    plugins.register_backend(wrapper, "wrap")

    wrapped = plugins.backend("wrap(mine)")
    assert wrapped.name == "wrap(mine)"
    assert wrapped.inner is plugins.backend("mine")
    assert plugins.backend(" wrap( mine )") is wrapped


def test_undo_takes_the_backend_and_what_wraps_it_back(make, wrapper):
    plugins.register_backend(wrapper, "wrap")
    before = snapshot()
    registration = plugins.register_backend(make("mine"))
    plugins.backend("wrap(mine)")

    registration.undo()
    registration.undo()

    assert snapshot() == before
    with pytest.raises(UnknownBackendError):
        plugins.backend("wrap(mine)")


def test_registration_ends_with_its_block(make):
    with plugins.register_backend(make("mine")) as registration:
        assert plugins.backends() == (registration.record,)

    assert plugins.backends() == ()


def test_undo_leaves_what_other_backends_have_made(make, wrapper):
    plugins.register_backend(wrapper, "wrap")
    plugins.register_backend(make("kept"))
    kept = plugins.backend("wrap(kept)")

    plugins.register_backend(make("mine")).undo()

    assert plugins.backend("wrap(kept)") is kept


def bad(stub):
    class Raising(stub):
        name = "raising"

        def __init__(self):
            raise RuntimeError("no driver")

    class Named(stub):
        name = "other"

    class Taken(stub):
        name = "taken"

    class Reserved(stub):
        name = "auto"

    class Lacking(stub):
        name = "lacking"
        exp = Backend.exp

    return {
        "constructor raises": (Raising,),
        "no backend": (object(),),
        "another name": (Named, "mine"),
        "reserved name": (Reserved,),
        "missing op": (Lacking,),
        "taken name": (Taken,),
    }


BROKEN = "Backend {!r} (registered at run time) failed to load: "
TAKEN = (
    "The name 'taken' is taken by Backend 'taken' (registered at run time). "
    "Register under another name, or undo the earlier registration."
)
AGAIN = "Correct the class and register it again."
INVALID = "Backend {!r} (registered at run time) does not fulfil the contract: "
CASES = {
    "constructor raises": (
        BrokenBackendError,
        BROKEN.format("Raising")
        + f"RuntimeError: no driver, at {__file__}:LINE in __init__. "
        + "Correct the class that was registered.",
    ),
    "no backend": (
        InvalidBackendError,
        INVALID.format("object") + f"object is not a subclass of Backend. {AGAIN}",
    ),
    "another name": (
        InvalidBackendError,
        INVALID.format("mine")
        + f"its instance is named 'other' and should be 'mine'. {AGAIN}",
    ),
    "reserved name": (
        InvalidBackendError,
        INVALID.format("Reserved")
        + "the name 'auto' is reserved, as are all of: all, any, auto, default, none. "
        + AGAIN,
    ),
    "missing op": (
        InvalidBackendError,
        INVALID.format("Lacking") + f"it lacks the required ops: exp. {AGAIN}",
    ),
    "taken name": (
        InvalidBackendError,
        TAKEN,
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_failed_registration_says_why_and_leaves_no_trace(stub, make, case):
    plugins.register_backend(make("taken"))
    arguments = bad(stub)[case]
    error, message = CASES[case]
    before = snapshot()

    with pytest.raises(error) as caught:
        plugins.register_backend(*arguments)

    said = re.sub(r":[0-9]+ in", ":LINE in", str(caught.value))
    assert said == message
    assert snapshot() == before


def test_decorator_is_refused_without_a_name(wrapper):
    with pytest.raises(InvalidBackendError) as caught:
        plugins.register_backend(wrapper)

    assert str(caught.value) == (
        f"The decorator {wrapper.__qualname__} was registered without a name. Write "
        f'register_backend({wrapper.__qualname__}, "its_name").'
    )


def test_name_of_an_installed_plugin_is_taken(installed, make):
    installed.add_backend("mine")

    with pytest.raises(
        InvalidBackendError, match=r"taken by Backend 'mine' \(mine 1.0\)"
    ):
        plugins.register_backend(make("mine"))


def test_decorator_that_fails_on_one_backend_still_wraps_the_others(make, wrapper):
    class Picky(wrapper):
        def __init__(self, inner):
            if inner.name == "bad":
                raise ValueError("no such backend, please")
            super().__init__(inner)

    plugins.register_backend(Picky, "wrap")
    plugins.register_backend(make("bad"))
    plugins.register_backend(make("good"))

    with pytest.raises(BrokenBackendError, match="no such backend, please"):
        plugins.backend("wrap(bad)")

    assert plugins.backend("wrap(good)").inner is plugins.backend("good")


def test_backend_of_several_devices_refuses_operands_of_two(stub):
    class Two(stub):
        name = "two"

        def devices(self):
            return Device("gpu", 0), Device("gpu", 1)

        def device(self, x, /):
            return x.device

    plugins.register_backend(Two)
    here = SimpleNamespace(shape=(), device=Device("gpu", 0))
    there = SimpleNamespace(shape=(), device=Device("gpu", 1))

    with pytest.raises(DeviceMismatchError):
        plugins.backend("two").add(here, there)
