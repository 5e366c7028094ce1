"""Every op of the contract has a place in the tables of rules and of their tests."""

from importlib import import_module

import pytest

from trivet.contract import OPS
from trivet_autodiff.rules import RULES
from trivet_autodiff.rules.registry import body_of

DIFFERENTIABLE = [op for op in OPS.values() if op.differentiable]


def checked(family):
    """The table of cases of a family's test module."""
    return import_module(f"test_rules_{family}").CASES


def checked_by_complex_numbers():
    """The functions whose operands or results are complex, by ops."""
    return import_module("test_complex").CASES


@pytest.mark.parametrize("op", DIFFERENTIABLE, ids=lambda op: op.name)
def test_differentiable_op_is_compared_with_differences(op):
    cases = checked(op.family)

    assert op.name in cases
    assert cases[op.name] or checked_by_complex_numbers().get(op.name)


def test_tables_of_cases_name_no_other_ops():
    families = sorted({op.family for op in DIFFERENTIABLE})

    named = {name for family in families for name in checked(family)}

    assert named == {op.name for op in DIFFERENTIABLE}


@pytest.mark.parametrize("op", DIFFERENTIABLE, ids=lambda op: op.name)
def test_differentiable_op_has_a_rule_or_a_body(op):
    assert op.name in RULES or body_of(op)


def test_rules_are_for_differentiable_ops():
    assert set(RULES) <= {op.name for op in DIFFERENTIABLE}
