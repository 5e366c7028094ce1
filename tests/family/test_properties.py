"""The functions of the tensor API agree with independent libraries on drawn arguments.

`references` has for each function what it is compared with, on which arguments.
"""

import hypothesis
import pytest
from hypothesis import given
from references import creation, elementwise, fft, linalg, reduction, shape, special
from references.case import compared

import trivet as tv

FAMILIES = (creation, elementwise, shape, reduction, linalg, fft, special)
TABLE = {name: case for family in FAMILIES for name, case in family.TABLE.items()}
SETTINGS = hypothesis.settings(
    max_examples=20,
    deadline=None,
    database=None,
    derandomize=True,
    suppress_health_check=list(hypothesis.HealthCheck),
)


def found(name):
    """The function of a name such as `linalg.inv`."""
    part, _, last = name.rpartition(".")
    return getattr(getattr(tv, part) if part else tv, last)


def check(name, backend, examples):
    case = TABLE[name]
    if case.needs:
        pytest.importorskip(case.needs)

    @hypothesis.settings(SETTINGS, max_examples=examples)
    @given(case.calls)
    def agrees(call):
        with tv.using(backend):
            compared(case, found(name), call, backend)

    agrees()


@pytest.mark.parametrize("name", TABLE)
def test_function_agrees_with_the_reference(name):
    check(name, "ndarray", 20)
