"""Nested arguments and results, with optree and without it."""

from collections import OrderedDict
from typing import Any, NamedTuple

import optree
import pytest

import trivet as tv
from trivet.errors import GradientError
from trivet_autodiff import grad, jvp, tree, vjp


class Pair(NamedTuple):
    """A container with names."""

    w: Any
    b: Any


@optree.dataclasses.dataclass(namespace="trivet")
class Layer:
    """A class that optree knows."""

    w: object
    name: str = optree.dataclasses.field(pytree_node=False)


@pytest.fixture(params=["optree", "plain"])
def known(request, monkeypatch):
    """Run the test with optree, and as if it were not installed."""
    if request.param == "plain":
        monkeypatch.setattr(tree, "_optree", lambda: None)
    return request.param


@pytest.mark.parametrize(
    "nested, expected",
    [
        (1.0, [1.0]),
        ([1.0, (2.0, [])], [1.0, 2.0]),
        ({"b": 1.0, "a": (2.0, None)}, [2.0, 1.0]),
        ({2: 1.0, 1: 2.0}, [2.0, 1.0]),
        ({"a": 1.0, 1: 2.0}, [2.0, 1.0]),
        (None, []),
        ((), []),
    ],
)
def test_tree_is_the_same_after_it_was_taken_apart(known, nested, expected):
    found, structure = tree.flatten(nested)

    assert found == expected
    assert structure.num_leaves == len(expected)
    assert repr(structure.unflatten(found)) == repr(nested)


@pytest.mark.parametrize(
    "first, second, equal",
    [
        ({"a": 1, "b": 2}, {"b": 3, "a": 4}, True),
        ((1, [2]), (3, [4]), True),
        ((1, 2), [1, 2], False),
        ((1, 2), (1, (2,)), False),
        ({"a": 1}, {"b": 1}, False),
        (1, (1,), False),
        ((1, None), (1, 2), False),
    ],
)
def test_structures_are_equal_when_containers_and_keys_are(known, first, second, equal):
    assert (tree.flatten(first)[1] == tree.flatten(second)[1]) is equal


def test_nesting_is_shown_with_a_star_for_each_leaf(known):
    assert tree.shown({"w": 1.0, "b": (2.0, [None])}) == "{'w': *, 'b': (*, [None])}"


@pytest.mark.parametrize("kind", [Pair(1.0, 2.0), OrderedDict(a=1.0)])
def test_container_that_only_optree_knows_names_what_to_install(monkeypatch, kind):
    monkeypatch.setattr(tree, "_optree", lambda: None)

    with pytest.raises(GradientError) as error:
        grad(lambda p: p[0])(kind)

    assert str(error.value) == (
        f"a {type(kind).__name__} is a container that optree takes apart, and optree "
        'is not installed: pip install "trivet-autodiff[containers]". Tuples, lists '
        "and dictionaries need nothing more."
    )


def test_named_tuple_has_a_named_tuple_of_gradients(backend):
    with tv.using(backend):
        found = grad(lambda p: p.w * p.w + p.b)(Pair(3.0, 1.0))

    assert type(found) is Pair
    assert (found.w.item(), found.b.item()) == (6.0, 1.0)


def test_registered_class_is_an_argument_and_a_result(backend):
    with tv.using(backend):
        layer = Layer(tv.asarray(3.0), "first")
        _, pullback = vjp(lambda p: Layer(p.w * p.w, "square"), layer)
        (found,) = pullback(Layer(tv.asarray(10.0), "square"))
        _, along = jvp(lambda p: p.w * p.w, (layer,), (Layer(2.0, "first"),))

    assert found.w.item() == 60.0
    assert found.name == "first"
    assert along.item() == 12.0
