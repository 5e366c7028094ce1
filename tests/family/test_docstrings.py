"""Every public name is documented: a sentence, an example, the errors it raises.

The examples themselves run as doctests.
"""

import ast
import doctest
import inspect
import re
import textwrap
from importlib import import_module

import pytest

import trivet as tv
from trivet import errors
from trivet.contract import Backend, Decorator, Recorder

MODULES = (
    "trivet",
    "trivet.contract",
    "trivet.fft",
    "trivet.linalg",
    "trivet.nn",
    "trivet.random",
    "trivet.special",
    "trivet.testing",
    "trivet_autodiff",
)
# What plugin authors call is shown by the example backend, in one piece.
PLUGIN_SIDE = {"trivet.contract"}
WITHOUT_EXAMPLE = {
    "Graph.svg": "needs Graphviz itself",
    "Autodiff.attached": "takes nodes of the graph, which users do not meet",
    "Autodiff.first_cotangent": "takes handles, which users do not meet",
    "Autodiff.weight": "as above",
}
LONGEST = 88
BACKEND = {*dir(Decorator), *dir(Recorder)}
PARSER = doctest.DocTestParser()


def members(module):
    """The functions and classes that a module exports, and the classes' methods."""
    for name in import_module(module).__all__:
        value = getattr(import_module(module), name)
        if inspect.isclass(value):
            yield name, value
            yield from methods(name, value)
        elif inspect.isfunction(value):
            yield name, value


def methods(name, cls):
    """Public methods, static ones too, and properties, as functions."""
    for key, value in vars(cls).items():
        function = value.fget if isinstance(value, property) else value
        function = getattr(function, "__func__", function)
        if inspect.isfunction(function) and not key.startswith("_"):
            yield f"{name}.{key}", function


def is_for_users(module, name, value):
    """Whether users call it: not the contract, nor what implements it, nor errors."""
    owner, _, key = name.rpartition(".")
    cls = getattr(import_module(module), owner or name)
    if module in PLUGIN_SIDE or name in WITHOUT_EXAMPLE or cls is Backend:
        return False
    if inspect.isclass(cls) and issubclass(cls, Exception):
        return False
    return not (inspect.isclass(cls) and issubclass(cls, Backend) and key in BACKEND)


ALL = [
    pytest.param(module, name, value, id=f"{module}.{name}")
    for module in MODULES
    for name, value in members(module)
]


def documentation(module, name, value):
    """The docstring; that of the base's method for a method that overrides it."""
    owner, _, key = name.rpartition(".")
    if owner and not value.__doc__:
        return inspect.getdoc(getattr(getattr(import_module(module), owner), key))
    return inspect.cleandoc(value.__doc__ or "")


@pytest.mark.parametrize("module, name, value", ALL)
def test_first_line_is_a_sentence(module, name, value):
    text = documentation(module, name, value)

    first = text.partition("\n")[0]
    assert first.endswith((".", ":", ".`"))
    assert len(first) <= LONGEST


@pytest.mark.parametrize(
    "module, name, value", [case for case in ALL if is_for_users(*case.values)]
)
def test_example_shows_a_result(module, name, value):
    shown = PARSER.get_examples(examples(module, name, value))

    # What returns nothing shows that it raises nothing.
    assert any(example.want for example in shown) or (shown and returns_nothing(value))


def examples(module, name, value):
    """The docstring; with it that of the class where this calls the method."""
    owner, _, key = name.rpartition(".")
    if inspect.isclass(value):
        return "\n\n".join([value.__doc__, *(f.__doc__ for _, f in methods("", value))])
    of_class = getattr(import_module(module), owner).__doc__ if owner else ""
    return value.__doc__ + (of_class if re.search(rf"\.{key}\b", of_class) else "")


def returns_nothing(value):
    return inspect.signature(value).return_annotation is None


@pytest.mark.parametrize(
    "module, name, value", [case for case in ALL if inspect.isfunction(case.values[2])]
)
def test_errors_that_are_raised_are_named(module, name, value):
    named = errors_named(documentation(module, name, value), value)

    assert [e for e in sorted(raised(value)) if not with_bases(e) & named] == []


def raised(function):
    """The errors of Trivet in `raise` statements of a function and of its helpers."""
    function = inspect.unwrap(function)
    found, queue, seen = set(), [function], {function}
    while queue:
        current = queue.pop()
        tree = ast.parse(textwrap.dedent(inspect.getsource(current)))
        found |= called(node.exc for node in ast.walk(tree) if type(node) is ast.Raise)
        helpers = {current.__globals__.get(name) for name in called(ast.walk(tree))}
        new = {f for f in helpers - seen if is_of(function.__module__, f)}
        queue += new
        seen |= new
    return found & set(errors.__all__)


def called(nodes):
    """The plain names that are called."""
    return {
        node.func.id
        for node in nodes
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    }


def is_of(module, value):
    return inspect.isfunction(value) and value.__module__ == module


def errors_named(text, function):
    """The errors in the docstring, in those that it points to, and in the module's."""
    module = inspect.getmodule(function)
    texts, queue = [module.__doc__ or ""], [text]
    while queue:
        texts.append(queue.pop())
        names = re.findall(r"`(\w+)`", texts[-1])
        pointed = [getattr(module, name, getattr(tv, name, None)) for name in names]
        docs = [inspect.getdoc(f) or "" for f in pointed if inspect.isroutine(f)]
        queue += [doc for doc in docs if doc not in texts]
    return set(re.findall(r"\w+Error", " ".join(texts)))


def with_bases(error):
    """The names of an error and of what it derives from."""
    return {base.__name__ for base in getattr(errors, error).__mro__}
