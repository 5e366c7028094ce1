"""The functions of the tensor API agree with independent libraries on drawn arguments.

`references` has for each function what it is compared with, on which arguments.
"""

import hypothesis
import pytest
from hypothesis import given
from references import (
    creation,
    elementwise,
    fft,
    linalg,
    nn,
    reduction,
    shape,
    special,
)
from references.case import arrays_in, compared

import trivet as tv
from trivet.functions import TOP_LEVEL

FAMILIES = (creation, elementwise, shape, reduction, linalg, fft, special, nn)
TABLE = {name: case for family in FAMILIES for name, case in family.TABLE.items()}
MODULES = {
    "": tv,
    "linalg": tv.linalg,
    "fft": tv.fft,
    "nn": tv.nn,
    "special": tv.special,
}
# Without a counterpart that gives the same values.
UNCOMPARED = {
    "empty": "its elements are arbitrary",
    "empty_like": "its elements are arbitrary",
    "nn.dropout": "random; tests/ndarray/test_attention.py has its distribution",
}
# On a backend of required ops alone the bodies of the contract compute.
STRANGERS = (
    *("add", "floor_divide", "remainder", "logaddexp", "clip", "where", "round"),
    *(
        "concat",
        "pad",
        "repeat",
        "take_along_axis",
        "scatter",
        "tile",
        "roll",
        "unfold",
    ),
    *("sort", "median", "quantile", "var", "cumulative_sum", "unique_all", "prod"),
    *(
        "linalg.solve",
        "linalg.qr",
        "linalg.svd",
        "linalg.matmul",
        "special.betainc",
        "einsum",
    ),
    *("special.erf", "special.gammaln", "nn.softmax", "nn.conv1d", "nn.max_pool1d"),
    *("nn.layer_norm", "nn.cross_entropy", "linspace", "searchsorted"),
    *("interp", "gradient", "trapezoid", "nanquantile", "average", "digitize", "fmod"),
    *("logspace", "geomspace", "argwhere", "array_equal", "hstack", "lerp"),
)
SETTINGS = hypothesis.settings(
    deadline=None,
    database=None,
    derandomize=True,
    suppress_health_check=list(hypothesis.HealthCheck),
)


def exported():
    """The full name of every function, once where several modules have it."""
    names = {}
    for part, module in MODULES.items():
        for name in module.__all__ if part else TOP_LEVEL:
            full = f"{part}.{name}" if part else name
            names.setdefault(getattr(module, name), []).append(full)
    return list(names.values())


def found(name):
    """The function of a name such as `linalg.inv`."""
    part, _, last = name.rpartition(".")
    return getattr(MODULES[part], last)


def check(name, backend, examples):
    case = TABLE[name]
    if case.needs:
        pytest.importorskip(case.needs)

    @hypothesis.settings(SETTINGS, max_examples=examples)
    @given(case.calls)
    def agrees(call):
        with tv.using(backend) as chosen:
            hypothesis.assume(is_held(call, chosen))
            compared(case, found(name), call, backend)

    agrees()


def is_held(call, backend):
    """Whether the backend has all dtypes of the call: a few have no complex ones."""
    known = {str(dtype) for dtype in backend.dtypes(backend.default_device)}
    asked = call[1].get("dtype") or "bool"
    return {asked, *(x.dtype.name for x in arrays_in(call))} <= known


@pytest.mark.parametrize("name", TABLE)
def test_function_agrees_with_the_reference(name):
    check(name, "ndarray", 12)


@pytest.mark.parametrize("backend", ["example", "autodiff(ndarray)"])
@pytest.mark.parametrize("name", STRANGERS)
def test_function_agrees_on_another_backend(name, backend):
    check(name, backend, 6)


def test_every_function_is_compared_or_says_why_not():
    covered = {*TABLE, *UNCOMPARED}

    assert [names for names in exported() if not covered & set(names)] == []


def test_every_comparison_is_of_a_function():
    names = {name for names in exported() for name in names}

    assert {*TABLE, *UNCOMPARED} - names == set()


def test_nothing_is_compared_twice():
    assert sum(len(family.TABLE) for family in FAMILIES) == len(TABLE)
