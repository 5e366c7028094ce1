"""Signatures of overridden ops against the contract's, at load."""

import inspect

import pytest

from trivet.contract import CPU, OPS, Backend, Device
from trivet.plugins.refusal import Refusal
from trivet.plugins.states import Record, State
from trivet.plugins.validate import validate_backend, validate_class

RECORD = Record(name="fake", kind="backend", dist="fake", version="1.0")


def renamed_data(self, a, x2, /): ...
def swapped_data(self, x2, x1, /): ...
def missing_data(self, x1, /): ...
def further_data(self, x1, x2, x3, /): ...
def data_by_keyword(self, x1, x2): ...
def optional_data(self, x1, x2=None, /): ...
def renamed_static(self, x, /, *, axes, dtype, keepdims): ...
def missing_static(self, x, /, *, axis, dtype): ...
def further_static(self, x, /, *, axis, dtype, keepdims, where): ...
def static_by_position(self, x, /, axis, *, dtype, keepdims): ...
def static_default(self, x, /, *, axis=None, dtype, keepdims): ...
def swallowed_statics(self, x, /, **statics): ...
def other_default(self, x, /, min=0, max=None): ...


MUTANTS = [
    ("add", renamed_data),
    ("add", swapped_data),
    ("add", missing_data),
    ("add", further_data),
    ("add", data_by_keyword),
    ("add", optional_data),
    ("sum", renamed_static),
    ("sum", missing_static),
    ("sum", further_static),
    ("sum", static_by_position),
    ("sum", static_default),
    ("sum", swallowed_statics),
    ("clip", other_default),
]


@pytest.mark.parametrize(
    "op, mutant", MUTANTS, ids=[mutant.__name__ for _, mutant in MUTANTS]
)
def test_override_is_refused_with_both_signatures_when_they_differ(stub, op, mutant):
    cls = type("Mutant", (stub,), {op: mutant})

    with pytest.raises(Refusal) as caught:
        validate_class(RECORD, cls)

    theirs = str(inspect.signature(mutant)).replace("self, ", "")
    assert caught.value.state is State.INVALID
    assert f"Mutant.{op} has another signature" in caught.value.reason
    assert caught.value.reason.endswith(f". The plugin: {op}{theirs}")


@pytest.mark.parametrize("op", sorted(OPS))
def test_override_is_accepted_when_it_has_the_signature_of_the_op(stub, op):
    cls = type("Faithful", (stub,), {op: OPS[op].function})

    assert validate_class(RECORD, cls) is cls


def test_override_is_accepted_when_it_is_static_or_orders_its_keywords_otherwise(stub):
    class Free(stub):
        @staticmethod
        def add(x1, x2, /): ...

        def sum(self, x, /, *, keepdims, dtype, axis): ...

    assert validate_class(RECORD, Free) is Free


def test_override_is_refused_when_it_cannot_be_called(stub):
    cls = type("Nothing", (stub,), {"add": None})

    with pytest.raises(Refusal, match=r"Nothing\.add is not callable"):
        validate_class(RECORD, cls)


@pytest.mark.parametrize("native", [max, len, "".join, print])
def test_bound_native_function_is_accepted_unread(make, native):
    backend = make("fake")
    backend.bind(add=native)

    validate_backend(RECORD, backend, "fake")


@pytest.mark.parametrize(
    "function",
    [
        lambda a, b: None,
        lambda a, b, out=None: None,
        lambda *args, **statics: None,
    ],
)
def test_bound_function_is_accepted_when_it_takes_the_calls_of_the_op(make, function):
    backend = make("fake")
    backend.bind(add=function)

    validate_backend(RECORD, backend, "fake")


@pytest.mark.parametrize(
    "op, function",
    [
        ("add", lambda a: None),
        ("add", lambda a, b, c: None),
        ("sum", lambda x, *, axis, keepdims: None),
        ("clip", lambda x, min=0, max=None: None),
    ],
)
def test_bound_function_is_refused_when_it_does_not_take_them(make, op, function):
    backend = make("fake")
    backend.bind(**{op: function})

    with pytest.raises(Refusal, match=f"Fake.{op} has another signature"):
        validate_backend(RECORD, backend, "fake")


def test_required_op_may_be_a_bound_function(stub):
    class Bound(stub):
        name = "fake"
        exp = Backend.exp

        def __init__(self):
            self.bind(exp=len)

    validate_backend(RECORD, validate_class(RECORD, Bound)(), "fake")


@pytest.mark.parametrize(
    "members, reason",
    [
        ({"devices": lambda self: [CPU]}, "is not a tuple of at least one Device"),
        ({"devices": lambda self: ("cpu",)}, "holds 'cpu', not a Device"),
        (
            {"default_device": Device("moon")},
            "its default device moon is not in its devices()",
        ),
    ],
)
def test_backend_is_refused_when_its_devices_are_none(stub, members, reason):
    backend = type("Strange", (stub,), {"name": "fake", **members})()

    with pytest.raises(Refusal) as caught:
        validate_backend(RECORD, backend, "fake")

    assert reason in caught.value.reason
