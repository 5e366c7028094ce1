"""`Forward`: every rule carried forward agrees with what it gives backward."""

from importlib import import_module
from pathlib import Path

import pytest
from numeric import derivative, listed, slope_derivative

FAMILIES = sorted(p.stem for p in Path(__file__).parent.glob("test_rules_*.py"))
CASES = [case for name in FAMILIES for case in listed(import_module(name).CASES)]


@pytest.mark.parametrize("op, case", CASES)
def test_derivative_forward_is_the_one_backward(backend, op, case):
    forward, backward = derivative(backend, op, case)

    assert forward == pytest.approx(backward, rel=1e-9, abs=1e-11, nan_ok=True)


@pytest.mark.parametrize("op, case", CASES)
def test_gradient_changes_forward_as_it_does_backward(backend, op, case):
    forward, backward = slope_derivative(backend, op, case)

    assert forward == pytest.approx(backward, rel=1e-9, abs=1e-11, nan_ok=True)
