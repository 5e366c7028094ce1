"""The methods that type checkers are told of are those that there are."""

import ast
import inspect

import trivet as tv
from trivet import functions, methods


def declared() -> set[str]:
    tree = ast.parse(inspect.getsource(methods))
    block = next(node for node in ast.walk(tree) if isinstance(node, ast.ClassDef))
    return {
        node.targets[0].id
        for node in ast.walk(block)
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Attribute)
    }


def test_methods_declared_for_type_checkers_are_those_that_functions_install():
    installed = {
        name
        for name, function in functions.TOP_LEVEL.items()
        if vars(tv.Tensor).get(name) is function
    }

    assert installed == declared()
    assert "exp" in installed
