"""Every op that takes complex numbers has their derivatives along a direction.

The cases are those of all families, with imaginary parts for their variables, and the
functions of `test_complex`.
"""

from importlib import import_module

import pytest
from complexes import (
    along,
    changing,
    check,
    slopes_of,
    takes_complex,
    tensor,
    turned,
)
from numeric import listed, variables_of
from test_complex import CASES, NUMBERS

import trivet as tv
from trivet.contract import OPS
from trivet.dtypes import COMPLEX
from trivet_autodiff import jvp, linearize

TAKEN = {
    name
    for name, op in OPS.items()
    if op.differentiable and not COMPLEX.isdisjoint(op.kinds)
}
# The phases of vectors are arbitrary, so a difference of them means nothing: `CASES`
# has functions that do not depend on them.
PHASES = {"svd", "eigh", "eig"}
FAMILIES = sorted({f"test_rules_{OPS[op].family}" for op in TAKEN})
TURNED = {
    op: moved
    for family in FAMILIES
    for op, cases in import_module(family).CASES.items()
    if op in TAKEN - PHASES and (moved := [*filter(takes_complex, cases)])
}
# What is written to keeps its dtype, and the contract has all operands in that.
OF_ONE_DTYPE = {"accumulate", "index_update", "scatter", "setitem", "setitem_arrays"}
MIXED = {
    op: several
    for op, cases in TURNED.items()
    if op not in OF_ONE_DTYPE
    and (several := [c for c in cases if len([*variables_of(c.operands)]) > 1])
}
FUNCTIONS = pytest.mark.parametrize(
    "function",
    [
        pytest.param(lambda z, f=function: (f(z),), id=f"{op}-{place}")
        for op, functions in CASES.items()
        for place, function in enumerate(functions)
    ],
)


@pytest.fixture(autouse=True)
def _needs_complex_dtypes(request):
    if "backend" not in request.fixturenames:
        return
    backend = request.getfixturevalue("backend")
    if tv.complex128 not in backend.dtypes(backend.default_device):
        pytest.skip("the backend has no complex dtypes")


@pytest.mark.parametrize("op", sorted(TAKEN))
def test_op_that_takes_complex_numbers_is_compared(op):
    assert TURNED.get(op) or CASES.get(op)


@pytest.mark.parametrize("op, case", listed(TURNED))
def test_tangent_of_complex_operands_is_the_central_difference(backend, op, case):
    with tv.using(backend):
        function, operands = turned(backend, op, case)

        check(function, *operands)


@pytest.mark.parametrize("is_first_real", [True, False])
@pytest.mark.parametrize("op, case", listed(MIXED))
def test_real_operands_move_beside_complex_ones(backend, op, case, is_first_real):
    with tv.using(backend):
        function, operands = turned(backend, op, case)
        mixed = [
            tv.real(z) if (place == 0) == is_first_real else z
            for place, z in enumerate(operands)
        ]

        check(function, *mixed)
        check(slopes_of(function), *mixed)


@pytest.mark.parametrize("op, case", listed(TURNED))
def test_gradient_of_complex_operands_changes_as_differences_do(backend, op, case):
    with tv.using(backend):
        function, operands = turned(backend, op, case)

        check(slopes_of(function), *operands)


@pytest.mark.parametrize("op, case", listed(TURNED))
def test_tangent_of_narrow_operands_has_the_dtype_of_the_result(backend, op, case):
    with tv.using(backend):
        function, operands = turned(backend, op, case)
        narrow = [tv.astype(z, tv.complex64) for z in operands]
        directions = [along(z) for z in narrow]

        values, tangents = jvp(function, narrow, directions)
        pushed = linearize(function, *narrow)[1](*directions)

    dtypes = [value.dtype for value in values]
    assert [tangent.dtype for tangent in tangents] == dtypes
    assert [tangent.dtype for tangent in pushed] == dtypes


@FUNCTIONS
def test_tangent_of_a_function_is_the_central_difference(backend, function):
    with tv.using(backend):
        check(function, tensor(NUMBERS, backend))


@FUNCTIONS
def test_gradient_of_a_function_changes_as_differences_do(backend, function):
    with tv.using(backend):
        check(slopes_of(function), tensor(NUMBERS, backend))


@FUNCTIONS
def test_tangent_of_a_function_changes_as_differences_do(backend, function):
    with tv.using(backend):
        check(changing(function), tensor(NUMBERS, backend))
