"""Functions of real numbers refuse complex ones instead of computing something else."""

import inspect

import pytest

import trivet as tv
from trivet.contract import OPS
from trivet.dtypes import COMPLEX
from trivet.errors import DTypeError

MODULES = (tv, tv.linalg, tv.nn, tv.fft, tv.special)
# Those with complex numbers.
BACKENDS = ["ndarray", "autodiff(ndarray)", "forward(ndarray)"]
# Libraries that order complex numbers do so by their real parts first, and say so:
# what the backend takes beyond the contract stands.
ORDERING = {"clip", "greater", "greater_equal", "less", "less_equal"}
ORDERING |= {"maximum", "minimum"}


def arrays_of(function):
    """How many arrays it takes, where a call needs nothing else; 0 for others."""
    parameters = inspect.signature(function).parameters.values()
    needed = [p for p in parameters if p.default is p.empty]
    arrays = [p for p in needed if "Tensor" in str(p.annotation)]
    return len(arrays) if arrays == needed else 0


def real_functions():
    found = {}
    for module in MODULES:
        for name in module.__all__:
            function = getattr(module, name)
            op = OPS.get(name)
            known = op is not None and inspect.isfunction(function)
            if known and not op.kinds & COMPLEX and name not in ORDERING:
                found[name] = function
    return {name: f for name, f in found.items() if arrays_of(f)}


REAL = real_functions()


def test_activations_and_special_functions_are_among_the_real_ones():
    assert REAL.keys() >= {"relu", "sigmoid", "softplus", "gelu", "silu", "erf"}
    assert len(REAL) > 60


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("name", REAL)
def test_function_of_real_numbers_refuses_complex_ones(name, backend):
    x = tv.asarray([[1 - 2j, -1 + 1j]], dtype=tv.complex64, backend=backend)

    with pytest.raises(DTypeError) as raised:
        REAL[name](*[x] * arrays_of(REAL[name]))

    assert "complex64" in str(raised.value)
    assert "Cast" in str(raised.value)
