"""The rules of gradients ask a library for what the standard says and no more.

`tests/autodiff` has the cases, and the differences that they are compared with.
"""

from importlib import import_module
from importlib.util import find_spec

import numpy as np
import pytest
from numeric import check, derivative
from strict import strict_backend

from trivet.contract import OPS

FAMILIES = dict.fromkeys(f"test_rules_{op.family}" for op in OPS.values())
TABLES = [import_module(name).CASES for name in FAMILIES if find_spec(name)]
FIRST = [
    pytest.param(op, cases[0], id=op)
    for table in TABLES
    for op, cases in table.items()
    if cases
]


@pytest.fixture(scope="module")
def backend():
    return strict_backend(pytest.importorskip("array_api_strict"))


@pytest.mark.parametrize("op, case", FIRST)
def test_gradient_is_that_of_differences(backend, op, case):
    with np.errstate(all="ignore"):
        check(backend, op, case)


@pytest.mark.parametrize("op, case", FIRST)
def test_derivative_forward_is_the_one_backward(backend, op, case):
    with np.errstate(all="ignore"):
        forward, backward = derivative(backend, op, case)

    assert forward == pytest.approx(backward, rel=1e-9, abs=1e-11, nan_ok=True)
