"""The op table is complete, introspected, and small where a backend must fill it."""

import inspect
from pathlib import Path

import pytest
from trivet_example import Example

from trivet.contract import OPS, Backend, derived, optional, required
from trivet.contract.table import Family
from trivet.dtypes import ANY, INTEGRAL

MOST_REQUIRED = 60


def test_required_ops_are_few():
    ops = [op for op in OPS.values() if op.tier == "required"]

    assert 0 < len(ops) <= MOST_REQUIRED


def test_every_op_is_a_method_of_backend_by_its_own_name():
    for name, op in OPS.items():
        assert op.name == name
        assert getattr(Backend, name) is op.function


def test_families_give_no_name_twice():
    owners = {}
    for cls in Backend.__mro__:
        for name in vars(cls):
            if not name.startswith("__"):
                owners.setdefault(name, []).append(cls.__name__)

    twice = {
        name: classes
        for name, classes in owners.items()
        if len(classes) > 1 and name != "name"
    }

    assert twice == {}  # one family's helper would take the other's place


@pytest.mark.parametrize("op", OPS.values(), ids=list(OPS))
def test_op_is_described_whole(op):
    assert op.tier in {"required", "derived", "optional"}
    assert op.kinds
    assert op.kinds <= ANY
    assert op.summary
    assert "self" not in op.signature.parameters


@pytest.mark.parametrize("op", OPS.values(), ids=list(OPS))
def test_signature_has_data_in_front_and_statics_by_keyword(op):
    kinds = {parameter.kind for parameter in op.signature.parameters.values()}

    assert inspect.Parameter.VAR_POSITIONAL not in kinds
    assert inspect.Parameter.VAR_KEYWORD not in kinds
    for parameter in op.signature.parameters.values():
        assert parameter.annotation is not inspect.Parameter.empty
        if parameter.kind is parameter.KEYWORD_ONLY:
            assert parameter.default is parameter.empty


@pytest.mark.parametrize("family", sorted({op.family for op in OPS.values()}))
def test_every_family_with_derived_ops_has_its_file_of_tests(family):
    derived_ops = [
        op for op in OPS.values() if op.family == family and op.tier == "derived"
    ]

    file = Path(__file__).with_name(f"test_derived_{family}.py")

    assert not derived_ops or file.exists()


def test_example_backend_implements_the_required_ops_and_no_other():
    backend = Example()

    for op in OPS.values():
        wanted = {"required": "native", "derived": "derived", "optional": "missing"}
        assert backend.support(op.name) == wanted[op.tier]


def test_support_tells_the_same_behind_the_device_guard(backend):
    bare = Example()

    assert [backend.support(op) for op in OPS] == [bare.support(op) for op in OPS]


def test_support_of_a_required_op_that_is_not_there_is_missing():
    assert Backend().support("add") == "missing"
    assert Backend().support("maximum") == "derived"


def test_support_is_native_for_an_override_and_for_a_bound_function():
    class Quick(Example):
        def maximum(self, x1, x2, /):
            return super().maximum(x1, x2)

    quick = Quick()
    quick.bind(minimum=lambda x1, x2, /: x1)

    assert quick.support("maximum") == "native"
    assert quick.support("minimum") == "native"
    assert quick.support("clip") == "derived"


def test_support_refuses_a_name_that_is_no_op():
    with pytest.raises(KeyError):
        Example().support("no_such_op")


def test_optional_op_says_which_backend_lacks_it(grid):
    with pytest.raises(NotImplementedError) as error:
        Example().nextafter(grid([1.0]), grid([2.0]))

    assert str(error.value) == "the backend example has no op nextafter."


@pytest.fixture
def table(monkeypatch):
    """The op table, to add to; it is as it was afterwards."""
    for name in OPS:
        monkeypatch.setitem(OPS, name, OPS[name])
    before = set(OPS)
    yield OPS
    for name in set(OPS) - before:
        del OPS[name]


def test_family_collects_its_marked_methods_when_it_is_defined(table):
    class More(Family, family="more"):
        @required(INTEGRAL)
        def first(self, x: int, /) -> int:
            """Does this.

            And that.
            """

        @derived(constant="integer result")
        def second(self, x: int, /, *, axis: int) -> int:
            """Does that."""

        @optional()
        def third(self) -> int:
            pass

        def helper(self) -> int:
            """Is no op."""

    first, second, third = table["first"], table["second"], table["third"]
    assert "helper" not in table
    assert (first.family, first.tier, first.kinds) == ("more", "required", INTEGRAL)
    assert (first.summary, third.summary) == ("Does this.", "")
    assert (first.differentiable, second.differentiable) == (True, False)
    assert (first.constant, second.constant) == ("", "integer result")
    assert str(second.signature) == "(x: int, /, *, axis: int) -> int"
    assert third.tier == "optional"
    assert second.function is More.second


def test_family_refuses_an_op_that_another_family_has(table):
    before = dict(table)

    with pytest.raises(ValueError, match="softplus") as error:

        class More(Family, family="more"):
            @derived()
            def softplus(self, x: int, /) -> int:
                """Does that."""

    assert str(error.value) == (
        "the family more defines the op softplus, and the family nn has one of that "
        "name. Give one of them another."
    )
    assert table == before


def test_backend_of_another_author_adds_nothing_to_the_table(table):
    before = set(table)

    class Mine(Example):
        @derived()
        def my_own(self, x, /):
            return x

    assert set(table) == before
